"""KataGo's protocols beyond GTP: its rules, and its JSON protocol for analyses.

    stream ──► engine (reads, queues) ──► query (parses) ──► workers ──► report ──► stream

Written from KataGo's published documents (docs/Analysis_Engine.md and docs/GTP_Extensions.md,
version 1.16). None of its code is used.
"""
