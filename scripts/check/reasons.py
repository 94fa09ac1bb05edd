"""Explain moves of fresh games; check the form of the reasons, and measure their time.

    python -m scripts.check.reasons --moves 200

The engine plays itself on 9x9 and 19x19, at full strength and at three levels. Some of the moves
are explained as ``yomi-explain`` does. The exit status is 1 if a reason is of a forbidden form: a
negative fact, a statistic of the search, a move as its own reason, mirror images beside each other,
or ground out of the move's reach.
"""

import argparse
import re
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tqdm import tqdm

from engine import PASS, RULESETS, Game, Player, PlayerOptions, level_options
from engine.explain.effects import EFFECTS
from engine.explain.kinds import Effect, Kind
from engine.explain.words import because, move_name
from engine.go.geometry import lines_apart
from engine.go.played import COLOR_NAMES
from engine.go.symmetry import equal_moves
from patterns_db.shipped import load_knowledge
from scripts.tables import TableRow, print_table

PLAYOUTS, KOMI = 150, 7.5
LEVELS = (None, "20k", "10k", "1k")
# Moves from one explained move to the next, by the board's size: odd, so that both colors move.
EVERY = {9: 3, 19: 7}
FORBIDDEN = re.compile(
    r"needless|cannot save|nothing else|probability|more often|of strong players|as good as|"
    r"roll-outs|, because it (is worth|was tried)"
)
UNNAMED = (
    Kind.GROUND, Kind.TAKES_AREA, Kind.ANSWERS, Kind.EXPECTED, Kind.ALSO, Kind.PREFERRED, Kind.ONLY
)  # fmt: skip


class Explained(NamedTuple):
    """An explained move: its group, the sentence, the fault in it ("": none), and its form."""

    group: str
    text: str
    fault: str
    named: bool  # whether a reason names stones, a shape or an effect
    board: str  # before the move
    cpu_seconds: float  # that the explanation took


def fault_of(game: Game, text: str, effects: Sequence[Effect]) -> str:
    """Return what is wrong with the form of the reasons of a move; "" if nothing is.

    game  before the move
    """
    if found := FORBIDDEN.search(text):
        return f"words: {found[0]}"
    for effect in effects:
        move, other = effect.moves
        if other not in (PASS, move) and equal_moves(game, move, other):
            return "mirror images are compared"
        if effect.kind.is_ground and lines_apart(move, effect.places[0]) > EFFECTS.reach:
            return "ground out of reach"
    return ""


def explain(player: Player, group: str, game: Game) -> tuple[Explained, int]:
    """Return the explanation of the player's move in a position, and the move."""
    decision = player.choose(game)
    start = time.process_time()
    effects = player.reasons(game, game.to_play, decision)
    text = move_name(decision.point, decision.equals) + because(effects)
    taken = time.process_time() - start
    named = any(effect.kind not in UNNAMED and effect.kind.is_reason for effect in effects)
    fault, mover = fault_of(game, text, effects), COLOR_NAMES[game.to_play]
    explained = Explained(
        group=group, text=f"{mover} {text}", fault=fault, named=named, board=str(game),
        cpu_seconds=taken,
    )  # fmt: skip
    return explained, decision.point


def explained_moves(size: int, level: str | None, moves: int, seed: int) -> Iterator[Explained]:
    """Yield explained moves of games of the engine against itself."""
    player = Player(
        PlayerOptions(
            playouts=PLAYOUTS,
            threads=1,
            seed=seed,
            resign_percent=None,
            level=level_options(level) if level is not None else None,
        ),
        load_knowledge(),
    )
    game, count = Game(size, RULESETS["chinese"], KOMI), 0
    player.reasons(game, game.to_play, player.choose(game))  # loads the kernels
    while count < moves:
        if game.is_over:
            game = Game(size, RULESETS["chinese"], KOMI)
            player.new_game()
        if len(game.moves) % EVERY[size] == 0:
            explained, move = explain(player, f"{size}x{size} {level or 'full'}", game)
            count += 1
            yield explained
        else:
            move = player.choose(game).point
        game.play(game.to_play, move)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, explain and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--moves", type=int, default=200, help="explained moves (200)")
    parser.add_argument("--seed", type=int, default=1, help="of the games (1)")
    parser.add_argument("--quiet", action="store_true", help="print no sentences")
    parser.add_argument("--boards", action="store_true", help="print the boards, too")
    parser.add_argument("--sizes", type=int, nargs="*", default=list(EVERY), help="of boards")
    options = parser.parse_args(arguments)
    groups = [(size, level) for size in options.sizes for level in LEVELS]
    share = max(options.moves // len(groups), 1)
    rows: list[TableRow] = []
    faults = 0
    with tqdm(total=share * len(groups), unit=" moves", file=sys.stderr, disable=None) as bar:
        for size, level in groups:
            some = []
            for explained in explained_moves(size, level, share, options.seed):
                some.append(explained)
                bar.update()
            for one in some:
                if options.boards:
                    print(one.board)
                if one.fault or not options.quiet:
                    print(f"{one.group}: {one.text}{'  <-- ' if one.fault else ''}{one.fault}")
            wrong = sum(bool(one.fault) for one in some)
            faults += wrong
            named = sum(one.named for one in some)
            percent = f"{100 * named / len(some):.0f} %"
            taken = sorted(1000.0 * one.cpu_seconds for one in some)
            times = (statistics.median(taken), taken[9 * (len(taken) - 1) // 10])
            rows.append(
                [some[0].group, len(some), named, percent, wrong, *(f"{t:.1f}" for t in times)]
            )
    titles = ("games", "moves", "with stones or an effect", "share", "forbidden")
    print_table((*titles, "CPU ms, median", "90 %"), rows)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
