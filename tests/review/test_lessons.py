"""The lessons of a game: its verdict, its turning point, costly and good moves."""

import numpy as np
import pytest

from engine import BLACK, WHITE
from engine.belief.losses import observed
from engine.go.geometry import AREA
from engine.review.comparisons import none_better
from engine.review.judging import doubt_small_losses
from engine.review.lessons import GameResult, good_moves, lessons_of
from engine.review.move_loss import LOSS, loss_of, wildness
from engine.review.remarks import remarks_of
from engine.review.worth import Level
from tests.beliefs import believed
from tests.review.examples import judged_review, left_open, point, rank, thoughts_of


def lessons(review, result=None):
    return lessons_of(review, remarks_of(review, Level()), result)


def test_each_player_s_costliest_moves_are_named():
    _, review = left_open(
        ("E5", "B2", 8.0), ("E4", "C3", 2.0), ("E3", "D2", 5.0), ("A5", "B4", 3.0)
    )
    costliest = lessons(review).costliest
    assert [one.judgement.loss.points for one in costliest[BLACK]] == [8.0, 5.0, 3.0]
    assert costliest[WHITE] == ()


@pytest.mark.parametrize(
    ("mistake", "verdict", "word"),
    [
        (0.9, "mistake", "clear"),
        (0.6, "mistake", "likely"),
    ],
)
def test_certainty_is_of_mistakes_that_are_named(mistake, verdict, word):
    _, review = judged_review(mistake=mistake, verdict=verdict)
    (remark,) = remarks_of(review, Level())
    assert remark.certainty == word


def test_a_loss_is_surer_where_less_is_at_stake():
    calm, wild = (loss_of(5.0, wildness(9, deviation), 0.0, 0.0) for deviation in (0.0, 9.0))
    assert calm.points == wild.points == pytest.approx(LOSS.larger * 5.0**LOSS.power)
    assert 0.0 <= wild.low < calm.low < calm.points < calm.high < wild.high
    assert wildness(19, 19.0) == wildness(9, 9.0)
    assert loss_of(-3.0, 1.0, 0.0, 0.0)[:2] == (0.0, 0.0)


@pytest.mark.parametrize(
    ("mean", "lead", "later", "word"),
    [
        (1.5, 1.0, -1.0, "small"),
        (3.0, 9.0, 5.0, "medium"),
        (8.0, 9.0, 1.0, "large"),
        (4.0, 2.0, -2.0, "decisive"),
        (8.0, -2.0, -10.0, "large"),
    ],
)
def test_a_loss_has_a_word(mean, lead, later, word):
    assert loss_of(mean, 1.0, lead, later).word == word


def test_the_verdict_names_the_winner_and_the_loser_s_moves():
    review = turned()
    assert lessons(review, GameResult(WHITE, -7.5)).verdict == (
        "White won by 7.5 points, because of Black's move 3 (E5)."
    )
    assert lessons(review, GameResult(BLACK)).verdict == "Black won."
    (judgement,) = review.judgements
    likely = review._replace(judgements=[judgement._replace(mistake=0.6)])
    assert lessons(likely, GameResult(WHITE)).verdict == (
        "White won, probably because of Black's move 3 (E5)."
    )
    led = review._replace(leads=[(-3.0, 2.0)] * 5)
    assert lessons(led).verdict == (
        "In the last position, White leads by 3.0 points, because of Black's move 3 (E5)."
    )


