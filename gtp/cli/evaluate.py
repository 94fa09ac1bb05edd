"""``yomi evaluate``: measure how well a table predicts the moves of games."""

import argparse
import json
from pathlib import Path

from tqdm import tqdm

from engine import BadSetup
from gtp.cli.command_line import count
from gtp.plotting import new_figure, save_figure
from patterns_db.outputs import check_outputs
from patterns_db.patterns.evaluation import EvaluatedModel, Evaluation, evaluate, open_model
from patterns_db.patterns.report import Summary, among_first, plot_summary, summarize, summary_text
from patterns_db.records.archive import GameArchive, join_archives, read_archive
from patterns_db.shipped import PATTERN_TABLE, learned_beside


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options and the help text."""
    parser.description = "Predict every move of some games and report the accuracy."
    parser.add_argument(
        "--games",
        nargs="+",
        required=True,
        metavar="PATH",
        help="directories, .sgf files, .zip or .tar archives",
    )
    parser.add_argument("--max-games", type=count, metavar="N", help="only the first N games")
    parser.add_argument(
        "--model",
        default="evidence",
        choices=("evidence", "paper", "bernoulli"),
        help="evidence: with all features (default); paper: patterns alone, the 2006 model if"
        " trained with --classes independent; bernoulli: the 2006 paper's second model",
    )
    parser.add_argument("--patterns", metavar="FILE", help="pattern table (the included one)")
    parser.add_argument("--plot", metavar="FILE.png|svg|pdf", help="draw the figures of the paper")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Evaluate a pattern model on games; return the exit status."""
    # This check comes first: a missing plotting library must be found before reading games.
    figure = None
    if options.plot:
        figure = new_figure(Path(options.plot))
        inputs = [*options.games, *([options.patterns] if options.patterns else [])]
        check_outputs([Path(options.plot)], inputs)
    patterns = Path(options.patterns or PATTERN_TABLE)
    model = open_model(patterns, options.model, *learned_beside(patterns))
    archives = [read_archive(path, options.max_games) for path in options.games]
    # Each path was shortened already, but together they may still be too long.
    games = join_archives(archives, options.max_games)
    if games.games == 0:
        raise BadSetup(f"{', '.join(options.games)}: no readable game records here")
    result = _evaluated(games, model)
    if len(result.outcomes) == 0:
        raise BadSetup(f"{', '.join(options.games)}: no moves in these records")
    summary = summarize(result, games.games, games.names, model.name, model.classes)
    if options.json:
        print(json.dumps(summary))
    else:
        print(_verdict(summary, games, patterns), summary_text(summary), sep="\n")
    if figure is not None:
        plot_summary(result, summary, figure)
        try:
            save_figure(figure, Path(options.plot))
        except OSError as error:
            raise BadSetup(f"{options.plot}: {error.strerror}") from error
    return 0


def _verdict(summary: Summary, games: GameArchive, patterns: Path) -> str:
    """Return one line that compares a table with the shipped one."""
    share = summary["top1"]
    if patterns.resolve() == PATTERN_TABLE:
        return f"the shipped table predicts {100 * share:.1f} % of {games.games} games' moves"
    shipped = predicted_by(games, PATTERN_TABLE)
    return (
        f"your table predicts {100 * share:.1f} % of {games.games} games' moves, the shipped one"
        f" {100 * shipped:.1f} %"
    )


def predicted_by(games: GameArchive, patterns: Path) -> float:
    """Return the share of the moves of some games that a table predicts at the first guess."""
    model = open_model(patterns, "evidence", *learned_beside(patterns))
    return float(among_first(_evaluated(games, model).outcomes, 1).mean())


def _evaluated(games: GameArchive, model: EvaluatedModel) -> Evaluation:
    with tqdm(total=games.games, desc="predicting", unit="game", disable=None) as bar:
        return evaluate(games, model, bar.update)
