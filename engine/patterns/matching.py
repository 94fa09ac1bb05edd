"""The largest pattern class that each legal move matches, updated move by move.

Source: Stern, Herbrich & Graepel (2006), section 2: the largest harvested class of the nested
templates represents a move. A class is in the table only if its smaller ones are, so the walk up
the templates stops at the first miss. A stone can change a match only inside template matched + 1.
The ``Matcher`` therefore walks again from the smallest ring that has changed.

A matcher belongs to one table of keys and their values; ``clear`` it before using another one.
Twin: tests/reference/patterns.py.
"""

from typing import NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.go.board import COLOR, EMPTY, SIZE, Board, is_legal
from engine.go.geometry import AREA, MAX_SIZE, STRIDE
from engine.jit import kernel, prefetch
from engine.patterns.contenders import CONTEXT_GROUPS, Contenders, new_contenders
from engine.patterns.evidence import (
    EVIDENCE_GROUPS,
    Surroundings,
    classes_into,
    new_surroundings,
    survey_surroundings,
)
from engine.patterns.features import (
    FACTS,
    ChainLiberties,
    feature_bits,
    forget_liberties,
    new_liberties,
    study_move,
)
from engine.patterns.hashing import (
    NOTHING_CHANGED,
    Keys,
    RingHashes,
    clear_hashes,
    extend_prefix,
    follow_board,
    load_prefix,
    new_hashes,
)
from engine.patterns.table import TableKeys, find_slot, home_of
from engine.patterns.templates import SYMMETRIES, TEMPLATES

NO_MATCH = -1


class Walks(NamedTuple):
    """Scratch: the moves on their way up the templates, each with a row of RingHashes.prefix."""

    going: Ints  # (MAX_SIZE ** 2,) the unfinished walks
    points: Ints  # (MAX_SIZE ** 2,)
    templates: Ints  # (MAX_SIZE ** 2,) next template to look up
    keys: Keys  # (MAX_SIZE ** 2,) class of that template


class Matcher(NamedTuple):
    """The known patterns around every point, for both players; 1.5 MB."""

    hashes: RingHashes
    chains: ChainLiberties
    matched: Ints  # (2 * AREA,) largest template matched, 0 = none
    features: Ints  # (2 * AREA,) feature bits of that match
    slots: Ints  # (2 * AREA * TEMPLATES,) slots of the templates up to it
    values: Floats  # (2 * AREA,) value of the match (``valuing``), NaN = not computed yet
    around: Surroundings
    facts: Ints  # (FACTS,) scratch: facts of one move
    walks: Walks
    codes: Ints  # (2 * SYMMETRIES,) scratch: neighborhoods of the last moves (``context``)


class Candidates(NamedTuple):
    """The legal moves of a position, row by row from the bottom, and their matches."""

    points: Ints  # (MAX_SIZE ** 2,)
    templates: Ints  # (MAX_SIZE ** 2,) largest template matched, 0 = none
    slots: Ints  # (MAX_SIZE ** 2 * TEMPLATES,) its classes, NO_MATCH beyond it (list_slots)
    evidence: Ints  # (MAX_SIZE ** 2 * EVIDENCE_GROUPS,) classes of the added evidence
    context: Ints  # (MAX_SIZE ** 2 * CONTEXT_GROUPS,) rows of the context, if wanted
    contenders: Contenders  # the best of them, for a model with trees


def new_matcher(size: int) -> Matcher:
    """Return a matcher for boards of a size, set to the empty board."""
    most = MAX_SIZE * MAX_SIZE
    going, points, templates = np.zeros((3, most), np.int64)
    return Matcher(
        hashes=new_hashes(size), chains=new_liberties(), matched=np.zeros(2 * AREA, np.int64),
        features=np.zeros(2 * AREA, np.int64),
        slots=np.full(2 * AREA * TEMPLATES, NO_MATCH, np.int64), values=np.full(2 * AREA, np.nan),
        around=new_surroundings(), facts=np.zeros(FACTS, np.int64),
        walks=Walks(going, points, templates, np.zeros(most, np.uint64)),
        codes=np.zeros(2 * SYMMETRIES, np.int64),
    )  # fmt: skip


class Matchers(dict[int, Matcher]):
    """Matchers by board size, made on first use. Each follows any board, so games may alternate."""

    def __missing__(self, size: int) -> Matcher:
        """Make and keep the matcher of a size."""
        self[size] = new_matcher(size)
        return self[size]


def clear_matcher(matcher: Matcher, size: int) -> None:
    """Reset a matcher, for boards of a size and any table."""
    clear_hashes(matcher.hashes, size)
    # Slots and features may stay: nothing is matched, and every vertex is stale from ring 1 on.
    matcher.matched[:] = 0
    matcher.values[:] = np.nan


def new_candidates() -> Candidates:
    """Return room for the moves of any position."""
    most = MAX_SIZE * MAX_SIZE
    points, templates = np.zeros((2, most), np.int64)
    return Candidates(
        points=points, templates=templates, slots=np.full(most * TEMPLATES, NO_MATCH, np.int64),
        evidence=np.zeros(most * EVIDENCE_GROUPS, np.int64),
        context=np.zeros(most * CONTEXT_GROUPS, np.int64), contenders=new_contenders(),
    )  # fmt: skip


