"""Checks by rules and records of their own, and comparisons with programs that are not ours."""
