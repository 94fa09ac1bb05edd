"""Files: the table format, shipped tables, whole files."""
