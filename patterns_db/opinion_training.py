"""Learns how the search's opinions change when it goes on: Baum's leaf distributions.

Source: Baum (1993), "Tree valuation": each bin collects the difference between the value found by
searching deeper and the earlier one. Positions come from games that the search plays against
itself; in each, every root move's mean is noted after n descents and again after HORIZON n, and
the change counts in units of the deviation that the belief had. Means are taken relative to the
root's, which all moves share.
"""

from collections.abc import Iterator

import numpy as np

from engine.bpip.opinions import OpinionChanges
from engine.go.board import BLACK
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.knowledge import Knowledge, no_policy
from engine.patterns.evidence import KO_MEMORY, new_memory, remember_move
from engine.patterns.valuing import no_patterns
from engine.search.model import SearchModel
from engine.search.root_moves import root_mean
from engine.search.searcher import Root, Searcher
from engine.search.utility import BINS, CHANGES, HORIZON, STEPS, Opinions, OpinionTable

FIRST_LOOK = 32  # descents; opinions are noted after so many times 1, 2, 4, ...


def opinions_beside_root(searcher: Searcher, color: int) -> Opinions:
    """Return what a searcher believes now, means relative to the root's."""
    opinions = searcher.current_opinions()
    mean = root_mean(searcher.root_moves(), searcher.model)
    return opinions._replace(means=opinions.means - (mean if color == BLACK else -mean))


def record_changes(changes: OpinionChanges, before: Opinions, after: Opinions) -> None:
    """Count how far every move's mean has gone, in deviations of the earlier belief."""
    best = int(np.argmax(before.means))
    moved = (after.means - before.means) / before.deviations
    for i, change in enumerate(moved):
        features = (float(before.visits[i]), float(i == best), before.occupied)
        changes.record(features, float(change))


def new_changes() -> OpinionChanges:
    """Return empty histograms of changes [deviations]."""
    return OpinionChanges(BINS, CHANGES, bandwidth=STEPS)


def learn_from_position(
    changes: OpinionChanges, searcher: Searcher, root: Root, looks: int
) -> None:
    """Search one position from nothing and record the changes between its looks.

    looks  how many: the last is after FIRST_LOOK * 2 ** (looks - 1) descents
    """
    searcher.set_root(root, None)
    apart = HORIZON.bit_length() - 1
    notes: list[Opinions] = []
    done = 0
    for look in range(looks):
        wanted = FIRST_LOOK << look
        searcher.run(wanted - done, None)
        done = wanted
        notes.append(opinions_beside_root(searcher, root.color))
        if look >= apart:
            record_changes(changes, notes[look - apart], notes[look])


def self_play(
    changes: OpinionChanges, knowledge: Knowledge, size: int, looks: int, seed: int
) -> Iterator[int]:
    """Play one game against itself by searches that are learned from; yield after every move."""
    model = SearchModel(
        guided=knowledge.policy is not None, informed=knowledge.patterns is not None
    )
    policy = knowledge.policy or no_policy()
    searcher = Searcher(model, policy, knowledge.patterns or no_patterns(), 1, 256 << 20, seed)
    game = Game(size)
    random = np.random.default_rng(seed)
    while game.passes < 2 and len(game.moves) < size * size:
        memory = new_memory()
        for board, point in game.recent(KO_MEMORY + 2):
            remember_move(board, memory, point)
        last = game.moves[-1].point if game.moves else PASS
        color = game.to_play
        legal = frozenset([*(p for p in game.legal_points(color)), PASS])
        root = Root(game.board, color, last, game.passes, game.komi, memory, legal)
        learn_from_position(changes, searcher, root, looks)
        moves = searcher.report().moves
        # Openings differ only if some moves are not the best.
        shares = np.array([move.playouts for move in moves[:3]], float)
        early = len(game.moves) < size
        chosen = random.choice(len(shares), p=shares / shares.sum()) if early else 0
        game.play(color, moves[chosen].point)
        yield len(game.moves)


def to_table(changes: OpinionChanges) -> OpinionTable:
    """Return the smoothed distributions."""
    return OpinionTable(changes.smoothed())
