"""The proof tree: one graph, one best-first search and one reader for captures and for life.

Source: Stern, Herbrich & Graepel (2007), section 3. This folder knows no goal: ``engine.captures``
and ``engine.life`` say which moves are tried and when a node is decided. Reading order: graph (the
arena), beliefs (two ways to judge a node by its children, and first beliefs). Then descent (to the
best leaf), updates (back to all parents), reader (searches one question after another) and records
(written proofs).
"""
