"""The picture of a position's stones: chains, liberties, groups and owners, without judgment."""
