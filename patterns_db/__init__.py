"""Learning from game records and problems, and storage of the learned tables.

Importing this package loads nothing, because a player that reads a table needs neither the trainer
nor its imports. Users import modules by name.
"""
