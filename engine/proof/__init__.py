"""The proof tree: one graph and one best-first search for captures and for life.

Source: Stern, Herbrich & Graepel (2007), section 3. This folder knows no goal: ``engine.captures``
and ``engine.life`` say which moves are tried and when a node is decided. Reading order: graph (the
arena), propagation and proof_numbers (two ways to judge a node by its children), guesses (first
beliefs). Then descent (to the best leaf), updates (back to all parents), effort (of several
searches) and records (written proofs).
"""
