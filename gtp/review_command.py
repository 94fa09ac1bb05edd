"""``yomi analyze``: a game record reviewed, move by move."""

import argparse
import sys
from pathlib import Path

from tqdm import tqdm

from engine import RULESETS, BadSetup, Player, PlayerOptions, SgfError
from patterns_db.annotations import annotate
from patterns_db.plotting import new_figure, save_figure
from patterns_db.records import read_main_line
from patterns_db.replay import rules_of
from patterns_db.review import (
    describe_move,
    draw_win_rates,
    judge_moves,
    positions_of,
    review_game,
    write_notes,
)
from patterns_db.shipped import PATTERN_TABLE, load_knowledge
from patterns_db.whole_files import write_whole

KOMI = 7.5  # where the record says nothing
WORST = 5  # moves that the summary names


def run(options: argparse.Namespace) -> int:
    """Review a game; return the exit status. Raises YomiError when that cannot be done."""
    source = Path(options.sgf)
    figure = new_figure(Path(options.plot), 10, 4) if options.plot else None
    out = Path(options.out) if options.out else None
    if out is not None and not out.parent.is_dir():
        raise BadSetup(f"{out}: no such folder")
    try:
        line = read_main_line(source.read_bytes())
        rules = RULESETS[rules_of(line.record) or "chinese"]
        komi = KOMI if line.record.komi is None else line.record.komi
        games = positions_of(line, rules, komi)
        player = Player(
            PlayerOptions(
                playouts=options.playouts,
                threads=options.threads,
                seed=options.seed,
                resign_percent=None,
            ),
            load_knowledge(Path(options.patterns or PATTERN_TABLE)),
        )
        with tqdm(total=len(line.nodes), desc="reviewing", unit="move", file=sys.stderr) as bar:
            thoughts = review_game(line, games, player, bar.update)
        if out is not None:
            write_whole(out, annotate(line, write_notes(thoughts, len(line.nodes))))
        if figure is not None:
            draw_win_rates(figure, thoughts)
            save_figure(figure, Path(options.plot))
    except SgfError as error:
        raise SgfError(f"{source}: {error}") from None
    except OSError as error:
        raise BadSetup(f"{error.filename or source}: {error.strerror}") from error
    judged = judge_moves(thoughts)
    for judgement in judged:
        print(describe_move(judgement))
    worst = sorted(judged, key=lambda judgement: -judgement.loss)[:WORST]
    print("largest losses:")
    for judgement in worst:
        print(f"  {describe_move(judgement)}")
    return 0
