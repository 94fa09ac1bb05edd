"""Discrete distributions of value, and the worth of looking closer before a choice.

Source: Baum (1993), "How a Bayesian approaches games like chess" (Baum & Smith 1997 in full).

    P_L(x)  distribution of an option's value after a closer look
    BPIP    valuation: the largest of distributions, not of means
    U       utility: the expected gain from the closer looks

A review spends its roll-outs by U (engine.review.attention). Whole trees of distributions and the
relevance of their leaves stand in scripts.reproduce.papers.bpip.
"""
