"""The slow twin of the posterior of a position: plain Python, point by point.

Written from the formula in engine/belief/posterior.py; the evidence comes as a dictionary.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any


def situation(size: int, occupied: float, rollouts: int) -> list[float]:
    """Return one, the logarithm of the board's size, the stones, their product, the roll-outs."""
    board = math.log(min(max(size**2, 81), 361) / 361)
    played = math.log(min(max(rollouts, 1), 25_600) / 400)
    return [1.0, board, occupied, board * occupied, played]


def posterior(
    found: Mapping[str, Any],
    weights: Sequence[float],
    core: Sequence[float],
    reach: Sequence[float],
) -> tuple[float, float, float, float]:
    """Return Black's expected margin, its deviation, Black's chance to win, and half the interval.

    found  the fields of ``Evidence`` by their names
    """
    known = situation(found["size"], found["occupied"], found["rollouts"])
    # Komi above or below those of the games that taught the weights.
    extra = max(found["komi"] - 9.5 - found["handicap"], 0.0) + min(found["komi"] + 1.5, 0.0)
    steps = math.sqrt(found["length"] + found["variance"])
    shares = [(found["margin"] + x) / max(found["scatter"], 1.0) for x in (0.0, extra)]
    before, after = (min(max(share, -3.0), 3.0) for share in shares)
    left_open = (found["seen"] * found["open"] + 2.0) / (found["seen"] + 2.0) + 0.01
    known_and_open = [*known, math.log(left_open)]
    deviation = math.exp(sum(w * x for w, x in zip(core, known_and_open, strict=True)))
    deviation = min(max(deviation, 0.2), 200.0)
    half = 250.0 * found["size"] ** 2 / 361 * math.exp(-10.0 * found["occupied"])
    searched, seen = (n / (n + half) for n in (found["rollouts"], found["seen"]))
    scale = found["size"] * math.sqrt(left_open)
    belief = found["value"] / steps + after - before
    evidence = [
        searched * (found["margin"] + extra) / scale,
        seen * found["stones"] / scale,
        seen * found["ground"] / scale,
        *[searched * belief * part for part in known[:4]],
        *[searched * part for part in known[:4]],
    ]
    opening = min(found["occupied"] / 0.1, 1.0)
    evidence += [seen * opening * x for x in found["kinds"]]
    score = sum(w * x for w, x in zip(weights, evidence, strict=True))
    fair = 7.0 if found["handicap"] < 2 else 7.0 + 14.0 * (found["handicap"] - 1)
    mean = (fair - found["komi"] + extra) * (1.0 - searched) + deviation * score - extra
    settled = math.exp(-found["size"] * (left_open - 0.01)) if found["seen"] else 0.0
    mean = (1.0 - settled) * mean + settled * found["margin"]
    deviation = max((1.0 - settled) * deviation, 0.2)
    if found["balance"] is not None and found["seen"]:
        probit, seen_by_owners = mean / deviation, (found["balance"] - found["komi"]) / deviation
        # The mean of a Gaussian: factor ~ N(1, 1 / precision), owners ~ N(factor * probit, 1).
        precision = 1.0 + (found["size"] * (left_open - 0.01) / 2.3) ** 4
        factor = (precision + probit * seen_by_owners) / (precision + probit**2)
        factor = max(factor, 0.1, 0.2 / deviation)
        mean, deviation = factor * mean, factor * deviation
    if found["handicap"]:
        factor = 1.0 + 0.6 * math.exp(-3.0 * found["occupied"]) * (1.0 - settled) * searched
        mean, deviation = factor * mean, factor * deviation
    points = found["size"] ** 2
    mean = min(max(mean, -points - found["komi"]), points - found["komi"])
    chance = 0.5 * math.erfc(-mean / deviation / math.sqrt(2.0))
    variables = [1.0, known[1], known[4], math.log(left_open), math.log(found["occupied"] + 0.02)]
    variables.append(min(abs(mean) / found["size"], 2.5))
    half_width = math.exp(sum(w * x for w, x in zip(reach, variables, strict=True)))
    return mean, deviation, chance, min(max(half_width, 0.5), 200.0)


def owners(colors: Sequence[int], shares: Sequence[float]) -> tuple[float, float, float, float]:
    """Return cubed owners of stones and of empty points, the open share, and the surer owners' sum.

    colors  of the points, 0 empty
    """
    stones = sum(share**3 for color, share in zip(colors, shares, strict=True) if color)
    ground = sum(share**3 for color, share in zip(colors, shares, strict=True) if not color)
    balance = 0.0
    for share in shares:
        black, white = (1.0 + share) ** 2, (1.0 - share) ** 2  # the squared odds
        balance += (black - white) / (black + white)
    return stones, ground, sum(1 - share**2 for share in shares) / len(shares), balance


def tilted(shares: Sequence[float], total: float) -> list[float]:
    """Return owners whose odds all have one more factor, so that their sum is a total."""
    low, high = 1e-9, 1e9
    for _ in range(200):
        factor = math.sqrt(low * high)
        odds = [factor * (1.0 + share) / (1.0 - share) for share in shares]
        found = [(x - 1.0) / (x + 1.0) for x in odds]
        low, high = (factor, high) if sum(found) < total else (low, factor)
    return found
