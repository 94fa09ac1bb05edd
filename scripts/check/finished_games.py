"""Count wrong scores of finished games, and what an engine does wrong at their end.

    python -m scripts.check.finished_games --games train-9x9-mixed.tar.gz --rules japanese \
        --yomi "yomi --playouts 300 --threads 1 --seed 1" --max-games 100 --out FILE
    python -m scripts.check.finished_games --games MATCH.json --out FILE

Games are those that were counted and ended with two passes. The engine scores the last position;
the score is compared with the record. Then it is asked for a move before the last two passes, after
the first, and after both, wherever its side is ahead. A path that ends in ".json" is a match of
scripts.play.match, which keeps its rules. There the moves of its first side are judged instead:
every pass, and every stone of the side ahead in a closed position.

The engine under test is a command, so that another version has the same judge: this checkout's
(``late_moves``).
"""

import json
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from engine import BLACK, RULESETS, WHITE, Game, SgfError, format_vertex, parse_vertex
from patterns_db.records.games import GameReader, to_game
from patterns_db.records.replay import replay_record, terms_of
from patterns_db.records.sgf import read_record
from scripts.check.late_moves import FINDINGS, Findings, Judge
from scripts.controller import GNU_GO, Controller
from scripts.failures import reported
from scripts.game_options import games_parser
from scripts.kept_rows import KeptRows, Row
from scripts.play.arena import margin_of, moves_in
from scripts.play.gtp_side import NAMES, score_text, show_game
from scripts.tables import TableRow, print_table


class CountedGame(NamedTuple):
    """The last position of a game, and what its record says of the end."""

    source: str
    game: Game
    margin: float  # Black's [points]
    # Of the side whose moves are judged; None: the engine is asked for moves
    color: int | None = None


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
        terms = terms_of(record)
        own = terms.rules if rules == "record" else RULESETS[rules]
        game = replay_record(record, own, terms.komi)
    except SgfError:
        return None
    return CountedGame(source, game, margin) if game.passes >= 2 else None


def counted_games(paths: Sequence[str], rules: str) -> Iterator[CountedGame]:
    """Yield the counted games of matches, archives, folders and SGF files."""
    for path in filter(is_match, paths):
        yield from match_games(Path(path))
    for source, data in GameReader([path for path in paths if not is_match(path)]).records():
        found = None if isinstance(data, SgfError) else counted_game(source, data, rules)
        if found is not None:
            yield found


def is_match(path: str) -> bool:
    """Return whether a path names a match."""
    return path.endswith(".json")


def match_games(path: Path) -> Iterator[CountedGame]:
    """Yield the counted games of a match."""
    match = json.loads(path.read_text("utf-8"))
    for row in match["games"]:
        margin, game = margin_of(row["result"]), Game(match["size"], RULESETS[match["rules"]])
        game.komi = match["komi"]
        for color, point in moves_in(row["record"], game.size):
            game.play(color, point, forced=True)
        if margin is not None and game.passes >= 2:
            first = BLACK if row["first_color"] == "B" else WHITE
            yield CountedGame(f"{path.stem} {row['game']}", game, margin, first)


class Programs:
    """The engine under test and GNU Go; each runs until the script ends.

    gnugo  None: it is not asked
    """

    def __init__(self, yomi: str, gnugo: str | None, stack: ExitStack) -> None:
        self._yomi = stack.enter_context(Controller(yomi))
        self._gnugo, self._stack = gnugo, stack
        self._running: dict[str, Controller] = {}

    def score(self, game: Game) -> float | None:
        """Return the engine's margin for Black."""
        self._show(game)
        return margin_of(self._yomi.send("final_score"))

    def reply(self, game: Game) -> str:
        """Return the engine's move: a vertex, "pass" or "resign"."""
        self._show(game)
        return self._yomi.send(f"genmove {NAMES[game.to_play]}").lower()

    def peer_score(self, game: Game) -> float | None:
        """Return GNU Go's margin for Black, None where it gives none."""
        if not self._gnugo:
            return None
        rules = "japanese" if game.rules.scoring == "territory" else "chinese"
        if rules not in self._running:
            command = f"{self._gnugo} --mode gtp --level 10 --{rules}-rules"
            self._running[rules] = self._stack.enter_context(Controller(command))
        show_game(self._running[rules], game)
        return margin_of(self._running[rules].send("final_score"))

    def _show(self, game: Game) -> None:
        self._yomi.send(f"kata-set-rules {game.rules.name}")
        show_game(self._yomi, game)


def judge_end(found: CountedGame, programs: Programs, judge: Judge) -> Row:
    """Return the scores of a game beside the record's, and the engine's replies at its end."""
    start = time.perf_counter()
    score = programs.score(found.game)
    row: Row = {
        "game": found.source,
        "record": found.margin,
        "yomi": score,
        "seconds": round(time.perf_counter() - start, 4),
        "gnugo": programs.peer_score(found.game),
        "replies": [],
    }
    judged = judged_replies(found, programs, judge)
    if found.color is not None:
        judged = judged_moves(found.game, found.color, judge)
    for number, move, findings in judged:
        if findings:
            row["replies"].append({"number": number, "move": move, "findings": findings})
    return row


