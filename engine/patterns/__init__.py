"""Patterns around a move: templates, hash keys, local features and the largest match.

Source: Stern, Herbrich & Graepel (2006), section 2, for play. The paper's words and ours:

    T_i        template i, rings 1..i                  Delta    offset
    h_a, l     stone_codes, feature_codes              k_~pi    class key
    pi_max     largest match: (matched, slot)          f_c      features

Read templates, hashing, features, matching, table; evidence adds facts that the paper lacks,
and context pairs of these facts.
Section 3 has the two models of a move: choice, ranking, prediction; and bernoulli.

    u, mu, s^2  beliefs: MEAN, VARIANCE               x        a group's latent value
    m_(h -> x)  messages: MESSAGE_PI, MESSAGE_TAU                     beta^2   beta_squared
"""
