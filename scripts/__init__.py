"""Scripts for experiments, sorted by purpose; each is a command with ``--help``.

reproduce  the papers' tables and figures
play       games and choices of moves: matches, duels, tuning, endings
learn      how the shipped tables are made, and what learning costs and earns
check      that rules, proofs, answers and recorded games are what they should be

Modules that several scripts share stand here. ``bootstrap.py`` is the README's first command.
``results/`` holds the rows of the tables in ``docs/results``.
"""
