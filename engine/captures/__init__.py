"""Captures and rescues read out exactly (Stern, Herbrich & Graepel 2007).

Read it in this order: goals (what is asked, which moves are tried), zones (why a proof stays a
proof), tree (the arena), propagation and proof_numbers (two ways to guide one search),
children, expansion and best_first (the search), templates, priors, learning and fitting (what is
learned), solver (the door).
"""
