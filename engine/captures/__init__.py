"""Exact reading of captures and rescues (Stern, Herbrich & Graepel 2007).

Reading order: goals (the question, and the moves to try) and zones (why a proof stays a proof).
Then expansion and search (in the graph of ``engine.proof``). Then goal_templates and priors
(learned parts), reader (the entry point), records (a written proof) and odds (the probability
without a proof). ``patterns_db.solvers`` learns the priors and the odds.
"""
