"""What everybody can see of a position's stones. Reading order: outline (a kernel), picture."""
