"""Best play for imperfect players: trees whose leaves carry distributions of value.

Source: Baum (1993), "How a Bayesian approaches games like chess" (Baum & Smith 1997 in full).

    P_L(x)  distribution of a leaf: the value that searching it would find
    BPIP    valuation: distributions up the tree, means only below the root
    U       utility: the expected gain from knowing every leaf before the move is chosen
    ESS     relevance of a leaf: the expected absolute change of U when it is expanded

Values here are the *root player's* (the paper: negamax). The caller negates Black's values when
White is to move. engine.belief has the distributions and the U that reviews use.
Read grid, then valuation, growth, and opinions (learned leaf distributions).
"""
