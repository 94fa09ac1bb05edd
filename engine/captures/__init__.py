"""Captures and rescues read out exactly (Stern, Herbrich & Graepel 2007).

Read it in this order: goals (what is asked, which moves are tried), zones (why a proof stays a
proof), expansion, completion and search (one search in the graph of ``engine.proof``),
goal_templates, priors, learning and fitting (what is learned), reader (the door), replies (which
answers a proof has), records (a proof in writing).
"""
