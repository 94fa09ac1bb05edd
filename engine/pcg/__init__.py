"""Sums of independent fights whose outcomes are known only as probabilities.

Source: Zhao & Mueller, "Solving Probabilistic Combinatorial Games": SPCG is ``Sum``, P_w is a win
probability, always Left's (Left moves first). Reading order: game, halves (one finished sum), exact
(the solver). The paper's other algorithms stand in scripts.reproduce.papers.pcg.

A set of subgames is a bit mask, bit i for subgame i. Right's mask alone identifies a finished sum,
because Left has all other subgames.
"""
