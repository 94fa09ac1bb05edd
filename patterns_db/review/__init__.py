"""Reviews of games: what every move lost, how surely, and why, in words, marks and pictures.

Read ``positions`` (the game), ``looks`` (searches), ``judging`` (the game as one path), then what
is made of it: ``reasons``, ``remarks``, ``notes`` (SGF), ``pages`` (Markdown), ``plots``.
``games`` does all of it for one record or many.
"""
