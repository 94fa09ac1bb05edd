"""Sums of independent fights whose outcomes are only known as probabilities.

Source: Zhao & Mueller, "Solving Probabilistic Combinatorial Games". The paper's symbols here:
SPCG -> ``Sum``; d_i^L, d_i^R -> ``SimpleGame.left``, ``.right``; P_w -> win probability (always
Left's, the first mover's); P'_w -> interior value; n_t -> ``share`` of the terminals sampled;
n_c -> ``samples`` of each terminal (0: all combinations, exactly); d_m -> ``sampled_depth``.

Reading order: game, terminal, halves (one finished sum); exact (the tool), trees (deeper games);
monte_carlo, transpositions, alpha_beta (the paper's solver), heuristic (its player), trials
(its experiments). Nothing here knows Go: the bridge from the board is engine.endings.

A set of subgames is a bit mask, bit i for subgame i; a position is Left's mask and Right's mask;
a finished sum is named by Right's mask alone, since Left has all the others.
"""
