"""Reviewed records: the files that ``yomi analyze`` reads and writes.

Reading order: ``jobs`` (the games and their output files), ``positions`` (from a record to
positions), ``games`` (reviews of one or many records). The rest are the files: ``notes`` (SGF),
``numbers`` (JSON) and ``browser`` (an HTML page from ``summary``, ``graph``, ``cards`` and
``steps``, with templates, style and scripts in ``web/``). ``apart`` runs reviews on a cluster.
"""
