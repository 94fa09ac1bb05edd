"""What the solvers learn: priors of captures, weights of fights over life."""
