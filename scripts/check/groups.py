"""Compare statuses of groups by the life solver, roll-outs and GNU Go with counted games.

    python -m scripts.check.groups --games test-4400.tar.gz --groups 500 --gnugo gnugo --out FILE

Positions come from moves 150 to 200 of counted games. Groups of at least four stones are read as a
search reads them (``engine/life/groups.py``). The end of the game shows whether a group lived.

"alive" is proved with the opponent to move first and without help from outside. "gets out": it then
lives or reaches safe territory of its owner. "depends": it does so with the owner first, but not
with the opponent first. "dead": even with the owner first, it reaches no point outside the
opponent's sure area. All other groups are "in between".

Proofs about life take the chains around a group as given. If roll-outs are not sure of a touching
chain, a group that does not get out is also read as a race with that chain (``life/races.py``).
"wins a race": the group captures a rival even if the opponent begins. A group that is dead or in
between without its races "depends" when it captures a rival by moving first. It is "dead" only when
it is captured first in all of its races.

The script also shows the share of guided roll-outs in which the group's stones live, and GNU Go's
status of its dragon. A group that could be killed but was not is no error of "depends", so the
tables are split by the side to move.

The same command continues a run that was stopped.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from engine import BLACK, Game, format_vertex
from engine.arrays import Floats
from engine.go.board import Board
from engine.life.goal import LifeQuestion
from engine.life.groups import alone, besiegers, find_groups, questions_about, ways_out
from engine.life.races import Saves, chains_touching, race_questions, rivals_of, saved_above
from engine.life.reader import LifeReader, LifeReading, compile_life
from engine.patterns.position import position_of
from engine.picture.picture import Stones, picture_of
from engine.rollout.guided import GuidedPolicy
from engine.search.model import SearchModel
from engine.search.work import new_search_work
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.shipped import LIFE_TABLE, load_knowledge
from patterns_db.solvers.solver_tables import read_life_weights
from scripts.check.rollouts import is_counted, play_out, positions_and_owners
from scripts.controller import Controller
from scripts.failures import reported
from scripts.game_options import sampling_parser
from scripts.kept_rows import KeptRows, Row
from scripts.play.gtp_side import show_game
from scripts.reliability import HEADER, figures_of
from scripts.significance import wilson_interval
from scripts.tables import print_table

FIRST, LAST = 150, 200  # moves after which positions are taken
EACH = 5  # groups of a position
FIRM = 0.8  # share of roll-outs in which the weakest chain around a group lives, for it to be firm
OWNED = 2 * FIRM - 1  # the same as a net share, for points that a group may get out to


def position_in(record: DecodedGame, rng: np.random.Generator) -> tuple[Game, Floats] | None:
    """Return a position of a counted game and the final owner of each point, 1 Black .. -1 White.

    None where the end of the game is unclear.
    """
    most = min(LAST, len(record.moves) - 1)
    if not is_counted(record) or most < FIRST:
        return None
    found, owners = positions_and_owners(record, [int(rng.integers(FIRST, most + 1))])
    return (found[0], owners) if found else None


def all_positions(
    paths: Sequence[str], seed: int, start: int
) -> Iterator[tuple[int, Game, Floats]]:
    """Yield (number of the game, position, owners), starting from a game."""
    for number, record in enumerate(GameReader(paths)):
        if number >= start:
            position = position_in(record, np.random.default_rng((seed, number)))
            if position is not None:
                yield number, *position


class RaceReading(NamedTuple):
    """The group that is captured first: "one", "other", "neither", "ko" or "unknown"."""

    captured: str
    nodes: int
    seconds: float


def read_race(
    reader: LifeReader, board: Board, one: Stones, other: Stones, to_move: int, saves: Saves
) -> RaceReading:
    """Read which of two groups is captured first; ``saves`` as in ``ways_out_for_both``.

    If no region fits around both, only the chains of ``one`` that touch the other are read.
    """
    picture = picture_of(board)
    questions = race_questions(picture, one, other, saves)
    if questions is None:
        questions = race_questions(picture, chains_touching(picture, one, other), other, saves)
    if questions is None:
        return RaceReading("unknown", 0, 0.0)
    # The gain of the side to move comes first: then most races need no second question.
    asked = list(zip(("one", "other"), questions, strict=True))
    if picture.colors[min(one)] == to_move:
        asked.reverse()
    captured, readings = "neither", []
    for name, question in asked:
        readings.append(reader.read_group(board, question, to_move))
        if readings[-1].status == "dead":
            captured = name
            break
    statuses = {reading.status for reading in readings}
    if captured == "neither" and statuses != {"alive"}:
        captured = "unknown" if "unknown" in statuses else "ko"
    nodes, seconds = (sum(getattr(r, name) for r in readings) for name in ("nodes", "seconds"))
    return RaceReading(captured, nodes, seconds)


class FateReader:
    """Reads the statuses of groups.

    nodes  of one search at most
    """

    def __init__(self, nodes: int) -> None:
        self.reader = LifeReader("pns", nodes, read_life_weights(LIFE_TABLE))

    def read(self, board: Board, question: LifeQuestion, shares: Floats) -> str:
        """Return the proved status of a group; ``nodes`` and ``seconds`` are those of this one.

        shares  float64[AREA], mean owner of each point in roll-outs, 1 Black .. -1 White
        """
        self.nodes, self.seconds = 0, 0.0
        status = self._without_races(board, question, shares)
        if status in ("alive", "gets out"):
            return status
        return with_races(status, self._races(board, question, shares))

    def _count(self, reading: LifeReading | RaceReading) -> None:
        self.nodes, self.seconds = self.nodes + reading.nodes, self.seconds + reading.seconds

    def _without_races(self, board: Board, question: LifeQuestion, shares: Floats) -> str:
        owner, opponent = question.defender, 3 - question.defender
        sign = 1.0 if owner == BLACK else -1.0

        def read(question: LifeQuestion, to_move: int) -> str:
            reading = self.reader.read_group(board, question, to_move)
            self._count(reading)
            return reading.status

        safely = ways_out(picture_of(board), question, lambda point: sign * shares[point] >= OWNED)
        status: str = read(safely, opponent)
        if status == "alive":
            return "alive" if read(alone(question), opponent) == "alive" else "gets out"
        if status == "dead":
            status = "in between"
            anywhere = ways_out(
                picture_of(board), question, lambda point: sign * shares[point] > -OWNED
            )
            if read(safely, owner) == "alive":
                status = "depends"
            elif read(anywhere, owner) == "dead":
                status = "dead"
        return status

    def _races(self, board: Board, question: LifeQuestion, shares: Floats) -> list[tuple[str, str]]:
        """Return the results of the races with the chains around a group that may be captured.

        Who is captured first with the owner first, and with the opponent first; "one" is the group.
        """
        owner, opponent = question.defender, 3 - question.defender
        chains = [chain.stones for chain in besiegers(picture_of(board), question)]
        around = [stones for stones in chains if share_of(stones, opponent, shares) < FIRM]
        group = frozenset(question.goal)
        saves = saved_above(shares, -OWNED)
        races = []
        for rival in rivals_of(picture_of(board), group, around):
            ends = []
            for to_move in (owner, opponent):
                reading = read_race(self.reader, board, group, rival, to_move, saves)
                self._count(reading)
                ends.append(reading.captured)
            races.append((ends[0], ends[1]))
        return races


def with_races(status: str, races: list[tuple[str, str]]) -> str:
    """Return the status, with its races, of a group that is not alive without them."""
    if ("other", "other") in races:
        return "wins a race"
    if status in ("dead", "in between"):
        if any(owner_first == "other" for owner_first, _ in races):
            return "depends"
        if any(owner_first != "one" for owner_first, _ in races):
            return "in between"
    return status


def lived(points: Iterable[int], color: int, owners: Floats) -> float:
    """Return the share of some points that were a color's less the other one's, from -1 to 1."""
    return (1.0 if color == BLACK else -1.0) * float(owners[list(points)].mean())


def share_of(points: Iterable[int], color: int, shares: Floats) -> float:
    """Return the share of the roll-outs in which some points were a color's."""
    return 0.5 + 0.5 * lived(points, color, shares)


