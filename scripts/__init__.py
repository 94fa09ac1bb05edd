"""Experiments, a folder a purpose; each is a command: ``python -m scripts.play.match --help``.

reproduce  the papers' tables and figures
play       games and choices of moves: matches, duels, tuning, endings
learn      how the shipped tables are made, and what learning costs and earns
check      that rules, proofs, answers and recorded games are what they should be

Beside them stands what several share, ``bootstrap.py``, the README's first command, and
``results/``, the rows of the tables in ``docs/results``.
"""
