"""Proved and judged facts of a position, behind one entry point, ``position_facts``.

Reading order: position_facts (the entry point and its memory), chain_facts, kept_facts (their
memory), open_chains, group_facts, group_prover, group_proofs, final_status.
"""
