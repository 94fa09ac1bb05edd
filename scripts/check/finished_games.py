"""Count what an engine does at the end of games: needless stones, defenses left out, early passes.

    python -m scripts.check.finished_games --games train-9x9-mixed.tar.gz --rules japanese \
        --yomi "yomi --playouts 300 --threads 1 --seed 1" --max-games 100 --out FILE
    python -m scripts.check.finished_games --match MATCH.json --rules japanese --out FILE

With ``--games`` it takes games that were counted and ended with two passes. The engine scores the
last position; the score is compared with the record. Then it is asked for a move before the last
two passes, after the first, and after both, wherever its side is ahead. With ``--match`` it takes
games of scripts.play.match, and looks at the first side's moves after the other side's first pass,
and at all of its passes.

- A stone is needless if it lowers the count of the side ahead.
- The winner changes if the sign of the margin does.
- A pass is early if playing on gains more than one point, both as area and by the game's rules. A
  defense is left out if the opponent gains as much by playing on after a pass. Both sides search
  then (``--playouts``), and the answering side longer: a gain that needs wrong answers is none.

The engine under test is a command, so that another version is measured by the same judge: this
checkout's final status.
"""

import argparse
import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from engine import (
    BLACK,
    PASS,
    RULESETS,
    WHITE,
    Game,
    Player,
    PlayerOptions,
    SgfError,
    YomiError,
    format_vertex,
    parse_vertex,
)
from engine.go.rules import Rules
from patterns_db.records.games import GameReader, to_game
from patterns_db.records.replay import replay_record, terms_of
from patterns_db.records.sgf import read_record
from patterns_db.shipped import load_knowledge
from scripts.check.playing_on import gain_by_playing_on
from scripts.controller import Controller
from scripts.kept_rows import KeptRows, Row
from scripts.play.arena import margin_of, moves_in
from scripts.play.gtp_side import NAMES, show_game
from scripts.tables import TableRow, print_table

GNU_GO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
EARLY = 1.0  # points gained by playing on above which a pass was early
ANSWERS = 10  # playouts of the answering side, for each one of the side that plays on


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
        terms = terms_of(record)
        own = terms.rules if rules == "record" else RULESETS[rules]
        game = replay_record(record, own, terms.komi)
    except SgfError:
        return None
    return CountedGame(source, game, margin) if game.passes >= 2 else None


def counted_games(paths: Sequence[str], rules: str) -> Iterator[CountedGame]:
    """Yield the counted games of archives, folders and SGF files."""
    for source, data in GameReader(paths).records():
        found = None if isinstance(data, SgfError) else counted_game(source, data, rules)
        if found is not None:
            yield found


class Judge:
    """Counts positions, and plays on from passes.

    playouts  of the side that plays on; 0: it does not play on
    """

    def __init__(self, playouts: int) -> None:
        self._playouts, self._knowledge = playouts, load_knowledge()
        self._counting = Player(PlayerOptions(threads=1, seed=1), self._knowledge)

    def margin(self, game: Game, color: int) -> float:
        """Return a color's margin [points]."""
        margin = self._counting.final_score(game)
        return margin if color == BLACK else -margin

    def look_at_stone(self, game: Game, color: int, point: int) -> Row:
        """Return what a stone costs the count of its side, and whether the winner changes."""
        after = game.copy()
        after.play(color, point, forced=True)
        margins = self.margin(game, color), self.margin(after, color)
        changes = (margins[0] > 0) != (margins[1] > 0)
        return {"cost": margins[0] - margins[1], "winner": changes}

    def look_at_pass(self, game: Game, color: int) -> Row:
        """Return the gains by playing on instead of a pass, and of the opponent's after it."""
        if not self._playouts:
            return {}
        here, after = game.copy(), game.copy()
        here.set_to_play(color)
        after.play(color, PASS)
        return {"early": self._gain(here), "left out": self._gain(after)}

    def _gain(self, game: Game) -> float:
        """Return the points that the side to move gains by playing on."""
        options = PlayerOptions(playouts=self._playouts, threads=1, seed=1)
        longer = replace(options, playouts=ANSWERS * self._playouts)
        # New players, so that a finding does not depend on earlier ones.
        pair = Player(options, self._knowledge), Player(longer, self._knowledge)
        return min(gain_by_playing_on(game, *pair)[1:])


# -- games of others, at their ends -----------------------------------------------------------


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

    def reply(self, game: Game, color: int) -> str:
        """Return the engine's move for a color: a vertex, "pass" or "resign"."""
        self._show(game)
        return self._yomi.send(f"genmove {NAMES[color]}").lower()

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


def look_at_end(found: CountedGame, programs: Programs, judge: Judge) -> Row:
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
    for back in (2, 1, 0):
        game = found.game.copy()
        for _ in range(back):
            game.undo()
        color = game.to_play
        if judge.margin(game, color) > 0:
            row["replies"].append(_look_at_reply(game, color, programs.reply(game, color), judge))
    return row


