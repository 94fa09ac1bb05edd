"""The slow twin of ladder reading: plain recursion over the slow board."""

from tests.reference.board import (
    EMPTY,
    LEGAL,
    Point,
    ReferenceGame,
    chain_at,
    liberties_of,
    neighbors,
)


class OutOfBudgetError(Exception):
    """The ladder is too long for a slow reader."""


def _after(game: ReferenceGame, color: int, point: Point) -> ReferenceGame:
    after = ReferenceGame(game.size)
    after.stones, after.ko = dict(game.stones), game.ko
    after.play(color, point)
    return after


def _liberties(game: ReferenceGame, goal: Point) -> set[Point]:
    return liberties_of(game.stones, game.size, chain_at(game.stones, game.size, goal))


def is_captured(game: ReferenceGame, goal: Point, attacker_moves: bool, budget: list[int]) -> bool:
    """Return whether a chain falls in a ladder; ``budget[0]`` positions may be looked at."""
    budget[0] -= 1
    if budget[0] < 0:
        raise OutOfBudgetError
    if goal not in game.stones:
        return True
    defender = game.stones[goal]
    liberties = _liberties(game, goal)
    if len(liberties) > (2 if attacker_moves else 1):
        return False
    if attacker_moves:
        for point in liberties:
            if game.legality(3 - defender, point) == LEGAL:
                after = _after(game, 3 - defender, point)
                if goal not in after.stones or len(_liberties(after, goal)) == 1:
                    if is_captured(after, goal, False, budget):
                        return True
        return False
    rescues = set(liberties)
    for stone in chain_at(game.stones, game.size, goal):
        for near in neighbors(game.size, stone):
            if game.stones.get(near, EMPTY) == 3 - defender:
                breath = _liberties(game, near)
                if len(breath) == 1:
                    rescues |= breath
    return all(
        is_captured(_after(game, defender, point), goal, True, budget)
        for point in rescues
        if game.legality(defender, point) == LEGAL
    )
