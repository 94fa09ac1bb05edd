"""Life and death, races and links, read as proofs (Stern, Herbrich & Graepel 2007, on groups).

Reading order: regions (a region as bits), goal (the question), groups (the questions on a full
board), fight (its positions), search, priors (of a move), reader (the entry point),
races, links, records (a written proof). ``patterns_db.solvers`` learns the priors.
"""
