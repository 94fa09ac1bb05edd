"""The ranking model from harvest to evaluation."""
