"""Files: the table format, checkpoints, the work folder of a training, atomic writes."""
