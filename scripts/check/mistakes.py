"""Check the mistakes that a review names, by a judge and by a second seed.

    python -m scripts.check.mistakes --games dan9.tar.gz kgs.tar.gz kyu.tar.gz --max-games 4 \
        --judge "katago gtp -model NET -config CONFIG" --evenly --out mistakes.json

Games are reviewed as ``yomi analyze`` does it, once with each seed. With ``--evenly`` they are also
reviewed with the same roll-outs shared out evenly. A program that knows KataGo's
``kata-search_analyze`` gives the lead in every position. The loss of a move is the fall of the
mover's lead. The judge only measures: yomi learns nothing from it.

The script prints three shares for each path and for all together. The first is of named mistakes
that both seeds name. The second is of those that the judge confirms (a loss of at least the least
mistake). The third is of the judge's large mistakes that are named. It also prints how often moves
with a stated probability of a mistake are mistakes, how large the confirmed ones are said to be,
and how many of the named ones have a concrete reason. The same command continues a run that was
stopped.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path

from tqdm import tqdm

from engine import BLACK, Knowledge, PlayerOptions, Predictor, format_vertex
from engine.errors import BadSetup
from engine.explain.words import sentence
from engine.review import MISTAKES, GamePosition, Judgement, Lookout, review_game
from gtp.review.positions import positions_of
from patterns_db.people.levels import ranks_of
from patterns_db.records.games import GameReader
from patterns_db.records.replay import terms_of
from patterns_db.records.sgf import GameRecord, read_main_line
from patterns_db.shipped import load_knowledge
from scripts.check.judge import KataGoJudge, add_judge, open_judge
from scripts.failures import reported
from scripts.game_options import games_parser
from scripts.kept_rows import KeptRows, Row
from scripts.significance import wilson_interval
from scripts.tables import TableRow, print_table

LARGE = 6.0  # points: size of a mistake that a review should not miss
JudgedGame = tuple[str, str, GameRecord, list[GamePosition]]
"""Path, source, record and positions of a game."""
BINS = (0.0, 0.25, 0.75, 1.0)  # of P(mistake)
ALL = "all"


def read_games(paths: Sequence[str], skip: int, most: int) -> Iterator[JudgedGame]:
    """Yield some games of each path."""
    for path in paths:
        for source, data in islice(GameReader([path]).records(), skip, skip + most):
            if isinstance(data, bytes):
                line = read_main_line(data)
                terms = terms_of(line.record)
                line, positions = positions_of(line, terms.rules, terms.komi)
                yield path, source, line.record, positions


def judged_leads(judge: KataGoJudge, positions: Sequence[GamePosition]) -> list[float]:
    """Return Black's lead in each position by the judge [points]."""
    leads = judge.course([position.game for position in positions])
    return [
        round(lead if position.game.to_play == BLACK else -lead, 2)
        for lead, position in zip(leads, positions, strict=True)
    ]


def reviewed(
    record: GameRecord,
    positions: Sequence[GamePosition],
    options: PlayerOptions,
    knowledge: Knowledge,
    evenly: bool,
) -> Row:
    """Return a review's findings about each move, and the processor seconds that it took."""
    started = time.process_time()
    predictor = Predictor(knowledge.patterns) if knowledge.patterns is not None else None
    ranks = ranks_of(record, knowledge)
    lookout = Lookout(options, knowledge)
    review = review_game(positions, lookout, predictor, ranks=ranks, evenly=evenly)
    return {
        "seed": options.seed,
        "evenly": evenly,
        "seconds": round(time.process_time() - started, 1),
        "moves": [row_of(judgement) for judgement in review.judgements],
    }


def row_of(judgement: Judgement) -> Row:
    """Return the part of a judgment that is saved."""
    comparison = judgement.comparison
    better = comparison.better if comparison is not None else None
    return {
        "after": judgement.after,
        "color": judgement.play.color,
        "played": format_vertex(judgement.play.point),
        "better": None if better is None else format_vertex(better),
        "times": 0 if comparison is None else comparison.times,
        "said": round(judgement.mistake, 4),
        "verdict": judgement.verdict,
        "lost": [
            round(x, 2) for x in (judgement.loss.points, judgement.loss.low, judgement.loss.high)
        ],
        "reasons": [[sentence(e), e.kind.is_concrete] for e in judgement.reasons],
    }


class Move:
    """A review's findings about a move, and its loss by the judge [points]."""

    def __init__(self, row: Row, leads: Sequence[float]) -> None:
        self.row = row
        fall = leads[row["after"] - 1] - leads[row["after"]]
        self.lost = fall if row["color"] == BLACK else -fall
        self.named = row["verdict"] == "mistake"
        self.confirmed = self.lost >= MISTAKES.least_loss


def moves_of(games: Sequence[Row], evenly: bool, seed: int) -> list[list[Move]]:
    """Return the moves of each game with the findings of one review."""
    found = []
    for game in games:
        reviews = [r for r in game["reviews"] if (r["evenly"], r["seed"]) == (evenly, seed)]
        found.append([Move(row, game["leads"]) for row in reviews[0]["moves"]])
    return found


def shared_of(one: Sequence[Sequence[Move]], other: Sequence[Sequence[Move]]) -> tuple[int, int]:
    """Return how many moves both reviews of some games name, and how many at least one does."""
    pairs = [pair for games in zip(one, other, strict=True) for pair in zip(*games, strict=True)]
    both = sum(a.named and b.named for a, b in pairs)
    return both, sum(a.named or b.named for a, b in pairs)


