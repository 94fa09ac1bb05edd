"""The end of a game as a sum of independent fights, and the fight to play first.

Source: Zhao & Mueller, "Solving Probabilistic Combinatorial Games" (``engine.pcg``). The board is
cut into regions. Each open one is played out and becomes an exact game of points. Roll-outs judge
the rest, as a margin with one value. Reading order: regions, local_play, point_games, sums.
"""
