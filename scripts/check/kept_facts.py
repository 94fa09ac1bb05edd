"""Compare facts that are kept from move to move with fresh readings, and time both.

    python -m scripts.check.kept_facts --games test-4400.tar.gz --count 4

Every position of whole games is surveyed twice with the shipped priors. One surveyor keeps its
facts (``engine/facts/kept_facts.py``); the other reads everything anew. The exit status is 1 if
they differ anywhere.
"""

import sys
import time
from collections.abc import Sequence
from itertools import islice

from tqdm import tqdm

from engine import RULESETS, YomiError
from engine.captures.priors import learned_priors
from engine.captures.reader import compile_solver
from engine.facts.chain_facts import ChainFacts, Surveyor
from engine.go.board import Board
from patterns_db.records.games import GameReader
from patterns_db.records.replay import replay_moves
from patterns_db.shipped import load_knowledge
from scripts.game_options import games_parser
from scripts.tables import print_table


class SurveyTally:
    """A surveyor, and the cost of its surveys.

    nodes  bound of a survey
    keeps  whether it goes on from the position before
    """

    def __init__(self, nodes: int, keeps: bool) -> None:
        table = load_knowledge(None).solver
        self.surveyor = Surveyor(table and learned_priors(table))
        self.bound = nodes
        self.keeps = keeps
        self.facts = self.nodes = 0
        self.seconds = 0.0

    def survey(self, board: Board) -> list[ChainFacts]:
        """Return the findings of one survey."""
        if not self.keeps:
            self.surveyor.forget()
        start = time.process_time()
        found = self.surveyor.survey(board, self.bound)
        self.seconds += time.process_time() - start
        self.nodes += self.surveyor.nodes
        self.facts += len(found)
        return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Survey, compare and print; the exit status is 1 if there is a difference."""
    parser = games_parser(__doc__)
    parser.add_argument("--count", type=int, default=4, help="games")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="of one survey, at most")
    options = parser.parse_args(arguments)
    compile_solver()
    keeping, fresh = SurveyTally(options.nodes, True), SurveyTally(options.nodes, False)
    positions = differences = 0
    try:
        records = islice(GameReader(options.games), options.count)
        for record in tqdm(records, total=options.count, unit=" games", file=sys.stderr):
            for game in replay_moves(record, RULESETS["chinese"], 7.5):
                known = set(map(repr, keeping.survey(game.board)))
                expected = set(map(repr, fresh.survey(game.board)))
                differences += len(known ^ expected)
                positions += 1
    except (YomiError, OSError) as error:
        print(f"kept_facts: {error}", file=sys.stderr)
        return 1
    print(f"{positions} positions, {differences} differences")
    rows = [
        [name, tally.facts, tally.nodes, f"{tally.seconds:.1f}"]
        for name, tally in (("kept", keeping), ("read anew", fresh))
    ]
    print_table(("facts", "found", "nodes", "seconds"), rows)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
