"""The commands ``yomi train`` and ``yomi evaluate``: options in, files and numbers out."""

import argparse
import json
import sys
from pathlib import Path

from tqdm import tqdm

from engine.errors import BadSetup


def run_train(options: argparse.Namespace) -> int:
    """Train a pattern model or the solver's priors; return the exit status."""
    if options.solver != (options.games is None) or options.solver != (
        options.problems is not None
    ):
        raise BadSetup("train takes either --games PATH..., or --solver --problems FILE")
    return _train_solver(options) if options.solver else _train_patterns(options)


def _train_solver(options: argparse.Namespace) -> int:
    from patterns_db.solver_training import SolverTrainingSettings, train_solver

    settings = SolverTrainingSettings(
        problems=Path(options.problems),
        model=options.model,
        prior_observations=options.prior_observations,
        max_nodes=options.max_nodes,
        seconds=float("inf") if options.seconds is None else options.seconds,
        passes=options.passes,
    )
    train_solver(
        settings,
        Path(options.out),
        resume=options.resume,
        checkpoint=options.checkpoint,
        say=lambda line: print(line, file=sys.stderr),
    )
    return 0


def _train_patterns(options: argparse.Namespace) -> int:
    from patterns_db.pipeline import TrainingSettings, train_patterns

    settings = TrainingSettings(
        paths=tuple(options.games),
        min_count=options.min_count,
        max_patterns=options.max_patterns,
        beta=options.beta,
        models=tuple(options.models.split(",")),
        max_games=options.max_games,
    )
    train_patterns(
        settings,
        Path(options.out),
        options.threads,
        options.resume,
        options.checkpoint,
        say=lambda line: print(line, file=sys.stderr),
    )
    return 0


def run_evaluate(options: argparse.Namespace) -> int:
    """Evaluate a pattern model on games; return the exit status."""
    from patterns_db.archive import join_archives, read_archive
    from patterns_db.evaluation import evaluate, open_model
    from patterns_db.plotting import new_figure, save_figure
    from patterns_db.report import plot_summary, summarize, summary_text
    from patterns_db.shipped import PATTERN_TABLE

    figure = new_figure(Path(options.plot), 12, 12) if options.plot else None
    model = open_model(Path(options.patterns or PATTERN_TABLE), options.model)
    archives = [read_archive(path, options.max_games) for path in options.games]
    games = join_archives(archives, options.max_games)
    with tqdm(total=games.games, desc="predicting", unit="game") as bar:
        result = evaluate(games, model, bar.update)
    summary = summarize(result, games.games, games.names, model.name)
    print(json.dumps(summary) if options.json else summary_text(summary))
    if figure is not None:
        plot_summary(result, summary, figure)
        save_figure(figure, Path(options.plot))
    return 0
