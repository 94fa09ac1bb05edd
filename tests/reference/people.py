"""People's choices, slowly: features from a dict of stones, softmax and its gradients by lists."""

import math

import numpy as np

from tests.reference.board import EMPTY, Stones, all_points, neighbors

PAIRS = {
    most: [(own, other) for own in range(most + 1) for other in range(most + 1 - own)]
    for most in (2, 3, 4)
}
LINE_PAIRS = [(low, high) for high in range(1, 6) for low in range(1, high + 1)]


def region(stones: Stones, size: int, point: tuple[int, int], color: int) -> int:
    """Return the class in REGION of an empty point."""
    inside, edge, colors = {point}, [point], set()
    while edge:
        for near in neighbors(size, edge.pop()):
            if stones.get(near, EMPTY) != EMPTY:
                colors.add(stones[near])
            elif near not in inside:
                inside.add(near)
                edge.append(near)
    count = len(inside)
    if len(colors) == 2:
        return {1: 11, 2: 12, 3: 13, 4: 13, 5: 13}.get(count, 0)
    if not colors or count > size * size / 4:
        return 0
    kind = 1 + sum(count >= least for least in (2, 3, 5, 9))
    return kind if colors == {color} else kind + 5


def line(number: int, size: int) -> int:
    """Return the equivalent line on 9x9: to the nearest, half a line inwards."""
    half = (size + 1) // 2
    if half <= 5 or number <= 3:
        return min(number, 5)
    return 3 + math.floor(2 * (number - 3) / (half - 3) + 0.5)


def place(stones: Stones, size: int, point: tuple[int, int]) -> int:
    """Return the class in PLACE."""
    lines = sorted(line(min(x, size + 1 - x), size) for x in point)
    share = len(stones) / size**2
    quarter = sum(share >= begin - 1e-12 for begin in (0.07, 0.2, 0.42))
    return 15 * quarter + LINE_PAIRS.index((lines[0], lines[1])) + 1


def around(stones: Stones, size: int, point: tuple[int, int], color: int) -> tuple[int, int]:
    """Return the classes in NEIGHBORS and in DIAGONALS."""
    column, row = point
    near = list(neighbors(size, point))
    corners = [
        (c, r)
        for c in (column - 1, column + 1)
        for r in (row - 1, row + 1)
        if (c, r) in all_points(size)
    ]
    edge = len(near) < 4

    def found(points: list[tuple[int, int]], most: int) -> int:
        colors = [stones.get(p, EMPTY) for p in points]
        pair = (colors.count(color), colors.count(3 - color))
        return 1 + (15 if edge else 0) + PAIRS[most if edge else 4].index(pair)

    return found(near, 3), found(corners, 2)


def order(scores: list[float], index: int) -> int:
    """Return the class in ORDER of one of some candidates."""
    above = sum(score > scores[index] for score in scores)
    return 1 + sum(above >= least for least in (1, 2, 3, 5, 8, 13, 25))


def log_chances(weights, inputs, rows) -> list[float]:
    """Return the log probability of each candidate."""
    width = len(inputs[0])
    totals = [
        math.fsum(w * x for w, x in zip(weights, own, strict=False))
        + math.fsum(weights[width + row] for row in classes if row)
        for own, classes in zip(inputs, rows, strict=True)
    ]
    norm = math.log(math.fsum(math.exp(total) for total in totals))
    return [total - norm for total in totals]


def design(inputs, rows, width: int) -> np.ndarray:
    """Return float64[candidates, width], the features one by one."""
    found = np.zeros((len(inputs), width))
    for i, (own, classes) in enumerate(zip(inputs, rows, strict=True)):
        found[i, : len(own)] = own
        for row in classes:
            if row:
                found[i, len(own) + row] += 1.0
    return found


def lesson(weights, inputs, rows, played: int) -> tuple[np.ndarray, np.ndarray]:
    """Return gradient and information of the log probability of the played candidate."""
    features = design(inputs, rows, len(weights))
    chances = np.exp(log_chances(weights, inputs, rows))
    mean = chances @ features
    apart = features - mean
    return features[played] - mean, (apart * chances[:, None]).T @ apart


def posterior(logs, ranks, trust, mean, deviation, recorded) -> list[float]:
    """Return the probability of each rank; see ``engine.people.posterior``."""

    def normal(x: float, middle: float, spread: float) -> float:
        return math.exp(-0.5 * ((x - middle) / spread) ** 2)

    most = max(logs)
    strength = [
        math.exp(trust * (log - most)) * normal(rank, mean, deviation)
        for log, rank in zip(logs, ranks, strict=True)
    ]
    found = [0.0] * len(ranks)
    for rank, chance in zip(ranks, strength, strict=True):
        spread = [normal(other, rank, recorded) for other in ranks]
        for i, share in enumerate(spread):
            found[i] += chance * share / sum(spread)
    total = sum(found)
    return [chance / total for chance in found]


def usual(chances: dict[int, float], never: float) -> set[int]:
    """Return the moves that are kept when the least probable ones are dropped."""
    total = sum(chances.values())
    order = sorted(chances, key=lambda point: (chances[point], point))
    for dropped in range(len(order) - 1, -1, -1):
        if sum(chances[point] for point in order[:dropped]) <= never * total:
            return set(order[dropped:])
    raise AssertionError
