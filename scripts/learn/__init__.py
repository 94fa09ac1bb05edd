"""Scripts that make the shipped tables and measure the cost and worth of their training."""
