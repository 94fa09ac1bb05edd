"""What everybody can see of a position's stones."""
