r"""Learn how people of each rank choose their moves, and judge it on games that were held out.

    python -m scripts.learn.people --counted-up --out people.table --max-games 15125 3348 4000 \
        --games train-9x9-ranks.tar.gz train-9x9.tar.gz train-9x9-mixed.tar.gz

``--counted-up``: kyu ranks in the records are the server's own numbers, 30 less the kyu, so that
"28k" is 2 kyu. Results show it: of two such players the one with the larger number wins more often.
``--held-out 0`` learns from all games and judges nothing; the shipped table was made like this.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from tqdm import tqdm

from engine import BadSetup, rank_name
from engine.people.model import PeopleModel
from patterns_db.people.choices import PeopleChoices, collect_choices
from patterns_db.people.evaluation import BANDS, habits_of_band, score_band, score_levels
from patterns_db.people.table import write_people
from patterns_db.people.training import KNOTS, Bools, learn_people
from patterns_db.records.games import DecodedGame, GameReader, describe
from patterns_db.shipped import PATTERN_TABLE, learned_beside, load_knowledge
from scripts.failures import reported
from scripts.game_options import games_parser
from scripts.tables import TableRow, print_table

SCORES = ("ranks", "moves", "nats", "top 1", "ranking model", "its top 1", "temperature", "gain")
HABITS = ("ranks", "first line", "of model", "missed captures", "of model", "missed ataris",
          "of model", "next to the last move", "of model")  # fmt: skip
LEVELS = ("games", "players", "mean error", "inside the 80 % interval")


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Learn, judge and write."""
    parser = games_parser(__doc__)
    parser.add_argument("--max-games", type=int, nargs="+", metavar="N", help="one for each path")
    parser.add_argument("--counted-up", action="store_true", help="28k in the records is 2 kyu")
    parser.add_argument("--held-out", type=float, default=0.2, help="share of the games (0.2)")
    parser.add_argument("--patterns", type=Path, default=PATTERN_TABLE, metavar="FILE")
    parser.add_argument("--out", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    limits = options.max_games or [None] * len(options.games)
    if len(limits) != len(options.games):
        raise BadSetup("--max-games needs a number for each path of --games")
    patterns = load_knowledge(options.patterns).patterns
    assert patterns is not None
    games = _games(options.games, limits)
    choices = collect_choices(games, patterns, options.counted_up)
    held = _held_out(choices, options.held_out)
    belief = learn_people(choices, ~held, KNOTS, lambda line: print(line, file=sys.stderr))
    if options.out is not None:
        manifest = {
            "games": [Path(path).name for path in options.games],
            "max_games": limits,
            "tables": [
                describe(table) for table in (options.patterns, *learned_beside(options.patterns))
            ],
            "moves": int((~held).sum()),
            "counted_up": options.counted_up,
        }
        write_people(options.out, belief, manifest)
    if held.any():
        judge(choices, belief.model, held)
    return 0


def _games(paths: Sequence[str], limits: Sequence[int | None]) -> Iterator[DecodedGame]:
    for path, most in zip(paths, limits, strict=True):
        with tqdm(desc=Path(path).name, unit="game", total=most, file=sys.stderr) as bar:
            for game in islice(GameReader([path]), most):
                bar.update()
                yield game


def _held_out(choices: PeopleChoices, share: float) -> Bools:
    """Return the choices to hold out of learning: whole games, by their number."""
    games = int(choices.game.max(initial=-1)) + 1
    held = np.random.default_rng(1).random(games) < share
    found: Bools = held[choices.game]
    return found


def judge(choices: PeopleChoices, people: PeopleModel, held: Bools) -> None:
    """Print how well the held-out choices are predicted, and ranks estimated."""
    scores: list[TableRow] = []
    habits: list[TableRow] = []
    for band in BANDS:
        name = f"{rank_name(band[1])} to {rank_name(band[0])}"
        score = score_band(choices, people, band, held)
        if score.moves == 0:
            continue
        gain = score.log_evidence - score.model_log_evidence
        numbers = (score.log_evidence, score.top, score.model_log_evidence, score.model_top)
        rounded = [round(number, 3) for number in numbers]
        scores.append([name, score.moves, *rounded, round(score.temperature, 2), round(gain, 3)])
        shares = habits_of_band(choices, people, band, held)
        pairs = zip(shares.people.tolist(), shares.model.tolist(), strict=True)
        habits.append([name, *(round(share, 3) for pair in pairs for share in pair)])
    print_table(SCORES, scores)
    print_table(HABITS, habits)
    rows: list[TableRow] = []
    for games in (1, 5):
        level = score_levels(choices, people, held, games)
        rows.append([games, level.players, round(level.error, 2), round(level.covered, 3)])
    print_table(LEVELS, rows)


if __name__ == "__main__":
    sys.exit(main())
