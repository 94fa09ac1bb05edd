"""The game as one path: every position looked at, suspected mistakes looked at longer.

What is found after a move informs the judgement before it, by the messages of ``engine.path``: so
the curve is calm where nothing happened, and jumps where a mistake was.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from engine.gaussian import cdf
from engine.go.board import BLACK
from engine.go.history import Game
from engine.go.played import Move
from engine.path.game import GamePath, PathStep, Sight, follow, win_probability
from engine.path.losses import Loss, Observation, observed, size_interval
from engine.patterns.predictor import Predictor
from engine.review.looks import BIAS, LEAD, WIN, Comparison, Lookout, PositionLook
from engine.review.mistakes import prior_odds, tempered, tracks_of
from engine.search.calibration import NINETY_PERCENT

SUSPECT = 0.15  # probability of a mistake from which on a move is looked at longer
MOST_SUSPECTS = 4, 0.125  # moves a game that are: so many, and a share of all moves
DOUBTFUL = 0.25  # probability from which on a move is compared once more
LONGER_LOOKS = 3  # of looking longer: what is found there may clear or accuse the moves around
# Comparisons of moves that lose little err by some points, of moves that lose a group by a good
# third of it. Only the size of a mistake hangs on that, for it is one all the same.
ERROR_OF_SIZE = 0.4

Verdict = Literal["mistake", "uncertain", "fine"]
OnLook = Callable[[str, int, int], object]  # what is done, how often, of how many


class Position(NamedTuple):
    """One position of a game that is to be reviewed.

    node    its place in the record that the caller has, which notes are written to
    number  moves made before it
    play    the move that led there; None at the beginning and after a set-up
    game    up to there; the side to move is that of the next move
    """

    node: int
    number: int
    play: Move | None
    game: Game


class Thought(NamedTuple):
    """What is known of one position; the first four fields are those of ``Position``.

    chances  probability of each legal move by the ranking model; empty without one
    """

    node: int
    number: int
    play: Move | None
    game: Game
    look: PositionLook
    chances: dict[int, float]


class Judgement(NamedTuple):
    """What became of one move. Losses are the mover's.

    before, after  places of the positions among the thoughts
    mistake        probability that it lost more than the least that counts, tempered
    points         what it lost, mistake or not: mean
    size           points lost if it was a mistake: mean; low, high: 90 % interval
    win            chance to win that it lost: mean
    chance         probability by the ranking model that an expert plays it; None without one
    rank           its place among the legal moves by that, equals together
    comparison     with a better move; None where it was not suspected
    loss_low, loss_high  90 % interval of ``points``
    verdict        "mistake"; "uncertain": it may be one, and is not called one; "fine"
    """

    before: int
    after: int
    play: Move
    mistake: float
    points: float
    size: float
    low: float
    high: float
    win: float
    chance: float | None
    rank: int | None
    comparison: Comparison | None
    loss_low: float = 0.0
    loss_high: float = 0.0
    verdict: Verdict = "fine"


class Review(NamedTuple):
    """All that was found out about a game.

    win_rates  by thought, Black's chance to win; leads: mean and deviation of Black's lead
    win_intervals  where the chance to win is with 90 %; empty: unknown
    """

    thoughts: list[Thought]
    judgements: list[Judgement]
    win_rates: list[float]
    leads: list[tuple[float, float]]
    win_intervals: Sequence[tuple[float, float]] = ()


def review_game(
    positions: Sequence[Position],
    lookout: Lookout,
    predictor: Predictor | None,
    progress: OnLook = lambda what, done, of: None,
) -> Review:
    """Look at each position of a game, then longer at what seems to be a mistake.

    positions  in the order of the game, at least one
    predictor  the ranking model; None: reviewed without it
    Raises Stopped when the lookout is told to stop.
    """
    thoughts = []
    for done, position in enumerate(positions, start=1):
        game = position.game
        chances = predictor.of_game(game, game.to_play) if predictor is not None else {}
        thoughts.append(Thought(*position, lookout.look(game), chances))
        progress("positions", done, len(positions))
    compared = _look_closer(thoughts, lookout, progress)
    return _judge(thoughts, compared, path_of(thoughts, compared))


def _look_closer(
    thoughts: Sequence[Thought], lookout: Lookout, progress: OnLook
) -> dict[int, Comparison]:
    """Compare what seems to be a mistake, and what still does once more; return what was found."""
    compared: dict[int, Comparison] = {}
    path = path_of(thoughts, compared)
    most = MOST_SUSPECTS[0] + int(MOST_SUSPECTS[1] * len(thoughts))
    for _ in range(LONGER_LOOKS):
        suspects = suspects_of(path, compared)[: most - len(compared)]
        if not suspects:
            break
        for number, step in enumerate(suspects):
            progress("suspects", len(compared), len(compared) + len(suspects) - number)
            compared[step] = lookout.compare(thoughts[step].game, _played(thoughts, step))
        path = path_of(thoughts, compared)
    doubtful = [step for step in compared if path.mistakes[step] >= DOUBTFUL]
    for number, step in enumerate(doubtful):
        progress("suspects", number, len(doubtful))
        game, played = thoughts[step].game, _played(thoughts, step)
        compared[step] = lookout.compare_again(game, played, compared[step])
    return compared


def _played(thoughts: Sequence[Thought], step: int) -> int:
    """Return the move of a suspected step."""
    play = thoughts[step + 1].play
    assert play is not None  # only moves are suspected
    return play.point


def suspects_of(path: GamePath, compared: dict[int, Comparison]) -> list[int]:
    """Return the steps that need a longer look, those that probably lost most first."""
    found = [
        step for step, prob in enumerate(path.mistakes) if prob >= SUSPECT and step not in compared
    ]
    return sorted(found, key=lambda step: -path.mistakes[step] * path.losses[step][LEAD].size)


def path_of(thoughts: Sequence[Thought], compared: dict[int, Comparison]) -> GamePath:
    """Return the posterior of the game, given all looks."""
    sights = [_sight(thought.look) for thought in thoughts]
    steps = []
    for number, (before, after) in enumerate(pairwise(thoughts)):
        sign = sign_of(before, after)
        prior = prior_odds(before.chances.get(after.play.point) if after.play and sign else None)
        losses = compared[number].losses if number in compared else ()
        steps.append(PathStep(sign, prior, losses))
    return follow(tracks_of(thoughts[0].game.size), sights, steps)


def _sight(look: PositionLook) -> Sight:
    """Return what a look says of a position: what was counted has no systematic error."""
    if look.counted:
        return Sight(0, look.seen)
    widened = tuple(_widened(seen, bias) for seen, bias in zip(look.seen, BIAS, strict=True))
    return Sight(1 if look.color == BLACK else -1, widened)


def sign_of(before: Thought, after: Thought) -> int:
    """Return +1 for one move of Black's between two positions, -1 for White's, else 0.

    Between them may be a set-up, or a color may have moved twice.
    """
    play = after.play
    if play is None or after.number != before.number + 1:
        return 0
    if not before.look.color == play.color != after.look.color:
        return 0
    return 1 if play.color == BLACK else -1


def _widened(seen: Observation, bias: float) -> Observation:
    return observed(seen.mean, 1.0 / seen.pi + bias**2)


def _judge(thoughts: list[Thought], compared: dict[int, Comparison], path: GamePath) -> Review:
    tracks = tracks_of(thoughts[0].game.size)
    win_rates = [win_probability(mean, variance) for mean, variance in path.states[WIN]]
    leads = [(mean, math.sqrt(variance)) for mean, variance in path.states[LEAD]]
    judgements = []
    for step, (before, after) in enumerate(pairwise(thoughts)):
        sign = sign_of(before, after)
        if sign == 0 or after.play is None:
            continue
        chance = before.chances.get(after.play.point)
        mistake, comparison = path.mistakes[step], compared.get(step)
        if comparison is not None and comparison.better is not None:
            mistake = tempered(mistake)
        # Equals share the better place.
        rank = None if chance is None else 1 + sum(c > chance for c in before.chances.values())
        loss: Loss = path.losses[step][LEAD]
        low, high = size_interval(tracks[LEAD], loss, ERROR_OF_SIZE)
        judgements.append(
            Judgement(
                step, step + 1, after.play, mistake, loss.mean, loss.size, low, high,
                sign * (win_rates[step] - win_rates[step + 1]), chance, rank, comparison,
            )
        )  # fmt: skip
    intervals = [_chance_interval(mean, variance) for mean, variance in path.states[WIN]]
    return Review(thoughts, judgements, win_rates, leads, intervals)


def _chance_interval(mean: float, variance: float) -> tuple[float, float]:
    """Return the interval that holds a chance with 90 %, given what is believed of its probit."""
    reach = NINETY_PERCENT * math.sqrt(variance)
    return float(cdf(mean - reach)), float(cdf(mean + reach))
