"""Compilation of the kernels of ``yomi level``."""

import numpy as np

from engine.go.geometry import to_point
from engine.jit import KernelGroup
from engine.patterns.valuing import no_patterns
from engine.people.model import model_of_patterns
from patterns_db.people.choices import collect_choices
from patterns_db.people.training import judge_people
from patterns_db.records.games import DecodedGame


def ranks() -> None:
    """Judge a choice of a player by the models of all ranks."""
    nothing, one = np.zeros(0, np.int64), np.array([1])
    game = DecodedGame(
        size=5, black=nothing, white=nothing, colors=one, moves=np.array([to_point(2, 2)]),
        source="", ranks=("9k", None),
    )  # fmt: skip
    judge_people(collect_choices([game], no_patterns()), model_of_patterns())


RANKS = (KernelGroup("ranks", (ranks,)),)
"""What ``yomi level`` needs."""
