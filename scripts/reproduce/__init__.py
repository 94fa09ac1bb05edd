"""The papers' tables and figures, a module a paper, and the code that only these need."""
