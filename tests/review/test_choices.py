"""The moves that could be played, with the points that each loses."""

import pytest

from engine import BLACK, Decision
from engine.belief.losses import observed
from engine.review.choices import choices_of
from engine.review.comparisons import Side
from engine.review.move_loss import MoveLoss
from tests.beliefs import believed
from tests.review.examples import judged_review, look, point


def with_moves(review, step, *moves):
    """Return a review whose first search of a position has moves: (vertex, margin, playouts)."""
    candidates = tuple(
        believed(point(name), playouts, 0.5, margin) for name, margin, playouts in moves
    )
    thoughts = list(review.thoughts)
    before = thoughts[step].look
    decision = Decision(candidates[0].point, False, (), 0.5, 90, candidates)
    thoughts[step] = thoughts[step]._replace(look=before._replace(decision=decision))
    return review._replace(thoughts=thoughts)


def losses(review, step=2):
    return {choice.point: choice.loss for choice in choices_of(review, step)}


def test_the_played_move_has_the_loss_of_its_judgement_and_the_better_one_none():
    _, review = judged_review()  # Black E5 at step 2 lost 12 points to B2
    review = with_moves(
        review,
        2,
        ("E5", 5.0, 40),
        ("B2", 1.0, 30),
        ("C3", 4.0, 20),
        ("D4", 2.0, 20),
        ("A1", 9.0, 2),
    )
    choices = choices_of(review, 2)
    assert [choice.point for choice in choices] == [point(n) for n in ("B2", "E5", "C3", "D4")]
    # The first search overlooked B2, so other moves lose as much more than E5 as it says.
    assert [choice.loss for choice in choices] == [0.0, 12.0, 13.0, 15.0]
    assert choices[0].line == (point("B2"), point("D2"))
    assert choices[0].expected == 0.3


def test_losses_between_the_better_move_and_the_played_one_keep_their_share():
    _, review = judged_review()
    review = with_moves(
        review, 2, ("B2", 6.0, 40), ("C3", 5.0, 30), ("E5", 2.0, 20), ("D4", 1.0, 9)
    )
    assert losses(review) == {
        point("B2"): 0.0, point("C3"): 3.0, point("E5"): 12.0, point("D4"): 13.0
    }  # fmt: skip


def test_moves_that_were_compared_too_have_their_own_loss():
    _, review = judged_review()
    (judged,) = review.judgements
    rivals = tuple(
        Side(point(name), (observed(0.0, 1.0), observed(lead, 1.0)), look=look(BLACK, lead, name))
        for name, lead in (("B2", 9.0), ("C2", 3.0))
    )
    compared = judged.comparison._replace(rivals=rivals)
    changed = review._replace(judgements=[judged._replace(comparison=compared)])
    assert losses(with_moves(changed, 2, ("E5", 1.0, 40)))[point("C2")] == pytest.approx(6.0)


def test_without_a_better_move_losses_are_gaps_to_the_best():
    _, review = judged_review()
    (judged,) = review.judgements
    fine = judged._replace(comparison=None, verdict="fine", loss=MoveLoss(0.0, 0.0, 3.0))
    review = with_moves(
        review._replace(judgements=[fine]), 2, ("E5", 3.0, 40), ("C3", 1.5, 40), ("D4", 3.5, 40)
    )
    assert losses(review) == {point("E5"): 0.0, point("D4"): 0.0, point("C3"): 1.5}


def test_there_are_at_most_ten_and_none_after_a_count():
    _, review = judged_review()
    names = [f"{letter}{row}" for letter in "ABCD" for row in (1, 3, 4)]
    review = with_moves(review, 2, *((name, 5.0, 20) for name in names))
    choices = choices_of(review, 2)
    assert len(choices) == 10
    assert {point("E5"), point("B2")} <= {choice.point for choice in choices}
    counted = review.thoughts[2].look
    counted = counted._replace(decision=counted.decision._replace(candidates=()))
    thoughts = [
        *review.thoughts[:2],
        review.thoughts[2]._replace(look=counted),
        *review.thoughts[3:],
    ]
    assert choices_of(review._replace(thoughts=thoughts), 2) == []
