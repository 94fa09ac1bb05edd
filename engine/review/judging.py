"""The verdict on every move of a game: how probably it was a mistake, and what it lost."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import NamedTuple

from engine.belief.path import GamePath
from engine.belief.posterior import Posterior, open_share, settled_by
from engine.explain.kinds import Effect
from engine.facts.position_facts import Facts
from engine.gaussian import NINETY_PERCENT
from engine.go.board import BLACK
from engine.go.geometry import board_points
from engine.go.played import Move
from engine.patterns.predictor import Predictor
from engine.review.closer import CLOSER, OnLook, look_closer
from engine.review.comparisons import Comparison
from engine.review.course import Course, GamePosition, Ranks, Thought, path_of
from engine.review.looks import LEAD, Lookout, LookRequest, PositionLook
from engine.review.mistakes import MISTAKES, Certainty, Verdict, verdict_of
from engine.review.move_loss import LOSS, MoveLoss, loss_of
from engine.review.reasons import reasons_against


class JudgingLimits(NamedTuple):
    """Numbers of the verdicts on a whole game."""

    # Kyu of the engine's own level, 1d is 0: on large boards, and on smaller ones. Chosen.
    own_level: tuple[int, int] = (0, -2)
    # In even games of players weaker than 1d dead groups stay on the board and roll-outs save some.
    # So leads are larger by this share, where all is open, and intervals have this factor. In 989
    # positions of 18 such games on 9x9 leads erred by 5.9 points, so they err by 4.5, and 92 % of
    # the intervals hold a judge's lead. The chances to win suit the results of 150 games without.
    kyu_share: float = 0.4
    kyu_reach: float = 1.6


JUDGING = JudgingLimits()


class Judgement(NamedTuple):
    """The verdict on one move. Losses are the mover's.

    before, after  places of the positions among the thoughts
    """

    before: int
    after: int
    play: Move
    mistake: float  # probability that it lost more than the least that counts, tempered
    loss: MoveLoss  # what it lost
    # Probability by the ranking model that an expert plays it; None without one
    chance: float | None
    comparison: Comparison | None  # with a better move; None where it was not looked at closer
    # "mistake"; "uncertain": it may be one, and is not called one; "fine"
    verdict: Verdict = "fine"
    reasons: tuple[Effect, ...] = ()  # of a mistake, what the better move brings, the largest first

    @property
    def has_better(self) -> bool:
        """Whether comparisons prefer another move."""
        return self.comparison is not None and self.comparison.finds_better

    @property
    def better_moves(self) -> tuple[int, ...]:
        """The moves of which one is better, the best first; (): none is clearly better."""
        return self.comparison.better_moves(self.play.color) if self.comparison else ()

    @property
    def certainty(self) -> Certainty:
        """How surely the move was a mistake, in a word."""
        if self.verdict != "mistake" or not self.better_moves:
            return "perhaps"
        return "clear" if self.mistake >= MISTAKES.clear else "likely"


class Review(NamedTuple):
    """All that was found out about a game."""

    thoughts: list[Thought]
    judgements: list[Judgement]
    win_rates: list[float]  # the chance from it
    # By thought, mean of Black's lead and half of its 90 % interval [points]
    leads: list[tuple[float, float]]
    ranks: Ranks = MappingProxyType({})  # by color, what was believed of the players' ranks
    # Where the chance to win is with 90 %; empty: unknown
    win_intervals: Sequence[tuple[float, float]] = ()

    @property
    def stronger(self) -> frozenset[int]:
        """The colors of the players who are stronger than the engine's own level."""
        return stronger_players(self.ranks, self.thoughts[0].game.size)


def stronger_players(ranks: Ranks, size: int) -> frozenset[int]:
    """Return the colors of the players who are stronger than the engine on a board of some size."""
    level = JUDGING.own_level[size < MISTAKES.large_board]
    return frozenset(color for color, rank in ranks.items() if rank.median < level)


def review_game(
    positions: Sequence[GamePosition],
    lookout: Lookout,
    predictor: Predictor | None,
    progress: OnLook = lambda what, done, of: None,
    ranks: Ranks = MappingProxyType({}),
) -> Review:
    """Look at each position of a game, then closer where a verdict may change. Raises Stopped."""
    looks: list[PositionLook] = []
    playouts = lookout.playouts(positions[0].game.size)
    while len(looks) < len(positions):
        some = positions[len(looks) : len(looks) + CLOSER.batch]
        looks += lookout.look_all([LookRequest(p.game, playouts, 0) for p in some])
        progress("positions", len(looks), len(positions))
    thoughts = []
    for position, look in zip(positions, looks, strict=True):
        game = position.game
        chances = predictor.of_game(game, game.to_play) if predictor is not None else {}
        thoughts.append(Thought(**position._asdict(), look=look, chances=chances))
    course = Course(thoughts, ranks)
    compared = look_closer(course, lookout, progress)
    return with_reasons(judge(course, compared, path_of(course, compared)), lookout.reader.facts)


