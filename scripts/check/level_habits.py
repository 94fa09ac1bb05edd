r"""Compare the moves that levels played in a ladder with those of people of the same ranks.

    python -m scripts.play.ladder --games 20 --out LADDER.json
    python -m scripts.check.level_habits LADDER.json

Each share stands beside the one that the rank's model expects in the same positions. Late moves are
those of the last phase. "Played on" are the moves in settled positions before both sides passed, in
games that were counted. With ``--people PATH ...`` people's own games are read, too
(``--counted-up`` as in ``scripts.learn.people``), and their shares printed below.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from engine import PASS, RULESETS, BadSetup, Knowledge, YomiError, rank_name
from engine.facts.position_facts import Facts
from engine.go.board import BLACK, WHITE
from engine.people.features import END, FIRST_ROWS, REGION, SELF_ATARI
from patterns_db.people.choices import PeopleChoices, collect_choices
from patterns_db.people.evaluation import BANDS, habits_of_band
from patterns_db.people.training import Bools
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.records.replay import replay_moves
from patterns_db.shipped import load_knowledge
from scripts.play.arena import moves_in
from scripts.tables import TableRow, print_table

HABITS = ("ranks", "moves", "first line", "expected", "missed captures", "expected",
          "missed ataris", "expected", "next to the last move", "expected")  # fmt: skip
ENDS = ("ranks", "games lost", "of them not counted", "moves then", "moves when counted",
        "played on", "late self-ataris", "in own territory", "in the opponent's")  # fmt: skip
OWN, OTHERS = range(1, 6), range(6, 11)  # classes in REGION


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the games and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("ladder", nargs="+", type=Path, help="games of scripts.play.ladder")
    parser.add_argument("--people", nargs="+", metavar="PATH", help="games of people")
    parser.add_argument("--counted-up", action="store_true", help="28k in the records is 2 kyu")
    parser.add_argument("--max-games", type=int, metavar="N", help="of people")
    options = parser.parse_args(arguments)
    try:
        games = [game for path in options.ladder for game in played_games(path)]
        show("levels", games, load_knowledge(), False)
        if options.people:
            people = islice(GameReader(options.people), options.max_games)
            show("people", people, load_knowledge(), options.counted_up)
    except (YomiError, OSError) as error:
        print(f"level_habits: {error}", file=sys.stderr)
        return 2
    return 0


def played_games(path: Path) -> Iterator[DecodedGame]:
    """Yield the games of a ladder between levels. Raises BadSetup for another file."""
    try:
        stored = json.loads(path.read_text("utf-8"))
        rows, size = stored["games"], stored["size"]
    except (ValueError, KeyError, TypeError):
        raise BadSetup(f"{path}: no games of a ladder") from None
    for row in rows:
        if not row["error"]:
            yield _decoded(row, size)


def _decoded(row: TableRow, size: int) -> DecodedGame:
    """Return one kept game, the levels standing as ranks; a resignation has no margin."""
    moves = moves_in(row["record"], size)
    ranks = (row["level"], row["against"])
    return DecodedGame(
        size,
        np.zeros(0, np.int64),
        np.zeros(0, np.int64),
        np.array([color for color, _ in moves], np.int64),
        np.array([point for _, point in moves], np.int64),
        f"game {row['game']}",
        winner={"B": BLACK, "W": WHITE}.get(row["result"][:1], 0),
        ranks=ranks if row["first_color"] == "B" else ranks[::-1],
        margin=None if row["result"].endswith(("R", "T")) else 0.0,
    )


def show(title: str, games: Iterable[DecodedGame], knowledge: Knowledge, counted_up: bool) -> None:
    """Print the habits and the ends of some games by bands of ranks."""
    assert knowledge.patterns is not None
    assert knowledge.people is not None
    kept, facts = list(games), Facts(knowledge.solver, knowledge.life)
    choices = collect_choices(kept, knowledge.patterns, counted_up)
    chosen = np.ones(choices.moves, np.bool_)
    habits: list[TableRow] = []
    ends: list[TableRow] = []
    for band in BANDS:
        inside = (choices.kyu >= band[0]) & (choices.kyu <= band[1])
        if not inside.any():
            continue
        name = f"{rank_name(band[1])} to {rank_name(band[0])}"
        found = habits_of_band(choices, knowledge.people, band, chosen)
        pairs = zip(found.people.tolist(), found.model.tolist(), strict=True)
        shares = [round(share, 3) for pair in pairs for share in pair]
        habits.append([name, int(inside.sum()), *shares])
        ends.append([
            name, *ends_of(lost_by(kept, choices, band), facts), *late_moves(choices, inside)
        ])  # fmt: skip
    print(f"{title}:")
    print_table(HABITS, habits)
    print_table(ENDS, ends)


def lost_by(
    games: Sequence[DecodedGame], choices: PeopleChoices, band: tuple[int, int]
) -> list[DecodedGame]:
    """Return the games that players of a band have lost."""
    ranks = {
        (int(game), int(color)): int(kyu)
        for game, color, kyu in zip(choices.game, choices.color, choices.kyu, strict=True)
    }
    return [
        game
        for number, game in enumerate(games)
        if game.winner and band[0] <= ranks.get((number, 3 - game.winner), 99) <= band[1]
    ]


def ends_of(lost: Sequence[DecodedGame], facts: Facts) -> list[float]:
    """Return the figures "games lost" to "played on" of ENDS."""
    counted = [game for game in lost if game.margin is not None]
    others = [game for game in lost if game.margin is None]
    return [
        len(lost),
        round(len(others) / max(len(lost), 1), 3),
        round(_mean([len(game.moves) for game in others]), 1),
        round(_mean([len(game.moves) for game in counted]), 1),
        round(_mean([moves_on(game, facts) for game in counted]), 2),
    ]


def moves_on(record: DecodedGame, facts: Facts) -> int:
    """Return the number of moves, without passes, in the settled positions at a game's end."""
    games = [game.copy() for game in replay_moves(record, RULESETS["chinese"], 0.0)]
    moves = record.moves[: len(games) - 1].tolist()
    found = 0
    for game, point in zip(games[-2::-1], moves[::-1], strict=True):
        if point != PASS:
            if not facts.status(game).settled:
                break
            found += 1
    return found


def late_moves(choices: PeopleChoices, inside: Bools) -> list[float]:
    """Return the shares of the last three kinds of moves in ENDS, in the last phase.

    inside  bool[moves], of the band
    """
    late = np.flatnonzero(inside & (choices.phase == END))
    rows = choices.rows[choices.begins[late] + choices.played[late]].astype(np.int64)
    classes = np.where(rows > 0, rows - np.array(FIRST_ROWS) + 1, 0)
    kinds = (
        classes[:, SELF_ATARI] > 0,
        np.isin(classes[:, REGION], OWN),
        np.isin(classes[:, REGION], OTHERS),
    )
    return [round(_mean(kind), 3) for kind in kinds]


def _mean(values: Sequence[float] | Bools) -> float:
    """Return the mean; 0 of nothing."""
    return float(np.mean(values)) if len(values) else 0.0


if __name__ == "__main__":
    sys.exit(main())
