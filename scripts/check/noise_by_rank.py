"""Find the noise of the ranking model for players of each band of ranks.

    python -m scripts.check.noise_by_rank --games train-9x9-ranks.tar.gz --counted-up

Source: Stern, Herbrich & Graepel (2006), section 5: beta, the noise of a choice, may depend on a
player's strength. All other beliefs stay. Each band's best variance is chosen by the first half of
its games. The figures are those of the second half, beside the model of people's choices.
"""

import sys
from collections.abc import Iterable, Sequence
from itertools import islice

import numpy as np
from tqdm import tqdm

from engine import YomiError, rank_name
from engine.arrays import Floats
from patterns_db.patterns.evaluation import LOG_EVIDENCE, EvaluatedModel, evaluate, open_model
from patterns_db.people.choices import collect_choices
from patterns_db.people.evaluation import BANDS, score_band
from patterns_db.records.archive import pack_games
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.records.ranks import kyu_of
from patterns_db.shipped import CONTEXT_TABLE, PATTERN_TABLE, load_knowledge
from scripts.game_options import games_parser
from scripts.tables import TableRow, print_table

VARIANCES = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
HEADER = ("ranks", "moves", "best beta squared", "nats a move", "with 2", "gain", "+-", "people")


def band_of(record: DecodedGame, counted_up: bool) -> tuple[int, int] | None:
    """Return the band of both players; None if they are not of one band."""
    ranks = [kyu_of(rank, counted_up) for rank in record.ranks]
    for band in BANDS:
        if all(rank is not None and band[0] <= rank <= band[1] for rank in ranks):
            return band
    return None


def nats_of(records: Iterable[DecodedGame], model: EvaluatedModel, variance: float) -> Floats:
    """Return the log probability of each move, float64[moves]."""
    model = model._replace(knowledge=model.knowledge._replace(beta_squared=variance))
    found = evaluate(pack_games(records), model)
    return found.outcomes[:, LOG_EVIDENCE]


def row_of(
    band: tuple[int, int], records: list[DecodedGame], model: EvaluatedModel, counted_up: bool
) -> TableRow:
    """Return a row of HEADER."""
    half = len(records) // 2
    known, fresh = records[:half], records[half:]
    best = max(VARIANCES, key=lambda variance: float(nats_of(known, model, variance).mean()))
    nats, usual = nats_of(fresh, model, best), nats_of(fresh, model, model.knowledge.beta_squared)
    gain = nats - usual
    knowledge = load_knowledge()
    assert knowledge.patterns is not None
    assert knowledge.people is not None
    choices = collect_choices(fresh, knowledge.patterns, counted_up)
    chosen = np.ones(choices.moves, np.bool_)
    people = score_band(choices, knowledge.people, band, chosen)
    name = f"{rank_name(band[1])} to {rank_name(band[0])}"
    error = float(gain.std() / np.sqrt(max(len(gain), 1)))
    return [name, len(nats), best, float(nats.mean()), float(usual.mean()), float(gain.mean()),
            error, people.evidence]  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the games and print the table."""
    parser = games_parser(__doc__)
    parser.add_argument("--counted-up", action="store_true", help="28k in the records is 2 kyu")
    parser.add_argument("--max-games", type=int, help="most games, from the first on")
    parser.add_argument("--most", type=int, default=200, help="games of a band")
    options = parser.parse_args(arguments)
    bands: dict[tuple[int, int], list[DecodedGame]] = {}
    try:
        for record in islice(GameReader(options.games), options.max_games):
            band = band_of(record, options.counted_up)
            if band is not None and len(bands.setdefault(band, [])) < options.most:
                bands[band].append(record)
        model = open_model(PATTERN_TABLE, "evidence", CONTEXT_TABLE)
        found = tqdm(sorted(bands, reverse=True), unit=" bands", file=sys.stderr)
        rows = [
            row_of(band, bands[band], model, options.counted_up)
            for band in found
            if len(bands[band]) > 1
        ]
    except (YomiError, OSError) as error:
        print(f"noise_by_rank: {error}", file=sys.stderr)
        return 1
    print_table(HEADER, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
