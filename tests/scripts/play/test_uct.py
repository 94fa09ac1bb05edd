"""The baselines: indices from the formulas, trees that add up, GTP; duels and tuning."""

import argparse
import io
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import BLACK, WHITE, Game, Knowledge, format_vertex
from engine.arrays import ROOT
from engine.captures.priors import PriorTable
from engine.errors import BadSetup
from engine.go.geometry import PASS
from engine.jit import JIT_ENABLED
from engine.search.knowledge import no_policy
from engine.search.model import SearchModel
from engine.search.searcher import Root
from engine.search.tree import add_node, new_tree
from engine.thinkers.prior_steps import AdviceModel
from scripts.play.arena import Score, is_undecided
from scripts.play.baselines import build_protocol
from scripts.play.contestants import BASELINES, parse_contestant
from scripts.play.duel import Conditions, play_duel
from scripts.play.tune_searches import candidates_of, main, parse_grid
from scripts.play.uct import (
    LATERAL_VISITS,
    LATERAL_WINS,
    UctModel,
    UctSearcher,
    rate_child,
)
from tests.diagrams import game_of, random_games
from tests.search.growing import UNIFORM, assert_sound, at, children_of

PLAYOUTS = 200 if JIT_ENABLED else 20
SMALL = Conditions(size=4, komi=0.5, playouts=PLAYOUTS // 10)


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


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
@pytest.mark.parametrize("name", sorted(BASELINES))
def test_a_capture_is_found(name):
    game = game_of("""
        . . . . .
        . O O O .
        O X X X .
        X O O O .
        . X X X .""")
    for color, vertex in ((BLACK, "E2"), (WHITE, "E3")):
        best = searched(game, color, BASELINES[name]).report().moves[0]
        assert format_vertex(best.point) == vertex


# -- contestants and duels ------------------------------------------------------------------------


def test_contestants_are_described_by_text():
    ours = parse_contestant("yomi:exploration=0.25,expand_visits=3", "uniform", False)
    assert ours.uct is None
    assert ours.model == SearchModel(
        guided=False, informed=False, exploration=0.25, expand_visits=3
    )
    rave = parse_contestant("rave:b2=0.01,expand_visits=1", "guided", True)
    assert rave.uct == BASELINES["rave"]._replace(b2=0.01)
    assert rave.model == SearchModel(expand_visits=1)


def test_moves_elsewhere_weigh_as_a_contestant_says():
    knowledge = Knowledge(policy=no_policy()._replace(elsewhere=np.array([0.4], np.float32)))
    for text, weight in (("yomi", 0.4), ("yomi:elsewhere=0.5", 0.2), ("rave:elsewhere=2", 0.8)):
        searcher = parse_contestant(text, "guided", False).searcher(knowledge, 1 << 20, 1)
        assert searcher.policy.elsewhere == pytest.approx([weight])
        assert searcher.policy.elsewhere.dtype == np.float32
    assert knowledge.policy.elsewhere == pytest.approx([0.4])


@pytest.mark.parametrize("text", ["fuego", "rave:b3=1", "yomi:b2=1", "uct:c", "uct:c=x"])
def test_unknown_contestants_are_refused_in_one_line(text):
    with pytest.raises(BadSetup) as caught:
        parse_contestant(text, "uniform", False)
    assert "\n" not in str(caught.value)


def test_duels_repeat_themselves_and_colors_alternate():
    sides = [parse_contestant(text, "uniform", False) for text in ("yomi", "rave")]
    seen: list[Score] = []

    def watch(score: Score) -> bool:
        seen.append(score)
        return True

    score = play_duel(sides[0], sides[1], 4, SMALL, watch)
    assert seen[-1] == score == play_duel(sides[0], sides[1], 4, SMALL)
    assert [s.games for s in seen] == [1, 2, 3, 4]
    assert score.moves >= 16
    assert "/4" in str(score)
    # A search against itself with the komi of an empty board: Black always wins.
    same = play_duel(sides[0], sides[0], 4, SMALL._replace(komi=-16.5))
    assert same.wins == 2


def test_readings_of_chains_can_advise_a_side():
    learned = Knowledge(solver=PriorTable(np.array([5], np.uint64), np.array([0.5]), 0.1))

    def advice(text, *more):
        return parse_contestant(text, *more).advice

    assert advice("yomi:urge=2", "uniform", False) is None
    assert advice("yomi:tactics=1,urge=2", "uniform", False) == AdviceModel()._replace(urge=2.0)
    assert advice("yomi:tactics=1", "guided", True) == AdviceModel()
    assert advice("yomi:tactics=1,informed=0", "guided", True) == AdviceModel()
    for text, informed in (("yomi:tactics=1", True), ("yomi:tactics=1,learned=0", False)):
        facts = parse_contestant(text, "guided", True).facts(learned)
        assert (facts.priors is not None) == informed
    plain = parse_contestant("yomi", "uniform", False)
    advised = parse_contestant("yomi:tactics=1,urge=2", "uniform", False)
    timed = SMALL._replace(seconds=0.001)
    assert play_duel(advised, plain, 2, timed).games == 2
    assert play_duel(advised, plain, 2, SMALL) == play_duel(advised, plain, 2, SMALL)


def test_a_match_ends_when_it_is_decided():
    side = parse_contestant("rave", "uniform", False)
    score = play_duel(side, side, 4, SMALL, lambda score: score.games < 2)
    assert score.games == 2
    assert is_undecided(score)
    assert not is_undecided(Score(40.0, 40))


# -- tuning ---------------------------------------------------------------------------------------


def test_grids():
    assert parse_grid(["b2=0.1,1", "c=0"]) == {"b2": [0.1, 1.0], "c": [0.0]}
    assert candidates_of("rave", {"b2": [0.1, 1.0], "c": [0.0]}) == [
        "rave:b2=0.1,c=0",
        "rave:b2=1,c=0",
    ]


def test_halving_keeps_the_best_and_goes_on_where_it_stopped(tmp_path, monkeypatch, capsys):
    """With duels replaced by a known strength, the larger constant is the better one."""
    played = []

    def fake(first, second, games, conditions, watch=None):
        played.append((first.text, games, conditions.seed))
        return Score(games * first.uct.c, games, games)

    monkeypatch.setattr("scripts.play.tune_searches.play_duel", fake)
    out = tmp_path / "table.json"
    words = ["tune", "--search", "uct", "--grid", "c=0.1,0.2,0.3,0.4", "--games", "10"]
    monkeypatch.setattr("sys.argv", [*words, "--out", str(out)])
    for _ in range(2):
        assert main() == 0
        assert "winner: uct:c=0.4" in capsys.readouterr().out
        assert [entry[:2] for entry in played] == [
            ("uct:c=0.1", 10),
            ("uct:c=0.2", 10),
            ("uct:c=0.3", 10),
            ("uct:c=0.4", 10),
            ("uct:c=0.4", 20),
            ("uct:c=0.3", 20),
        ]
    monkeypatch.setattr("sys.argv", [*words, "--komi", "6", "--out", str(out)])
    assert main() == 2
    assert "other conditions" in capsys.readouterr().err


# -- GTP ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("search", sorted(BASELINES))
def test_a_baseline_speaks_gtp(search):
    options = argparse.Namespace(
        search=search,
        c=None,
        b2=None,
        prior_visits=None,
        playouts=PLAYOUTS // 10,
        rollouts="uniform",
        priors=False,
        threads=1,
        seed=1,
    )
    sink = io.BytesIO()
    lines = (
        b"name\nboardsize 5\nkomi 0.5\ngenmove b\ngenmove w\nset_random_seed 3\ngenmove b\nquit\n"
    )
    build_protocol(options).run(io.BytesIO(lines), sink)
    answers = sink.getvalue().decode().split("\n\n")
    assert answers[0] == f"= yomi's {search}"
    assert all(answer.startswith("=") for answer in answers[:-1])
    assert len({answers[3], answers[4], answers[6]}) == 3
