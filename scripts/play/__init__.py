"""Games for measurements: one arena (``arena``), and scripts that choose its players."""
