"""Reproduce the figures of Stern, Herbrich & Graepel (2006).

python -m scripts.reproduce.stern2006 models --games TRAIN --test TEST --plot DIR
python -m scripts.reproduce.stern2006 figure1 GAME.sgf --move 40 --plot board.png
python -m scripts.reproduce.stern2006 figure6 --out game.sgf

models   Figures 3 (right), 4 and 5 as tables and drawings: all models trained on the same games
figure1  the probability of each legal move of a position, on the board
figure6  the pattern system against itself, always the most probable sensible move

``yomi evaluate --plot`` draws Figures 3 to 5 of one trained model. Tests of both models cover the
three worlds of Figure 3 (left).
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine import (
    BLACK,
    COLOR_NAMES,
    WHITE,
    BadSetup,
    Game,
    PatternThinker,
    Player,
    PlayerOptions,
    Predictor,
    YomiError,
    format_vertex,
    to_column_row,
)
from engine.go.geometry import COLUMN_LETTERS
from gtp.plotting import new_figure, save_figure
from patterns_db.records.replay import record_of, replay_record, terms_of
from patterns_db.records.sgf import read_record, write_record
from patterns_db.shipped import PATTERN_TABLE, load_knowledge
from patterns_db.store.whole_files import write_whole
from scripts.reproduce.pattern_models import models
from scripts.tables import print_table

SHOWN = 20  # moves in figure 1's list
LABELED = 0.005  # probabilities that get a number on the board


def figure1(options: argparse.Namespace) -> None:
    """Print and draw the probability of each legal move (Fig. 1)."""
    # First, so that a missing matplotlib is reported at once.
    figure = new_figure(options.plot, 8, 8) if options.plot else None
    record = read_record(options.sgf.read_bytes())
    if not 1 <= options.move <= len(record.moves) + 1:
        raise BadSetup(f"--move is from 1 to {len(record.moves) + 1}")
    terms = terms_of(record)
    game = replay_record(record, terms.rules, terms.komi, options.move - 1)
    patterns = load_knowledge(options.patterns).patterns
    assert patterns is not None
    chances = Predictor(patterns).of_game(game, game.to_play)
    played = record.moves[options.move - 1].point if options.move <= len(record.moves) else None
    # Ties by point, so that the list is the same every time.
    ranked = sorted(chances.items(), key=lambda item: (-item[1], item[0]))
    print(game)
    print_table(
        ["rank", "move", "percent", "played"],
        [
            [rank, format_vertex(point), 100 * chance, "*" if point == played else ""]
            for rank, (point, chance) in enumerate(ranked[:SHOWN], start=1)
        ],
    )
    if played in chances:
        rank = [point for point, _ in ranked].index(played) + 1
        print(f"played: {format_vertex(played)}, rank {rank}, {chances[played]:.2%}")
    if figure is not None:
        draw_board(figure.add_subplot(), game, chances, played)
        save_figure(figure, options.plot)


def draw_board(axes: Any, game: Game, chances: dict[int, float], played: int | None) -> None:
    """Draw a position with the probability of each move in percent, darker where larger."""
    size = game.size
    lines = range(1, size + 1)
    axes.set_facecolor("#f0d9a8")
    axes.hlines(lines, 1, size, color="gray", linewidth=0.6, zorder=1)
    axes.vlines(lines, 1, size, color="gray", linewidth=0.6, zorder=1)
    most = max(chances.values(), default=1.0)
    for point, chance in chances.items():
        place = to_column_row(point)
        axes.scatter(*place, s=260, marker="s", color="red", alpha=0.8 * chance / most, zorder=2)
        if chance >= LABELED:
            weight = "bold" if point == played else "normal"
            text = f"{100 * chance:.0f}" if chance >= 0.01 else "."
            axes.text(*place, text, ha="center", va="center", fontsize=8, weight=weight, zorder=4)
    for color, fill in ((BLACK, "black"), (WHITE, "white")):
        for point in game.stones(color):
            axes.scatter(*to_column_row(point), s=300, color=fill, edgecolors="black", zorder=3)
    axes.set_xticks(lines, list(COLUMN_LETTERS[:size]))
    axes.set_yticks(lines)
    axes.set_aspect("equal")
    axes.set_title(f"{COLOR_NAMES[game.to_play]} to play, percent of each move")


def figure6(options: argparse.Namespace) -> None:
    """Let the pattern player play itself and write the game (Fig. 6)."""
    # Nobody resigns: the paper's figure shows the first 50 moves.
    settings = PlayerOptions(threads=1, seed=1, resign_percent=None, thinker=PatternThinker)
    player = Player(settings, load_knowledge(options.patterns))
    game = Game(options.size)
    while len(game.moves) < options.moves and game.passes < 2:
        game.play(game.to_play, player.choose(game, game.to_play).point)
    write_whole(options.out, write_record(record_of(game)))
    print(game)
    print(" ".join(format_vertex(move.point) for move in game.moves))


def main(arguments: Sequence[str] | None = None) -> int:
    """Make one figure; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="stern2006",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="figure", required=True)
    first = commands.add_parser("figure1", help="probabilities of moves on the board")
    first.add_argument("sgf", type=Path, metavar="GAME.sgf")
    first.add_argument("--move", type=int, default=1, help="the move to predict (1)")
    first.add_argument("--plot", type=Path, metavar="FILE.png|svg|pdf")
    sixth = commands.add_parser("figure6", help="the pattern player against itself")
    sixth.add_argument("--out", type=Path, required=True, metavar="FILE.sgf")
    sixth.add_argument("--moves", type=int, default=50, help="at most (50, as in the paper)")
    sixth.add_argument("--size", type=int, default=19)
    all_models = commands.add_parser("models", help="train and test all models")
    all_models.add_argument("--games", nargs="+", required=True, metavar="PATH", help="to learn")
    all_models.add_argument("--max-games", type=int, default=8000, help="of these (8000)")
    all_models.add_argument("--test", required=True, metavar="PATH", help="games to test on")
    all_models.add_argument("--max-test-games", type=int, default=400, help="of these (400)")
    all_models.add_argument("--plot", type=Path, metavar="DIR", help="draw the figures there")
    all_models.set_defaults(function=models)
    for command, function in ((first, figure1), (sixth, figure6)):
        command.add_argument("--patterns", type=Path, default=PATTERN_TABLE, metavar="FILE")
        command.set_defaults(function=function)
    options = parser.parse_args(arguments)
    try:
        options.function(options)
    except YomiError as error:
        print(f"stern2006: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"stern2006: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
