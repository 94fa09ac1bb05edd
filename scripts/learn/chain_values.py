r"""Compare proofs about chains with experts' moves, beside the ranking model.

    python -m scripts.learn.chain_values --games train-10.tar.gz --max-games 340 \
        --test test-4400.tar.gz --max-test-games 360

In every ``--every``-th position the chains with few liberties are read. The values of the proofs
beside the ranking model are learned from the games. The table has a row a class: its moves in the
test games, the played ones, the number that the ranking model expects, and the learned value [units
of the model's values]. The last lines compare the log probability of the played moves with and
without the values, of this run and of the engine.

Games that the model has learned from flatter it.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from engine import RULESETS, Knowledge
from engine.arrays import Floats
from engine.facts.group_prover import ReadingBudget
from engine.facts.position_facts import Facts
from engine.go.geometry import PASS
from engine.patterns.position import Position, position_of
from engine.player.prior_steps import CHAIN_CLASSES, CHAIN_GROUPS, CHAIN_VALUES, chain_classes
from patterns_db.patterns.chain_value_training import ChainValueLearner
from patterns_db.records.games import GameReader
from patterns_db.records.replay import replay_moves
from patterns_db.shipped import load_knowledge
from scripts.failures import reported
from scripts.tables import TableRow, print_table

FIRST = 10  # moves before a game's first position
NODES = 5000  # of the readings of chains in a position
SIZES = ("1 stone", "2 stones", "3 or 4 stones", "5 or more stones")
NAMES = tuple(
    f"{name}: {size}"
    for name in ("captures", "saves", "extends in vain", "attacks in vain")
    for size in SIZES
)
HEADER = ("proof", "moves", "played", "expected", "+-", "value", "+-")
SMALLEST = 1e-300  # a probability of 0 would have no logarithm


class ReadPosition(NamedTuple):
    """A position with the proofs about its moves, and the played move."""

    position: Position
    color: int
    point: int
    classes: dict[int, list[int]]  # by point, as ``chain_classes`` returns them


def read_positions(
    paths: Sequence[str], most: int | None, options: argparse.Namespace, facts: Facts
) -> Iterator[ReadPosition]:
    """Yield positions of games in which a proof is about a move."""
    records = tqdm(islice(GameReader(paths), most), unit="game", file=sys.stderr)
    for number, record in enumerate(records):
        games = replay_moves(record, RULESETS["chinese"], 7.5)
        moves = zip(record.colors.tolist(), record.moves.tolist(), games, strict=False)
        for ply, (color, point, game) in enumerate(moves):
            # The offset lets all phases of a game come with either color to move.
            if ply < FIRST or (ply + 7 * number) % options.every or point == PASS:
                continue
            facts.forget()
            classes = chain_classes(facts.chains(game.board, ReadingBudget(NODES)), color)
            if classes:
                yield ReadPosition(position_of(game, color), color, point, classes)


class Tally:
    """Counts of the moves of each kind, and log probabilities of the played moves."""

    def __init__(self) -> None:
        self.counts: dict[str, Floats] = {}
        self.logs: list[list[float]] = []

    def add(self, kind: str, chance: float, played: bool) -> None:
        """Count a move with its probability by the ranking model."""
        more = np.array((1.0, played, chance, chance * (1.0 - chance)))
        self.counts[kind] = self.counts.get(kind, np.zeros(4)) + more

    def add_classes(self, read: ReadPosition, *chances: dict[int, float]) -> None:
        """Count the classes of a position; the first of its predictions is without the values."""
        self.logs.append([float(np.log(max(c[read.point], SMALLEST))) for c in chances])
        for point, classes in read.classes.items():
            for group, found in enumerate(classes):
                if found:
                    name = NAMES[group * CHAIN_CLASSES + found - 1]
                    self.add(name, chances[0].get(point, 0.0), point == read.point)

    def rows(self, beliefs: Floats) -> list[TableRow]:
        """Return the rows of HEADER."""
        rows: list[TableRow] = []
        values = beliefs.reshape(CHAIN_GROUPS * CHAIN_CLASSES, 2).tolist()
        for name, (mean, spread) in zip(NAMES, values, strict=True):
            moves, played, expected, variance = self.counts.get(name, np.zeros(4)).tolist()
            figures = int(moves), int(played), round(expected, 1), variance**0.5
            rows.append([name, *figures, mean, spread**0.5])
        return rows


def print_chains(options: argparse.Namespace, knowledge: Knowledge) -> None:
    """Learn the values of proofs about chains, test them and print the tables."""
    assert knowledge.patterns is not None
    facts, learner = Facts(knowledge.solver), ChainValueLearner(knowledge.patterns)
    for read in read_positions(options.games, options.max_games, options, facts):
        learner.probabilities(read.position, read.classes)
        learner.learn(read.point)
    shipped, tally = ChainValueLearner(knowledge.patterns, CHAIN_VALUES), Tally()
    for read in read_positions(options.test, options.max_test_games, options, facts):
        without, learned = learner.probabilities(read.position, read.classes)
        of_engine = shipped.probabilities(read.position, read.classes)[1]
        tally.add_classes(read, without, learned, of_engine)
    print_table(HEADER, tally.rows(learner.beliefs))
    logs = np.array(tally.logs).reshape(-1, 3)
    gains: list[TableRow] = []
    for name, column in (("learned here", 1), ("of the engine", 2)):
        gain = logs[:, column] - logs[:, 0]
        error = float(gain.std() / np.sqrt(max(len(gain), 1)))
        gains.append([name, len(gain), float(gain.mean()), error])
    print_table(("values", "positions", "nats gained", "+-"), gains)


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Learn, test and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", required=True, metavar="PATH", help="to learn from")
    parser.add_argument("--max-games", type=int)
    parser.add_argument("--test", nargs="+", required=True, metavar="PATH")
    parser.add_argument("--max-test-games", type=int)
    parser.add_argument("--every", type=int, default=12, help="moves between two positions")
    options = parser.parse_args(arguments)
    print_chains(options, load_knowledge())
    return 0


if __name__ == "__main__":
    sys.exit(main())
