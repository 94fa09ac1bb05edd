"""Games played to measure: one arena (``arena``), and scripts that say who meets in it."""