@kernel
def match_moves_into(
    matcher: Matcher,
    keys: TableKeys,
    board: Board,
    memory: Ints,
    color: int,
    with_evidence: bool,
    candidates: Candidates,
) -> int:
    """List the legal moves of a position with the largest class that each one matches.

    Source: Stern et al. (2006), Sec. 2.1.
    matcher        of this board size and table; follows the board after any change
    memory         int64[MEMORY], the last moves (evidence.remember_move)
    with_evidence  whether to fill candidates.evidence
    candidates     overwritten from the front, except slots and context
    returns        int64, number of legal moves; ignores superko and suicide of several stones
    """
    follow_board(matcher.hashes, board)
    forget_liberties(matcher.chains)
    if with_evidence:
        survey_surroundings(board, matcher.chains, memory, color, matcher.around)
    size = np.int64(board[SIZE])
    # The loop follows rows, because the order of EMPTIES depends on the order of moves. Equal
    # candidates must come in the same order after any transposition.
    count = walks = 0
    for row in range(1, size + 1):
        for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
            if board[COLOR + point] != EMPTY or not is_legal(board, point, color):
                continue
            study_move(board, matcher.chains, point, color, matcher.facts)
            features = feature_bits(board, color, matcher.facts)
            candidates.points[count] = point
            walks = _begin_walk(matcher, keys, color, point, features, walks)
            if with_evidence:
                classes_into(
                    board,
                    matcher.around,
                    memory,
                    point,
                    color,
                    matcher.facts,
                    candidates.evidence,
                    count * EVIDENCE_GROUPS,
                )
            count += 1
    _walk(matcher, keys, color, walks)
    for i in range(count):
        candidates.templates[i] = matcher.matched[(color - 1) * AREA + candidates.points[i]]
    return count


@kernel
def list_slots(matcher: Matcher, color: int, candidates: Candidates, count: int) -> None:
    """Write the slots of the classes of all templates of candidates that were just found.

    The search needs only the value of the largest match, and takes it from the matcher.
    """
    for i in range(count):
        matched = candidates.templates[i]
        start = ((color - 1) * AREA + candidates.points[i]) * TEMPLATES
        for j in range(TEMPLATES):
            slot = matcher.slots[start + j]  # beyond the match: left over from a larger one
            candidates.slots[i * TEMPLATES + j] = slot if j < matched else NO_MATCH


@kernel(inlined=True)
def _begin_walk(
    matcher: Matcher, keys: TableKeys, color: int, point: int, features: int, walks: int
) -> int:
    """Add a legal move to the walks if its largest match may have changed; return their number."""
    vertex = (color - 1) * AREA + point
    first = np.int64(matcher.hashes.stale[vertex])
    if features != matcher.features[vertex]:  # they are part of the key of every template
        first = 1
    matcher.hashes.stale[vertex] = NOTHING_CHANGED
    # A change beyond that template does not matter: the walk stopped before it. Nothing lies beyond
    # the largest template.
    if first > min(matcher.matched[vertex] + 1, TEMPLATES):
        return walks
    matcher.matched[vertex] = first - 1
    matcher.features[vertex] = features
    matcher.values[vertex] = np.nan
    load_prefix(matcher.hashes, walks, color, point, first - 1)
    matcher.walks.going[walks] = walks
    matcher.walks.points[walks] = point
    matcher.walks.templates[walks] = first
    _name_class(matcher, keys, color, walks)
    return walks + 1


@kernel(inlined=True)
def _name_class(matcher: Matcher, keys: TableKeys, color: int, walk: int) -> None:
    """Compute the next key of a walk and prefetch its place in the table."""
    point = matcher.walks.points[walk]
    key = extend_prefix(matcher.hashes, walk, color, point, matcher.walks.templates[walk])
    key ^= matcher.hashes.feature_codes[matcher.features[(color - 1) * AREA + point]]
    matcher.walks.keys[walk] = key
    prefetch(keys, home_of(keys, key))


@kernel
def _walk(matcher: Matcher, keys: TableKeys, color: int, walks: int) -> None:
    """Look up one template of each move after the other until one is absent (Sec. 2.1).

    All moves take a step before one takes the next, so that memory fetches their places at once.
    """
    while walks > 0:
        unfinished = 0
        for i in range(walks):
            walk = matcher.walks.going[i]
            template = matcher.walks.templates[walk]
            vertex = (color - 1) * AREA + matcher.walks.points[walk]
            slot = find_slot(keys, matcher.walks.keys[walk])
            if slot < 0:
                continue
            matcher.matched[vertex] = template
            matcher.slots[vertex * TEMPLATES + template - 1] = slot
            if template < TEMPLATES:
                matcher.walks.templates[walk] = template + 1
                _name_class(matcher, keys, color, walk)
                matcher.walks.going[unfinished] = walk
                unfinished += 1
        walks = unfinished
