"""Learns from game records and problems, and stores what was learned."""
