r"""Learn the values of proofs about chains beside the ranking model, and test them on other games.

python -m scripts.learn.chain_values --games train-10.tar.gz --max-games 340 \
    --test test-4400.tar.gz --max-test-games 360

In every 12th position the chains with few liberties are read. The first table has a row a class:
its moves in the test games, the played ones, the number that the ranking model expects, and the
learned value [units of the model's values]. The last lines compare the log probability of the
played moves with and without the values, of this run and of the engine.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from engine import RULESETS, YomiError
from engine.arrays import Floats
from engine.facts.position_facts import Facts, ReadingBudget
from engine.go.geometry import PASS
from engine.patterns.position import Position, position_of
from engine.patterns.valuing import PatternKnowledge
from engine.player.chain_values import (
    CHAIN_CLASSES,
    CHAIN_GROUPS,
    CHAIN_VALUES,
    chain_classes,
)
from patterns_db.patterns.chain_value_training import ChainValueLearner
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.records.replay import replay_moves
from patterns_db.shipped import load_knowledge
from scripts.game_options import learning_parser
from scripts.tables import TableRow, print_table

FIRST, EVERY = 10, 12  # moves before a game's first position, and between two
NODES = 5000  # of the readings of a position
GROUPS = ("captures", "saves", "extends in vain", "attacks in vain")
SIZES = ("1 stone", "2 stones", "3 or 4 stones", "5 or more stones")
HEADER = ("proof", "moves", "played", "expected", "+-", "value", "+-")
SMALLEST = 1e-300  # a probability of 0 would have no logarithm


class ReadPosition(NamedTuple):
    """A position with the classes of its moves and the played move."""

    position: Position
    classes: dict[int, list[int]]
    point: int


def read_positions(records: Iterator[DecodedGame], facts: Facts) -> Iterator[ReadPosition]:
    """Yield positions of games in which a proof says something about a move."""
    for number, record in enumerate(records):
        games = replay_moves(record, RULESETS["chinese"], 7.5)
        moves = zip(record.colors.tolist(), record.moves.tolist(), games, strict=False)
        for ply, (color, point, game) in enumerate(moves):
            # The offset lets all phases of a game come with either color to move.
            if ply >= FIRST and (ply + 7 * number) % EVERY == 0 and point != PASS:
                facts.forget()
                chains = facts.chains(game.board, ReadingBudget(NODES))
                classes = chain_classes(chains, color)
                if classes:
                    yield ReadPosition(position_of(game, color), classes, point)


class Tally:
    """Counts of the moves of each class, and log probabilities of the played moves."""

    def __init__(self) -> None:
        self.counts = np.zeros((CHAIN_GROUPS, CHAIN_CLASSES, 4))
        self.logs: list[tuple[float, float, float]] = []

    def add(self, read: ReadPosition, *chances: dict[int, float]) -> None:
        """Count a position; the first of its predictions is without the values."""
        self.logs.append(tuple(np.log(max(c[read.point], SMALLEST)) for c in chances))  # type: ignore[arg-type]
        for point, classes in read.classes.items():
            chance = chances[0].get(point, 0.0)
            for group, found in enumerate(classes):
                if found:
                    more = (1.0, point == read.point, chance, chance * (1.0 - chance))
                    self.counts[group, found - 1] += more

    def rows(self, beliefs: Floats) -> list[TableRow]:
        """Return the rows of HEADER."""
        found: list[TableRow] = []
        for group, name in enumerate(GROUPS):
            for size in range(CHAIN_CLASSES):
                moves, played, expected, variance = self.counts[group, size].tolist()
                mean, spread = beliefs[group, size].tolist()
                numbers = (round(expected, 1), variance**0.5, mean, spread**0.5)
                found.append([f"{name}: {SIZES[size]}", int(moves), int(played), *numbers])
        return found


def measure(
    learner: ChainValueLearner, knowledge: PatternKnowledge, tests: Iterator[ReadPosition]
) -> Tally:
    """Return the tally of the test positions."""
    shipped, tally = ChainValueLearner(knowledge, CHAIN_VALUES), Tally()
    for read in tests:
        without, learned = learner.probabilities(read.position, read.classes)
        tally.add(read, without, learned, shipped.probabilities(read.position, read.classes)[1])
    return tally


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn, test and print."""
    options = learning_parser(__doc__).parse_args(arguments)
    known = load_knowledge()
    assert known.patterns is not None
    facts, learner = Facts(known.solver), ChainValueLearner(known.patterns)
    try:
        games, tests = (
            read_positions(tqdm(islice(GameReader(paths), most), file=sys.stderr), facts)
            for paths, most in (
                (options.games, options.max_games), (options.test, options.max_test_games),
            )
        )  # fmt: skip
        for read in games:
            learner.probabilities(read.position, read.classes)
            learner.learn(read.point)
        tally = measure(learner, known.patterns, tests)
    except (YomiError, OSError) as error:
        print(f"chain_values: {error}", file=sys.stderr)
        return 1
    print_table(HEADER, tally.rows(learner.beliefs))
    logs = np.array(tally.logs).reshape(-1, 3)
    error = 1.0 / np.sqrt(max(len(logs), 1))
    gains: list[TableRow] = []
    for name, column in (("learned here", 1), ("of the engine", 2)):
        gain = logs[:, column] - logs[:, 0]
        gains.append([name, len(gain), float(gain.mean()), float(gain.std() * error)])
    print_table(("values", "positions", "nats gained", "+-"), gains)
    return 0


if __name__ == "__main__":
    sys.exit(main())
