"""Learned tables of the solvers: priors of captures, weights of fights over life."""
