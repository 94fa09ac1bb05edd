"""Compare the scores of finished games by yomi and GNU Go with the players' agreed scores.

    python -m scripts.check.counted_games --games train-handicap.tar.gz --rules japanese \
        --max-games 120 --out FILE

The script takes games that were counted and ended with two passes, in the order of the archive. A
record without ``KM`` is left out: its margin includes a komi that nobody knows. The script scores
the last position with the komi and the handicap of the record. It prints how many scores equal the
record for yomi and for GNU Go, every game that differs, the largest error where GNU Go agrees with
the record, and the time that one ``final_score`` of yomi takes.

The same command continues a run that was stopped. After a change of yomi, ``--gnugo-scores FILE``
takes GNU Go's scores from the rows of an earlier run.
"""

import json
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from engine import RULESETS, Game, Player, PlayerOptions, SgfError, YomiError
from engine.warm_ups import fates
from patterns_db.records.games import GameReader, to_game
from patterns_db.records.replay import replay_record, terms_of
from patterns_db.records.sgf import GameRecord, read_record
from patterns_db.shipped import load_knowledge
from scripts.controller import Controller
from scripts.game_options import games_parser
from scripts.kept_rows import KeptRows, Row
from scripts.play.arena import margin_of
from scripts.play.gtp_side import show_game
from scripts.tables import TableRow, print_table

GNU_GO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
LEVEL = 10


class CountedGame(NamedTuple):
    """The last position of a game, and what its record says of the end.

    margin  Black's [points]
    """

    source: str
    game: Game
    margin: float


def counted_game(source: str, data: bytes, rules: str) -> CountedGame | None:
    """Return a game that was counted and ended with two passes; None for all other records.

    A record without a komi does not count.
    rules  a name of RULESETS, or "record" for the record's own rules
    """
    try:
        record = read_record(data)
        margin = to_game(record, source).margin
        if margin is None or record.komi is None:
            return None
        game = final_position(record, rules)
    except SgfError:
        return None
    if game.passes < 2:
        return None
    return CountedGame(source, game, margin)


def final_position(record: GameRecord, rules: str) -> Game:
    """Return the last position of a record. Raises SgfError where a move is illegal."""
    terms = terms_of(record)
    return replay_record(record, terms.rules if rules == "record" else RULESETS[rules], terms.komi)


def counted_games(paths: Sequence[str], rules: str) -> Iterator[CountedGame]:
    """Yield the counted games of archives, folders and SGF files."""
    for source, data in GameReader(paths).records():
        found = None if isinstance(data, SgfError) else counted_game(source, data, rules)
        if found is not None:
            yield found


class GnuGo:
    """GNU Go's scores: one process for each way of counting, or rows of an earlier run.

    program  None: GNU Go is not installed
    known    scores by the name of the game
    """

    def __init__(self, program: str | None, known: dict[str, float | None], stack: ExitStack):
        self._program, self._known, self._stack = program, known, stack
        self._running: dict[str, Controller] = {}

    def score(self, source: str, game: Game) -> float | None:
        """Return Black's margin, None where GNU Go gives none. Raises ProgramFailed."""
        if source in self._known or not self._program:
            return self._known.get(source)
        scoring = game.rules.scoring
        if scoring not in self._running:
            rules = "japanese" if scoring == "territory" else "chinese"
            command = f"{self._program} --mode gtp --level {LEVEL} --{rules}-rules"
            self._running[scoring] = self._stack.enter_context(Controller(command))
        show_game(self._running[scoring], game)
        return margin_of(self._running[scoring].send("final_score"))


def known_scores(path: Path | None) -> dict[str, float | None]:
    """Return GNU Go's scores of an earlier run. Raises YomiError for another kind of file."""
    if path is None:
        return {}
    try:
        rows = json.loads(path.read_text("utf-8"))["games_counted"]
        return {row["game"]: row["gnugo"] for row in rows if row["gnugo"] is not None}
    except (OSError, ValueError, KeyError, TypeError):
        raise YomiError(f"{path}: not a file of results of this script") from None


