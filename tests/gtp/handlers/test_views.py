"""Views for GoGui and the reasons of a move."""

import re

import pytest

from engine import Knowledge
from engine.patterns.valuing import no_patterns
from gtp.handlers import views
from tests.gtp.handlers.test_analysis import SETTLED, VERTEX

END = re.compile(r"the lead is between ((jigo|[BW]\+[0-9.]+)( and )?){2} with probability 90 %")


@pytest.fixture(autouse=True)
def _a_glance_is_enough(monkeypatch):
    monkeypatch.setattr(views, "SHOWN", views.SHOWN._replace(look_seconds=0.02))


def test_win_rates(talk):
    labels, square, text = talk("boardsize 5", "play b c3", "yomi-win_rates w").split("\n")
    word, *labels = labels.split()
    assert word == "LABEL"
    assert all(VERTEX.fullmatch(vertex) for vertex in labels[::2])
    for interval in labels[1::2]:
        low, high = map(int, interval.split("-"))
        assert 0 <= low <= high <= 100
    assert square == f"SQUARE {labels[0]}"
    assert text.startswith(f"TEXT {labels[0]} wins ")
    # GoGui's status line shows this many characters, behind the command's name.
    assert f"({labels[1]}) for White, " in text[: len("TEXT ") + 60]
    assert "; best move at " in text
    assert "; lead " in text


@pytest.mark.parametrize("color", ["", "b", "w"])
def test_ownership_is_blacks(talk, color):
    talk("boardsize 5", "komi 0.5", SETTLED)
    rows = [
        [float(word) for word in row.split()] for row in talk(f"yomi-ownership {color}").split("\n")
    ]
    assert [len(row) for row in rows] == [5] * 5
    assert all(row[1] > 0.5 and row[2] < -0.5 for row in rows)


def test_ownership_is_of_the_same_belief_as_the_lead(talk):
    owners = talk("boardsize 5", "komi 20.5", "play b c3", "yomi-ownership").split()
    # Every view searches on, so the lead moves a little. Roll-outs' owners are 8 points away.
    _, lead = talk("yomi-win_rates").rsplit(" for White, ", 1)
    assert sum(map(float, owners)) - 20.5 == pytest.approx(-float(lead.split()[0]), abs=2.0)


def test_principal_variation(talk):
    moves = talk("boardsize 5", "yomi-variation b").split()
    assert moves
    assert all(VERTEX.fullmatch(move) for move in moves)


def test_move_probabilities(talk_with):
    talk = talk_with(knowledge=Knowledge(patterns=no_patterns()))
    influence, labels, square, text = talk("boardsize 3", "yomi-move_probabilities w").split("\n")
    word, *pairs = influence.split()
    assert word == "INFLUENCE"
    # Four corners are one move, and so are four sides.
    assert pairs[::2] == ["A1", "B1", "B2"]
    assert labels.split()[:3] == ["LABEL", "A1", "44"]
    assert square == "SQUARE A1"
    assert text.startswith("TEXT white: A1 44.")
    talk("gogui-setup b a2 b a3 b b1 b b2 b b3 b c1 b c2")  # two eyes
    assert talk("yomi-move_probabilities w") == "TEXT no legal move"


def test_explain(talk):
    assert talk("boardsize 5", "yomi-explain") == "? yomi has no move in this game"
    move = talk("genmove w")
    first, end, header, best, second, *_ = talk("yomi-explain").split("\n")
    assert re.match(rf"move 1, white: {move}(, or .+)?(, because |\. The search )", first)
    assert END.fullmatch(end)
    assert header.split()[:3] == ["move", "best", "%"]
    vertex, chance, prior, playouts, rate, points, *line = best.split()
    assert (vertex, line[0]) == (move, move)
    assert float(second.split()[1]) + float(chance) <= 100
    assert 0 < float(prior) <= 100
    assert int(playouts) >= 1
    assert 0 <= float(rate) <= 100
    float(points)
    talk(f"play w {move}", "play b a1")  # the reasons are of an earlier position
    assert talk("yomi-explain").split("\n")[0] == first
    talk("clear_board", "play b c3", "genmove w")
    assert talk("undo", "undo", "play b d4", "yomi-explain").startswith("?")
    talk("genmove w", "genmove b", "undo", "genmove b")
    assert talk("yomi-explain").startswith("move 3, black: ")
    assert talk("undo", "yomi-explain").startswith("move 2, white: ")
    assert talk("boardsize 5", "yomi-explain").startswith("?")
    talk(SETTLED, "komi 0.5", "play w pass", "genmove b")
    assert talk("yomi-explain") == "move 2, black: pass, because no sensible move is left"
