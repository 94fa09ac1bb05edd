"""Write tables from a checkpoint of ``yomi train``, also before training is through.

python -m scripts.learn.export_table --harvest H.npz --learned L.npz --out FILE --beta-squared 2
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from patterns_db.checkpoints import export, load_arrays
from patterns_db.harvest import Harvest
from patterns_db.training import GAMES_DONE, MODELS, MOVES_DONE


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--harvest", type=Path, required=True)
    parser.add_argument("--learned", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--beta-squared", type=float, required=True)
    parser.add_argument("--max-patterns", type=int, help="keep only the most telling so many")
    parser.add_argument("--models", nargs="+", choices=MODELS, default=["evidence"])
    parser.add_argument("--manifest", type=json.loads, default={}, metavar="JSON")
    options = parser.parse_args(arguments)
    learned = load_arrays(options.learned)
    found = Harvest(**load_arrays(options.harvest))
    classes = len(learned["paper"]) - 1  # the harvest may hold more than were learned
    found = Harvest(*(field[:classes] for field in found))
    tally = learned["tally"]
    manifest = {
        "games": int(tally[GAMES_DONE]),
        "moves": int(tally[MOVES_DONE]),
        "min_count": int(found.counts[-1]),
        **options.manifest,
    }
    models = tuple(options.models)
    export(
        options.out, found, learned, manifest, options.beta_squared, models, options.max_patterns
    )
    print(options.out, manifest)


if __name__ == "__main__":
    main()
