"""The subcommands of ``yomi``. Each module defines one command's options and runs it.

A module has ``add_options(parser)`` and ``run(options)``, which returns the exit status.
"""
