"""Proved and judged facts of a position, behind one entry point, ``position_facts``.

"Why is this group dead?" The table of cases in ``group_prover`` (``GroupProver.fates``) answers
where a proof decides. Where none does, the group loses most careful roll-outs (``survey``).
``FinalStatus.words`` names which of the two it is, and ``print(picture)`` shows it.
"""
