"""Responses: classes of moves by the stones around an earlier move and the offset from it.

Each kind of RESPONSE_KINDS gives a contender near the last move, or near the player's own move
before it, one class: the earlier move's template and its chain's liberties, the offset from it, and
for some kinds the contender's own 3x3 neighborhood, all under the same symmetry. A class in the
table adds its belief to the value of the contender, after the trees. The classes are harvested and
learned from games (``patterns_db.patterns.added_training``), with all other beliefs fixed.

Replies to the patterns around earlier moves follow D. Silver et al., "Mastering the game of Go with
deep neural networks and tree search" (2016), table 4 ("response pattern").
Twin: tests/reference/responses.py.
"""

from typing import NamedTuple

import numpy as np

from engine.go.board import BLACK, COLOR, HEAD, WHITE
from engine.go.geometry import PASS, STRIDE
from engine.jit import kernel
from engine.patterns.contenders import RESPONSES, Contenders
from engine.patterns.evidence import LAST_MOVE, MOVE_BEFORE
from engine.patterns.features import MANY, list_liberties
from engine.patterns.hashing import LINE_KEYS, load_prefix
from engine.patterns.matching import Candidates, Matcher
from engine.patterns.position import Position
from engine.patterns.table import TableKeys, find_slot
from engine.patterns.templates import SYMMETRIES, transform_offset
from engine.patterns.trees import LeafValues
from engine.randomness import mixed

OWN_TEMPLATE = 3  # the 3x3 neighborhood
RESPONSE_REACH = 5  # lines
RESPONSES_VERSION = 1  # version of the meaning of the keys
NO_RESPONSE = -1
# The earlier move, its template, and whether the contender's own neighborhood belongs to the class.
RESPONSE_KINDS = (
    (LAST_MOVE, 3, False),
    (LAST_MOVE, 5, False),
    (LAST_MOVE, 3, True),
    (MOVE_BEFORE, 3, False),
    (MOVE_BEFORE, 5, False),
    (MOVE_BEFORE, 3, True),
)
_KINDS = np.array(RESPONSE_KINDS, np.int64)
_HERE, _OTHER = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1342543DE82EF95)  # odd
_FOLD, _WORST = np.uint64(32), np.uint64(0xFFFFFFFFFFFFFFFF)


class Responses(NamedTuple):
    """The known classes and the beliefs about them."""

    keys: TableKeys  # uint32[slots], see engine.patterns.table
    means: LeafValues  # float32[slots], apart from the variances, which the search does not need
    variances: LeafValues  # float32[slots]


def no_responses() -> Responses:
    """Return the responses of a model without them."""
    none = np.zeros(0, np.float32)
    return Responses(np.zeros(0, np.uint32), none, none)


_turn = kernel(inlined=True)(transform_offset)


@kernel
def write_keys(matcher: Matcher, position: Position, candidates: Candidates) -> None:
    """Write the key of each contender's class of each kind; 0 for none.

    matcher     that has just matched the position
    candidates  with contenders; their keys are overwritten
    Twin: tests/reference/responses.py::response
    """
    board, hashes, contenders = position.board, matcher.hashes, candidates.contenders
    count = contenders.count[0]
    for kind in range(RESPONSES):
        move = position.memory[_KINDS[kind, 0]]
        for lane in range(count):
            contenders.keys[kind, lane] = 0
        if move == PASS or not BLACK <= board[COLOR + move] <= WHITE:
            continue
        head = np.int64(board[HEAD + move])
        liberties = min(list_liberties(board, matcher.chains, head), MANY)
        load_prefix(hashes, np.int64(0), position.color, move, _KINDS[kind, 1])
        for lane in range(count):
            point = candidates.points[contenders.order[lane]]
            dx, dy = point % STRIDE - move % STRIDE, point // STRIDE - move // STRIDE
            if max(abs(dx), abs(dy)) > RESPONSE_REACH:
                continue
            if _KINDS[kind, 2]:
                load_prefix(hashes, np.int64(1), position.color, point, np.int64(OWN_TEMPLATE))
            least = _WORST
            for symmetry in range(SYMMETRIES):
                x, y = _turn(dx, dy, symmetry)
                named = (((kind << 3) | liberties) << 8) | ((y + 8) << 4) | (x + 8)
                key = (hashes.prefix[symmetry] ^ np.uint64(named)) * _HERE
                if _KINDS[kind, 2]:
                    key = ((key ^ (key >> _FOLD)) ^ hashes.prefix[LINE_KEYS + symmetry]) * _OTHER
                least = min(least, key)
            contenders.keys[kind, lane] = mixed(least)


@kernel
def find_responses(keys: TableKeys, contenders: Contenders) -> None:
    """Write the slot of each contender's class of each kind, from its key; NO_RESPONSE for none."""
    for kind in range(RESPONSES):
        for lane in range(contenders.count[0]):
            key = contenders.keys[kind, lane]
            slot = NO_RESPONSE if key == 0 else find_slot(keys, key)
            contenders.slots[kind, lane] = slot


@kernel
def add_responses(values: LeafValues, contenders: Contenders, part: int) -> None:
    """Add the means, or the variances, of each contender's classes to its sum; see sum_leaves."""
    for kind in range(RESPONSES):
        for lane in range(contenders.count[0]):
            slot = contenders.slots[kind, lane]
            if slot >= 0:
                contenders.sums[lane, part] += values[slot]
