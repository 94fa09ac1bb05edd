"""Measure the points that moves lose at several numbers of playouts, by an outside engine.

    python -m scripts.check.points_lost --games test-4400.tar.gz --own MATCH.json \
        --playouts 0 500 2500 --judge "katago gtp -model NET -config CONFIG" --out FILE

Positions come from experts' games and from our own: openings, and before and after move 100. In
each the player chooses a move: with 0 playouts, the ranking model's most probable move. A program
that knows KataGo's ``kata-search_analyze`` gives the lead before and after each choice. The fall of
the mover's lead is the loss, limited to the range from -LEAST to MOST points, so that one disaster
does not hide all else. The judge only measures: yomi learns nothing from it. The same command
continues a run that was stopped.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from engine import (
    RULESETS,
    Game,
    Knowledge,
    PatternThinker,
    Player,
    PlayerOptions,
    format_vertex,
)
from patterns_db.records.games import GameReader
from patterns_db.shipped import load_knowledge
from scripts.check.judge import KataGoJudge, add_judge, open_judge, positions_of
from scripts.failures import reported
from scripts.kept_rows import KeptRows, Row, read_kept
from scripts.play.arena import LETTERS, moves_in, record_of
from scripts.tables import TableRow, print_table

# Between which moves of a game the positions of a phase lie.
PHASES = {"opening": (4, 20), "before": (20, 100), "later": (100, 220)}
DEFAULT_PHASES = ("before", "later")
LEAST, MOST = 5.0, 25.0  # points: a gain is the judge's error, and one disaster is like another
DISASTER = 5.0  # points lost: the share of losses this large is printed, too
KINDS = tuple((whose, phase) for whose in ("experts", "own") for phase in PHASES)


class JudgedMove(NamedTuple):
    """A position of a game, with the move played there."""

    game: Game
    point: int  # the move played there


def phase_of(game: Game) -> str:
    """Return the part of a game in which a position lies."""
    return next(phase for phase, (_, end) in PHASES.items() if len(game.moves) < end)


def expert_choices(
    paths: Sequence[str],
    each: int,
    random: np.random.Generator,
    phases: Sequence[str] = DEFAULT_PHASES,
) -> Iterator[JudgedMove]:
    """Yield at most one position of each even game on 19x19, ``each`` of every wanted phase."""
    missing = dict.fromkeys(phases, each)
    for record in GameReader(paths):
        phase = max(phases, key=missing.__getitem__)  # in turn, where games are long enough
        if missing[phase] == 0:
            return
        wanted = int(random.integers(*PHASES[phase]))
        even = record.size == 19 and len(record.black) + len(record.white) == 0
        if not even or len(record.moves) <= wanted:
            continue
        for game in positions_of(record):
            if len(game.moves) == wanted and game.to_play == record.colors[wanted]:
                yield JudgedMove(game.copy(), int(record.moves[wanted]))
                missing[phase] -= 1
                break


def own_choices(
    paths: Sequence[str],
    each: int,
    random: np.random.Generator,
    phases: Sequence[str] = DEFAULT_PHASES,
) -> Iterator[JudgedMove]:
    """Yield positions of a match before moves of its first side, some of each wanted phase.

    paths  files of ``scripts.play.match``
    each   number of positions of each phase of a game
    Raises BadSetup for a file that holds no match.
    """
    for path in paths:
        size, komi, games = read_kept(Path(path), "size", "komi", "games")
        for row in games:
            moves = moves_in(row["record"], size)
            ours = [n for n, (color, _) in enumerate(moves) if LETTERS[color] == row["first_color"]]
            wanted: set[int] = set()
            for phase in phases:
                part = [n for n in ours if n in range(*PHASES[phase])]
                wanted |= set(random.permutation(part)[:each].tolist())
            game = Game(size, RULESETS["chinese"], komi)
            for number, (color, point) in enumerate(moves):
                if number in wanted:
                    yield JudgedMove(game.copy(), point)
                game.play(color, point)


def chosen(game: Game, playouts: int, knowledge: Knowledge, owners: bool = True) -> int:
    """Return the player's move with this number of playouts; 0: without any search."""
    options = PlayerOptions(playouts=playouts, threads=1, seed=1, resign_percent=None)
    if playouts == 0:
        options = PlayerOptions(thinker=PatternThinker, seed=1, resign_percent=None)
    options = replace(options, model=options.model._replace(owners=owners))
    return Player(options, knowledge).choose(game, game.to_play).point