def ask_gnugo(gnugo: Controller, game: Game, groups: list[LifeQuestion]) -> list[str]:
    """Return GNU Go's statuses of the dragons of some groups."""
    show_game(gnugo, game)
    return [
        gnugo.send(f"dragon_status {format_vertex(max(group.goal))}").split()[0] for group in groups
    ]


class Looker:
    """Reads the groups of one position after the other, and owns the solvers for this."""

    def __init__(self, options: argparse.Namespace, gnugo: Controller | None) -> None:
        self.options, self.gnugo = options, gnugo
        compile_life()
        self.reader = FateReader(options.nodes)
        policy = load_knowledge().policy
        assert policy is not None  # shipped with yomi
        self.policy: GuidedPolicy = policy

    def look(self, number: int, game: Game, owners: Floats) -> Row:
        """Return the results about some groups of a position."""
        rng = np.random.default_rng((self.options.seed, number, 1))
        found = [
            q
            for group in find_groups(picture_of(game.board))
            for q in questions_about(picture_of(game.board), group)
        ]
        chosen = rng.permutation(len(found))[:EACH]
        groups = [found[i] for i in sorted(chosen.tolist())]
        work, margins = new_search_work(game.size, number + 1), np.zeros(self.options.rollouts)
        play_out(position_of(game, game.to_play), SearchModel(), self.policy, work, margins)
        shares = work.owned[0] / self.options.rollouts
        dragons = ask_gnugo(self.gnugo, game, groups) if self.gnugo else [""] * len(groups)
        rows = []
        for group, dragon in zip(groups, dragons, strict=True):
            color = group.defender
            status = self.reader.read(game.board, group, shares)
            rows.append({
                "stone": format_vertex(group.goal[0]),
                "owner_first": game.to_play == color,
                "lived": lived(group.goal, color, owners),
                "rollouts": round(share_of(group.goal, color, shares), 4),
                "yomi": status,
                "nodes": self.reader.nodes,
                "seconds": round(self.reader.seconds, 4),
                "gnugo": dragon,
            })  # fmt: skip
        return {"game": number, "move": len(game.moves), "groups": rows}


