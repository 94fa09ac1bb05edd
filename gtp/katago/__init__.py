"""KataGo's ways of speaking that are not GTP's: its rules, and its JSON protocol for analyses.

    stream ──► engine (reads, queues) ──► query (understands) ──► workers ──► report ──► stream

Written from what KataGo publishes (docs/Analysis_Engine.md and docs/GTP_Extensions.md, version
1.16); nothing of its code is used.
"""
