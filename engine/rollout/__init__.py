"""Random games to the end: uniform, careful, and guided by the ranking model."""