def print_words(groups: list[Row], who: str) -> None:
    """Print how often the groups of each status lived, by the side to move first."""
    counts = Counter((g[who], g["owner_first"], g["lived"] > 0) for g in groups)
    rows: list[list[float | int | str]] = []
    for word in sorted({g[who] for g in groups}):
        row: list[float | int | str] = [word]
        for first in (True, False):
            good, bad = counts[word, first, True], counts[word, first, False]
            row += [good + bad, good]
        total = int(row[1]) + int(row[3])
        low, high = wilson_interval(int(row[2]) + int(row[4]), total)
        rows.append([*row, f"{low:.0%} to {high:.0%}"])
    header = (who, "owner first", "lived", "opponent first", "lived", "both")
    print_table(header, rows)


def print_results(rows: list[Row], settings: Row) -> None:
    """Print the tables."""
    groups = [group for row in rows for group in row["groups"]]
    names = [str(row["game"]) for row in rows for _ in row["groups"]]
    died = sum(group["lived"] <= 0 for group in groups)
    print(f"{len(groups)} groups of {len(rows)} positions, {died} died; {settings}")
    seconds = np.array([group["seconds"] for group in groups])
    nodes = np.array([group["nodes"] for group in groups])
    print(f"a group took {nodes.mean():.0f} nodes and {seconds.mean():.4f} s")
    print_words(groups, "yomi")
    if any(group["gnugo"] for group in groups):
        print_words(groups, "gnugo")
    share = np.array([group["rollouts"] for group in groups])
    result = np.array([float(group["lived"] > 0) for group in groups])
    print_table(HEADER, [figures_of(share, result, names)])


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Read the missing groups and print the tables; return the exit status."""
    parser = sampling_parser(__doc__)
    parser.add_argument("--groups", type=int, default=500)
    parser.add_argument("--nodes", type=int, default=20_000, help="of one search of a group")
    parser.add_argument("--rollouts", type=int, default=100, help="roll-outs from each position")
    parser.add_argument("--gnugo", metavar="PROGRAM", help="ask this GNU Go as well")
    parser.add_argument("--out", type=Path, metavar="FILE", help="so that a stopped run goes on")
    options = parser.parse_args(arguments)
    setting = {name: getattr(options, name) for name in ("nodes", "rollouts", "gnugo", "seed")}
    kept = KeptRows(options.out, setting, "positions")
    start = kept.rows[-1]["game"] + 1 if kept.rows else 0
    count = sum(len(row["groups"]) for row in kept.rows)
    with ExitStack() as stack:
        gnugo = None
        if options.gnugo:
            command = f"{options.gnugo} --mode gtp --level 10 --chinese-rules"
            gnugo = stack.enter_context(Controller(command))
        looker = Looker(options, gnugo)
        bar = stack.enter_context(
            tqdm(total=options.groups, initial=count, unit=" groups", file=sys.stderr)
        )
        for position in all_positions(options.games, options.seed, start):
            if count >= options.groups:
                break
            kept.add(looker.look(*position))
            count += len(kept.rows[-1]["groups"])
            bar.update(len(kept.rows[-1]["groups"]))
    if not count:
        print("groups: no counted games with a clear end", file=sys.stderr)
        return 1
    print_results(kept.rows, setting)
    return 0


if __name__ == "__main__":
    sys.exit(main())
