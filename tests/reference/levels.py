"""How a level draws its moves, slowly: exact fractions of a hat full of tickets."""

import math
from collections.abc import Iterable


def weights(
    chances: dict[int, float],
    stakes: dict[int, int],
    vain: set[int],
    temperature: float,
    urge: float,
    in_vain: float,
) -> dict[int, float]:
    """Return the weight of each move; see ``engine.thinkers.leveled.weigh``."""
    logs = {point: math.log(chance) / temperature for point, chance in chances.items()}
    total = math.fsum(math.exp(log) for log in logs.values())
    found = {}
    for point, log in logs.items():
        found[point] = math.exp(log) / total
        if point in vain:
            found[point] *= in_vain
        for _ in range(stakes.get(point, 0) ** 2):
            found[point] += urge
    return found


def included(weights: dict[int, float], count: int) -> dict[int, float]:
    """Return the probability of each move to be among ``count`` drawn, none twice."""
    if count == 0 or not weights:
        return dict.fromkeys(weights, 0.0)
    total = math.fsum(weights.values())
    found = dict.fromkeys(weights, 0.0)
    for first, weight in weights.items():
        rest = {point: other for point, other in weights.items() if point != first}
        found[first] += weight / total
        for point, chance in included(rest, count - 1).items():
            found[point] += weight / total * chance
    return found


def seen(sight: float, liberties: int, stones: Iterable[object]) -> float:
    """Return the probability to see a chain's fate, if each stone is looked at by itself."""
    overlooked = 1.0
    for _ in stones:
        step = 1.0
        for _ in range(liberties):
            step *= sight
        overlooked *= 1.0 - step
    return 1.0 - overlooked
