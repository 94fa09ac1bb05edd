"""The end of a game as a sum of independent fights, and the fight to play first.

Source: Zhao & Mueller, "Solving Probabilistic Combinatorial Games". engine.pcg has the theory of
such sums without any Go. Here the board is cut into regions, and each open one becomes a fight
with one outcome if Black moves first and another if White does.

Reading order: regions, local_play, point_games, fights (small regions, played out exactly);
outlook, chain_fights, chances (larger ones, with the solver's probabilities); sums (the entry).
"""
