"""Patterns around a move and the models of a move, after Stern, Herbrich & Graepel (2006).

Section 2: templates, hashing, features, matching, table; ``evidence`` adds facts that the paper
lacks, ``context`` pairs of these facts, ``trees`` their conjunctions. Section 3: choice, ranking,
predictor.
"""
