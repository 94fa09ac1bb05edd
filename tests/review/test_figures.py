"""Figures of a game by side and phase."""

import pytest

from engine import BLACK, WHITE, Move
from engine.review.figures import by_phase, side_figures
from engine.review.move_loss import MoveLoss
from tests.review.examples import left_open, point


def review_of(*moves):
    """A review with losses and plays: (color, play, points, number of the position before)."""
    _, review = left_open(("E5", "B2", 8.0))
    judgements = [
        review.judgements[0]._replace(
            before=before,
            after=before + 1,
            play=Move(color, point(play)),
            loss=MoveLoss(points, 0.0, points),
        )
        for color, play, points, before in moves
    ]
    return review._replace(judgements=judgements)


def test_phases_end_at_shares_of_the_board():
    # On 5x5 the opening is moves 1 to 4.
    review = review_of((BLACK, "C3", 1.0, 0), (WHITE, "A2", 2.0, 3), (BLACK, "E5", 3.0, 4))
    rows = by_phase(review)
    assert [name for name, _ in rows] == ["opening", "middle game", "all"]
    moves = [[sides[color].moves for color in (BLACK, WHITE)] for _, sides in rows]
    assert moves == [[1, 1], [1, 0], [2, 1]]


def test_losses_of_a_side_add_up():
    review = review_of((BLACK, "C3", 4.0, 0), (BLACK, "E5", 2.0, 2), (WHITE, "A2", 0.0, 1))
    sides = side_figures(review, review.judgements)
    assert sides[BLACK].mean == pytest.approx(3.0)
    assert sides[BLACK].agreed == 0.5  # the stubs' searches play C3
    assert (sides[WHITE].mean, sides[WHITE].agreed) == (0.0, 0.0)
