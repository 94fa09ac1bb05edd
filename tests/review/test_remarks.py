"""The choice of mistakes worth a remark, by the reader's level."""

from itertools import pairwise

import numpy as np
import pytest

from engine import BLACK, WHITE, BadSetup, Move
from engine.belief.losses import NOTHING, observed
from engine.explain.kinds import Effect, Kind
from engine.go.geometry import AREA
from engine.review.comparisons import Side
from engine.review.move_loss import LOSS
from engine.review.remarks import describe_lead, describe_remark, remarks_of
from engine.review.worth import WORTH, Level, level_of, own_levels, read_level
from tests.review.examples import judged_review, left_open, point, rank


def test_the_leader_is_named():
    assert describe_lead(3.52, 3.3) == "Black leads by 3.5 (+- 3)"
    assert describe_lead(-36.8, 0.8) == "White leads by 36.8 (+- 1)"
    assert describe_lead(-36.8, 0.8, brief=True) == "White 36.8 (+- 1)"
    assert describe_lead(-0.04, 3.3) == "the lead is 0.0 (+- 3)"


@pytest.mark.parametrize(
    ("first", "later"),
    [
        (("E5", "B2", 8.0), ("E4", "B4", 8.0)),  # another place
        (("E5", "B2", 8.0), ("E4", "A2", 8.0)),  # beside it: B2 may be taken by now
    ],
)
def test_another_matter_is_another_remark(first, later):
    _, review = left_open(first, later)
    remarks = remarks_of(review, Level())
    assert [remark.number for remark in remarks] == [1, 3]
    assert not any(remark.again for remark in remarks)


def test_a_point_that_was_probably_better_elsewhere_is_not_called_better():
    _, review = left_open(("E5", "B2", 8.0), ("E4", "B2", 6.0), ("E3", "B2", 5.0))
    doubted = [one._replace(mistake=0.6 + 0.3 * (one.before != 2)) for one in review.judgements]
    (remark,) = remarks_of(review._replace(judgements=doubted), Level())
    assert remark.text.endswith(" B2 was probably also better at moves 3 and 5.")
    assert "B2 was probably better, as at move 1." in remark.again[0].text
    assert "B2 was better, as at move 1." in remark.again[1].text


def test_a_point_left_by_one_side_says_nothing_of_the_other():
    _, review = left_open(("E5", "B2", 8.0))
    (first,) = review.judgements
    other = first._replace(before=1, after=2, play=Move(WHITE, point("E1")))
    remarks = remarks_of(review._replace(judgements=[first, other]), Level())
    assert [remark.judgement.play.color for remark in remarks] == [BLACK, WHITE]


def test_doubtful_moves_are_named_of_players_with_few_mistakes():
    _, doubted = judged_review(verdict="uncertain")
    (remark,) = remarks_of(doubted, Level())
    words = "may have lost about 12.0 points (chance of a mistake 90 %). yomi prefers B2."
    assert remark.text == words  # and no reasons
    assert len(remark.line) == 1  # a doubtful better move is named alone
    (judgement,) = doubted.judgements
    other = judgement._replace(before=2, after=3, verdict="mistake")
    both = doubted._replace(judgements=[judgement, other], thoughts=doubted.thoughts * 2)
    assert [one.certainty for one in remarks_of(both, Level())] == ["clear"]  # the same point
    _, review = left_open(
        ("E5", "B2", 4.0), ("E4", "C3", 9.0), ("E3", "D4", 3.0), ("A4", "A2", 2.0)
    )
    mistake, *doubtful = review.judgements
    doubtful = [one._replace(verdict="uncertain") for one in doubtful]
    few = remarks_of(review._replace(judgements=[mistake, *doubtful]), Level())
    assert [(one.number, one.certainty) for one in few] == [
        (1, "clear"), (3, "perhaps"), (5, "perhaps")
    ]  # fmt: skip
    assert len(remarks_of(review, Level())) == 4
    strong = doubted._replace(ranks={BLACK: rank(-5)})
    for points, count in ((LOSS.large, 1), (LOSS.large - 0.5, 0)):
        less = judgement._replace(loss=judgement.loss._replace(points=points))
        assert len(remarks_of(strong._replace(judgements=[less]), Level())) == count
    for less in ({"verdict": "fine"}, {"loss": judgement.loss._replace(points=0.9)}):
        assert remarks_of(doubted._replace(judgements=[judgement._replace(**less)]), Level()) == []


def test_a_remark_has_both_lines_and_the_owners():
    owned = np.full(AREA, 0.5)
    _, review = judged_review(ownership=owned)
    (remark,) = remarks_of(review, Level())
    assert remark.played_line == (point("E5"), point("D4"))
    assert remark.line == (point("B2"), point("D2"))
    before, after, instead = remark.owners
    assert after is owned
    assert not before.any()
    assert not instead.any()
    assert all(text.endswith(".") and text[0].isupper() for text in remark.sentences)


def test_levels():
    weak, strong = read_level("20k"), read_level("5D")
    assert weak.least > strong.least
    assert weak.most < strong.most
    assert weak.chance > strong.chance
    levels = [read_level(f"{k}k") for k in range(20, 0, -1)] + [read_level("1d")]
    assert all(a.least > b.least for a, b in pairwise(levels))
    for text in ("0k", "21k", "6d", "k", "", "5p", "-3k"):
        with pytest.raises(BadSetup, match="no such level"):
            read_level(text)


