"""Reviewed records: the files that ``yomi analyze`` reads and writes.

Read ``jobs`` (which games there are, and where their files go), ``positions`` (from a record to
positions), ``games`` (one record or many, reviewed), then the files: ``notes`` (SGF), ``pages``
(Markdown), ``plots``, ``browser`` (a page for a browser, of ``graph``, ``cards`` and ``steps``;
its template, style and script are in ``web/``). ``apart`` does the same on a cluster.
"""
