"""The other algorithms of Zhao & Müller: search, sampling and the heuristic player."""
