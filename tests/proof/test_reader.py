"""The reader's budget: nodes and time of all searches of a question together."""

import itertools

import pytest

from engine import BLACK, WHITE
from engine.arrays import ROOT
from engine.go.board import empty_board
from engine.proof.descent import PAUSED, SPENT
from engine.proof.graph import BOTH, META_ATTACKER, META_EXPANSIONS, META_NODES, TRUE
from engine.proof.reader import Reader


class Growing:
    """A goal whose graph grows by a slice a call until there is no room; its root is TRUE."""

    edges_per_node = 1
    slice = 3

    def __init__(self):
        self.rooms = []

    def set_up(self, tree, defends):
        tree.meta[META_NODES], tree.meta[META_EXPANSIONS] = 1, 0
        tree.values[ROOT] = TRUE

    def search(self, tree, most_nodes, expansions):
        self.rooms.append(most_nodes)
        tree.meta[META_NODES] += expansions
        tree.meta[META_EXPANSIONS] += expansions
        return SPENT if tree.meta[META_NODES] >= most_nodes else PAUSED


def reader_at(times):
    return Reader(Growing(), "pns", 10, lambda: next(times))


def test_searches_of_a_question_share_its_nodes():
    reader = reader_at(itertools.repeat(0.0))
    reader.begin(empty_board(5), WHITE, most_nodes=15)
    assert reader.search(True, BLACK, 1.0) == TRUE
    assert (reader.nodes, reader.expansions) == (10, 9)
    reader.search(True, WHITE, 1.0)
    assert reader.goal.rooms == [10, 10, 10, 5, 5]
    assert (reader.nodes, reader.expansions) == (17, 15)
    assert reader.tree.meta[META_ATTACKER] == BLACK
    reader.begin(empty_board(5), BLACK)
    assert (reader.nodes, reader.expansions) == (0, 0)


@pytest.mark.parametrize(("seconds", "calls"), [(0.5, 1), (1.5, 2), (9.0, 3)])
def test_a_search_ends_when_its_time_is_over(seconds, calls):
    reader = reader_at(itertools.count(100.0))
    reader.begin(empty_board(5), WHITE)
    reader.search(False, BLACK, seconds)
    assert len(reader.goal.rooms) == calls


def test_values_teach_nothing_where_both_sides_obey_the_ban():
    reader, ends = reader_at(itertools.repeat(0.0)), []
    reader.begin(empty_board(5), WHITE)
    reader.on_search_end = lambda: ends.append(int(reader.tree.meta[META_NODES]))
    for obeys_ban in (BLACK, BOTH, WHITE):
        reader.search(False, obeys_ban, 1.0)
    assert ends == [10, 10]
