"""How the shipped tables are made, and what training costs and each kind of evidence earns."""
