r"""Compare shown shares of continuations and odds of a capture with the fates of chains.

    python -m scripts.check.shown_fates --games train-9x9-ranks.tar.gz --max-games 30 \
        --judge "katago gtp -model NET -config CONFIG" --out FILE

Positions are drawn from games. Chains of at least two stones with few liberties are looked at in
which a short reading ends without a proof. Explanations tell in which share of continuations such a
chain lives, by a search. ``yomi-tactics`` tells the probability of its capture, by the solver. A
program that knows KataGo's ``kata-search_analyze`` tells who owns the stones. The judge only
measures: yomi learns nothing from it. The same command continues a run that was stopped.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from tqdm import tqdm

from engine import RULESETS, PlayerOptions, YomiError
from engine.facts.position_facts import ReadingBudget
from engine.go.board import BLACK
from engine.go.geometry import AREA
from engine.go.history import Game
from engine.review import Lookout
from engine.review.looks import LookRequest
from engine.thinkers.outcomes import READING_NODES
from engine.thinkers.wording import share_alive
from patterns_db.records.games import GameReader
from patterns_db.records.replay import replay_moves
from patterns_db.shipped import load_knowledge
from scripts.check.outcome import KOMI
from scripts.check.points_lost import KataGoJudge
from scripts.game_options import sampling_parser
from scripts.kept_rows import KeptRows, Row
from scripts.reliability import print_reliability

FIRST, FEWEST = 12, 2  # moves before the first position; stones of a chain


def positions_of(options: argparse.Namespace) -> Iterator[tuple[str, Game]]:
    """Yield some positions of each game, with the game's source."""
    random = np.random.default_rng(options.seed)
    for record in islice(GameReader(options.games), options.max_games):
        later = np.arange(FIRST, len(record.moves))
        wanted = set(random.permutation(later)[: options.positions].tolist())
        komi = KOMI if record.komi is None else record.komi
        for game in replay_moves(record, RULESETS["chinese"], komi):
            if len(game.moves) in wanted and not game.passes:
                yield record.source, game.copy()


def look_at(game: Game, lookout: Lookout, playouts: int, judge: KataGoJudge) -> list[Row]:
    """Return what is said of each open chain of a position, and the judge's share of its life."""
    budget, color = ReadingBudget(READING_NODES), game.to_play
    chains = lookout.reader.facts.open_chains(game.board, budget)
    chains = [chain for chain in chains if len(chain.stones) >= FEWEST]
    if not chains:
        return []
    shown = lookout.look(LookRequest(game, playouts, len(game.moves))).ownership
    owners = np.zeros(AREA)
    for point, owner in judge.owners(game).items():
        owners[point] = owner if color == BLACK else -owner
    return [
        {
            "lives": share_alive(chain.stones, chain.color, shown),
            "captured": chain.defended if chain.color == color else chain.attacked,
            "judge": share_alive(chain.stones, chain.color, owners),
            "first": "owner" if chain.color == color else "opponent",
        }
        for chain in chains
    ]


def print_result(rows: Sequence[Row]) -> None:
    """Print the shares and the odds beside the judge's shares."""
    chains = [chain for row in rows for chain in row["chains"]]
    print("lives, by roll-outs of a search")
    print_reliability(*(np.array([chain[key] for chain in chains]) for key in ("lives", "judge")))
    for first in ("owner", "opponent"):
        some = [chain for chain in chains if chain["first"] == first]
        said = np.array([chain["captured"] for chain in some])
        print(f"\ncaptured, by the solver, its {first} to move")
        print_reliability(said, 1.0 - np.array([chain["judge"] for chain in some]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Look, have judged, and print the figures."""
    parser = sampling_parser(__doc__)
    parser.add_argument("--max-games", type=int, default=30)
    parser.add_argument("--positions", type=int, default=4, help="of each game")
    parser.add_argument("--playouts", type=int, default=300, help="of each search")
    parser.add_argument("--judge", required=True, metavar="COMMAND")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    options = parser.parse_args(arguments)
    setting = {key: getattr(options, key) for key in ("games", "playouts", "judge", "seed")}
    try:
        kept = KeptRows(options.out, setting, "positions_judged")
        done = {(row["game"], row["moves"]) for row in kept.rows}
        lookout = Lookout(PlayerOptions(threads=1, seed=options.seed), load_knowledge())
        judge = KataGoJudge(options.judge)
        try:
            for source, game in tqdm(positions_of(options), unit=" positions", file=sys.stderr):
                if (source, len(game.moves)) not in done:
                    chains = look_at(game, lookout, options.playouts, judge)
                    kept.add({"game": source, "moves": len(game.moves), "chains": chains})
        finally:
            judge.close()
    except (YomiError, OSError) as error:
        print(f"shown_fates: {error}", file=sys.stderr)
        return 1
    print_result(kept.rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
