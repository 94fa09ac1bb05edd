"""Compare roll-outs with the ends of counted games: owners and winners.

    python -m scripts.check.rollouts --games test-4400.tar.gz --elsewhere 2 0.3

Guided roll-outs are played from positions of counted games, and compared with the end of the game.
The first figure is the squared error of each point's owner (as a probability, 0 to 1). The last one
is how often the side that wins most roll-outs won. ``--elsewhere`` multiplies the weight of a move
elsewhere. The first row has the usual weights; the others are compared on the same positions. Only
differences mean anything, because undecided points cannot be predicted.

The engine decides the final owners (``engine.facts.final_status``). A game with an unclear or
another result is left out.
"""

import sys
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from engine import BLACK, WHITE, Game
from engine.arrays import Floats
from engine.facts.position_facts import Facts
from engine.go.geometry import board_points
from engine.go.scoring import point_owners
from engine.jit import kernel
from engine.patterns.position import Position, position_of
from engine.rollout.guided import GuidedPolicy
from engine.search.model import SearchModel
from engine.search.playouts import play_to_end
from engine.search.work import SearchWork, enter, new_search_work
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.search_tables.rollout_training import ROLLOUT, to_policy
from patterns_db.shipped import ROLLOUT_TABLE, read_rollout_beliefs
from scripts.check.judge import positions_of as all_positions
from scripts.failures import reported
from scripts.game_options import sampling_parser
from scripts.tables import TableRow, print_table

EACH = 3  # positions of a game
PHASES = (0.35, 0.8)  # range of positions, in shares of a game's moves
DISAGREED = 4.0  # points: rules count differently, but not by this much


class CountedPosition(NamedTuple):
    """A position of a counted game; owners: float64[AREA], 1 Black's at the end, -1 White's."""

    game: Game
    owners: Floats


def positions_of(record: DecodedGame, random: np.random.Generator) -> list[CountedPosition]:
    """Return some positions of a counted game; none of one whose end is unclear."""
    low, high = (int(len(record.moves) * share) for share in PHASES)
    if not is_counted(record) or high - low < EACH:
        return []
    wanted = random.choice(np.arange(low, high), EACH, replace=False).tolist()
    games, owners = positions_and_owners(record, wanted)
    return [CountedPosition(game, owners) for game in games]


def is_counted(record: DecodedGame) -> bool:
    """Return whether a game was counted and began on the empty board."""
    return record.margin is not None and len(record.black) + len(record.white) == 0


def positions_and_owners(record: DecodedGame, wanted: Sequence[int]) -> tuple[list[Game], Floats]:
    """Return a counted game's positions after some numbers of moves, and who owned each point.

    No positions where the end is unclear; owners as in ``final_owners``.
    """
    assert record.margin is not None
    found = []
    for game in all_positions(record):
        if len(game.moves) in wanted:
            found.append(game.copy())
    owners = final_owners(game, record.margin)
    return ([], np.zeros(0)) if owners is None else (found, owners)


def final_owners(game: Game, margin: float) -> Floats | None:
    """Return who owns each point of a game that has ended: float64[AREA], 1 Black, -1 White.

    margin   Black's, as the game was counted
    returns  None where the end is unclear or differs from the count
    """
    fates = Facts().status(game)
    colors = np.array(point_owners(game.board, fates.dead_stones()))
    owners = np.asarray((colors == BLACK) * 1.0 - (colors == WHITE))
    if not fates.clear or abs(owners.sum() - game.komi - margin) > DISAGREED:
        return None
    return owners


@kernel
def play_out(
    position: Position, model: SearchModel, policy: GuidedPolicy, work: SearchWork, margins: Floats
) -> None:
    """Play roll-outs from one position, as a search does; row 0 of ``owned`` gets the tally.

    work     SearchWork, changes in place
    margins  float64[rollouts], filled: Black's margin with komi
    """
    for i in range(len(margins)):
        _, margins[i] = play_to_end(enter(position, work), 0, 0, model, policy, work)


class RolloutErrors(NamedTuple):
    """The roll-outs' statements about some positions."""

    errors: Floats  # float64[n], mean squared error of the owners of a position's points
    right: Floats  # float64[n], whether the winner of most roll-outs won the game


def look_at(
    positions: Sequence[CountedPosition], policy: GuidedPolicy, rollouts: int, seed: int
) -> RolloutErrors:
    """Return the results of roll-outs with some weights on positions."""
    works = {size: new_search_work(size, seed) for size in {p.game.size for p in positions}}
    errors, right = [], []
    for game, owners in positions:
        work, margins = works[game.size], np.zeros(rollouts)
        work.owned[0] = 0
        play_out(position_of(game, game.to_play), SearchModel(), policy, work, margins)
        shares = work.owned[0] / rollouts
        points = list(board_points(game.size))
        errors.append(float(np.mean((shares[points] - owners[points]) ** 2)) / 4.0)
        winner = np.sign(owners.sum() - game.komi)
        right.append(float(np.sign(np.sign(margins).sum()) == winner))
    return RolloutErrors(np.array(errors), np.array(right))


def row_of(name: float, look: RolloutErrors, usual: RolloutErrors) -> TableRow:
    """Return a row of HEADER: figures, and the paired difference of errors to the usual ones."""
    change = look.errors - usual.errors
    error = float(change.std() / len(change) ** 0.5)
    return [name, float(look.errors.mean()), float(change.mean()), error, float(look.right.mean())]


HEADER = ("elsewhere", "error", "change", "+-", "winner")


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return the exit status."""
    parser = sampling_parser(__doc__)
    parser.add_argument("--positions", type=int, default=450)
    parser.add_argument("--rollouts", type=int, default=100, help="from each position")
    parser.add_argument("--elsewhere", nargs="+", type=float, default=[], metavar="FACTOR")
    options = parser.parse_args(arguments)
    beliefs = read_rollout_beliefs(ROLLOUT_TABLE)
    random = np.random.default_rng(options.seed)
    records = GameReader(options.games)
    found = islice((p for r in records for p in positions_of(r, random)), options.positions)
    positions = list(tqdm(found, total=options.positions, unit=" positions", file=sys.stderr))
    if not positions:
        print("no counted games with a clear end", file=sys.stderr)
        return 1
    looks = [
        look_at(
            positions,
            to_policy(beliefs, factor * ROLLOUT.elsewhere_factor),
            options.rollouts,
            options.seed,
        )
        for factor in (1.0, *options.elsewhere)
    ]
    print(f"{len(positions)} positions, {options.rollouts} roll-outs each")
    factors = (1.0, *options.elsewhere)
    print_table(
        HEADER, [row_of(name, look, looks[0]) for name, look in zip(factors, looks, strict=True)]
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
