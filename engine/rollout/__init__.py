"""Random games to the end: uniform, and guided by the ranking model."""
