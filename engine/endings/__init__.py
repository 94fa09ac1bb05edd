"""From a board late in a game to a sum of independent fights: which one comes first?

Source: Zhao & Mueller, "Solving Probabilistic Combinatorial Games"; the theory of such sums,
without any Go, is engine.pcg. Here the board is cut into regions, and each open one becomes a
fight with an outcome for either side moving first.

Reading order: regions, local_play, point_games, fights (small ones, played out exactly); outlook,
chain_fights, chances (larger ones, judged by the solver's probabilities); advice (the door).
"""
