"""``yomi analyze``: a game record reviewed, move by move."""

import argparse
import sys
from pathlib import Path

from tqdm import tqdm

from engine import BadSetup, SgfError
from gtp.cli.command_line import add_cluster, cluster_of, count, whole_number
from patterns_db import (
    ReviewSettings,
    annotate,
    describe_move,
    draw_win_rates,
    judge_moves,
    new_figure,
    read_main_line,
    review_record,
    save_figure,
    write_notes,
    write_whole,
)

WORST = 5  # moves that the summary names


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options and what the help says."""
    parser.description = "Say of every move what it lost, how probable it was, what was better."
    parser.epilog = (
        "--out writes all of it into a copy of the record, as Sabaki shows it: win rates,"
        " the best moves as letters, the most probable one as a triangle, comments."
    )
    parser.add_argument("sgf", metavar="GAME.sgf", help="the record; its main line is reviewed")
    parser.add_argument("--out", metavar="FILE.sgf", help="write the record with notes")
    parser.add_argument("--plot", metavar="FILE.png|svg|pdf", help="draw Black's win rate")
    parser.add_argument(
        "--playouts", type=count, default=1000, metavar="N", help="random games a move (1000)"
    )
    parser.add_argument("--threads", type=count, metavar="T", help="processor cores (all)")
    parser.add_argument(
        "--seed", type=whole_number, default=1, metavar="S", help="of the random numbers (1)"
    )
    parser.add_argument("--patterns", metavar="FILE", help="the table (the one that comes along)")
    add_cluster(parser)


def run(options: argparse.Namespace) -> int:
    """Review a game; return the exit status. Raises YomiError when that cannot be done."""
    source = Path(options.sgf)
    # What cannot be drawn or written is told now, not after a search that may take an hour.
    figure = new_figure(Path(options.plot), 10, 4) if options.plot else None
    out = Path(options.out) if options.out else None
    if out is not None and not out.parent.is_dir():
        raise BadSetup(f"{out}: no such folder")
    try:
        data = source.read_bytes()
        line = read_main_line(data)
        settings = ReviewSettings(options.playouts, options.threads, options.seed, options.patterns)
        with (
            cluster_of(options) as cluster,
            tqdm(total=len(line.nodes), desc="reviewing", unit="move", file=sys.stderr) as bar,
        ):
            if cluster is None:
                thoughts = review_record(data, settings, bar.update)
            else:
                thoughts = cluster.submit(review_record, data, settings).result()
                bar.update(len(line.nodes))
        if out is not None:
            write_whole(out, annotate(line, write_notes(thoughts, len(line.nodes))))
        if figure is not None:
            draw_win_rates(figure, thoughts)
            save_figure(figure, Path(options.plot))
    # The reader has bytes only: the file is named here.
    except SgfError as error:
        raise SgfError(f"{source}: {error}") from None
    except OSError as error:
        raise BadSetup(f"{error.filename or source}: {error.strerror}") from error
    judged = judge_moves(thoughts)
    for judgement in judged:
        print(describe_move(judgement))
    # A stable sort: of equal losses the earlier move is named first.
    worst = sorted(judged, key=lambda judgement: -judgement.loss)[:WORST]
    print("largest losses:")
    for judgement in worst:
        print(f"  {describe_move(judgement)}")
    return 0
