"""The other algorithms of Zhao & Müller: search, sampling, the heuristic player."""
