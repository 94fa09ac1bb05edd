"""Sums of independent fights whose outcomes are known only as probabilities.

Source: Zhao & Mueller, "Solving Probabilistic Combinatorial Games". The paper's symbols here:

    SPCG          ``Sum``
    d_i^L, d_i^R  ``SimpleGame.left``, ``.right``
    P_w           win probability, always Left's (Left moves first)
    P'_w          interior value
    n_t           ``share``, the part of the terminals sampled
    n_c           ``samples`` of each terminal (0: all combinations, exactly)
    d_m           ``sampled_depth``

Reading order: game, halves (one finished sum), exact (the solver). The paper's other
algorithms stand in scripts.reproduce.papers.pcg: terminal, monte_carlo, transpositions, alpha_beta
(its solver), heuristic (its player) and trials (its experiments). This package does not know Go.
The sums of points on the board (engine.endings) are its case of distributions with one point.

A set of subgames is a bit mask, bit i for subgame i. A position is Left's mask and Right's mask.
Right's mask alone identifies a finished sum, because Left has all other subgames.
"""