def with_reasons(review: Review, facts: Facts) -> Review:
    """Return a review in which the moves that may get a remark have the reasons against them."""
    judgements = []
    for judgement in review.judgements:
        comparison = judgement.comparison
        if judgement.verdict != "fine" and comparison is not None and judgement.better_moves:
            game, played = review.thoughts[judgement.before].game, judgement.play.point
            later = [thought.game for thought in review.thoughts[judgement.after :]]
            reasons = reasons_against(game, played, comparison, facts, later)
            judgement = judgement._replace(reasons=reasons)
        judgements.append(judgement)
    return review._replace(judgements=judgements)


def judge(course: Course, compared: dict[int, Comparison], path: GamePath) -> Review:
    """Return the review of a game, given its posterior and the comparisons it rests on."""
    thoughts = course.thoughts
    # From the leads, not from the track of wins: the two must not contradict each other.
    kyu = any(rank.median > 0 for rank in course.ranks.values())
    posteriors = [
        _posterior_of(thought, mean, kyu)
        for (mean, _), thought in zip(path.states[LEAD], thoughts, strict=True)
    ]
    leads = [(posterior.mean, posterior.reach) for posterior in posteriors]
    win_rates = [posterior.chance() for posterior in posteriors]
    judgements = [
        _judge_move(course, step, compared.get(step), path, leads) for step in course.steps()
    ]
    judgements = doubt_small_losses(judgements, stronger_players(course.ranks, course.size))
    return Review(
        thoughts=thoughts, judgements=judgements, win_rates=win_rates, leads=leads,
        ranks=course.ranks, win_intervals=[posterior.chances() for posterior in posteriors],
    )  # fmt: skip


def doubt_small_losses(
    judgements: Sequence[Judgement], stronger: frozenset[int]
) -> list[Judgement]:
    """Return judgements in which only large losses of stronger players are called mistakes."""
    return [
        one._replace(verdict="uncertain")
        if one.verdict == "mistake"
        and one.play.color in stronger
        and round(one.loss.points, 1) < LOSS.large  # as it is shown
        else one
        for one in judgements
    ]


def better_of(judgement: Judgement) -> int:
    """Return the better move of a move that was compared with one."""
    assert judgement.comparison is not None
    assert judgement.comparison.better is not None
    return judgement.comparison.better


def _posterior_of(thought: Thought, lead: float, kyu: bool) -> Posterior:
    """Return the posterior of a position.

    lead  Black's by the path [points]
    kyu   whether a player is weaker than 1d
    """
    game, look = thought.game, thought.look
    komi = game.area_komi(game.to_play)
    if look.counted:
        lead = look.observations[LEAD].mean
        return Posterior.of_board(game.size, komi, lead, look.deviation, look.reach)
    scale, reach = 1.0, look.reach
    if kyu and not game.handicap:  # the searches' own leads know of handicap stones
        left_open = open_share(look.ownership[list(board_points(game.size))])
        scale += JUDGING.kyu_share * (1.0 - settled_by(game.size, left_open))
        reach *= JUDGING.kyu_reach
    # A result is no surer than the lead: else a side could win for sure and be behind as well.
    deviation = max(scale * look.deviation, reach / NINETY_PERCENT)
    return Posterior.of_board(game.size, komi, scale * lead, deviation, reach)


def _judge_move(
    course: Course,
    step: int,
    comparison: Comparison | None,
    path: GamePath,
    leads: Sequence[tuple[float, float]],
) -> Judgement:
    """Return the verdict on one move, without its reasons."""
    before, after = course.thoughts[step : step + 2]
    assert after.play is not None
    compared_loss, times = None, 0
    if comparison is not None and comparison.finds_better:
        compared_loss, times = comparison.losses[LEAD].mean, comparison.times
    chance = before.chances.get(after.play.point)
    sign = 1.0 if after.play.color == BLACK else -1.0
    # As all outputs show it, so that "likely" begins at the percents that a reader sees.
    mistake = round(course.chance_of_mistake(path, step), 2)
    # Behind for sure: a lead that may be either side's decides nothing.
    lead, later = sign * leads[step][0], sign * leads[step + 1][0] + leads[step + 1][1]
    # A move that all searches prefer loses nothing to the best move that is known.
    best = compared_loss is None and not before.prefers_another(after.play.point)
    # As the probability of a mistake is tempered, so is the expected loss.
    mean = 0.0 if best else mistake * path.losses[step][LEAD].size
    loss = loss_of(mean, course.wildness(step), lead, later)
    return Judgement(
        before=step, after=step + 1, play=after.play, mistake=mistake, loss=loss,
        chance=chance, comparison=comparison,
        verdict=verdict_of(mistake, compared_loss, times, course.size),
    )  # fmt: skip
