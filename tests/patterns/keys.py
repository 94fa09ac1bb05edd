"""The entries of a table: the class keys of one move, and all beliefs."""

import numpy as np

from engine.go.board import Board
from engine.patterns.features import FACTS, feature_bits, new_liberties, study_move
from engine.patterns.hashing import RingHashes, extend_prefix, follow_board, load_prefix
from engine.patterns.templates import TEMPLATES
from engine.patterns.valuing import PatternKnowledge, load_rows


def class_keys(hashes: RingHashes, color: int, point: int, features: int) -> list[int]:
    """Return the keys of the classes of all 14 templates around a move."""
    load_prefix(hashes, np.int64(0), color, np.int64(point), np.int64(0))
    keys = [
        extend_prefix(hashes, np.int64(0), color, np.int64(point), template)
        for template in range(1, TEMPLATES + 1)
    ]
    return [int(key) ^ int(hashes.feature_codes[features]) for key in keys]


def move_keys(hashes: RingHashes, board: Board, point: int, color: int) -> list[int]:
    """Return the same of a legal move in a position; the hashes follow the board."""
    follow_board(hashes, board)
    facts = np.zeros(FACTS, np.int64)
    study_move(board, new_liberties(), np.int64(point), color, facts)
    return class_keys(hashes, color, point, int(feature_bits(board, color, facts)))


def all_beliefs(knowledge: PatternKnowledge) -> np.ndarray:
    """Return float64[rows, 2], the beliefs about all summands of a model, in order."""
    rows = len(knowledge.keys) + len(knowledge.evidence) + len(knowledge.context)
    beliefs = np.zeros((rows, 2))
    load_rows(knowledge, np.arange(rows), beliefs)
    return beliefs
