"""The slow twin of sharing out turns: largest remainders with exact fractions."""

from fractions import Fraction


def share_out(weights, count):
    """Return how many of ``count`` turns each weight gets; the first of equal remainders first."""
    total = sum(map(Fraction, weights))
    if not total:
        return [count] + [0] * (len(weights) - 1)
    exact = [Fraction(weight) / total * count for weight in weights]
    turns = [int(share) for share in exact]
    order = sorted(range(len(weights)), key=lambda i: turns[i] - exact[i])
    for i in order[: count - sum(turns)]:
        turns[i] += 1
    return turns
