"""The proof tree: one graph, one best-first search and one reader for captures and for life.

Source: Stern, Herbrich & Graepel (2007), section 3. This folder knows no goal. Reading order:
graph, beliefs, descent (and updates), reader, records (written proofs).
"""
