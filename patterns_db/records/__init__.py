"""Game records and problems: reading, writing, replaying, archives."""
