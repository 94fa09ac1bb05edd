"""The other algorithms of Zhao & Müller for sums of games: search, sampling, the heuristic player."""
