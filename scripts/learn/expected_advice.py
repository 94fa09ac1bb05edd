"""Measure what readings of chains tell about experts' moves beyond the ranking model.

    python -m scripts.learn.expected_advice --games test-4400.tar.gz --positions 8000 --every 20

In positions of games, chains with few liberties are read. For every kind of advice the script
counts the moves, how often one was played, and how often the ranking model expects them to be
played. The expectation is the sum of its probabilities; its deviation is that of chance. Where the
two counts agree, reading adds nothing to the model. Games that the model has learned from flatter
it. With ``--groups NODES`` groups in doubt are read instead, with this number of nodes a position;
with ``--links``, pairs of chains that one move links or cuts apart.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from engine import RULESETS, Game, Predictor, YomiError
from engine.facts.chain_facts import ChainFacts
from engine.facts.group_facts import GroupFacts
from engine.facts.position_facts import Facts, ReadingBudget
from engine.go.geometry import PASS
from engine.life.links import LinkFacts
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.records.replay import replay_moves
from patterns_db.shipped import PATTERN_TABLE, load_knowledge
from scripts.game_options import games_parser
from scripts.tables import print_table

FIRST = 10  # moves of a game before the first position
SIZES = ((1, "1 stone"), (2, "2 stones"), (4, "3 or 4 stones"), (361, "5 or more stones"))
GROUP_SIZES = ((6, "4 to 6 stones"), (10, "7 to 10 stones"), (361, "11 or more stones"))
HEADER = ("advice", "moves", "played", "expected", "deviation")


class AdviceTally(NamedTuple):
    """Counts of moves of one kind of advice; ``expected`` and ``variance`` of the number played."""

    moves: int = 0
    played: int = 0
    expected: float = 0.0
    variance: float = 0.0

    def add(self, chance: float, played: bool) -> "AdviceTally":
        """Return the tally with one more move and its probability by the ranking model."""
        return AdviceTally(
            self.moves + 1,
            self.played + played,
            self.expected + chance,
            # A move is played or not: Bernoulli, taken as independent of the others.
            self.variance + chance * (1.0 - chance),
        )


def kinds_of(facts: list[ChainFacts], color: int) -> Iterator[tuple[str, int]]:
    """Yield (kind, point) of a color's moves that facts about chains advise, without repeats."""
    # A point that saves two chains of one kind is one move.
    found = set()
    for chain in facts:
        size = next(name for most, name in SIZES if len(chain.stones) <= most)
        own = chain.color == color
        for point in chain.defenses if own else chain.attacks:
            found.add((f"{'saves' if own else 'captures'} {size}", point))
        if chain.status == "dead":
            for point in chain.liberties:
                found.add(("extends what is dead" if own else "attacks what is dead", point))
        if chain.status == "safe":
            for point in chain.liberties:
                found.add(("defends what is safe" if own else "attacks what is safe", point))
    yield from sorted(found)


def group_kinds_of(facts: list[GroupFacts], color: int) -> Iterator[tuple[str, int]]:
    """Yield the advice of facts about groups for a color's moves, as ``kinds_of`` does."""
    found = set()
    for group in facts:
        size = next(name for most, name in GROUP_SIZES if len(group.stones) <= most)
        size += " in a race" if group.rival else ""
        own = group.color == color
        for point in group.defenses if own else group.attacks:
            found.add((f"{'saves' if own else 'kills'} a group of {size}", point))
        if group.status == "dead":
            for point in group.space:
                found.add((f"inside a dead group of {'its owner' if own else 'the other'}", point))
    yield from sorted(found)


def link_kinds_of(pairs: Iterable[LinkFacts], color: int) -> Iterator[tuple[str, int]]:
    """Yield the advice of facts about links for a color's moves, by the smaller chain's size.

    A move that does the same to several pairs counts once, with the largest.
    """
    largest: dict[tuple[str, int], int] = {}
    for pair in pairs:
        own = pair.color == color
        key = ("links", pair.link) if own else ("cuts off", pair.cut)
        largest[key] = max(largest.get(key, 0), min(len(pair.one), len(pair.other)))
    for (does, point), stones in sorted(largest.items()):
        yield f"{does} {next(name for most, name in SIZES if stones <= most)}", point


Kinds = Callable[[Game, int], Iterator[tuple[str, int]]]


def chain_reader() -> Kinds:
    """Return a function that finds the kinds of moves by reading chains."""
    facts = Facts()
    return lambda game, color: kinds_of(facts.chains(game.board, ReadingBudget()), color)


def group_reader(nodes: int) -> Kinds:
    """Return a function that finds the kinds of moves by reading groups, with a limit of nodes."""
    facts, budget = Facts(life=load_knowledge(None).life), ReadingBudget(nodes)

    def kinds(game: Game, color: int) -> Iterator[tuple[str, int]]:
        ownership = facts.status(game).ownership
        return group_kinds_of(facts.groups(game.board, ownership, budget), color)

    return kinds


def link_reader() -> Kinds:
    """Return a function that finds the kinds of moves by reading links between chains."""
    facts = Facts()
    return lambda game, color: link_kinds_of(facts.links(game.board), color)


def tally_game(
    record: DecodedGame,
    every: int,
    predictor: Predictor,
    kinds: Kinds,
    found: dict[str, AdviceTally],
) -> int:
    """Add a game's positions to the tallies and return how many there were."""
    positions = 0
    games = replay_moves(record, RULESETS["chinese"], 7.5)
    moves = zip(record.colors.tolist(), record.moves.tolist(), games, strict=False)
    for number, (color, point, game) in enumerate(moves):
        if number >= FIRST and number % every == 0 and point != PASS:
            chances = predictor.of_game(game, color)
            positions += 1
            for kind, move in kinds(game, color):
                if move in chances:
                    found[kind] = found.get(kind, AdviceTally()).add(chances[move], move == point)
    return positions


def main(arguments: Sequence[str] | None = None) -> int:
    """Count and print."""
    parser = games_parser(__doc__)
    parser.add_argument("--positions", type=int, default=1000, help="least number")
    parser.add_argument("--every", type=int, default=5, help="moves between two positions")
    parser.add_argument("--patterns", type=Path, default=PATTERN_TABLE, metavar="FILE")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--groups", type=int, metavar="NODES", help="read groups, not chains")
    instead.add_argument("--links", action="store_true", help="read links between chains")
    options = parser.parse_args(arguments)
    try:
        patterns = load_knowledge(options.patterns).patterns
        assert patterns is not None
        predictor = Predictor(patterns)
        kinds = link_reader() if options.links else chain_reader()
        if options.groups is not None:
            kinds = group_reader(options.groups)
        found: dict[str, AdviceTally] = {}
        positions = 0
        with tqdm(total=options.positions, unit="position", file=sys.stderr) as bar:
            for record in GameReader(options.games):
                # From the empty board only, because set-up stones are not replayed.
                if len(record.black) + len(record.white) == 0:
                    more = tally_game(record, options.every, predictor, kinds, found)
                    positions += more
                    bar.update(more)
                if positions >= options.positions:
                    break
    except YomiError as error:
        print(f"expected_advice: {error}", file=sys.stderr)
        return 2
    print(f"{positions} positions")
    print_table(
        HEADER,
        [
            [kind, tally.moves, tally.played, round(tally.expected, 1), sqrt(tally.variance)]
            for kind, tally in sorted(found.items())
        ],
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