def _look_at_reply(game: Game, color: int, reply: str, judge: Judge) -> Row:
    """Return what the judge finds about a reply of the side ahead."""
    row: Row = {"number": len(game.moves), "move": reply}
    if reply == "resign":
        return row | {"winner": True}
    if reply != "pass":
        return row | judge.look_at_stone(game, color, parse_vertex(reply, game.size))
    # The second pass ends the game as the record does.
    return row if game.passes else row | judge.look_at_pass(game, color)


# -- games of a match -------------------------------------------------------------------------


def turns_of(row: Row, start: Game, first: bool) -> Iterator[tuple[Game, int]]:
    """Yield the positions of a match's game in which a side passes, or has been passed to.

    Each comes with the side's move.
    start  the empty board under the game's rules
    first  whether the side in question is the match's first
    """
    color = BLACK if (row["first_color"] == "B") == first else WHITE
    game, passed = start.copy(), False
    for mover, point in moves_in(row["record"], game.size):
        passed |= (mover, point) == (3 - color, PASS)
        if mover == color and (passed or point == PASS):
            yield game.copy(), point
        game.play(mover, point, forced=True)


def look_at_match(row: Row, rules: Rules, match: Row, first: bool, judge: Judge) -> Row:
    """Return the judge's findings about one side's end of a match's game."""
    replies = []
    for game, point in turns_of(row, Game(match["size"], rules, match["komi"]), first):
        color, vertex = game.to_play, format_vertex(point)
        if point == PASS or judge.margin(game, color) > 0:
            look = judge.look_at_pass(game, color) if point == PASS else None
            findings = judge.look_at_stone(game, color, point) if look is None else look
            replies.append({"number": len(game.moves), "move": vertex} | findings)
    return {"game": row["game"], "replies": replies}


# -- results ----------------------------------------------------------------------------------


def print_replies(rows: Sequence[Row]) -> None:
    """Print the findings about replies, and how many games have each of them."""
    table: list[TableRow] = []
    games: dict[str, set[str]] = {
        name: set() for name in ("needless stones", "winner changes", "early passes", "left out")
    }
    for row in rows:
        for reply in row["replies"]:
            signs = (
                reply.get("cost", 0.0) > 0,
                reply.get("winner", False),
                reply.get("early", 0.0) > EARLY,
                reply.get("left out", 0.0) > EARLY,
            )
            for name, sign in zip(games, signs, strict=True):
                if sign:
                    games[name].add(str(row["game"]))
                    points = max(reply.get(key, 0.0) for key in ("cost", "early", "left out"))
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
        [row["game"], *map(_shown, (row["record"], row["yomi"], row["gnugo"]))]
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
    """Return Black's margin as a result, "W+3.5"."""
    if margin is None:
        return "-"
    return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}" if margin else "0"


def looks_at(
    options: argparse.Namespace, judge: Judge, stack: ExitStack
) -> Iterator[tuple[object, Callable[[], Row]]]:
    """Yield the name of each game, and the function that returns the findings about it."""
    if options.match is None:
        programs = Programs(options.yomi, options.gnugo, stack)
        games = islice(counted_games(options.games, options.rules), options.max_games)
        for found in tqdm(games, total=options.max_games, unit="game", file=sys.stderr):
            yield found.source, partial(look_at_end, found, programs, judge)
        return
    match = json.loads(options.match.read_text("utf-8"))
    rules, first = RULESETS[options.rules], options.side == "first"
    for row in tqdm(match["games"], unit="game", file=sys.stderr):
        yield row["game"], partial(look_at_match, row, rules, match, first, judge)


def main(arguments: Sequence[str] | None = None) -> int:
    """Look at the ends of games and print the findings; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--games", nargs="+", metavar="PATH", help="records")
    source.add_argument("--match", type=Path, metavar="FILE", help="of scripts.play.match")
    parser.add_argument("--side", choices=("first", "second"), default="first")
    parser.add_argument("--rules", choices=[*RULESETS, "record"], default="record")
    parser.add_argument("--yomi", default="yomi --playouts 300 --threads 1 --seed 1")
    parser.add_argument("--playouts", type=int, default=3000, help="of playing on; 0: none")
    parser.add_argument("--max-games", type=int, metavar="N", help="counted games; default: all")
    parser.add_argument("--gnugo", metavar="PROGRAM", default=GNU_GO, help="default: if installed")
    parser.add_argument("--out", type=Path, metavar="FILE", help="so that a stopped run goes on")
    options = parser.parse_args(arguments)
    names = ("games", "side", "rules", "yomi", "playouts")
    setting = {name: getattr(options, name) for name in names} | {"match": str(options.match)}
    try:
        kept = KeptRows(options.out, setting, "games_seen")
        done = {row["game"] for row in kept.rows}
        judge = Judge(options.playouts)
        with ExitStack() as stack:
            for name, look in looks_at(options, judge, stack):
                if name not in done:
                    kept.add(look())
    except (YomiError, OSError, ValueError, KeyError, TypeError) as error:
        print(f"finished_games: {error}", file=sys.stderr)
        return 2
    if not kept.rows:
        print("finished_games: no counted game that ended with two passes", file=sys.stderr)
        return 1
    if options.match is None:
        print_scores(kept.rows)
    print_replies(kept.rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
