"""Learning of the solvers: priors and odds of captures, weights of fights over life."""
