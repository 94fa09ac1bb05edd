"""Algorithms as the papers print them, which only experiments use."""
