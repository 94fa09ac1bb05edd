"""Show that two checkouts behave alike: games, scores, readings, problems, reviews.

    python -m scripts.check.equal . ../other --problems life.jsonl
    python -m scripts.check.equal ../other --out other.json
    python -m scripts.check.equal . other.json --parts scores reviews
    python -m scripts.check.equal . --parts games --games 9:40:1 --out recorded.json

A place is a checkout, which runs with its own interpreter (``.venv``), or a file written by --out.
Both answer the same questions, which are about the games of the last place. Every answer goes
through a public door: GTP, ``yomi bench``, ``yomi solve --life`` and ``yomi analyze``. The exit
status is 1 at a difference.

Games are played move by move, over GTP with one thread, a fixed number of playouts and a seed. A
digest of every move's explanation is kept: it has all candidates, so that a change shows before it
changes a move. Readings of chains also end after seconds, so that a busy machine may decide fewer.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from tqdm import tqdm

from engine import BLACK, RULESETS, WHITE, Game, format_vertex
from engine.errors import BadSetup
from engine.picture.picture import picture_of
from patterns_db.records.replay import record_of
from patterns_db.records.sgf import write_record
from patterns_db.store.whole_files import write_whole
from scripts.controller import Controller, ProgramFailed
from scripts.failures import reported
from scripts.kept_rows import Row
from scripts.play.arena import turns
from scripts.play.gtp_side import GtpSide, show_game

Answers = dict[str, str]
Item = TypeVar("Item")

GAMES = ("9:300:1", "13:150:2", "19:60:3")  # size, playouts, seed
KOMI = 7.5
CONDITIONS = ("size", "playouts", "seed")
PARTS = ("games", "signature", "scores", "readings", "life", "reviews")
SCORES, READINGS, PROBLEMS, REVIEWS = 200, 60, 40, 3
REVIEW_ROLLOUTS = 60
REVIEWED_MOVES = 80  # the opening and the first fights of a game
LIFE_NODES, LIFE_SECONDS = 20_000, 4  # the nodes end a reading before the seconds do
SHOWN = 5  # differences of a part that are printed


class Place(NamedTuple):
    """A checkout and its interpreter."""

    folder: Path
    python: str

    def run(self, *words: str) -> str:
        """Return what a ``yomi`` command prints. Raises ProgramFailed."""
        command = [self.python, "-m", "gtp", *words]
        ended = subprocess.run(
            command, cwd=self.folder, stdout=subprocess.PIPE, text=True, check=False
        )
        if ended.returncode:
            raise ProgramFailed(f"{self.folder}: yomi {' '.join(words)} failed")
        return ended.stdout

    def gtp(self) -> Controller:
        """Return the engine at its GTP prompt, with one thread and a seed."""
        command = f"{self.python} -m gtp --threads 1 --seed 1 --playouts 10"
        return Controller(command, folder=self.folder)


def place_at(folder: Path) -> Place:
    """Return a checkout with its own interpreter, or with this one if it has none."""
    own = folder.absolute() / ".venv" / "bin" / "python"
    return Place(folder, str(own) if own.exists() else sys.executable)


def record_game(size: int, playouts: int, seed: int, place: Place) -> Row:
    """Return one game of a place against itself. Raises ProgramFailed, IllegalMove."""
    # Nobody resigns, so that games include endings; the rules are chinese, the engine's default.
    command = f"{place.python} -m gtp --playouts {playouts} --threads 1 --seed {seed}"
    game = Game(size, RULESETS["chinese"], KOMI)
    reasons = []
    with Controller(f"{command} --resign never", folder=place.folder) as program:
        side = GtpSide(program, size, KOMI)
        most_moves = 2 * size * size
        with tqdm(desc=f"{size}x{size}", unit=" moves", file=sys.stderr) as bar:
            for _ in turns(game, {BLACK: side, WHITE: side}, most_moves):
                # Asked now, because the next genmove overwrites the explanation.
                explanation = program.send("yomi-explain")
                reasons.append(hashlib.sha256(explanation.encode()).hexdigest()[:12])
                bar.update()
        score = side.final_score(game)
    return {
        "size": size, "playouts": playouts, "seed": seed, "score": score,
        "moves": [format_vertex(move.point) for move in game.moves], "reasons": reasons,
    }  # fmt: skip


def settings_of(wanted: Sequence[str]) -> list[tuple[int, int, int]]:
    """Return size, playouts and seed of each game to record. Raises BadSetup."""
    try:
        numbers = [[int(number) for number in text.split(":")] for text in wanted]
        return [(size, playouts, seed) for size, playouts, seed in numbers]
    except ValueError:
        raise BadSetup(f"not SIZE:PLAYOUTS:SEED: {' '.join(wanted)}") from None


def first_difference(one: Row, other: Row) -> str:
    """Return the first difference of two games of equal conditions, "" if there is none."""
    if any(one[name] != other[name] for name in CONDITIONS):
        return "other conditions"
    pairs = zip(one["moves"], other["moves"], one["reasons"], other["reasons"], strict=False)
    for number, (move, other_move, reason, other_reason) in enumerate(pairs, 1):
        if move != other_move:
            return f"move {number}: {move} against {other_move}"
        if reason != other_reason:
            return f"move {number}: {move} in both, with another explanation"
    if len(one["moves"]) != len(other["moves"]):
        return f"{len(one['moves'])} moves against {len(other['moves'])}"
    return "" if one["score"] == other["score"] else f"score {one['score']}, {other['score']}"


def game_of(row: Row) -> Game:
    """Return a recorded game."""
    game = Game(row["size"], RULESETS["chinese"], KOMI)
    for vertex in row["moves"]:
        game.play(vertex)
    return game


def positions_of(games: Sequence[Game], count: int) -> Iterator[tuple[str, Game]]:
    """Yield positions, each with its name, at even distances over all moves of the games."""
    ends = [
        (number, moves) for number, game in enumerate(games) for moves in range(len(game.moves))
    ]
    for index in range(count):
        number, moves = ends[(index + 1) * len(ends) // count - 1]
        position = games[number].copy()
        while len(position.moves) > moves + 1:
            position.undo()
        yield f"game {number + 1}, move {moves + 1}", position


def scores(place: Place, games: Sequence[Game], _: argparse.Namespace) -> Answers:
    """Return ``final_score`` and the dead stones of positions all over the games."""
    answers = {}
    with place.gtp() as program:
        for name, game in _progress(list(positions_of(games, SCORES)), "scores"):
            show_game(program, game)
            commands = ("final_score", "final_status_list dead")
            answers[name] = " / ".join(program.send(command) for command in commands)
    return answers


def readings(place: Place, games: Sequence[Game], _: argparse.Namespace) -> Answers:
    """Return ``attack`` and ``defend`` of chains with two or three liberties, evenly chosen."""
    fights = [
        (name, game, format_vertex(chain.first))
        for name, game in positions_of(games, 2 * READINGS)
        for chain in picture_of(game.board).chains
        if len(chain.liberties) in (2, 3)
    ]
    answers = {}
    with place.gtp() as program:
        for name, game, vertex in _progress(fights[:: -(-len(fights) // READINGS)], "readings"):
            show_game(program, game)
            for command in (f"attack {vertex}", f"defend {vertex}"):
                try:
                    answers[f"{name}, {command}"] = program.send(command)
                except ProgramFailed as failure:
                    if "no result" not in str(failure):
                        raise
                    answers[f"{name}, {command}"] = "no result"
    return answers


def _progress(items: Sequence[Item], name: str) -> Iterable[Item]:
    return tqdm(items, name, file=sys.stderr, disable=None)


def life(place: Place, _: Sequence[Game], options: argparse.Namespace) -> Answers:
    """Return the status, move and nodes of problems of life and death, evenly out of a file."""
    if options.problems is None:
        return {}
    lines = options.problems.read_text("utf-8").splitlines(keepends=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "problems.jsonl"
        path.write_text("".join(lines[:: -(-len(lines) // PROBLEMS)]))
        limits = ("--max-nodes", str(LIFE_NODES), "--seconds", str(LIFE_SECONDS))
        printed = place.run("solve", "--life", "--problems", str(path), *limits, "--json")
    answers = {}
    for row in map(json.loads, printed.splitlines()):
        if "id" in row:
            # A search with a limit of seconds chooses the move of an undecided problem.
            move = "" if row["status"] == "unknown" else row["move"]
            answers[row["id"]] = f"{row['status']} {move} {row['nodes']} {row['group']}"
    return answers


def reviews(place: Place, games: Sequence[Game], _: argparse.Namespace) -> Answers:
    """Return reviews of the first moves of games, as commented records."""
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, game in enumerate(_progress(games[:REVIEWS], "reviews"), 1):
            path, out = (Path(folder) / name for name in (f"{number}.sgf", "reviewed.sgf"))
            path.write_bytes(_record(game))
            limits = ("--playouts", str(REVIEW_ROLLOUTS), "--threads", "1", "--seed", "1")
            place.run("analyze", str(path), "--out", str(out), *limits)
            answers[f"review {number}"] = out.read_text("utf-8")
    return answers


def _record(game: Game) -> bytes:
    opening = game.copy()
    while len(opening.moves) > REVIEWED_MOVES:
        opening.undo()
    return write_record(record_of(opening))


def signature(place: Place, _: Sequence[Game], options: argparse.Namespace) -> Answers:
    """Return the signature of ``yomi bench``."""
    return {"signature": json.loads(place.run("bench", "--json"))["signature"]}


ASKED: dict[str, Callable[[Place, Sequence[Game], argparse.Namespace], Answers]] = {
    "signature": signature,
    "scores": scores,
    "readings": readings,
    "life": life,
    "reviews": reviews,
}


def answers_at(
    where: Path,
    rows: list[Row] | None,
    options: argparse.Namespace,
    save: Callable[[Row], None] = lambda _: None,
) -> Row:
    """Return all answers of a place.

    rows  the games that the questions are about; None: this place's own
    save  is called with the answers so far after each part
    Raises BadSetup, YomiError, OSError.
    """
    if not where.is_dir():
        try:
            stored: Row = json.loads(where.read_text("utf-8"))
            return stored | {"games": stored["games"]}
        except (ValueError, KeyError, TypeError) as error:
            raise BadSetup(f"{where}: neither a checkout nor answers ({error})") from None
    place = place_at(where)
    answers: Row = {}
    if rows is None or "games" in options.parts:
        answers["games"] = [record_game(*one, place) for one in settings_of(options.games)]
    games = [game_of(row) for row in rows or answers["games"]]
    for part in options.parts:
        if part != "games":
            answers[part] = ASKED[part](place, games, options)
        save(answers)
    return answers


def differences_of(part: str, one: Any, other: Any) -> Iterator[str]:
    """Yield the differences of one part's answers of two places."""
    if part == "games":
        if len(one) != len(other):
            yield f"{len(one)} games against {len(other)}"
        for game, rival in zip(one, other, strict=False):
            if difference := first_difference(game, rival):
                yield f"{game['size']}x{game['size']}: {difference}"
        return
    for name in sorted(one.keys() | other.keys()):
        pair = one.get(name, "missing"), other.get(name, "missing")
        if pair[0] != pair[1]:
            yield f"{name}: {pair[0][:100]!r} against {pair[1][:100]!r}"


def compare(one: Row, other: Row) -> bool:
    """Print the differences of the parts that both places have; return whether there are none."""
    equal = True
    for part in PARTS:
        if part not in one or part not in other:
            continue
        differences = list(differences_of(part, one[part], other[part]))
        print(f"{part}: {len(one[part])} answers, {len(differences)} differences", flush=True)
        print("".join(f"  {text}\n" for text in differences[:SHOWN]), end="")
        equal &= not differences
    return equal


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Ask both places, compare; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("places", nargs="+", type=Path, help="checkouts, or files of answers")
    parser.add_argument(
        "--out", type=Path, metavar="FILE.json", help="write the last one's answers"
    )
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--games", nargs="+", default=GAMES, metavar="SIZE:PLAYOUTS:SEED")
    parser.add_argument("--problems", type=Path, metavar="FILE.jsonl", help="of life and death")
    options = parser.parse_args(arguments)

    def save(answers: Row) -> None:
        if options.out is not None:
            write_whole(options.out, json.dumps(answers).encode())

    *first, last = options.places
    answers = answers_at(last, None, options, save)
    others = [answers_at(place, answers["games"], options) for place in first]
    return 0 if all([compare(other, answers) for other in others]) else 1


if __name__ == "__main__":
    sys.exit(main())
