"""Algorithms as the papers print them, for experiments only."""