def judged_replies(
    found: CountedGame, programs: Programs, judge: Judge
) -> Iterator[tuple[int, str, Findings]]:
    """Yield the stones that the engine plays at the end of a game where its side is ahead."""
    for back in (2, 1, 0):
        game = found.game.copy()
        for _ in range(back):
            game.undo()
        margin = judge.margin(game, game.to_play)
        if margin <= 0:
            continue
        reply = programs.reply(game)
        if reply == "resign":
            yield len(game.moves), reply, {"winner changes": margin}
        elif reply != "pass":
            yield len(game.moves), reply, judge.stone(game, parse_vertex(reply, game.size))


def judged_moves(ended: Game, color: int, judge: Judge) -> Iterator[tuple[int, str, Findings]]:
    """Yield the moves of a color in a game from an empty board, with what is wrong about them."""
    game = Game(ended.size, ended.rules, ended.komi)
    for mover, point in ended.moves:
        if mover == color:
            yield len(game.moves), format_vertex(point), judge.late_move(game, point)
        game.play(mover, point, forced=True)


def print_replies(rows: Sequence[Row]) -> None:
    """Print the findings about moves, and how many games have each of them."""
    table: list[TableRow] = []
    games: dict[str, set[str]] = {name: set() for name in FINDINGS}
    for row in rows:
        for reply in row["replies"]:
            for name, points in reply["findings"].items():
                games[name].add(str(row["game"]))
                table.append([row["game"], reply["number"], reply["move"], name, points])
    if table:
        print_table(("game", "after move", "move", "finding", "points"), table)
    counts = ", ".join(f"{name} in {len(found)}" for name, found in games.items())
    print(f"{len(rows)} games: {counts}")


def print_scores(rows: Sequence[Row]) -> None:
    """Print how many scores equal the record, every one that does not, and the seconds."""
    with_peer = [row for row in rows if row["gnugo"] is not None]
    equal = sum(row["yomi"] == row["record"] for row in rows)
    peer_equal = sum(row["gnugo"] == row["record"] for row in with_peer)
    print(f"equal to the record: yomi {equal} of {len(rows)}", end="")
    print(f", GNU Go {peer_equal} of {len(with_peer)}" if with_peer else "; GNU Go was not asked")
    table: list[TableRow] = [
        [row["game"], *(_shown(row[who]) for who in ("record", "yomi", "gnugo"))]
        for row in rows
        if row["yomi"] != row["record"]
    ]
    if table:
        print_table(("game", "record", "yomi", "GNU Go"), table)
    errors = {
        row["game"]: abs(float(row["yomi"]) - float(row["record"]))
        for row in with_peer
        if row["gnugo"] == row["record"]
    }
    if errors:
        worst = max(errors, key=lambda game: errors[game])
        where = f" ({worst})" if errors[worst] else ""
        print(f"yomi's largest error where GNU Go agrees with the record: {errors[worst]:g}{where}")
    middle, late = np.percentile([row["seconds"] for row in rows], (50, 95))
    print(f"seconds a final_score of yomi: median {middle:.2f}, 95th percentile {late:.2f}")


def _shown(margin: float | None) -> str:
    return "-" if margin is None else score_text(margin)


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the ends of games and print the findings; return the exit status."""
    parser = games_parser(__doc__)
    parser.add_argument("--rules", choices=[*RULESETS, "record"], default="record")
    ours = f"{shlex.quote(sys.executable)} -m gtp --playouts 300 --threads 1 --seed 1"
    parser.add_argument("--yomi", default=ours, help="default: this one, 300 playouts")
    parser.add_argument("--max-games", type=int, metavar="N", help="counted games; default: all")
    parser.add_argument("--gnugo", metavar="PROGRAM", default=GNU_GO, help="default: if installed")
    parser.add_argument("--out", type=Path, metavar="FILE", help="so that a stopped run goes on")
    options = parser.parse_args(arguments)
    setting = {name: getattr(options, name) for name in ("games", "rules", "yomi")}
    kept = KeptRows(options.out, setting, "games_seen")
    done = {row["game"] for row in kept.rows}
    judge = Judge()
    with ExitStack() as stack:
        programs = Programs(options.yomi, options.gnugo, stack)
        games = islice(counted_games(options.games, options.rules), options.max_games)
        for found in tqdm(games, total=options.max_games, unit="game", file=sys.stderr):
            if found.source not in done:
                kept.add(judge_end(found, programs, judge))
    if not kept.rows:
        print("finished_games: no counted game that ended with two passes", file=sys.stderr)
        return 1
    print_scores(kept.rows)
    print_replies(kept.rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