def score_game(found: CountedGame, player: Player, gnugo: GnuGo) -> Row:
    """Return both scores of a game beside the record's, and the seconds that yomi took."""
    start = time.perf_counter()
    score = player.final_score(found.game)
    seconds = time.perf_counter() - start
    return {
        "game": found.source,
        "record": found.margin,
        "yomi": score,
        "seconds": round(seconds, 4),
        "gnugo": gnugo.score(found.source, found.game),
    }


def print_results(rows: Sequence[Row]) -> None:
    """Print the counts, the games that differ, the largest error and the seconds."""
    with_peer = [row for row in rows if row["gnugo"] is not None]
    equal = sum(row["yomi"] == row["record"] for row in rows)
    peer_equal = sum(row["gnugo"] == row["record"] for row in with_peer)
    print(f"equal to the record: yomi {equal} of {len(rows)}", end="")
    print(f", GNU Go {peer_equal} of {len(with_peer)}" if with_peer else "; GNU Go was not asked")
    table: list[TableRow] = [
        [row["game"], *map(_shown, (row["record"], row["yomi"], row["gnugo"])), _error(row)]
        for row in rows
        if row["yomi"] != row["record"] or row["gnugo"] not in (row["record"], None)
    ]
    if table:
        print_table(("game", "record", "yomi", "GNU Go", "yomi's error"), table)
    errors = {row["game"]: _error(row) for row in with_peer if row["gnugo"] == row["record"]}
    if errors:
        worst = max(errors, key=lambda game: errors[game])
        where = f" ({worst})" if errors[worst] else ""
        print(f"yomi's largest error where GNU Go agrees with the record: {errors[worst]:g}{where}")
    middle, late = np.percentile([row["seconds"] for row in rows], (50, 95))
    print(f"seconds a final_score of yomi: median {middle:.2f}, 95th percentile {late:.2f}")


def _error(row: Row) -> float:
    """Return how far yomi's score is from the record [points]."""
    return abs(float(row["yomi"]) - float(row["record"]))


def _shown(margin: float | None) -> str:
    """Return Black's margin as a result, "W+3.5"."""
    if margin is None:
        return "-"
    return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}" if margin else "0"


def main(arguments: Sequence[str] | None = None) -> int:
    """Score the games and print the comparison; return the exit status."""
    parser = games_parser(__doc__)
    parser.add_argument("--rules", choices=[*RULESETS, "record"], default="record")
    parser.add_argument("--max-games", type=int, metavar="N", help="counted games; default: all")
    parser.add_argument("--gnugo", metavar="PROGRAM", default=GNU_GO, help="default: if installed")
    parser.add_argument("--gnugo-scores", type=Path, metavar="FILE", help="rows of an earlier run")
    parser.add_argument("--out", type=Path, metavar="FILE", help="so that a stopped run goes on")
    options = parser.parse_args(arguments)
    setting = {"games": options.games, "rules": options.rules, "level": LEVEL}
    try:
        kept = KeptRows(options.out, setting, "games_counted")
        done = {row["game"] for row in kept.rows}
        fates()  # so that compiling is not in the seconds of the first games
        player = Player(PlayerOptions(threads=1, seed=1), load_knowledge())
        with ExitStack() as stack:
            gnugo = GnuGo(options.gnugo, known_scores(options.gnugo_scores), stack)
            bar = stack.enter_context(tqdm(total=options.max_games, unit="game", file=sys.stderr))
            for found in islice(counted_games(options.games, options.rules), options.max_games):
                if found.source not in done:
                    kept.add(score_game(found, player, gnugo))
                bar.update()
    except (YomiError, OSError) as error:
        print(f"counted_games: {error}", file=sys.stderr)
        return 2
    if not kept.rows:
        print("counted_games: no counted game that ended with two passes", file=sys.stderr)
        return 1
    print_results(kept.rows[: options.max_games])
    return 0


if __name__ == "__main__":
    sys.exit(main())
