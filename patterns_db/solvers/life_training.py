"""Training of move values in fights over life, from random positions labeled by search.

Source: Stern, Herbrich & Graepel (2007), section 5.1, with our own fights instead of problems. One
color walls in a space in a corner, at an edge or inside, and the other color walls in that one.
Both walls have gaps, and a few stones are added at random. Each side is read as the first to move.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from engine.errors import BadSetup
from engine.go.board import BLACK, WHITE, Board
from engine.go.geometry import to_point
from engine.go.setup import set_up_stones
from engine.jit import kernel
from engine.life.fight import PASS_BIT, RegionSearch, judge_fight, play_in_fight
from engine.life.goal import find_questions
from engine.life.priors import FEATURES, VALUES, LifeWeights
from engine.life.reader import LifeReader, compile_life
from engine.life.search import note_features
from engine.picture.picture import picture_of
from engine.proof import graph
from engine.proof.graph import DEFENDER_MOVES, TRUE, ProofTree
from patterns_db.solvers.pattern_learning import is_observed
from patterns_db.solvers.solver_tables import LIFE

_NEWTON_STEPS = 12  # the weights have settled long before
_SIZE = 13


Place = tuple[int, int]


class RandomFights(NamedTuple):
    """Probabilities of random fights."""

    gap: float = 0.12  # in a wall
    corner_stone: float = 0.6  # diagonal points that complete the inner wall
    own: float = 0.15  # stones of the inner side in the space
    thrown_in: float = 0.08  # the same of the outer side


FIGHTS = RandomFights()


@dataclass(frozen=True)
class LifeTrainingSettings:
    """Settings of a training. nodes and observations bound each search."""

    positions: int = 1000
    nodes: int = 6000
    observations: int = 3000
    seed: int = 1


def _near(place: Place, diagonals: bool = False) -> list[Place]:
    column, row = place
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    if diagonals:
        steps = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    near = [(column + x, row + y) for x, y in steps]
    return [(x, y) for x, y in near if 1 <= x <= _SIZE and 1 <= y <= _SIZE]


def random_fight(rng: np.random.Generator) -> Board | None:
    """Return a position with a group that may live or die, or None if it is impossible."""
    start = ((1, 1), (_SIZE // 2, 1), (_SIZE // 2, _SIZE // 2))[
        int(rng.choice(3, p=[0.6, 0.3, 0.1]))
    ]
    space = {start}
    for _ in range(int(rng.integers(3, 11))):
        rim = sorted({n for place in space for n in _near(place)} - space)
        space.add(rim[int(rng.integers(len(rim)))])
    inner = {n for place in space for n in _near(place)} - space
    corners = {n for place in space for n in _near(place, diagonals=True)} - space - inner
    inner |= {place for place in sorted(corners) if rng.random() < FIGHTS.corner_stone}
    outer = {n for place in inner for n in _near(place)} - space - inner
    stones = {place: WHITE for place in sorted(inner) if rng.random() >= FIGHTS.gap}
    stones |= {place: BLACK for place in sorted(outer) if rng.random() >= FIGHTS.gap}
    for place in sorted(space):
        draw = rng.random()
        if draw < FIGHTS.own + FIGHTS.thrown_in:
            stones[place] = WHITE if draw < FIGHTS.own else BLACK
    try:
        return set_up_stones(_SIZE, [(to_point(*place), color) for place, color in stones.items()])
    except BadSetup:
        return None


class LifeLessons(NamedTuple):
    """Observed moves.

    int64[N, FEATURES] their features, bool[N] whether the group dies after them, and float64[N]
    their weights.
    """

    features: npt.NDArray[np.int64]
    dies: npt.NDArray[np.bool_]
    counts: npt.NDArray[np.float64]


def fit_weights(lessons: LifeLessons) -> LifeWeights:
    """Return the most probable weights of a logistic regression, with prior N(0, 1) each.

    The result is float64[FEATURES, VALUES], found by Newton steps.
    """
    size = FEATURES * VALUES
    cells = lessons.features + VALUES * np.arange(FEATURES)
    weights = np.zeros(size)
    for _ in range(_NEWTON_STEPS):
        chance = 1.0 / (1.0 + np.exp(-weights[cells].sum(axis=1)))
        surprise = lessons.counts * (lessons.dies - chance)
        doubt = lessons.counts * chance * (1.0 - chance)
        slope = -weights
        curve = np.eye(size)
        for one in cells.T:
            slope += np.bincount(one, surprise, size)
            for other in cells.T:
                curve += np.bincount(one * size + other, doubt, size * size).reshape(size, size)
        weights = weights + np.linalg.solve(curve, slope)
    return weights.reshape(FEATURES, VALUES)


@kernel
def observe_fight(
    tree: ProofTree,
    fight: RegionSearch,
    features: npt.NDArray[np.int64],
    dies: npt.NDArray[np.bool_],
) -> int:
    """Observe the moves to the solved nodes of a search graph, in the order of the nodes.

    features  int64[N, FEATURES], dies  bool[N], whether the group dies then: overwritten
    returns   int64, number of observations, at most N
    """
    observed = 0
    for node in range(1, tree.meta[graph.META_NODES]):
        if observed == len(dies):
            break
        if not is_observed(tree, node):
            continue
        parent = np.int64(tree.nodes[node, graph.NODE_BIRTH])
        move = np.int64(tree.nodes[node, graph.NODE_MOVE])
        defends = tree.flags[parent] & DEFENDER_MOVES != 0
        play_in_fight(fight, parent, PASS_BIT, defends)
        _, room_before = judge_fight(fight)
        play_in_fight(fight, parent, move, defends)
        _, room = judge_fight(fight)
        note_features(tree, fight, parent, move, room_before, room)
        for feature in range(FEATURES):
            features[observed, feature] = fight.features[feature]
        dies[observed] = tree.values[node] == TRUE
        observed += 1
    return observed


def observe_life(reader: LifeReader, most: int) -> LifeLessons:
    """Return the moves to the solved nodes of a reader's last search, at most ``most``."""
    features, dies = np.zeros((most, FEATURES), np.int64), np.zeros(most, np.bool_)
    count = observe_fight(reader.tree, reader.goal.fight, features, dies)
    # Moves of one search are similar, so long searches would otherwise dominate the others.
    counts = np.full(count, 1.0 / math.sqrt(count + 10.0))
    return LifeLessons(features[:count], dies[:count], counts)


def train_life(settings: LifeTrainingSettings, out: Path) -> dict[str, int]:
    """Learn weights and write the table. Return a summary of the training."""
    compile_life()
    rng = np.random.default_rng(settings.seed)
    reader = LifeReader("pns", settings.nodes)
    parts: list[LifeLessons] = []
    reader.on_search_end = lambda: parts.append(observe_life(reader, settings.observations))
    done = {"positions": 0, "solved": 0}
    for _ in tqdm(range(settings.positions), unit="position"):
        board = random_fight(rng)
        question = None if board is None else next(find_questions(picture_of(board)), None)
        if board is None or question is None:
            continue
        done["positions"] += 1
        for to_move in (BLACK, WHITE):
            done["solved"] += reader.read_group(board, question, to_move).status != "unknown"
    lessons = LifeLessons._make(np.concatenate(part) for part in zip(*parts, strict=True))
    done |= {"searches": len(parts), "observed": len(lessons.dies)}
    LIFE.write(out, {"weights": fit_weights(lessons)}, {"seed": settings.seed, "done": done})
    return done
