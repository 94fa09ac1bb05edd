"""Rounds of closer looks: roll-outs go where they most probably change a verdict.

In a closer look at a move, a search of the position says which of some alternatives is best
(``alternatives``). Then the positions after the move and after that alternative are searched with
equal, small budgets. Komi makes all of them even games: a search looks for a win, and in a decided
game it would not care for points. Every other look at the same move has twice the roll-outs. Moves
are chosen by the utility of the look (``attention``), a few at a time. This ends when the budget is
spent, or when no look is worth its price. Small searches overstate what a move loses in a fight. So
the likeliest mistakes are compared once more with many roll-outs, which replaces the small
comparisons.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.belief.losses import NOTHING, loss_parts
from engine.belief.path import GamePath
from engine.go.symmetry import equal_moves
from engine.review.alternatives import alternatives
from engine.review.attention import Doubt, utility
from engine.review.comparisons import Comparison, Side, added_precision, compared, none_better
from engine.review.course import Course, path_of
from engine.review.looks import LEAD, Lookout, LookRequest, PositionLook, after_move
from engine.review.mistakes import MISTAKES, named_chance, tracks_of


class CloserLooks(NamedTuple):
    """Limits of the comparisons of a review."""

    # Roll-outs of small comparisons together, in those of all first looks: on 9x9; on larger boards
    # fewer by this power of the lines. A review is to take 20 s for 45 moves, 50 s for 245 there.
    budget: float = 3.0
    shrinkage: float = 1.5
    full_side: int = 9
    # Closer looks between two updates of the path: the same with any number of threads
    batch: int = 8
    most_times: int = 4  # comparisons of one move: more would cost as much as ten other moves
    least_utility: float = 1e-6  # points that a closer look must be worth
    # Probabilities of a mistake that was not compared yet are at least and at most these: no
    # verdict rests on the positions around a move alone.
    uncompared: tuple[float, float] = 0.05, 0.8
    # P(best) among the alternatives, from which on one is compared with the move
    rival: float = 0.08
    most_rivals: int = 2
    seeds_a_look: int = 2  # of the search that chooses, and of the two that are compared
    # Roll-outs of the search that chooses and of each one that is compared, the first time, in
    # those of a first look. Many small comparisons find more than few large ones.
    choosing: float = 0.5
    comparing: float = 0.25
    # Large comparisons, which together have the budget once more: least P(mistake); roll-outs of a
    # search, in those of a first look; variance of the error between searches, in the usual one
    doubted: float = 0.35
    settling: float = 8.0
    settled: float = 0.5


CLOSER = CloserLooks()

OnLook = Callable[[str, int, int], object]  # what is done, how often, of how many


def look_closer(course: Course, lookout: Lookout, progress: OnLook) -> dict[int, Comparison]:
    """Return comparisons of moves with better ones, by step."""
    comparisons: dict[int, Comparison] = {}
    lines = CLOSER.full_side / max(course.size, CLOSER.full_side)
    share = CLOSER.budget * lines**CLOSER.shrinkage
    playouts = lookout.playouts(course.size)
    budget = int(share * playouts * len(course.thoughts))
    spent = 0
    while spent < budget:
        path = path_of(course, comparisons)
        wanted = most_useful(course, path, comparisons, playouts)
        if not wanted:
            break
        progress("suspects", min(spent, budget), 2 * budget)
        spent += _look_at(course, path, wanted[: CLOSER.batch], comparisons, lookout)
    path, rollouts = path_of(course, comparisons), int(CLOSER.settling * playouts)
    doubted = sorted(
        (-course.chance_of_mistake(path, step), step)
        for step, comparison in comparisons.items()
        if comparison.finds_better
    )[: budget // (2 * rollouts)]
    steps = [step for chance, step in doubted if -chance >= CLOSER.doubted]
    for step in steps:
        played, best = (side._replace(values=(NOTHING,) * 2) for side in _again(comparisons[step]))
        comparisons[step] = comparisons[step]._replace(played=played, rivals=(best,))
    for done in range(0, len(steps), CLOSER.batch):
        progress("suspects", budget + budget * done // len(steps), 2 * budget)
        some = steps[done : done + CLOSER.batch]
        _look_at(course, path, some, comparisons, lookout, rollouts)
    return comparisons


def rollouts_of(playouts: int, times: int) -> int:
    """Return the roll-outs of each search of a comparison, after some comparisons of the move."""
    return max(int(CLOSER.comparing * playouts * 2 ** (times // 2)), 1)


def choosing_rollouts(playouts: int) -> int:
    """Return the roll-outs of the search that chooses the rivals of a move."""
    return max(int(CLOSER.choosing * playouts), 1)


def most_useful(
    course: Course, path: GamePath, comparisons: dict[int, Comparison], playouts: int
) -> list[int]:
    """Return the steps whose closer look is worth its price, the most useful a roll-out first."""
    track, worth = tracks_of(course.size)[LEAD], {}
    for step in course.steps():
        before = comparisons.get(step)
        times = before.times if before is not None else 0
        if times >= CLOSER.most_times or (before is not None and before.better is None):
            continue
        rollouts = rollouts_of(playouts, times)
        scatter = 2.0 / course.thoughts[step + 1].look.observations[LEAD].pi * playouts / rollouts
        added = added_precision(course.size, before, scatter)
        loss = path.losses[step][LEAD]
        chance = path.mistakes[step]
        if before is None:
            chance = min(max(chance, CLOSER.uncompared[0]), CLOSER.uncompared[1])
        calm, fall = loss_parts(track, loss.context)
        doubt = Doubt(chance, loss.size, calm, fall)
        named = named_chance(course.prior(step), course.wildness(step), course.size)
        gain = utility(doubt, 1.0 / added, named, ready=times >= MISTAKES.least_times)
        if gain >= CLOSER.least_utility:
            price = 2 * rollouts + (0 if times else choosing_rollouts(playouts))
            worth[step] = gain / price
    return sorted(worth, key=lambda step: (-worth[step], step))


def _look_at(
    course: Course, path: GamePath, steps: Sequence[int], comparisons: dict[int, Comparison],
    lookout: Lookout, large: int = 0,
) -> int:  # fmt: skip
    """Compare some moves once more; return the number of roll-outs.

    large  roll-outs of each search; 0: the small number that a further comparison takes
    """
    playouts = lookout.playouts(course.size)
    new = [step for step in steps if step not in comparisons]
    choosing = [_choice(course, path, step, lookout) for step in new]
    choices = dict(zip(new, lookout.look_all(choosing), strict=True))
    sides = {
        step: _sides(course, step, choices[step]) if step in choices else _again(comparisons[step])
        for step in steps
    }
    requests = {}
    for step, searched in sides.items():
        times = comparisons[step].times if step in comparisons else 0
        rollouts, seed = large or rollouts_of(playouts, times), CLOSER.seeds_a_look * (times + 1)
        game = course.thoughts[step].game
        if len(searched) == 1:
            comparisons[step] = none_better(course.size)
        else:
            requests[step] = [
                LookRequest(after_move(game, side.point), rollouts, seed, even=_even(path, step))
                for side in searched
            ]
    looks = iter(lookout.look_all([one for some in requests.values() for one in some]))
    for step in requests:
        share = CLOSER.settled if large else 1.0
        played, *rivals = (side.with_look(next(looks), course.size, share) for side in sides[step])
        if step in comparisons:
            rivals += [side for side in comparisons[step].rivals if side.point != rivals[0].point]
        before, after = course.thoughts[step : step + 2]
        count = after.look.observations if after.look.counted else None
        comparisons[step] = compared(before.game, played, rivals, count)
    spent = len(new) * choosing_rollouts(playouts)
    return spent + sum(one.playouts for some in requests.values() for one in some)


def _even(path: GamePath, step: int) -> int:
    """Return the lead before a move, which counts as none where moves are compared."""
    return round(path.states[LEAD][step][0])


def _choice(course: Course, path: GamePath, step: int, lookout: Lookout) -> LookRequest:
    """Return the search that says which alternative to a move is best."""
    before, after = course.thoughts[step : step + 2]
    replies = after.look.decision.candidates
    moves = alternatives(
        before.game,
        course.played(step),
        before.look,
        replies[0].point if replies else None,
        before.chances,
        lookout.chains(before.game),
    )
    rollouts = choosing_rollouts(lookout.playouts(course.size))
    return LookRequest(before.game, rollouts, 1, moves, even=_even(path, step))


def _sides(course: Course, step: int, choice: PositionLook) -> list[Side]:
    """Return a move and its rivals, by a search of alternatives; the move alone: it has none."""
    game, played = course.thoughts[step].game, course.played(step)
    best = choice.decision.point
    rivals = [
        move.point
        for move in choice.decision.candidates
        if (move.best >= CLOSER.rival or move.point == best)
        and not equal_moves(game, move.point, played)
    ]
    # The first look at the position after the move tells of owners, too.
    first = Side(played, owners=(course.thoughts[step + 1].look.ownership,))
    return [first, *(Side(point) for point in rivals[: CLOSER.most_rivals])]


def _again(comparison: Comparison) -> list[Side]:
    """Return a move and its best rival so far: what was best by luck does not stay so."""
    best = next(side for side in comparison.rivals if side.point == comparison.better)
    return [comparison.played, best]
