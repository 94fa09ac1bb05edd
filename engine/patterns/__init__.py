"""Patterns around a move: templates, hash keys, local features, the largest match.

Stern, Herbrich & Graepel (2006), section 2, the playing side. Its words and ours:

    T_i        template i, rings 1..i                  Delta    offset
    h_a, l     stone_codes, feature_codes              k_~pi    class key
    pi_max     largest match: (matched, slot)          f_c      features

Read templates, hashing, features, matching; evidence holds the facts that the paper lacks.
"""
