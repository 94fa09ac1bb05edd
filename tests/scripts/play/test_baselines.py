"""The baselines: indices from the formulas, trees that add up, constants in words, GTP."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import BLACK, WHITE, Game, Knowledge
from engine.arrays import ROOT
from engine.errors import BadSetup
from engine.go.geometry import PASS
from engine.jit import JIT_ENABLED
from engine.search.grower import Root
from engine.search.model import SearchModel
from engine.search.tree import add_node, new_tree
from scripts.play.baselines import BASELINES, is_player, parse_contestant
from scripts.play.uct import LATERAL_VISITS, LATERAL_WINS, UctModel, UctSearcher, rate_child
from tests.diagrams import random_games
from tests.search.growing import UNIFORM, assert_sound, at, children_of

PLAYOUTS = 200 if JIT_ENABLED else 20


def slow_index(visits, wins, lateral, lateral_wins, parent_visits, uct, prior_rate):
    """The mover's win rate by UCB1 or minimum-MSE RAVE, from the formulas; None: untried."""
    n, m = visits + uct.prior_visits, lateral if uct.b2 >= 0 else 0
    if n + m == 0:
        return None
    beta = m / (n + m + 4 * n * m * uct.b2) if m else 0.0
    own = (wins + uct.prior_visits * prior_rate) / n if n else 0.0
    rate = (1 - beta) * own + (beta * lateral_wins / m if m else 0.0)
    return rate + uct.c * math.sqrt(math.log(parent_visits) / max(n, 1))


@given(
    st.integers(0, 9),
    st.floats(0, 1),
    st.integers(0, 9),
    st.floats(0, 1),
    st.sampled_from([-1.0, 0.0, 0.001, 0.1]),
    st.sampled_from([0.0, 0.5]),
    st.sampled_from([0.0, 3.0]),
    st.sampled_from([BLACK, WHITE]),
)
def test_indices_are_the_formulas(visits, rate, lateral, lateral_rate, b2, c, prior, color):
    tree = new_tree(3)
    child = add_node(tree, ROOT, 30)
    sign = 1 if color == BLACK else -1
    tree.visits[child], tree.wins[child] = visits, rate * visits
    tree.lateral[child] = lateral, lateral_rate * lateral
    tree.step[child] = sign * -0.5, 1.0
    uct = UctModel(c, b2, prior)
    found = rate_child(tree, child, color, math.log(20.0), uct, np.array([7], np.uint64))
    rates = (rate, lateral_rate) if color == BLACK else (1 - rate, 1 - lateral_rate)
    expected = slow_index(
        visits, rates[0] * visits, lateral, rates[1] * lateral, 20.0, uct, 0.308538
    )
    if expected is None:
        assert found >= 1000.0
    else:
        assert expected - 1e-6 <= found <= expected + 2e-3


def searched(game: Game, color: int, uct: UctModel) -> UctSearcher:
    searcher = UctSearcher(uct, UNIFORM, Knowledge(), 1, 1 << 20, 3)
    searcher.set_root(Root(at(game.board, color)), None)
    searcher.run(PLAYOUTS, None)
    return searcher


@settings(max_examples=20 if JIT_ENABLED else 5)
@given(
    random_games(largest=4, most_moves=20),
    st.sampled_from([BLACK, WHITE]),
    st.sampled_from(sorted(BASELINES)),
)
def test_trees_add_up(game, color, name):
    searcher = searched(game, color, BASELINES[name])
    tree = searcher._tree
    assert tree.visits[ROOT] == PLAYOUTS == searcher.report().playouts
    tree.evidence[: tree.meta[0], 0] = tree.visits[: tree.meta[0]]  # unused by the baselines
    assert_sound(tree)
    for child in children_of(tree, ROOT):
        visits, wins = tree.lateral[child, LATERAL_VISITS], tree.lateral[child, LATERAL_WINS]
        assert tree.visits[child] == 0 or tree.move[child] == PASS or visits > 0
        assert 0 <= wins <= visits <= PLAYOUTS


# -- players by name ------------------------------------------------------------------------------


def test_searches_are_described_by_text():
    model = parse_contestant("yomi:exploration=0.25,expand_visits=3", 9, 1, plain=True).model
    plain = {"guided": False, "informed": False}
    assert model == SearchModel(**plain, exploration=0.25, expand_visits=3)
    rave = parse_contestant("rave:b2=0.01,expand_visits=1", 9, 1)
    assert rave.model == SearchModel(expand_visits=1)
    thinker = rave.new_thinker(Knowledge(), 1, None)
    searcher = thinker.search.enter(Game(5), BLACK, frozenset(Game(5).legal_points(BLACK)))
    assert searcher.uct == BASELINES["rave"]._replace(b2=0.01)
    assert parse_contestant("yomi:tactics=1", 9, 1).tactics
    assert not parse_contestant("yomi", 9, 1).tactics
    assert parse_contestant("5k", 9, 1).level.name == "5k"


def test_programs_are_no_players():
    assert [is_player(text) for text in ("yomi", "yomi:c=1", "1d", "rave", "uct:c=1")] == [True] * 5
    assert not any(map(is_player, ("yomi gtp", "yomi --playouts 9", "gnugo", "1d --seed 1")))


@pytest.mark.parametrize(
    "text", ["fuego", "rave:b3=1", "yomi:b2=1", "uct:c", "uct:c=x", "rave:tactics=1"]
)
def test_unknown_searches_are_refused_in_one_line(text):
    with pytest.raises(BadSetup) as caught:
        parse_contestant(text, 9, 1)
    assert "\n" not in str(caught.value)
