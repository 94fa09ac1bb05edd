"""Small reviews for tests: of searches, and of stubs with given results."""

import numpy as np

from engine import (
    BLACK,
    RULESETS,
    Decision,
    Knowledge,
    Move,
    PlayerOptions,
    Predictor,
    parse_vertex,
)
from engine.belief.losses import observed
from engine.explain.kinds import Effect, Kind
from engine.go.geometry import AREA
from engine.people.posterior import STRONGEST, WEAKEST, RankPosterior
from engine.review.comparisons import Comparison
from engine.review.course import Course, Thought
from engine.review.judging import Judgement, Review, review_game
from engine.review.looks import Lookout, PositionLook
from engine.review.move_loss import MoveLoss
from gtp.review.positions import positions_of
from patterns_db.records.sgf import read_main_line
from tests.beliefs import believed

CHINESE = RULESETS["chinese"]
RECORD = (
    b"(;GM[1]SZ[5:5]KM[0.5]PB[S\xc3\xb3ng]AB[aa]PL[W]LB[bb:x];W[cc]C[mine]TR[dd]"
    b";C[no move here];B[dc](;W[]TE[1])(;W[cd];B[bd]))"
)


def point(vertex):
    return parse_vertex(vertex, 5)


def reviewed(data, knowledge=None, playouts=8, threads=1):
    line = read_main_line(data)
    knowledge = knowledge or Knowledge()
    lookout = Lookout(PlayerOptions(playouts=playouts, threads=threads, seed=1), knowledge)
    predictor = Predictor(knowledge.patterns) if knowledge.patterns is not None else None
    return line, review_game(positions_of(line, CHINESE, 0.5)[1], lookout, predictor)


def rank(kyu):
    chances = np.zeros(WEAKEST - STRONGEST + 1)
    chances[kyu - STRONGEST] = 1.0
    return RankPosterior(chances)


def look(color, lead, best="C3", ownership=None, line=()):
    rate = 0.5 + lead / 100
    own = lead if color == BLACK else -lead
    rate = rate if color == BLACK else 1.0 - rate
    points = (point(best), *map(point, line))
    candidates = (believed(points[0], 90, rate, own, 0.5)._replace(line=points),)
    decision = Decision(points[0], False, (), rate, 90, candidates)
    owners = np.zeros(AREA) if ownership is None else ownership
    seen = observed(lead / 40, 0.01), observed(lead, 1.0)
    return PositionLook(color, decision, seen, owners, 40.0, 12.0)


def thoughts_of(record, leads):
    line = read_main_line(record)
    _, positions = positions_of(line, CHINESE, 0.5)
    chances = {point("C3"): 0.5, point("B2"): 0.3, point("A1"): 0.002}
    return line, [
        Thought(*position, look(position.game.to_play, lead), chances)
        for position, lead in zip(positions, leads, strict=True)
    ]


def compared(game, better, loss, ownership=None):
    worse, other = look(3 - game.to_play, 0.0, "D4", ownership), look(3 - game.to_play, 0.0, "D2")
    return Comparison(
        point(better), (observed(loss / 40, 0.01), observed(loss, 1.0)), worse, other,
        ((other.ownership,), (worse.ownership,)),
        searched=(observed(loss / 40, 0.005), observed(loss, 0.5)), times=2,
    )  # fmt: skip


def example(leads=(0.0, 0.0, -12.0, -12.0), record=b"(;SZ[5];B[cc];W[cd];B[ea];W[dd])"):
    """Black's third move, E5 at the edge, loses 12 points."""
    line, thoughts = thoughts_of(record, (0.0, *leads))
    return line, thoughts


def course_of(leads=(0.0, 0.0, -12.0, -12.0)):
    """The course of ``example``."""
    return Course(example(leads)[1])


def judged_review(
    chance=0.3, mistake=0.9, size=12.0, better="B2", ownership=None, verdict="mistake"
):
    line, thoughts = example()
    judgement = Judgement(
        2, 3, Move(BLACK, point("E5")), mistake, MoveLoss(size, size - 3.0, size + 3.0, "large"),
        chance, compared(thoughts[2].game, better, size, ownership), verdict,
        (
            Effect(
                Kind.GROUND, 0.0, (), BLACK, (point(better), point("E5")), (point(better),), (12.0,)
            ),
        ),
    )  # fmt: skip
    return line, Review(thoughts, [judgement], [0.5] * 5, [(0.0, 2.0)] * 5)


def left_open(*moves):
    """A review in which a player leaves points open: (play, better move, points lost) each."""
    record = b"(;SZ[5];B[ea];W[ee];B[eb];W[ae];B[ec];W[ab];B[ac])"
    line, thoughts = thoughts_of(record, (0.0,) * 8)
    judgements = [
        Judgement(
            2 * number, 2 * number + 1, Move(BLACK, point(play)), 0.9, MoveLoss(size, 1.0, 30.0),
            0.3, compared(thoughts[2 * number].game, better, size), "mistake",
        )
        for number, (play, better, size) in enumerate(moves)
    ]  # fmt: skip
    return line, Review(thoughts, judgements, [0.5] * 8, [(0.0, 2.0)] * 8)