@pytest.mark.parametrize(
    ("chance", "verdict", "words"),
    [
        (0.9, "mistake", "B2 was better"),
        (0.6, "mistake", "B2 was probably better"),
        (0.3, "uncertain", "yomi prefers B2"),
    ],
)
def test_a_better_move_is_as_sure_as_the_mistake(chance, verdict, words):
    _, review = judged_review()
    judgement = review.judgements[0]._replace(mistake=chance, verdict=verdict)
    review = review._replace(judgements=[judgement], ranks={BLACK: rank(-5)})
    assert f" %). {words}." in describe_remark(remarks_of(review, Level())[0])


@pytest.mark.parametrize(
    ("loss", "others", "words"),
    [
        (9.0, {"C2": 8.0, "C3": 1.0, "A1": -4.0}, "B2 or C2 was better. "),
        (9.0, {"C2": 1.0}, "B2 was better. "),  # far from the best one
        (1.0, {"C2": -0.5}, "B2 was better. "),  # as good as the move itself
    ],
)
def test_moves_that_searches_do_not_tell_apart_are_named_together(loss, others, words):
    _, review = judged_review()
    (judgement,) = review.judgements
    sides = [Side(point(name), (NOTHING, observed(by, 1.7))) for name, by in others.items()]
    best = Side(point("B2"), (NOTHING, observed(loss, 1.7)))
    compared = judgement.comparison._replace(
        losses=(NOTHING, observed(loss, 1.0)),
        played=Side(point("E5"), (NOTHING, observed(0.0, 1.7))),
        rivals=(best, *sides),
    )  # fmt: skip
    review = review._replace(judgements=[judgement._replace(comparison=compared)])
    (remark,) = remarks_of(review, Level())
    assert f" %). {words}" in f"{remark.text} "


def test_reasons_need_replies_that_lose_little():
    _, review = judged_review()
    (judgement,) = review.judgements
    stones, moves = ((point("C3"),),), (point("B2"), point("E5"))
    attacked = Effect(Kind.PREVENTS_CAPTURE, 9.0, stones, BLACK, moves, places=(point("D4"),))
    taken = Effect(Kind.KEY_POINT_SOON, 8.0, (), BLACK, moves)
    judgement = judgement._replace(reasons=(attacked, taken))

    def sentences(*losses):
        look = review.thoughts[3].look
        best = look.decision.candidates[0]
        candidates = tuple(
            best._replace(point=point(name), margin=best.margin - loss) for name, loss in losses
        )
        look = look._replace(decision=look.decision._replace(candidates=candidates))
        thoughts = [*review.thoughts]
        thoughts[3] = thoughts[3]._replace(look=look)
        changed = review._replace(thoughts=thoughts, judgements=[judgement])
        (remark,) = remarks_of(changed, Level())
        return remark.sentences

    captured = "After E5, White captures the stone at C3 with D4."
    soon = "White took B2 soon after."
    assert sentences(("D4", 0.0), ("B2", 1.9)) == (captured, soon)
    assert sentences(("B2", 0.0), ("D4", 2.1)) == (soon,)
    assert sentences(("A1", 0.0)) == ()
    # The review calls B2 a mistake and D4 better.
    compared = judgement.comparison._replace(better=point("D4"), rivals=())
    reply = judgement._replace(
        before=3, after=4, play=Move(WHITE, point("B2")), comparison=compared, reasons=()
    )
    changed = review._replace(judgements=[judgement, reply])
    assert remarks_of(changed, Level())[0].sentences == (captured,)


def test_after_the_game_was_decided_only_the_costliest_moves_have_remarks(monkeypatch):
    _, review = left_open(("E5", "B2", 4.0), ("E4", "C3", 9.0))
    review = review._replace(win_rates=[0.01] * 8)
    assert [remark.number for remark in remarks_of(review, Level())] == [1, 3]
    monkeypatch.setattr("engine.review.worth.WORTH", WORTH._replace(costliest=1))
    assert [remark.number for remark in remarks_of(review, Level())] == [3]
    open_game = review._replace(win_rates=[0.5] * 8)
    assert [remark.number for remark in remarks_of(open_game, Level())] == [1, 3]


def test_without_a_better_move_nothing_is_said():
    _, review = judged_review()
    (judgement,) = review.judgements
    unsure = judgement.comparison._replace(losses=(NOTHING, observed(0.4, 1.0)))
    unsure = judgement._replace(comparison=unsure)
    assert remarks_of(review._replace(judgements=[unsure]), Level()) == []


def test_a_level_leaves_out_unhelpful_remarks(monkeypatch):
    _, small = judged_review(size=4.0)
    assert len(remarks_of(small, read_level("5d"))) == 1
    assert len(remarks_of(small, read_level("20k"))) == 1  # the costliest of its player
    _, unlikely = judged_review(better="A1")
    assert len(remarks_of(unlikely, read_level("20k"))) == 1  # the same, likely or not
    monkeypatch.setattr("engine.review.worth.WORTH", WORTH._replace(costliest=0))
    assert len(remarks_of(unlikely, read_level("5d"))) == 1
    assert remarks_of(unlikely, read_level("20k")) == []
    _, many = judged_review()
    assert remarks_of(many, Level(most=0)) == []


def test_each_player_has_a_level_of_his_own():
    _, review = judged_review()
    levels = own_levels(review._replace(ranks={WHITE: rank(20)}))
    assert levels == {BLACK: Level(), WHITE: read_level("20k")}
    assert len(remarks_of(review, levels)) == 1  # Black's
    none = {BLACK: Level(most=0), WHITE: Level()}
    assert remarks_of(review, none) == []
    assert level_of(40.0) == read_level("20k")
    assert level_of(-8.0) == read_level("5d")