def test_a_result_that_disagrees_with_the_count_is_noted():
    _, review = judged_review()
    last = review.thoughts[-1]
    assert lessons(review, GameResult(BLACK, 1.5)).notes == ()  # 0.0 +- 2.0
    (note,) = lessons(review, GameResult(BLACK, 7.5)).notes
    assert note == "The record says Black won by 7.5, but yomi estimates: the lead is 0.0 points."
    decision = last.look.decision._replace(candidates=())
    look = last.look._replace(
        decision=decision, observations=(observed(-2.0, 0.01), observed(-22.5, 1.0))
    )
    counted = review._replace(thoughts=[*review.thoughts[:-1], last._replace(look=look)])
    assert lessons(counted, GameResult(WHITE, -22.5)).notes == ()
    (note,) = lessons(counted, GameResult(WHITE, -7.5)).notes
    assert "the count of the last position says: White leads by 22.5" in note
    assert lessons(counted).verdict.startswith("White won by 22.5 points")
    lost = review._replace(win_rates=[0.5, 0.5, 0.5, 0.01, 0.01], leads=[(-9.0, 2.0)] * 5)
    assert lessons(lost, GameResult(BLACK)).notes == ("At the end, White leads by 9.0 points.",)
    assert lessons(lost, GameResult(WHITE)).notes == ()


def turned(rates=(0.6, 0.6, 0.6, 0.1, 0.1)):
    _, review = judged_review()
    return review._replace(win_rates=list(rates))


def test_the_game_turns_with_the_move_that_cost_the_most_chances():
    turn = lessons(turned(), GameResult(WHITE)).turning
    assert turn.after == 3
    fine = judged_review(verdict="uncertain")[1]._replace(win_rates=[0.6, 0.6, 0.6, 0.1, 0.1])
    for review in (
        turned((0.6, 0.6, 0.3, 0.22, 0.2)),  # slowly
        turned((0.6, 0.6, 0.6, 0.4, 0.1)),  # it cost little
        turned((0.2, 0.2, 0.2, 0.1, 0.1)),  # behind all the time
        turned((0.6, 0.6, 0.6, 0.1, 0.45)),  # it came back
        turned((0.6, 0.6, 0.6, 0.6, 0.6)),  # lost on time
        fine,  # a doubtful mistake turns none
    ):
        assert lessons(review, GameResult(WHITE)).turning is None
        assert lessons(review, GameResult(WHITE)).verdict == "White won."
    assert lessons(turned(), GameResult(BLACK)).turning is None  # White's moves turned nothing


def test_where_no_move_is_named_the_verdict_tells_when_the_lead_changed():
    _, review = judged_review(verdict="uncertain")
    thoughts = [
        one._replace(number=number)
        for number, one in enumerate([*review.thoughts, *review.thoughts])
    ]

    def told(*leads):
        led = [(lead, 2.0) for lead in leads]
        changed = review._replace(
            leads=led, thoughts=thoughts[: len(led)], win_rates=[0.5] * len(led), judgements=[]
        )
        return lessons(changed, GameResult(WHITE)).verdict

    words = "White won. Between moves {} and {} the lead passed from Black to White."
    # It grows slowly before the range and after it.
    assert told(0.0, 4.6, 5.0, -1.0, -6.2, -6.4) == words.format(2, 4)
    assert told(2.0, -2.0, 6.0, -5.0) == words.format(2, 3)
    taken = "White won. White took the lead between moves {} and {}."
    assert told(0.0, 1.2, 1.6, -3.0, -6.2, -6.4) == taken.format(2, 4)
    assert told(0.0, -4.0, -6.0) == taken.format(1, 2)
    assert told(0.0, -6.0) == "White won. White took the lead with move 1."
    review = review._replace(ranks={BLACK: rank(12), WHITE: rank(-5)})
    assert told(2.0, -2.0, 6.0, -5.0) == words.format(2, 3)
    review = review._replace(ranks={BLACK: rank(-5)})
    assert told(2.0, -2.0, 6.0, -5.0) == "White won."  # Black is stronger than yomi
    review = review._replace(ranks={})
    assert told(0.0, 9.0) == "White won."  # on time
    assert told(-5.0, 1.0, -5.0) == "White won."
    assert told(-5.0, -9.0) == "White won."  # ahead from the beginning
    assert told(5.0, -0.4) == "White won."


