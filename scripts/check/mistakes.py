"""Are the mistakes that a review names mistakes? Judged by searches ten times as long.

    python -m scripts.check.mistakes --games test-4400.tar.gz --max-games 5 --out mistakes.json

Games are reviewed as ``yomi analyze`` does it; every move that was looked at longer, named as one
or not, is then judged: the positions after it and after the move that is said to be better are
searched ten times as long as the review did. It is confirmed when it loses at least what a mistake
does. Printed are the share of named mistakes that are, and how often those said with some
probability are (a reliability table).
"""

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

from tqdm import tqdm

from engine import Game, Knowledge, PlayerOptions, Predictor, YomiError, format_vertex
from engine.review.judging import Judgement, review_game
from engine.review.looks import LEAD, Lookout
from engine.review.mistakes import least_mistake
from engine.review.remarks import is_named
from gtp.review.positions import positions_of
from patterns_db.records.games import GameReader
from patterns_db.records.replay import terms_of
from patterns_db.records.sgf import read_main_line
from patterns_db.shipped import load_knowledge
from scripts.kept_rows import KeptRows, Row
from scripts.significance import wilson_interval
from scripts.tables import print_table

TIMES = 10  # as long
BINS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)


def judge(
    judgement: Judgement, game: Game, number: int, quick: PlayerOptions, knowledge: Knowledge
) -> Row | None:
    """Return what was said of a move and what a search TIMES as long says; None: nothing to judge.

    game  before the move
    """
    comparison = judgement.comparison
    if comparison is None or comparison.better is None:
        return None
    # Other random numbers, too: the same roll-outs once more would agree with themselves.
    longer = replace(quick, playouts=TIMES * (quick.playouts or 1), seed=2)
    judged = Lookout(longer, knowledge).compare_with(game, judgement.play.point, comparison.better)
    said, found = comparison.losses[LEAD], judged.losses[LEAD]
    return {
        "move": number,
        "played": format_vertex(judgement.play.point),
        "better": format_vertex(comparison.better),
        "said": round(judgement.mistake, 4),
        "size": round(judgement.size, 2),
        "low": round(judgement.low, 2),
        "high": round(judgement.high, 2),
        "compared": round(said.mean, 2),
        "deviation": round(math.sqrt(1.0 / said.pi), 2),
        "judged": round(found.mean, 2),
        "least": least_mistake(game.size),
    }


def judge_game(
    data: bytes, quick: PlayerOptions, knowledge: Knowledge, most: int, least_said: float
) -> list[Row]:
    """Review a game and judge some of its suspected moves, as they come in the game.

    least_said  P(mistake) from which on a move is judged
    """
    line = read_main_line(data)
    terms = terms_of(line.record)
    _, positions = positions_of(line, terms.rules, terms.komi)
    predictor = Predictor(knowledge.patterns) if knowledge.patterns is not None else None
    review = review_game(positions, Lookout(quick, knowledge), predictor)
    rows: list[Row] = []
    for judgement in review.judgements:
        if len(rows) == most:
            break
        if judgement.mistake < least_said:
            continue
        before, after = review.thoughts[judgement.before], review.thoughts[judgement.after]
        row = judge(judgement, before.game, after.number, quick, knowledge)
        rows += [] if row is None else [row]
    return rows


def is_confirmed(row: Row) -> bool:
    """Return whether the long search calls a mistake what was suspected."""
    return bool(row["judged"] >= row["least"])


def print_result(rows: Sequence[Row]) -> None:
    """Print the share of named mistakes that are confirmed, and the reliability table."""
    named = [row for row in rows if is_named(row["said"], row["compared"], row["least"])]
    confirmed = sum(map(is_confirmed, named))
    low, high = wilson_interval(confirmed, len(named))
    print(f"named mistakes: {confirmed} of {len(named)} confirmed ({low:.1%} to {high:.1%})")
    mistakes = list(filter(is_confirmed, named))
    inside = sum(row["low"] <= row["judged"] <= row["high"] for row in mistakes)
    print(f"size as judged inside its 90 % interval: {inside} of the {len(mistakes)} confirmed")
    if not rows:
        return
    squares = [(row["compared"] - row["judged"]) ** 2 for row in rows]
    said = [row["deviation"] ** 2 for row in rows]
    print(
        f"comparisons err by {math.sqrt(sum(squares) / len(rows)):.2f} points (r.m.s.),"
        f" said {math.sqrt(sum(said) / len(rows)):.2f}"
    )
    table = []
    for least, most in pairwise(BINS):
        part = [row for row in rows if least <= row["said"] < most or row["said"] == most == 1.0]
        if part:
            said_mean = sum(row["said"] for row in part) / len(part)
            share = sum(map(is_confirmed, part)) / len(part)
            table.append([f"{least:.0%} to {most:.0%}", len(part), said_mean, share])
    print_table(("said P(mistake)", "moves", "mean said", "confirmed"), table)


def main(arguments: Sequence[str] | None = None) -> int:
    """Review, judge and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", required=True, metavar="PATH")
    parser.add_argument("--max-games", type=int, default=5, metavar="N")
    parser.add_argument("--skip", type=int, default=0, metavar="N", help="so many games first")
    parser.add_argument("--most", type=int, default=20, help="moves of a game that are judged")
    parser.add_argument(
        "--least-said", type=float, default=0.0, metavar="P", help="P(mistake) to be judged"
    )
    parser.add_argument("--playouts", type=int, default=250, help="of the review's quick searches")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="keep results, go on")
    options = parser.parse_args(arguments)
    quick = PlayerOptions(playouts=options.playouts, threads=options.threads, seed=1)
    setting = {
        "games": options.games,
        "playouts": options.playouts,
        "most": options.most,
        "least_said": options.least_said,
    }
    try:
        kept = KeptRows(options.out, setting, "games_judged")
        knowledge = load_knowledge()
        done = {row["source"] for row in kept.rows}
        with tqdm(total=options.max_games, unit="game", file=sys.stderr) as bar:
            last = options.skip + options.max_games
            for source, data in islice(GameReader(options.games).records(), options.skip, last):
                if source not in done and isinstance(data, bytes):
                    rows = judge_game(data, quick, knowledge, options.most, options.least_said)
                    kept.add({"source": source, "moves": rows})
                bar.update()
    except YomiError as error:
        print(f"mistakes: {error}", file=sys.stderr)
        return 2
    print_result([row for game in kept.rows for row in game["moves"]])
    return 0


if __name__ == "__main__":
    sys.exit(main())