def summary_row(name: str, games: Sequence[Row], evenly: bool, seeds: Sequence[int]) -> TableRow:
    """Return a row about some games: see the header in ``print_result``."""
    reviews = [moves_of(games, evenly, seed) for seed in seeds]
    moves = [move for review in reviews for game in review for move in game]
    named = [move for move in moves if move.named]
    confirmed = sum(move.confirmed for move in named)
    low, high = wilson_interval(confirmed, len(named))
    large = [move for move in moves if move.lost >= LARGE]
    both, any_ = shared_of(*reviews[:2]) if len(reviews) > 1 else (0, 0)
    return [
        name, "evenly" if evenly else "utility", len(games), f"{both} of {any_}",
        f"{confirmed} of {len(named)}", f"{low:.0%} to {high:.0%}",
        f"{sum(move.named for move in large)} of {len(large)}",
    ]  # fmt: skip


def add_leads(kept: KeptRows, games: Sequence[JudgedGame], judge: KataGoJudge) -> None:
    """Have the games judged that are not judged yet, each once for all reviews."""
    done = {row["source"] for row in kept.rows}
    for path, source, _, positions in tqdm(games, unit="game", file=sys.stderr):
        if source not in done:
            leads = judged_leads(judge, positions)
            kept.add({"path": path, "source": source, "leads": leads, "reviews": []})


def add_reviews(
    kept: KeptRows,
    row: Row,
    record: GameRecord,
    positions: Sequence[GamePosition],
    options: argparse.Namespace,
    knowledge: Knowledge,
) -> None:
    """Add the reviews of a game that are still missing; each is saved at once."""
    done = {(review["evenly"], review["seed"]) for review in row["reviews"]}
    for evenly in (False, True) if options.evenly else (False,):
        for seed in options.seeds:
            if (evenly, seed) not in done:
                thinking = PlayerOptions(
                    playouts=options.playouts, threads=options.threads, seed=seed
                )
                review = reviewed(record, positions, thinking, knowledge, evenly)
                row["reviews"].append(review)
                kept.save()


def print_result(games: Sequence[Row], seeds: Sequence[int]) -> None:
    """Print all figures."""
    names = list(dict.fromkeys(game["path"] for game in games))
    ways = sorted({review["evenly"] for game in games for review in game["reviews"]})
    rows: list[TableRow] = []
    for evenly in ways:
        for name in (*names, ALL):
            part = [game for game in games if name in (game["path"], ALL)]
            if part:
                rows.append(summary_row(Path(name).name, part, evenly, seeds))
    header = (
        "games",
        "looks by",
        "number",
        "named by both",
        "confirmed",
        "95 %",
        "large ones named",
    )
    print_table(header, rows)
    for evenly in ways:
        reviews = [r for g in games for r in g["reviews"] if r["evenly"] == evenly]
        longest = max(review["seconds"] for review in reviews)
        print(f"{'evenly' if evenly else 'utility'}: at most {longest:.0f} s of one core a review")
    moves = [m for seed in seeds for game in moves_of(games, False, seed) for m in game]
    print_reliability([move for move in moves if move.row["times"] > 0], "looked at closer")
    print_reliability(moves, "all moves")
    print_sizes([move for move in moves if move.named and move.confirmed])
    named = [move.row.get("reasons", []) for move in moves if move.named]
    concrete = sum(any(sure for _, sure in reasons) for reasons in named)
    print(f"named mistakes with a concrete reason: {concrete} of {len(named)}")


def print_sizes(confirmed: Sequence[Move]) -> None:
    """Print how large confirmed mistakes are said to be, and what they lost by the judge."""
    found = [(move.lost, *move.row["lost"]) for move in confirmed]
    if found:
        lost, said = (sum(row[column] for row in found) / len(found) for column in (0, 1))
        held = sum(low <= points <= high for points, _, low, high in found) / len(found)
        print(
            f"confirmed mistakes: said to lose {said:.1f} points, lost {lost:.1f};"
            f" the 90 % interval holds {held:.0%} of {len(found)}"
        )


def print_reliability(moves: Sequence[Move], title: str) -> None:
    """Print how often moves were mistakes, by their stated probability of being one."""
    table: list[TableRow] = []
    for least, most in pairwise(BINS):
        part = [m for m in moves if least <= m.row["said"] < most or m.row["said"] == most == 1.0]
        if part:
            said = sum(move.row["said"] for move in part) / len(part)
            share = sum(move.confirmed for move in part) / len(part)
            table.append([f"{least:.0%} to {most:.0%}", len(part), said, share])
    print_table((f"P(mistake), {title}", "moves", "mean said", "confirmed"), table)


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Review, judge and print; return the exit status."""
    parser = games_parser(__doc__)
    parser.add_argument("--max-games", type=int, default=4, metavar="N", help="of each path")
    parser.add_argument("--skip", type=int, default=0, metavar="N", help="skip these first")
    add_judge(parser, required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 1001])
    parser.add_argument("--playouts", type=int, help="of a first look (as yomi analyze)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--evenly", action="store_true", help="review with even shares, too")
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="keep results, go on")
    options = parser.parse_args(arguments)
    setting = {name: getattr(options, name) for name in ("games", "playouts", "seeds", "evenly")}
    kept = KeptRows(options.out, setting, "games_judged")
    knowledge = load_knowledge()
    games = list(read_games(options.games, options.skip, options.max_games))
    if not games:
        raise BadSetup("no game to review")
    with open_judge(options.judge) as judge:
        assert judge is not None
        add_leads(kept, games, judge)
    for _, source, record, positions in tqdm(games, unit="game", file=sys.stderr):
        row = next(row for row in kept.rows if row["source"] == source)
        add_reviews(kept, row, record, positions, options, knowledge)
    most = max(len(row["reviews"]) for row in kept.rows)
    print_result([row for row in kept.rows if len(row["reviews"]) == most], options.seeds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
