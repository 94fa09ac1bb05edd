"""The papers' tables and figures, a module a paper, and what only these need."""
