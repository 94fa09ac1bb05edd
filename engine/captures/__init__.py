"""Captures of single chains, read as proofs (Stern, Herbrich & Graepel 2007).

Reading order: goals, zones (why proofs are complete), goal_templates and priors, expansion, search,
odds, reader (the entry point), records (a written proof). The graph stands in ``engine.proof``.
"""
