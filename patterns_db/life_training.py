"""Training the priors of fights over life: from positions made at random, labeled by search.

Source: Stern, Herbrich & Graepel (2007), section 5.1, with fights of our own instead of problems:
a space in a corner, at an edge or inside is walled in by one color and that by the other, both
walls with gaps, and a few stones are thrown in. Both sides are read as the first to move.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tqdm import tqdm

from engine.errors import BadSetup
from engine.go.board import BLACK, WHITE, Board
from engine.go.geometry import to_point
from engine.tactics.fitting import estimate_spreads
from engine.tactics.groups import find_questions
from engine.tactics.life import LifeReader, compile_life
from engine.tactics.life_learning import learn_from_fight
from engine.tactics.life_priors import LIFE_KEY_VERSION
from engine.tactics.priors import gaussian_priors
from patterns_db.problems import set_up_stones
from patterns_db.solver_priors import write_priors

_SIZE = 13
_GAP, _CORNER_STONE, _OWN, _THROWN_IN = 0.12, 0.6, 0.15, 0.08  # how often, of random fights
Place = tuple[int, int]


@dataclass(frozen=True)
class LifeTrainingSettings:
    """What is learned from; nodes bound each search."""

    positions: int = 2000
    nodes: int = 10_000
    observations: int = 2000
    min_evidence: float = 3.0
    seed: int = 1


def _near(place: Place, diagonals: bool = False) -> list[Place]:
    column, row = place
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    if diagonals:
        steps = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    near = [(column + x, row + y) for x, y in steps]
    return [(x, y) for x, y in near if 1 <= x <= _SIZE and 1 <= y <= _SIZE]


def random_fight(rng: np.random.Generator) -> Board | None:
    """Return a position with a group that may live or die, or None when it could not stand."""
    start = ((1, 1), (_SIZE // 2, 1), (_SIZE // 2, _SIZE // 2))[
        int(rng.choice(3, p=[0.6, 0.3, 0.1]))
    ]
    space = {start}
    for _ in range(int(rng.integers(3, 11))):
        rim = sorted({n for place in space for n in _near(place)} - space)
        space.add(rim[int(rng.integers(len(rim)))])
    inner = {n for place in space for n in _near(place)} - space
    corners = {n for place in space for n in _near(place, diagonals=True)} - space - inner
    inner |= {place for place in sorted(corners) if rng.random() < _CORNER_STONE}
    outer = {n for place in inner for n in _near(place)} - space - inner
    stones = {place: WHITE for place in sorted(inner) if rng.random() >= _GAP}
    stones |= {place: BLACK for place in sorted(outer) if rng.random() >= _GAP}
    for place in sorted(space):
        draw = rng.random()
        if draw < _OWN + _THROWN_IN:
            stones[place] = WHITE if draw < _OWN else BLACK
    try:
        return set_up_stones(_SIZE, [(to_point(*place), color) for place, color in stones.items()])
    except BadSetup:
        return None


def train_life(
    settings: LifeTrainingSettings, out: Path, say: Callable[[str], None] = print
) -> dict[str, int]:
    """Train priors and write the table; return what was done."""
    compile_life()
    rng = np.random.default_rng(settings.seed)
    knowledge = gaussian_priors(prior_observations=10.0)
    reader = LifeReader("pp", settings.nodes, knowledge)
    done = {"positions": 0, "searches": 0, "solved": 0, "observed": 0}

    def learn() -> None:
        done["searches"] += 1
        done["observed"] += learn_from_fight(
            reader.tree, reader.scratch, knowledge, reader.fight, settings.observations
        )

    reader.on_search_end = learn
    for number in tqdm(range(settings.positions), unit="position"):
        board = random_fight(rng)
        question = None if board is None else next(find_questions(board), None)
        if board is None or question is None:
            continue
        done["positions"] += 1
        for to_move in (BLACK, WHITE):
            done["solved"] += reader.read_group(board, question, to_move).status != "unknown"
        # Now and then only: all searches between read the same spreads.
        if (number + 1) % _BETWEEN_SPREADS == 0:
            estimate_spreads(knowledge)
    estimate_spreads(knowledge)
    notes = {"life": LIFE_KEY_VERSION, "seed": settings.seed, "done": done}
    kept = write_priors(out, knowledge, settings.min_evidence, notes)
    say(f"{done}: {int(knowledge.used[0])} patterns learned, {kept} written")
    return done


_BETWEEN_SPREADS = 250
