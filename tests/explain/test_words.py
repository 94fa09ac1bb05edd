"""Words for chains and their fates."""

import numpy as np
import pytest

from engine import BLACK, WHITE, parse_vertex
from engine.explain.kinds import Effect, Kind
from engine.explain.outcomes import share_alive
from engine.explain.words import because, margin_words, move_name, sentence, the_chain, the_group
from engine.go.geometry import AREA


def test_chains_have_names():
    owners = np.zeros(AREA)
    chain, stone = [parse_vertex("B4", 5), parse_vertex("C4", 5)], [parse_vertex("B2", 5)]
    owners[[*chain, *stone]] = 0.8, 0.4, 0.5
    assert share_alive(chain, BLACK, owners) == pytest.approx(0.8)
    assert share_alive(stone, WHITE, owners) == 0.25  # of the chain's own color
    assert [the_chain(chain), the_chain(stone)] == ["the two stones at B4", "the stone at B2"]
    assert the_group(chain) == "the group of the two stones at B4"
    assert the_chain(list(range(200, 212))).startswith("the 12 stones at ")


def test_results_in_words():
    assert margin_words((-3.54, 10.0)) == "W+3.5 to B+10.0"
    assert margin_words((0.01, 2.0)) == "jigo to B+2.0"


def test_a_move_stands_for_its_mirror_images():
    corner, *others = (parse_vertex(name, 19) for name in ("D16", "D4", "Q4", "Q16"))
    assert move_name(corner, ()) == "D16"
    assert move_name(corner, others[:1]) == "D16, or its mirror image D4"
    assert move_name(corner, others) == "D16, or one of its three mirror images"


@pytest.mark.parametrize(
    ("gap", "words"),
    [
        (1.2, "The search prefers D4 to C3, by about 1 point; it cannot name a reason."),
        (0.2, "The search prefers D4 to C3, by less than 1 point; it cannot name a reason."),
        (
            -2.0,
            "The search finds no difference in points between D4 and C3; it cannot name a reason.",
        ),
    ],
)
def test_the_preference_of_a_search_is_no_reason(gap, words):
    moves = parse_vertex("D4", 19), parse_vertex("C3", 19)
    preferred = Effect(Kind.PREFERRED, gap, (), BLACK, moves, numbers=(gap,))
    assert sentence(preferred) == words
    # What speaks against the other move has a line of its own.
    against = preferred._replace(kind=Kind.OTHER_IN_OWN_GROUND)
    assert because([preferred, against]) == because([preferred]) == f". {words[:-1]}"
    assert because([against]) == ""
    takes = Effect(Kind.CAPTURES, 2.0, ((moves[1],),), BLACK, moves)
    assert because([takes, preferred]) == ", because it captures the stone at C3"


def test_the_model_expects_and_nobody_plays():
    strong = Effect(Kind.EXPECTED, 0.0, numbers=(0.74,))
    assert sentence(strong) == "The model expects a strong player to play it in 74 %."
    kyu = Effect(Kind.EXPECTED, 0.0, numbers=(0.15, 10))
    assert sentence(kyu) == "The model expects a 10k player to play it in 15 %."


@pytest.mark.parametrize(
    ("color", "komi_margin", "end"),
    [(3, 0.5, "a win by 0.5"), (1, 0, "jigo"), (2, -1.0, "a loss by 1")],
)
def test_sums_of_fights(color, komi_margin, end):
    effect = Effect(Kind.SUM, 2.0, (), BLACK, numbers=(color, 2, komi_margin))
    left = "one small fight is" if color == 1 else f"{color} small fights are"
    assert sentence(effect) == (
        f"Only {left} left: pass gains 2 points, and best play gives {end}."
    )
