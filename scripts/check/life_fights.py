"""Write random fights as problems of life and death, as material for proofs without a book.

python -m scripts.check.life_fights --count 320 --seed 4242 --out FIGHTS
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from engine.go.board import SIZE, Board, colors_of
from patterns_db.solvers.life_training import random_fight
from patterns_db.store.whole_files import write_whole


def fight_record(number: int, board: Board) -> dict[str, Any]:
    """Return a position as a problem; Black and White move first in turn."""
    rows = colors_of(board)[::-1]
    return {
        "id": f"fight{number:04d}",
        "size": int(board[SIZE]),
        "to_move": "black" if number % 2 else "white",
        "board": "/".join("".join(".XO"[color] for color in row) for row in rows),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the fights."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=320)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(options.seed)
    lines: list[str] = []
    while len(lines) < options.count:
        board = random_fight(rng)
        if board is not None:
            lines.append(json.dumps(fight_record(len(lines), board)))
    try:
        write_whole(options.out, "".join(f"{line}\n" for line in lines).encode())
    except OSError as error:
        print(f"{options.out}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
