"""What is proved or judged of a position: chains, groups, and the final status of both.

Reading order: chain_facts, kept_facts (their memory), group_facts, group_proofs, final_status.
"""
