"""Algorithms as the papers print them, where play uses others: for experiments only."""
