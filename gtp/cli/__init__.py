"""The subcommands of ``yomi``, one module each: its options beside what runs them.

A module has ``add_options(parser)`` and ``run(options)``, which returns the exit status.
"""
