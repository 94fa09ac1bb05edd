"""Life and death, races and links, read as proofs.

Source: Stern, Herbrich & Graepel (2007), applied to groups.

Reading order: regions (a region as bits), goal (the question), groups (the questions on a full
board), fight (its positions). Then search (its moves in the graph), evidence (the prior
of a move). Then reader (the entry point), liberty_races, races and links, records (a written
proof). ``patterns_db.solvers`` learns the priors.
"""
