"""Best play for imperfect players: trees whose leaves carry distributions of value.

Source: Baum (1993), "How a Bayesian approaches games like chess" (Baum & Smith 1997 in full).

    P_L(x)  distribution of a leaf, what its value will be found to be when it is searched
    BPIP    valuation: distributions up the tree, means only below the root
    U       utility, what knowing every leaf would earn before the move is chosen
    ESS     relevance of a leaf: the expected absolute change of U when it is expanded

Values here are the *root player's* (negamax): the caller negates Black's values for White.
Read distributions, then valuation, growth, and opinions (learned leaf distributions).
"""
