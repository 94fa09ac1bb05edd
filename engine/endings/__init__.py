"""The end of a game as a sum of independent fights, and the fight to play first.

Source: Zhao & Mueller, "Solving Probabilistic Combinatorial Games". engine.pcg has the theory of
such sums without any Go. Here the board is cut into regions. Each open one becomes a fight
with one outcome for each side moving first.

Reading order: regions, local_play, point_games, fights (small regions, played out exactly);
outlook, chain_fights, chances (larger ones, with the solver's probabilities); sums (the entry).
"""
