"""Compare the moves of two searches in the opinion of a long search.

    python -m scripts.play.compare_moves --first yomi:tactics=1 --second yomi \
        --playouts 250 --judge-playouts 4000 --size 13 --games 10 --out FILE.json

Both choose in the same positions of games between quick searches. Where they differ, a long search
gives the probability of a win after either move. This needs far fewer roll-outs than games do. But
the judge is a search of the same kind, and misses what such a search misses. The same command
continues a run that was stopped. With ``--from PATH`` the positions come from game records, at a
move number between 1/6 and 5/9 of the number of points of the board.
"""

import argparse
import math
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice, repeat
from pathlib import Path
from statistics import mean, stdev

from tqdm import tqdm

from engine import BLACK, RULESETS, WHITE, Game, YomiError
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.records.replay import replay_moves
from scripts.kept_rows import KeptRows, Row
from scripts.play.arena import turns
from scripts.play.contestants import Contestant, parse_contestant
from scripts.play.duel import Conditions, SearchSide, add_conditions, conditions_of, new_side

# Roll-outs a move of the games, which only lead to positions.
QUICK = 60
SETTLED = 0.03  # a win rate below this, or above its complement, ends a game


def win_rate_after(game: Game, point: int, judge: SearchSide) -> float:
    """Return the mover's winning probability after a move, by the judge."""
    after = game.copy()
    after.play(game.to_play, point)
    # The tree of the first move would influence the second one's judgment.
    judge.searcher.forget()
    answer = judge.best_move(after)
    return 0.5 if answer is None else 1.0 - answer.won


def quick_positions(guide: SearchSide, options: argparse.Namespace) -> Iterator[Game]:
    """Yield positions of a quick game while it is undecided; the same Game each time."""
    game = Game(options.size, RULESETS["chinese"], options.komi)
    for follow in turns(game, {BLACK: guide, WHITE: guide}, options.size**2):
        # In a decided game, differences between moves are only noise.
        if follow.win_rate is None or not SETTLED < follow.win_rate < 1.0 - SETTLED:
            break
        # Neither the opening nor each position, because neighbors say much the same.
        if len(game.moves) >= options.size and len(game.moves) % options.every == 0:
            yield game


def recorded_positions(record: DecodedGame, options: argparse.Namespace) -> Iterator[Game]:
    """Yield positions of a recorded game; the same Game each time."""
    points = options.size**2
    for game in replay_moves(record, RULESETS["chinese"], options.komi):
        moves = len(game.moves)
        if points // 6 <= moves <= points * 5 // 9 and moves % options.every == 0:
            yield game


def compare_game(
    number: int,
    pair: tuple[Contestant, Contestant],
    conditions: Conditions,
    options: argparse.Namespace,
    record: DecodedGame | None = None,
) -> Row:
    """Return the worth of the two searches' moves in one game, quick or recorded."""
    seed = conditions.seed + 10 * number
    quick = conditions._replace(playouts=QUICK, seconds=None)
    long = quick._replace(playouts=options.judge_playouts)
    plain = parse_contestant("yomi", options.rollouts, options.priors)
    guide, judge = new_side(plain, quick, seed), new_side(plain, long, seed + 1)
    # The same seed for both: equal searches then choose equal moves.
    sides = [new_side(one, conditions, seed + 2) for one in pair]
    positions, gains, seconds = 0, [], [0.0, 0.0]
    if record is None:
        games = quick_positions(guide, options)
    else:
        games = recorded_positions(record, options)
    for game in games:
        points = []
        for i, side in enumerate(sides):
            # Trees of earlier positions would help the search that reuses them sooner.
            side.searcher.forget()
            start = time.process_time()
            points.append(side.choose(game).point)
            seconds[i] += time.process_time() - start
        positions += 1
        if points[0] != points[1]:
            first, second = (win_rate_after(game, point, judge) for point in points)
            gains.append(first - second)
    return {
        "game": number,
        "positions": positions,
        "gains": [round(gain, 4) for gain in gains],
        "seconds": [round(one, 3) for one in seconds],
    }


def summary(rows: list[Row]) -> str:
    """Return the summary of all games."""
    gains = [gain for row in rows for gain in row["gains"]]
    positions = sum(row["positions"] for row in rows)
    if len(gains) < 2:
        return f"{positions} positions, {len(gains)} moves differ"
    # Positions where both choose the same move are left out, because they gain nothing.
    error = stdev(gains) / math.sqrt(len(gains))
    took = [1000 * sum(row["seconds"][i] for row in rows) / positions for i in range(2)]
    return (
        f"{took[0]:.0f} and {took[1]:.0f} ms a move; {positions} positions, {len(gains)} moves "
        f"differ; where they do, the first gains {100 * mean(gains):.2f} +- {100 * error:.2f} "
        "points of win rate"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare in the games that are missing and print the summary of all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", required=True)
    parser.add_argument("--second", required=True)
    parser.add_argument("--judge-playouts", type=int, default=4000)
    parser.add_argument("--every", type=int, default=3, help="moves between two positions")
    parser.add_argument("--from", nargs="+", dest="records", metavar="PATH", help="game records")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.json")
    add_conditions(parser, games=10)
    parser.set_defaults(rollouts="guided", priors=True)
    options = parser.parse_args(arguments)
    try:
        rows = run(options)
    except (YomiError, OSError) as error:
        print(f"compare_moves: {error}", file=sys.stderr)
        return 2
    print(f"{options.first} against {options.second}: {summary(rows)}")
    return 0


def records_of(options: argparse.Namespace) -> Iterator[DecodedGame | None]:
    """Return one record for each game, None for each that is to be played."""
    if not options.records:
        return repeat(None, options.games)
    fitting = (
        record
        for record in GameReader(options.records)
        if record.size == options.size and len(record.black) + len(record.white) == 0
    )
    return islice(fitting, options.games)


def run(options: argparse.Namespace) -> list[Row]:
    """Return all games' results; OUT holds the finished ones, of the same comparison only."""
    searches = ("first", "second", "playouts", "seconds", "rollouts", "priors")
    named = (*searches, "judge_playouts", "every", "size", "komi", "seed")
    setting = {name: getattr(options, name) for name in named}
    if options.records:
        setting["records"] = [Path(path).name for path in options.records]
    one, other = (
        parse_contestant(text, options.rollouts, options.priors)
        for text in (options.first, options.second)
    )
    kept = KeptRows(options.out, setting, "games", "another comparison")
    conditions = conditions_of(options)
    with tqdm(total=options.games, initial=len(kept.rows), file=sys.stderr) as bar:
        for number, record in enumerate(records_of(options)):
            if number < len(kept.rows):
                continue
            kept.add(compare_game(number, (one, other), conditions, options, record))
            bar.update()
            bar.set_postfix_str(summary(kept.rows))
    return kept.rows


if __name__ == "__main__":
    sys.exit(main())
