"""What is proved or judged of a position: one door, ``position_facts``, and what stands behind it.

Reading order: position_facts (the door, and what it remembers), chain_facts, kept_facts (their
memory), group_facts, group_proofs, final_status.
"""
