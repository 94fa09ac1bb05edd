"""Files: the table format, shipped tables, atomic writes."""
