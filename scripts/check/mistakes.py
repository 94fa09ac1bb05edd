"""Check the mistakes that a review names, by a judge and by a second seed.

    python -m scripts.check.mistakes --games dan9.tar.gz kgs.tar.gz kyu.tar.gz --max-games 4 \
        --judge "katago gtp -model NET -config CONFIG" --out mistakes.json

Games are reviewed as ``yomi analyze`` does it, once with each seed. A program that knows KataGo's
``kata-search_analyze`` gives the lead in every position. The loss of a move is the fall of the
mover's lead. The judge only measures: the program that is measured learns nothing from it.

For each path and for all together the script prints shares: of named mistakes that both seeds name;
of named ones and of clear ones that the judge confirms (a loss of at least the least mistake); of
the judge's large mistakes that are named; of players whose largest loss is among the three
costliest moves of the review; of leads and losses within the shown intervals. It also prints how
often moves with a stated probability of a mistake are mistakes, how large the confirmed ones are
said to be, and how many of the named ones have a reason. The same command continues a run
that was stopped.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path

from tqdm import tqdm

from engine import BLACK, WHITE, Knowledge, PlayerOptions, Predictor, format_vertex
from engine.errors import BadSetup
from engine.explain.words import sentence
from engine.review import (
    MISTAKES,
    GamePosition,
    Judgement,
    Level,
    Lookout,
    lessons_of,
    remarks_of,
    review_game,
    with_again,
)
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
) -> Row:
    """Return a review's findings about positions and moves, and the processor seconds it took."""
    started = time.process_time()
    predictor = Predictor(knowledge.patterns) if knowledge.patterns is not None else None
    ranks = ranks_of(record, knowledge)
    lookout = Lookout(options, knowledge)
    review = review_game(positions, lookout, predictor, ranks=ranks)
    costliest = lessons_of(review, remarks_of(review, Level())).costliest
    shown = {one.judgement.after for own in costliest.values() for one in with_again(own)}
    return {
        "seed": options.seed,
        "seconds": round(time.process_time() - started, 1),
        "leads": [[round(lead, 2), round(reach, 2)] for lead, reach in review.leads],
        "moves": [row_of(judgement, judgement.after in shown) for judgement in review.judgements],
    }


def row_of(judgement: Judgement, costliest: bool) -> Row:
    """Return the part of a judgment that is saved.

    costliest  whether it is among the three costliest moves of its player
    """
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
        "clear": judgement.certainty == "clear",
        "costliest": costliest,
        "lost": [round(x, 2) for x in judgement.loss[:3]],
        "reasons": [sentence(effect) for effect in judgement.reasons],
    }


class Move:
    """A review's findings about a move, and its loss by the judge [points]."""

    def __init__(self, row: Row, leads: Sequence[float]) -> None:
        self.row = row
        fall = leads[row["after"] - 1] - leads[row["after"]]
        self.lost = fall if row["color"] == BLACK else -fall
        self.named = row["verdict"] == "mistake"
        self.confirmed = self.lost >= MISTAKES.least_loss


def moves_of(games: Sequence[Row], seed: int) -> list[list[Move]]:
    """Return the moves of each game with the findings of the review of a seed."""
    reviews = [(g, r) for g in games for r in g["reviews"] if r["seed"] == seed]
    return [[Move(row, game["leads"]) for row in review["moves"]] for game, review in reviews]


def shared_of(one: Sequence[Sequence[Move]], other: Sequence[Sequence[Move]]) -> tuple[int, int]:
    """Return how many moves both reviews of some games name, and how many at least one does."""
    pairs = [pair for games in zip(one, other, strict=True) for pair in zip(*games, strict=True)]
    both = sum(a.named and b.named for a, b in pairs)
    return both, sum(a.named or b.named for a, b in pairs)


def summary_row(name: str, games: Sequence[Row], seeds: Sequence[int]) -> TableRow:
    """Return a row about some games: see the header in ``print_result``."""
    reviews = [moves_of(games, seed) for seed in seeds]
    moves = [move for review in reviews for game in review for move in game]
    named, clear = [m for m in moves if m.named], [m for m in moves if m.row["clear"]]
    large = [move for move in moves if move.lost >= LARGE]
    both, any_ = shared_of(*reviews[:2]) if len(reviews) > 1 else (0, 0)
    players = [
        [move for move in game if move.row["color"] == color]
        for review in reviews
        for game in review
        for color in (BLACK, WHITE)
    ]
    # A player without a mistake has no costliest one.
    worst = [max(own, key=lambda move: move.lost) for own in players if own]
    worst = [move for move in worst if move.confirmed]
    within = [
        abs(lead - judged) <= reach
        for game in games
        for review in game["reviews"]
        for (lead, reach), judged in zip(review["leads"], game["leads"], strict=True)
    ]
    losses = [m.row["lost"][1] <= max(m.lost, 0.0) <= m.row["lost"][2] for m in moves]
    return [
        name, len(games), f"{both} of {any_}", *_shares(m.confirmed for m in named),
        *_shares(m.confirmed for m in clear), f"{sum(m.named for m in large)} of {len(large)}",
        f"{sum(move.row['costliest'] for move in worst)} of {len(worst)}",
        f"{sum(within) / len(within):.0%}", f"{sum(losses) / max(len(losses), 1):.0%}",
    ]  # fmt: skip


def _shares(confirmed: Iterable[bool]) -> tuple[str, str]:
    """Return how many are confirmed, and the 95 % interval of the share."""
    every = list(confirmed)
    low, high = wilson_interval(sum(every), len(every))
    return f"{sum(every)} of {len(every)}", f"{low:.0%} to {high:.0%}"


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
    done = {review["seed"] for review in row["reviews"]}
    for seed in options.seeds:
        if seed not in done:
            thinking = PlayerOptions(playouts=options.playouts, threads=options.threads, seed=seed)
            row["reviews"].append(reviewed(record, positions, thinking, knowledge))
            kept.save()


def print_result(games: Sequence[Row], seeds: Sequence[int]) -> None:
    """Print all figures."""
    names = list(dict.fromkeys(game["path"] for game in games))
    parts = {
        name: [game for game in games if name in (game["path"], ALL)] for name in (*names, ALL)
    }
    header = (
        "games", "number", "named by both", "confirmed", "95 %", "clear ones", "95 %",
        "large ones named", "largest among three", "leads within", "losses within",
    )  # fmt: skip
    print_table(header, [summary_row(Path(name).name, parts[name], seeds) for name in parts])
    longest = max(review["seconds"] for game in games for review in game["reviews"])
    print(f"at most {longest:.0f} s of one core a review")
    for name, part in parts.items():
        moves = [move for seed in seeds for game in moves_of(part, seed) for move in game]
        print_reliability(moves, Path(name).name)
    print_sizes([move for move in moves if move.named and move.confirmed])
    named = [move.row.get("reasons", []) for move in moves if move.named]
    print(f"named mistakes with a reason: {sum(map(bool, named))} of {len(named)}")


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
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="keep results, go on")
    options = parser.parse_args(arguments)
    setting = {name: getattr(options, name) for name in ("games", "playouts", "seeds")}
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
