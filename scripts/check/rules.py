"""Check the rules: the engine and a slow twin must agree on every move of random games.

    python -m scripts.check.rules --games 10000

The script makes its comparisons after every move. It compares the legality of every point for the
side to move, and for the other side, every fifth move. It compares the stones, the prisoners and
both scores. It does so under each kind of superko, with suicide allowed and forbidden. Sizes 2-19
all occur, small ones more often, because a game's cost grows with the fourth power of the size. The
exit status is 1 at the first difference.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from random import Random

from tqdm import tqdm

from engine import BLACK, WHITE, Game, Rules, board_points, format_vertex, to_column_row
from engine.go.geometry import PASS
from engine.go.scoring import area_score, territory_score
from tests.reference import scoring as slow_scoring
from tests.reference.board import ReferenceGame

SIZES = range(2, 20)
VARIANTS = [
    Rules(f"{superko}{' suicide' if suicide else ''}", "area", superko, suicide)
    for superko in ("none", "positional", "situational")
    for suicide in (False, True)
]


class Difference(Exception):  # noqa: N818
    """The engine and the twin disagree."""


def check_game(size: int, rules: Rules, random: Random) -> int:
    """Play one random game on both boards; return its moves. Raises Difference."""
    game = Game(size, rules)
    twin = ReferenceGame(size, rules.superko, rules.suicide)
    length = random.randint(size * size // 2, 2 * size * size + 12)
    for number in range(length):
        # Sometimes the same color moves again, because GTP does not enforce turns.
        color = game.to_play if random.random() < 0.97 else 3 - game.to_play
        legal = _compare_legality(game, twin, color)
        # Only sometimes, because it doubles the cost of a move.
        if number % 5 == 0:
            _compare_legality(game, twin, 3 - color)
        point = PASS if not legal or random.random() < 0.02 else random.choice(legal)
        game.play(color, point, superko=True)
        twin.play(color, None if point == PASS else to_column_row(point))
        _compare_position(game, twin)
    _compare_scores(game, twin, random)
    return length


def _compare_legality(game: Game, twin: ReferenceGame, color: int) -> list[int]:
    """Compare the legality of every point; return the legal ones."""
    legal = []
    for point in board_points(game.size):
        code = game.legality(color, point).name
        expected = twin.legality(color, to_column_row(point))
        if code != expected:
            raise Difference(f"{format_vertex(point)}: {code}, expected {expected}\n{_tell(game)}")
        if code == "LEGAL":
            legal.append(point)
    return legal


def _compare_position(game: Game, twin: ReferenceGame) -> None:
    stones = {to_column_row(p): c for c in (BLACK, WHITE) for p in game.stones(c)}
    prisoners = {c: game.captures(c) for c in (BLACK, WHITE)}
    if stones != twin.stones or prisoners != twin.captures:
        raise Difference(f"stones or prisoners\n{_tell(game)}")


def _compare_scores(game: Game, twin: ReferenceGame, random: Random) -> None:
    """Compare both scores with a random half of the chains dead and some in seki."""
    chains = game.chains()
    # Any chains may be dead: scoring must be right for its input, sensible or not.
    dead = {p for chain in chains if random.random() < 0.3 for p in chain}
    seki = {p for chain in chains if random.random() < 0.1 for p in chain} - dead
    captures = (game.captures(BLACK), game.captures(WHITE))
    slow_dead = {to_column_row(p) for p in dead}
    slow_seki = {to_column_row(p) for p in seki}
    found = (
        area_score(game.board, dead),
        territory_score(game.board, captures, dead, seki),
    )
    expected = (
        slow_scoring.area_score(twin.stones, twin.size, slow_dead),
        slow_scoring.territory_score(twin.stones, twin.size, captures, slow_dead, slow_seki),
    )
    if found != expected:
        raise Difference(f"scores {found}, expected {expected}, dead {dead}\n{_tell(game)}")


def _tell(game: Game) -> str:
    moves = " ".join(f"{' BW'[color]}:{format_vertex(point)}" for color, point in game.moves)
    return f"rules {game.rules}\n{moves}\n{game}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the check; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-size", type=int, default=SIZES[-1], choices=SIZES)
    options = parser.parse_args(arguments)
    random = Random(options.seed)
    sizes = [size for size in SIZES if size <= options.max_size]
    # Most games are small. Large ones still take most of the time, size^1.5 of it.
    weights = [size**-2.5 for size in sizes]
    played: Counter[int] = Counter()
    moves = 0
    for number in tqdm(range(options.games), unit="game", smoothing=0):
        # The first games take every size once, so that a short run covers them all.
        size = sizes[-1 - number] if number < len(sizes) else random.choices(sizes, weights)[0]
        try:
            moves += check_game(size, VARIANTS[number % len(VARIANTS)], random)
        except Difference as difference:
            print(f"{size}x{size}, game {number}: {difference}", file=sys.stderr)
            return 1
        played[size] += 1
    print(f"{options.games} games, {moves} moves, {len(VARIANTS)} rule variants: no difference")
    print("games by size:", ", ".join(f"{s}: {n}" for s, n in sorted(played.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
