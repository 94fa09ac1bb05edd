"""Record the engine's games move by move, and compare them with earlier ones.

    python -m scripts.check.recorded_games . --out before.json
    python -m scripts.check.recorded_games . --against before.json
    python -m scripts.check.recorded_games . --against ../other-checkout

A place is a checkout, or a file that was written by --out. A checkout's ``python -m gtp`` plays
both colors over GTP with one thread, a fixed number of playouts and a seed. A digest of every
move's explanation is kept as well: it has all candidates, so that a change shows before it changes
a move. The exit status is 1 at a difference.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from engine import BLACK, RULESETS, WHITE, Game, YomiError, format_vertex
from engine.errors import BadSetup
from patterns_db.store.whole_files import write_whole
from scripts.controller import Controller
from scripts.kept_rows import Row
from scripts.play.arena import turns
from scripts.play.gtp_side import GtpSide

ENGINE = f"{sys.executable} -m gtp"
GAMES = ("9:300:1", "13:150:2", "19:60:3")
KOMI = 7.5
FORMAT = 1
CONDITIONS = ("size", "playouts", "seed")


def record_game(size: int, playouts: int, seed: int, engine: str, folder: Path) -> Row:
    """Return one game of an engine against itself.

    folder  the checkout where the engine's command runs
    Raises ProgramFailed, IllegalMove.
    """
    # Nobody resigns, so that games include endings; the rules are chinese, the engine's default.
    command = f"{engine} --playouts {playouts} --threads 1 --seed {seed} --resign never"
    game = Game(size, RULESETS["chinese"], KOMI)
    reasons = []
    with Controller(command, folder=folder) as program:
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


def games_of(place: Path, engine: str, wanted: Sequence[str]) -> list[Row]:
    """Return the games of a file, or record them in a checkout.

    wanted  SIZE:PLAYOUTS:SEED of each game to record
    Raises BadSetup for a place that is neither, or as ``settings_of``.
    """
    if place.is_dir():
        return [record_game(*numbers, engine, place) for numbers in settings_of(wanted)]
    try:
        stored = json.loads(place.read_text("utf-8"))
        if stored["format"] != FORMAT:
            raise BadSetup(f"{place}: of another version of this script")
        return list(stored["games"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadSetup(f"{place}: neither a checkout nor recorded games ({error})") from None


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


def compare(games: list[Row], others: list[Row]) -> bool:
    """Print the differences; return whether there are none."""
    if len(games) != len(others):
        print(f"{len(games)} games against {len(others)}")
        return False
    differences = [first_difference(*pair) for pair in zip(games, others, strict=True)]
    for game, difference in zip(games, differences, strict=True):
        name = f"{game['size']}x{game['size']}, {len(game['moves'])} moves, {game['score']}"
        print(f"{name}: {difference or 'the same'}")
    return not any(differences)


def main(arguments: Sequence[str] | None = None) -> int:
    """Record or read, write, compare; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("place", type=Path, help="a checkout, or a file of recorded games")
    parser.add_argument("--against", type=Path, metavar="PLACE", help="compare with this one")
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="write the first one's games")
    parser.add_argument("--engine", default=ENGINE, metavar="COMMAND", help="run in a checkout")
    parser.add_argument("--games", nargs="+", default=GAMES, metavar="SIZE:PLAYOUTS:SEED")
    options = parser.parse_args(arguments)
    try:
        games = games_of(options.place, options.engine, options.games)
        if options.out is not None:
            text = ",\n".join(json.dumps(game) for game in games)
            write_whole(options.out, f'{{"format": {FORMAT}, "games": [\n{text}\n]}}\n'.encode())
        if options.against is None:
            for game in games:
                print(f"{game['size']}x{game['size']}: {' '.join(game['moves'])} {game['score']}")
            return 0
        others = games_of(options.against, options.engine, options.games)
    except (YomiError, OSError) as error:
        print(f"recorded_games: {error}", file=sys.stderr)
        return 2
    return 0 if compare(games, others) else 1


if __name__ == "__main__":
    sys.exit(main())