def test_no_lead_changes_while_handicap_stones_are_placed():
    _, review = judged_review(verdict="uncertain")
    leads = (0.0, 3.0, 9.0, 9.0)
    for moves, words in ((b";B[cc];B[ea];W[dd]", ""), (b";B[cc];W[ea];B[dd]", " Black took")):
        _, thoughts = thoughts_of(b"(;SZ[5]" + moves + b")", leads)
        led = [(lead, 2.0) for lead in leads]
        one = review._replace(leads=led, thoughts=thoughts, win_rates=[0.5] * 4, judgements=[])
        assert lessons(one, GameResult(BLACK)).verdict.startswith(f"Black won.{words}")
        assert ("lead" in lessons(one, GameResult(BLACK)).verdict) == (words != "")


@pytest.mark.parametrize(
    ("color", "fate", "words"),
    [
        (BLACK, (0.8, -0.8), ": Black's group at C2 died."),
        (WHITE, (0.8, -0.8), ": White's group at C2 lived."),
        (BLACK, (0.8, 0.7), "."),
    ],
)
def test_a_group_whose_fate_changed_is_named(color, fate, words):
    """Two stones, Black's or White's, are Black's before the fifth move and White's after it."""
    name = "B" if color == BLACK else "W"
    record = f"(;SZ[5]PL[B];AB[ee]A{name}[cc]A{name}[cd];B[ae];W[ea];B[aa])".encode()
    _, thoughts = thoughts_of(record, (0.0,) * 5)
    _, review = judged_review()
    stones = [point("C2"), point("C3")]
    for place, owner in zip((3, 4), fate, strict=True):
        owners = np.zeros(AREA)
        owners[stones] = owner
        look = thoughts[place].look._replace(ownership=owners)
        thoughts[place] = thoughts[place]._replace(look=look)
    (judgement,) = review.judgements
    turned_review = review._replace(
        thoughts=thoughts,
        win_rates=[0.6, 0.6, 0.6, 0.6, 0.1],
        judgements=[judgement._replace(before=3, after=4)],
    )
    verdict = lessons_of(turned_review, [], GameResult(WHITE)).verdict
    assert verdict == f"White won, because of Black's move 3 (E5){words}"


def test_a_good_move_is_hard_to_find_and_right():
    _, review = judged_review(chance=0.01, mistake=0.05, verdict="fine")
    (judgement,) = review.judgements
    judgement = judgement._replace(comparison=none_better(5))
    thought = review.thoughts[2]
    best, usual = believed(point("E5"), 90, 0.6, 4.0), believed(point("C3"), 40, 0.5, 1.5)

    def found(*candidates, **changes):
        decision = thought.look.decision._replace(candidates=candidates)
        look = thought.look._replace(decision=decision)
        thoughts = [*review.thoughts]
        thoughts[2] = thought._replace(look=look)
        one = judgement._replace(**changes)
        return good_moves(review._replace(thoughts=thoughts, judgements=[one]), BLACK)

    (good,) = found(best, usual)
    assert (good.number, good.gain) == (3, 2.5)
    assert (
        "Black E5, was hard to find and right: C3, the usual move, is worth about 2"
        in good.sentence
    )
    assert found(usual, best) == []  # the search prefers the usual move
    assert found(best, usual, chance=0.3) == []
    assert found(best, usual, mistake=0.5) == []
    assert found(best, usual, comparison=None) == []  # no closer search confirms it
    assert found(best, usual._replace(margin=3.9)) == []


def test_of_stronger_players_only_large_losses_are_named():
    _, review = left_open(("E5", "B2", 5.96), ("E4", "C3", 5.94))
    verdicts = [one.verdict for one in doubt_small_losses(review.judgements, frozenset({BLACK}))]
    assert verdicts == ["mistake", "uncertain"]
    same = doubt_small_losses(review.judgements, frozenset({WHITE}))
    assert [one.verdict for one in same] == ["mistake", "mistake"]
    strong = review._replace(ranks={BLACK: rank(-5), WHITE: rank(12)})
    assert strong.stronger == {BLACK}
    assert lessons(strong).notes == (
        "Black may be stronger than yomi: Black's losses under 6 points are doubtful.",
    )
    both = review._replace(ranks={BLACK: rank(-5), WHITE: rank(-4)})
    assert lessons(both).notes[0].startswith("Black and White may be stronger than yomi")
