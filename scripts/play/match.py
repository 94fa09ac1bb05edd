r"""Play a match between two GTP programs, colors alternating, and say how sure the result is.

    python -m scripts.play.match --first "yomi --playouts 1000" --second "gnugo --mode gtp" \
        --size 9 --games 20 --out match.jsonl

Each finished game is one line of the output file; the same command again goes on where it
stopped. ``%S`` in a command becomes the number of the game (a seed). Every move is checked by
our own rules, and after two passes both programs' scores are compared.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from tqdm import tqdm

from engine import BLACK, RULESETS, WHITE, Game, IllegalMove, format_vertex, parse_vertex
from engine.errors import YomiError
from gtp.controller import Controller, EngineFailed
from scripts.significance import log_likelihood_ratio, wilson_interval

NAMES = {BLACK: "b", WHITE: "w"}


@dataclass(frozen=True)
class Outcome:
    """One game. ``first`` is the first program's result: 1 won, 0 lost, 0.5 jigo."""

    game: int
    first_color: str
    first: float | None
    result: str
    moves: int
    agreed: bool
    error: str
    seconds: tuple[float, float]
    record: str


def play_game(number: int, options: argparse.Namespace) -> Outcome:
    """Play one game; whatever goes wrong is part of the outcome."""
    first_color = BLACK if number % 2 == 0 else WHITE
    game = Game(options.size, RULESETS["tromp-taylor"], options.komi)
    seconds = {BLACK: 0.0, WHITE: 0.0}
    result, error, agreed = "?", "", True
    commands = {first_color: options.first, 3 - first_color: options.second}
    try:
        with (
            Controller(commands[BLACK].replace("%S", str(number + 1))) as black,
            Controller(commands[WHITE].replace("%S", str(number + 1))) as white,
        ):
            engines = {BLACK: black, WHITE: white}
            for engine in engines.values():
                engine.send(f"boardsize {options.size}")
                engine.send("clear_board")
                engine.send(f"komi {options.komi}")
            result = _play_moves(game, engines, seconds, options.max_moves)
            if not result:
                scores = [engine.send("final_score") for engine in engines.values()]
                agreed = len({_normal(score) for score in scores}) == 1
                result = scores[0] if agreed else " / ".join(scores)
    except (EngineFailed, IllegalMove, YomiError) as failure:
        error = str(failure)
    winner = result[:1].upper() if agreed and not error else "?"
    first_name = "B" if first_color == BLACK else "W"
    first = {"0": 0.5, "?": None}.get(winner, float(winner == first_name))
    record = " ".join(f"{NAMES[m.color]}{format_vertex(m.point)}" for m in game.moves)
    times = (round(seconds[first_color], 2), round(seconds[3 - first_color], 2))
    return Outcome(number, first_name, first, result, len(game.moves), agreed, error, times, record)


def _play_moves(
    game: Game, engines: dict[int, Controller], seconds: dict[int, float], max_moves: int
) -> str:
    """Play until two passes or a resignation; return "B+R" or the like, "" after two passes."""
    color = BLACK
    while game.passes < 2:
        if len(game.moves) >= max_moves:
            raise EngineFailed(f"no end after {max_moves} moves")
        start = time.monotonic()
        answer = engines[color].send(f"genmove {NAMES[color]}")
        seconds[color] += time.monotonic() - start
        if answer.lower() == "resign":
            return "W+R" if color == BLACK else "B+R"
        game.play(color, parse_vertex(answer, game.size), superko=True)
        engines[3 - color].send(f"play {NAMES[color]} {answer}")
        color = 3 - color
    return ""


def _normal(score: str) -> str:
    """Return a score text in one spelling: B+3 and B+3.0 are the same."""
    color, plus, points = score.partition("+")
    try:
        return f"{color.upper()}{plus}{float(points):g}" if plus else "0"
    except ValueError:
        return score


def summary(outcomes: list[Outcome]) -> str:
    """Return the match's result in words, with its interval and what went wrong."""
    counted = [o for o in outcomes if o.first is not None]
    wins = sum(o.first for o in counted if o.first is not None)
    low, high = wilson_interval(wins, len(counted))
    as_black = [o for o in counted if o.first_color == "B"]
    black_wins = sum(o.first for o in as_black if o.first is not None)
    lines = [
        f"first won {wins:g} of {len(counted)} "
        f"({wins / max(len(counted), 1):.1%}, 95 % interval {low:.1%} to {high:.1%}); "
        f"as Black {black_wins:g} of {len(as_black)}, "
        f"as White {wins - black_wins:g} of {len(counted) - len(as_black)}",
        f"log likelihood ratio of 35 against 0 Elo: {log_likelihood_ratio(wins, len(counted)):.2f}"
        " (accepted at 2.94, rejected at -2.94)",
        f"errors {sum(bool(o.error) for o in outcomes)}, "
        f"scores disagreed {sum(not o.agreed for o in outcomes)}, "
        f"resigned {sum(o.result.endswith('R') for o in outcomes)}, "
        f"moves a game {sum(o.moves for o in outcomes) / max(len(outcomes), 1):.0f}",
    ]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the games that are still missing, then print the summary."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", required=True, help="command line of the first program")
    parser.add_argument("--second", required=True, help="command line of the second program")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.5)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1, help="games played side by side")
    parser.add_argument("--max-moves", type=int, default=1000)
    parser.add_argument("--out", type=Path, required=True, help="one JSON line per game")
    options = parser.parse_args(arguments)

    outcomes = []
    if options.out.exists():
        outcomes = [Outcome(**json.loads(line)) for line in options.out.read_text().splitlines()]
    done = {outcome.game for outcome in outcomes}
    missing = [number for number in range(options.games) if number not in done]
    with ThreadPoolExecutor(options.jobs) as pool, options.out.open("a") as out:
        games = pool.map(lambda number: play_game(number, options), missing)
        for outcome in tqdm(games, total=len(missing), file=sys.stderr):
            outcomes.append(outcome)
            out.write(json.dumps(asdict(outcome)) + "\n")
            out.flush()
    print(summary(outcomes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
