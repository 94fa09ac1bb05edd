"""A review of a whole game as a search might have made it, without a search."""

import random

import numpy as np

from engine import RULESETS, Decision
from engine.belief.losses import observed
from engine.go.geometry import AREA, PASS
from engine.review.comparisons import Comparison
from engine.review.judging import Judgement, Review, Thought
from engine.review.looks import PositionLook
from engine.review.move_loss import MoveLoss
from gtp.review.positions import positions_of
from patterns_db.records.sgf import read_main_line
from tests.beliefs import believed

CHINESE = RULESETS["chinese"]
# Two captures, two passes, and comments without a move.
NINE = (
    "(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[7.5]PB[{black}]PW[{white}]RE[B+2.5]"
    ";B[ee];W[cb];B[ca];W[ed];B[bb];W[de];B[db];W[ef];B[cc];W[fe]C[hm];B[gg];W[dd];B[cf];W[df];"
    "B[cg];W[ge];B[gf];W[ff];B[hf];W[dg];B[dh];W[eg];B[gh];W[ch];B[bg];W[];B[])"
)


def nine(black="Aki", white="Ben"):
    return NINE.format(black=black, white=white).encode()


def reviewed_game(data, mistakes=(8, 9, 15, 20), seed=1):
    """Return a record's main line and a review that names the moves of some numbers."""
    draw = random.Random(seed)
    line, positions = positions_of(read_main_line(data), CHINESE, 7.5)
    thoughts = [
        Thought(*position, look(position.game, draw), chances(position.game, draw))
        for position in positions
    ]
    judgements = [
        judged(thoughts, step, step in mistakes, draw)
        for step in range(1, len(thoughts))
        if thoughts[step].play
    ]
    leads = [(30.0 * (draw.random() - 0.5), 1.0 + 5.0 * draw.random()) for _ in thoughts]
    rates = [min(max(0.5 + lead / 25.0, 0.01), 0.99) for lead, _ in leads]
    intervals = [(0.8 * rate, 0.2 + 0.8 * rate) for rate in rates]
    return line, Review(thoughts, judgements, rates, leads, win_intervals=intervals)


def look(game, draw):
    points = game.legal_points(game.to_play)
    draw.shuffle(points)
    moves = tuple(
        believed(point, 90 - place, 0.5, 3.0 - place)._replace(
            win_rate=0.5 - 0.02 * place, line=(point, *points[5:9]), best=0.6 / (place + 1.0)
        )
        for place, point in enumerate(points[:5])
    )
    decision = Decision(moves[0].point if moves else PASS, False, (), 0.5, 90, moves)
    owners = np.array([draw.uniform(-1.0, 1.0) for _ in range(AREA)])
    seen = observed(0.0, 0.1), observed(0.0, 4.0)
    return PositionLook(game.to_play, decision, seen, owners, 10.0, 8.0)


def chances(game, draw):
    return {point: draw.random() / 40 for point in game.legal_points(game.to_play)}


def judged(thoughts, step, named, draw):
    before, after = thoughts[step - 1], thoughts[step]
    point, size = after.play.point, draw.uniform(4.0, 15.0)
    comparison = None
    if named:
        better = next(m.point for m in before.look.decision.candidates if m.point != point)
        losses = observed(size / 40, 0.01), observed(size, 1.0)
        following = before.game.copy()
        following.play(before.game.to_play, better)
        comparison = Comparison(better, losses, after.look, look(following, draw))
    sure = 0.9 if draw.random() < 0.5 else 0.78
    mistake = sure if named else 0.1
    return Judgement(
        step - 1, step, after.play, mistake, MoveLoss(size, size - 3.0, size + 3.0),
        before.chances.get(point), comparison, "mistake" if named else "fine",
    )  # fmt: skip
