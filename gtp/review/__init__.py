"""Reviewed records: the files that ``yomi analyze`` reads and writes.

Read ``jobs`` (which games there are, and where their files go), ``positions`` (from a record to
positions), ``games`` (one record or many, reviewed), then the files: ``notes`` (SGF), ``pages``
(Markdown), ``plots``. ``apart`` does the same on a cluster.
"""
