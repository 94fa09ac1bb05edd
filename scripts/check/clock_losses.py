"""Play games under short clocks on a busy machine and count the losses on time.

    python -m scripts.check.clock_losses --games 10 --busy 2 --out FILE

A referee keeps the clocks on wall time: an engine's time runs from the moment its opponent's move
is sent until its own move has arrived. The opponent draws its moves by the ranking model, passes
only without a playable point, and takes no time. Colors alternate. A game ends after two passes or
``--moves`` moves. The engine gets its clock's settings once and never ``time_left``, as from
twogtp.
"""

import argparse
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from engine import BLACK, PASS, Game, format_vertex, parse_vertex
from engine.errors import MoveCode
from engine.patterns.predictor import Predictor
from engine.rollout.uniform import is_playable
from patterns_db.shipped import load_knowledge
from scripts.controller import Controller
from scripts.failures import reported
from scripts.kept_rows import KeptRows, Row
from scripts.tables import print_table


@dataclass
class RefereeClock:
    """One side's clock: main time, then periods of some seconds for some stones each."""

    main: float  # seconds left before the periods
    period: float = 0.0  # seconds of a period; block: seconds left of the running one
    allowed: int = 1  # stones of a period; stones: left to play in the running one
    block: float = 0.0
    stones: int = 0

    def __post_init__(self) -> None:
        self._begin_period()

    def _begin_period(self) -> None:
        self.block, self.stones = self.period, self.allowed

    def spend(self, seconds: float) -> bool:
        """Count a move's time; return whether it was in time."""
        self.main -= seconds
        if self.main >= 0.0:
            return True
        self.block, self.main = self.block + self.main, 0.0
        in_time = self.block >= 0.0
        self.stones -= 1
        if self.stones == 0:
            self._begin_period()
        return in_time


# By name: the command that sets the clock, and the numbers of the referee's.
CLOCKS: dict[str, tuple[str, dict[str, float]]] = {
    **{
        f"absolute {seconds} s": (f"time_settings {seconds} 0 0", {"main": seconds})
        for seconds in (1, 5, 10)
    },
    "byo-yomi 1 x 1 s": ("kgs-time_settings byoyomi 0 1 1", {"main": 0.0, "period": 1.0}),
    "Canadian 2 s for 3 stones": (
        "time_settings 0 2 3",
        {"main": 0.0, "period": 2.0, "allowed": 3},
    ),
}
TICKS_A_SECOND = 100  # of the CPU times in /proc
SPREAD = 0.7  # exponent of the probabilities by which the opponent draws


@dataclass
class Outcome:
    """One game of the engine."""

    clock: str
    number: int
    moves: int
    lost_at: int | None  # number of the move during which the engine's time ran out; None: never
    longest: float  # of the engine's moves, by the referee's clock [s]; mean: of all of them
    mean: float
    cpu: float  # of the engine's process per own move [s]


class Opponent:
    """Draws moves by the ranking model; never passes while a point is playable."""

    def __init__(self, predictor: Predictor, seed: int) -> None:
        self._predictor, self._random = predictor, random.Random(seed)

    def choose(self, game: Game) -> int:
        """Return a legal point that fills no own eye, or PASS."""
        color = game.to_play
        chances = {
            point: chance**SPREAD
            for point, chance in self._predictor.of_game(game, color).items()
            if is_playable(game.board, point, color)
            and game.legality(color, point) == MoveCode.LEGAL
        }
        if sum(chances.values()) <= 0.0:
            return next(iter(chances), PASS)
        return self._random.choices(list(chances), list(chances.values()))[0]


def cpu_seconds(process: int) -> float:
    """Return the CPU time that a process has used so far [s]; Linux only."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_A_SECOND


def play(
    engine: Controller, clock: str, number: int, predictor: Predictor, size: int, most: int
) -> Outcome:
    """Play one game to its end, even after a loss on time."""
    settings, control = CLOCKS[clock]
    game, referee, opponent = Game(size), RefereeClock(**control), Opponent(predictor, number)
    for command in (f"boardsize {size}", "clear_board", settings):
        engine.send(command)
    before, times, lost_at, mine = cpu_seconds(engine.process_id), [], None, number % 2 == 0
    while len(game.moves) < most and not game.is_over:
        black = game.to_play == BLACK
        if black != mine:
            game.play(opponent.choose(game))
            continue
        start = time.monotonic()
        if game.moves:
            engine.send(f"play {'w' if black else 'b'} {format_vertex(game.last_point)}")
        answer = engine.send(f"genmove {'b' if black else 'w'}")
        times.append(time.monotonic() - start)
        if not referee.spend(times[-1]) and lost_at is None:
            lost_at = len(game.moves) + 1
        if answer == "resign":
            break
        game.play(parse_vertex(answer, size))
    cpu = (cpu_seconds(engine.process_id) - before) / len(times)
    mean = sum(times) / len(times)
    return Outcome(clock, number, len(game.moves), lost_at, max(times), mean, cpu)


def play_all(options: argparse.Namespace, kept: KeptRows) -> None:
    """Play the games that are missing, beside the busy loops."""
    predictor = Predictor(load_knowledge().patterns)
    predictor.of_game(Game(options.size), BLACK)  # compiled before any clock runs
    done = {(row["clock"], row["number"]) for row in kept.rows}
    loops = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.busy)
    ]
    try:
        with Controller(options.engine) as engine:
            for number in range(options.games):
                for clock in options.clock or CLOCKS:
                    if (clock, number) not in done:
                        game = clock, number, predictor, options.size, options.moves
                        kept.add(asdict(play(engine, *game)))
    finally:
        for loop in loops:
            loop.kill()


def show(rows: Sequence[Row]) -> None:
    """Print one line a clock."""
    table = []
    for clock in dict.fromkeys(row["clock"] for row in rows):
        games = [row for row in rows if row["clock"] == clock]
        lost = [row["lost_at"] for row in games if row["lost_at"] is not None]
        mean, cpu = (sum(row[key] for row in games) / len(games) for key in ("mean", "cpu"))
        table.append(
            [
                clock,
                len(games),
                min(row["moves"] for row in games),
                f"{len(lost)} (at {', '.join(map(str, lost))})" if lost else 0,
                f"{1000 * mean:.1f}",
                f"{1000 * max(row['longest'] for row in games):.1f}",
                f"{1000 * cpu:.1f}",
            ]
        )
    head = ["clock", "games", "fewest moves", "lost", "ms a move", "longest", "CPU ms a move"]
    print_table(head, table)


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Play, print a table, and return 1 if a game was lost on time."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    default = f"{sys.executable} -m gtp gtp --threads 2 --resign never"
    parser.add_argument("--engine", default=default, help="command line of the GTP engine")
    parser.add_argument("--clock", action="append", choices=list(CLOCKS), help="these alone")
    parser.add_argument("--games", type=int, default=10, help="under each clock")
    parser.add_argument("--size", type=int, default=19)
    parser.add_argument("--moves", type=int, default=300, help="end of a game")
    parser.add_argument("--busy", type=int, default=2, help="busy loops beside the engine")
    parser.add_argument("--out", type=Path, help="the games, JSON, so that a stopped run goes on")
    options = parser.parse_args(arguments)
    setting = {name: getattr(options, name) for name in ("engine", "size", "moves", "busy")}
    kept = KeptRows(options.out, setting, "games", "another setting")
    play_all(options, kept)
    show(kept.rows)
    return int(any(row["lost_at"] is not None for row in kept.rows))


if __name__ == "__main__":
    sys.exit(main())
