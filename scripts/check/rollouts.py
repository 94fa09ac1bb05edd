"""Compare roll-outs with the ends of counted games: owners, fates of chains and winners.

    python -m scripts.check.rollouts --games test-4400.tar.gz --positions 450
    python -m scripts.check.rollouts --games train-07.tar.gz --elsewhere 1 0.3 0.1 --power 1 1.5
    python -m scripts.check.rollouts --games test-4400.tar.gz --moves 120 200 --fewest 4

Guided roll-outs are played from positions of counted games, and compared with the end of the game.
The first figure is the squared error of each point's owner (as a probability, 0 to 1). The next
ones are about chains of at least two stones that were taken or left dead but live: in which share
of the roll-outs, and how many in most of them. The same is printed for chains that lived but die.
The last one is how often the side that wins most roll-outs won.

Other weights can be compared with the usual ones, the first row, on the same positions. Options
raise all weights to a power, or multiply that of a move elsewhere. Nobody can foretell undecided
points: only differences mean anything.

The engine decides the final owners (``engine.facts.final_status``). A game with an unclear or
another result is left out.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from engine import BLACK, RULESETS, WHITE, Game, YomiError
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
from patterns_db.records.replay import replay_moves
from patterns_db.search_tables.rollout_training import ELSEWHERE_FACTOR, SCALE, to_policy
from patterns_db.shipped import ROLLOUT_TABLE, read_rollout_beliefs
from scripts.game_options import sampling_parser
from scripts.tables import TableRow, print_table

KOMI = 7.5  # used where a record has none
EACH = 3  # positions of a game
PHASES = (0.35, 0.8)  # range of positions, in shares of a game's moves
DISAGREED = 4.0  # points: rules count differently, but not by this much
FEWEST_STONES = 2  # stones of a chain whose fate counts, by default: single stones are given away


class CountedPosition(NamedTuple):
    """A position of a counted game, and how the game ended.

    owners  float64[AREA], 1 Black's at the end, -1 White's, 0 nobody's
    winner  1.0 Black, -1.0 White
    """

    game: Game
    owners: Floats
    winner: float


def positions_of(
    record: DecodedGame, random: np.random.Generator, between: tuple[int, int] | None = None
) -> list[CountedPosition]:
    """Return some positions of a counted game; none of one whose end is unclear.

    between  range of move numbers, instead of PHASES
    """
    komi = KOMI if record.komi is None else record.komi
    low, high = between or tuple(int(len(record.moves) * share) for share in PHASES)
    high = min(high, len(record.moves))
    if record.margin is None or len(record.black) + len(record.white) or high - low < EACH:
        return []
    wanted = set(random.choice(np.arange(low, high), EACH, replace=False).tolist())
    found, game = [], None
    for game in replay_moves(record, RULESETS["chinese"], komi):
        if len(game.moves) in wanted:
            found.append(game.copy())
    if game is None:
        return []
    owners = final_owners(game, record.margin)
    if owners is None:
        return []
    return [CountedPosition(game, owners, float(np.sign(owners.sum() - komi))) for game in found]


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


def all_positions(
    paths: Sequence[str], seed: int, between: tuple[int, int] | None = None
) -> Iterator[CountedPosition]:
    """Yield positions of all games that can be used; ``between`` as in ``positions_of``."""
    random = np.random.default_rng(seed)
    for record in GameReader(paths):
        yield from positions_of(record, random, between)


@kernel
def play_out(
    position: Position,
    model: SearchModel,
    policy: GuidedPolicy,
    work: SearchWork,
    margins: Floats,
) -> None:
    """Play roll-outs from one position, as a search does; row 0 of ``owned`` gets the tally.

    work     SearchWork, changes in place
    margins  float64[rollouts], filled: Black's margin with komi
    """
    for i in range(len(margins)):
        _, margins[i] = play_to_end(enter(position, work), 0, 0, model, policy, work)


class RolloutErrors(NamedTuple):
    """The roll-outs' statements about some positions.

    errors  float64[n], mean squared error of the owners of a position's points
    dead    float64[chains], share of roll-outs in which chains lived that died
    alive   float64[chains], the same of those that lived
    right   float64[n], whether the winner of most roll-outs won the game
    """

    errors: Floats
    dead: Floats
    alive: Floats
    right: Floats


def look_at(
    positions: Sequence[CountedPosition],
    policy: GuidedPolicy,
    rollouts: int,
    seed: int,
    fewest: int,
) -> RolloutErrors:
    """Return the results of roll-outs with some weights on positions.

    fewest  stones of a chain whose fate counts
    """
    works = {size: new_search_work(size, seed) for size in {p.game.size for p in positions}}
    errors, right = [], []
    fates: tuple[list[float], list[float]] = ([], [])
    for game, owners, winner in positions:
        work, margins = works[game.size], np.zeros(rollouts)
        work.owned[0] = 0
        play_out(position_of(game, game.to_play), SearchModel(), policy, work, margins)
        shares = work.owned[0] / rollouts
        points = list(board_points(game.size))
        errors.append(float(np.mean((shares[points] - owners[points]) ** 2)) / 4.0)
        right.append(float(np.sign(np.sign(margins).sum()) == winner))
        for chain in game.chains():
            if len(chain) >= fewest:
                sign = 1.0 if game.color_at(chain[0]) == BLACK else -1.0
                lived = sign * float(owners[chain].mean()) > 0.0
                fates[lived].append(0.5 + 0.5 * sign * float(shares[chain].mean()))
    return RolloutErrors(np.array(errors), np.array(fates[0]), np.array(fates[1]), np.array(right))


def row_of(name: Sequence[float], look: RolloutErrors, usual: RolloutErrors) -> TableRow:
    """Return a row of the table: figures, and the paired difference of errors to the usual ones."""
    change = look.errors - usual.errors
    return [
        *name,
        float(look.errors.mean()),
        float(change.mean()),
        float(change.std() / len(change) ** 0.5),
        *_wrong(look.dead),
        *_wrong(1.0 - look.alive),
        float(look.right.mean()),
    ]


def _wrong(shares: Floats) -> TableRow:
    """Return the mean share of roll-outs in which chains met another fate, and how many mostly."""
    return [float(shares.mean()), float((shares > 0.5).mean())] if len(shares) else ["-", "-"]


HEADER = (
    *("elsewhere", "power", "error", "change", "+-"),
    *("dead live", "mostly", "alive die", "mostly", "winner"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return the exit status."""
    parser = sampling_parser(__doc__)
    parser.add_argument("--positions", type=int, default=450)
    parser.add_argument("--rollouts", type=int, default=100, help="from each position")
    parser.add_argument("--elsewhere", nargs="+", type=float, default=[], metavar="FACTOR")
    parser.add_argument("--power", nargs="+", type=float, default=[], metavar="POWER")
    parser.add_argument("--moves", nargs=2, type=int, metavar=("LOW", "HIGH"))
    parser.add_argument("--fewest", type=int, default=FEWEST_STONES, help="stones of a chain")
    options = parser.parse_args(arguments)
    try:
        beliefs = read_rollout_beliefs(ROLLOUT_TABLE)
        policy = to_policy(beliefs, SCALE, ELSEWHERE_FACTOR)
        between = tuple(options.moves) if options.moves else None
        found = islice(all_positions(options.games, options.seed, between), options.positions)
        positions = list(tqdm(found, total=options.positions, unit=" positions", file=sys.stderr))
        if not positions:
            print("no counted games with a clear end", file=sys.stderr)
            return 1
        usual = look_at(positions, policy, options.rollouts, options.seed, options.fewest)
        rows = [row_of((1.0, 1.0), usual, usual)]
        for name in product(options.elsewhere or [1.0], options.power or [1.0]):
            if name != (1.0, 1.0):
                elsewhere, power = name
                policy = to_policy(beliefs, power * SCALE, elsewhere * ELSEWHERE_FACTOR**power)
                look = look_at(positions, policy, options.rollouts, options.seed, options.fewest)
                rows.append(row_of(name, look, usual))
    except YomiError as error:
        print(error, file=sys.stderr)
        return 1
    chains = f"{len(usual.dead)} chains died, {len(usual.alive)} lived"
    print(f"{len(positions)} positions, {options.rollouts} roll-outs each; {chains}")
    print_table(HEADER, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
