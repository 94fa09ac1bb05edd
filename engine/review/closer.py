"""Rounds of closer looks: roll-outs go where they most probably change a verdict.

In a closer look at a move, a search of the position says which of some alternatives is best
(``alternatives``). Then the positions after the move and after that alternative are searched with
equal budgets. Every other look at the same move has twice the roll-outs. Moves are chosen by the
utility of the look (``attention``), a few at a time. This ends when the budget is spent, or when
no look is worth its price.
"""

from collections.abc import Callable, Sequence

from engine.go.symmetry import equal_moves
from engine.path.game import GamePath
from engine.path.losses import loss_parts
from engine.review.alternatives import alternatives
from engine.review.attention import Doubt, utility
from engine.review.comparisons import Comparison, added_precision, compared, none_better
from engine.review.course import Course, path_of
from engine.review.looks import LEAD, Lookout, LookRequest, PositionLook, after_move
from engine.review.mistakes import named_chance, tracks_of

# Roll-outs of all closer looks together, in those of all first looks: on 9x9. On larger boards they
# are fewer in proportion to the side: a review on 19x19 is to take a minute of two cores at most.
BUDGET, FULL_SIDE = 3.0, 9
ROUND = 8  # closer looks between two updates of the path: the same with any number of threads
MOST_TIMES = 8  # comparisons of one move
LEAST_UTILITY = 1e-6  # points that a closer look must be worth
# Probabilities of a mistake that was not compared yet are at least and at most these: no verdict
# rests on the positions around a move alone.
UNCOMPARED = 0.05, 0.8
SEEDS_A_LOOK = 2  # of the search that chooses, and of the two that are compared

OnLook = Callable[[str, int, int], object]  # what is done, how often, of how many


def look_closer(
    course: Course, lookout: Lookout, progress: OnLook, *, evenly: bool = False
) -> dict[int, Comparison]:
    """Return comparisons of moves with better ones, by step.

    evenly  share the same roll-outs out evenly instead, one comparison a move: for measuring
    """
    found: dict[int, Comparison] = {}
    share = BUDGET * FULL_SIDE / max(course.size, FULL_SIDE)
    budget = int(share * lookout.playouts * len(course.thoughts))
    spent = 0
    while spent < budget:
        if evenly:
            wanted = [step for step in course.steps() if step not in found]
        else:
            wanted = most_useful(course, path_of(course, found), found, lookout.playouts)
        if not wanted:
            break
        progress("suspects", min(spent, budget), budget)
        spent += _look_at(course, wanted[:ROUND], found, lookout)
    return found


def rollouts_of(playouts: int, times: int) -> int:
    """Return the roll-outs of each search of a comparison, after some comparisons of the move."""
    return int(playouts * 2 ** (times // 2))


def most_useful(
    course: Course, path: GamePath, found: dict[int, Comparison], playouts: int
) -> list[int]:
    """Return the steps whose closer look is worth its price, the most useful a roll-out first.

    playouts  of a first look
    """
    track, named, worth = tracks_of(course.size)[LEAD], named_chance(), {}
    for step in course.steps():
        before = found.get(step)
        times = before.times if before is not None else 0
        if times >= MOST_TIMES or (before is not None and before.better is None):
            continue
        rollouts = rollouts_of(playouts, times)
        scatter = 2.0 / course.thoughts[step + 1].look.seen[LEAD].pi * playouts / rollouts
        added = added_precision(course.size, before, scatter)
        loss = path.losses[step][LEAD]
        chance = path.mistakes[step]
        if before is None:
            chance = min(max(chance, UNCOMPARED[0]), UNCOMPARED[1])
        doubt = Doubt(chance, loss.size, *loss_parts(track, loss.context))
        gain = utility(doubt, 1.0 / added, named)
        if gain >= LEAST_UTILITY:
            searches = 2 if times else 3
            worth[step] = gain / (searches * rollouts)
    return sorted(worth, key=lambda step: (-worth[step], step))


def _look_at(
    course: Course, steps: Sequence[int], found: dict[int, Comparison], lookout: Lookout
) -> int:
    """Compare some moves once more; return the number of roll-outs."""
    spent = 0
    new = [step for step in steps if step not in found]
    choices = lookout.look_all([_choice(course, step, lookout) for step in new])
    spent += len(new) * lookout.playouts
    better: dict[int, int] = {}
    for step, choice in zip(new, choices, strict=True):
        best = _better(course, step, choice)
        if best is None:
            found[step] = none_better(course.size)
        else:
            better[step] = best
    again = {step: found[step].better for step in steps if step in found}
    better |= {step: best for step, best in again.items() if best is not None}
    requests = []
    for step, best in better.items():
        times = found[step].times if step in found else 0
        rollouts, seed = rollouts_of(lookout.playouts, times), SEEDS_A_LOOK * (times + 1)
        game = course.thoughts[step].game
        requests += [
            LookRequest(after_move(game, point), rollouts, seed)
            for point in (course.played(step), best)
        ]
        spent += 2 * rollouts
    looks = iter(lookout.look_all(requests))
    chosen = dict(zip(new, choices, strict=True))
    for step, best in better.items():
        pair = next(looks), next(looks)
        comparison = compared(course.thoughts[step].game, best, pair, found.get(step))
        if step in chosen:
            # Two more searches: one prefers the better move, one was done after the move.
            more = chosen[step].ownership, course.thoughts[step + 1].look.ownership
            (first, second), (one, other) = comparison.owners, more
            comparison = comparison._replace(owners=((*first, one), (*second, other)))
        found[step] = comparison
    return spent


def _choice(course: Course, step: int, lookout: Lookout) -> LookRequest:
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
    return LookRequest(before.game, lookout.playouts, 1, moves)


def _better(course: Course, step: int, choice: PositionLook) -> int | None:
    """Return the best alternative by a search; None: it prefers the move that was played."""
    best = choice.decision.point
    return None if equal_moves(course.thoughts[step].game, best, course.played(step)) else best
