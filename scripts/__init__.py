"""Experiments that reproduce the papers, matches and comparisons; thin on purpose."""