def look_at(
    choice: JudgedMove,
    whose: str,
    playouts: Sequence[int],
    knowledge: Knowledge,
    judge: KataGoJudge,
    plain: bool = False,
) -> Row:
    """Return the saved row of a position: all moves chosen there and the points that they lose."""
    game = choice.game
    moves = {str(n): chosen(game, n, knowledge) for n in playouts} | {"played": choice.point}
    if plain:
        moves |= {f"{n} plain": chosen(game, n, knowledge, owners=False) for n in playouts}
    different = sorted(set(moves.values()))
    before, after = judge.leads(game, different)
    lost = {point: before - lead for point, lead in zip(different, after, strict=True)}
    return {
        "whose": whose,
        "phase": phase_of(game),
        "moves": record_of(game),
        "chosen": {name: format_vertex(point) for name, point in moves.items()},
        "lost": {name: round(lost[point], 2) for name, point in moves.items()},
    }


def print_result(rows: Sequence[Row]) -> None:
    """Print the loss of each number of playouts, by kind of position, and against the first."""
    names = list(rows[0]["lost"]) if rows else []
    table: list[TableRow] = []
    for kind in (*KINDS, ("all", "all")):
        part = [row for row in rows if kind in ((row["whose"], row["phase"]), ("all", "all"))]
        if not part:
            continue
        lost = {n: np.clip([row["lost"][n] for row in part], -LEAST, MOST) for n in names}
        for name in names:
            change = lost[name] - lost[names[0]]
            error = float(change.std() / len(part) ** 0.5)
            worst = float((lost[name] >= DISASTER).mean())
            mean = float(lost[name].mean())
            table.append([*kind, len(part), name, mean, float(change.mean()), error, worst])
    header = ("games", "moves", "n", "playouts", "lost", "change", "+-", f"lose {DISASTER:g}")
    print_table(header, table)


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Choose moves, ask the judge and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", default=[], metavar="PATH", help="experts' games")
    parser.add_argument("--own", nargs="+", default=[], metavar="FILE", help="matches, first side")
    parser.add_argument("--positions", type=int, default=300, help="of each of four kinds")
    parser.add_argument(
        "--phases", nargs="+", choices=list(PHASES), default=DEFAULT_PHASES, help="of a game"
    )
    parser.add_argument("--each", type=int, default=10, help="of an own game's parts")
    parser.add_argument("--playouts", type=int, nargs="+", default=[0, 500, 2500])
    parser.add_argument("--plain", action="store_true", help="also without owners at the root")
    add_judge(parser, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="keep results, go on")
    options = parser.parse_args(arguments)
    named = ("games", "own", "phases", "each", "playouts", "plain", "judge", "seed")
    kept = KeptRows(options.out, {name: getattr(options, name) for name in named}, "positions")
    random = np.random.default_rng(options.seed)
    sources = {
        "experts": list(expert_choices(options.games, options.positions, random, options.phases)),
        "own": list(own_choices(options.own, options.each, random, options.phases)),
    }
    todo = []
    for whose, phase in KINDS:
        part = [choice for choice in sources[whose] if phase_of(choice.game) == phase]
        done = sum((row["whose"], row["phase"]) == (whose, phase) for row in kept.rows)
        todo += list(enumerate(((whose, c) for c in part[: options.positions][done:]), done))
    # The kinds take turns, so that a run that is stopped has covered all kinds equally.
    todo.sort(key=lambda item: item[0])
    knowledge = load_knowledge()
    with open_judge(options.judge) as judge:
        assert judge is not None
        for _, (whose, choice) in tqdm(todo, unit="position", file=sys.stderr):
            kept.add(look_at(choice, whose, options.playouts, knowledge, judge, options.plain))
    print_result(kept.rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
