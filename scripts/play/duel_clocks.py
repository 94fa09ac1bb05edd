"""Play equal-sighted players against each other on a game clock: which spends its time better?

    python -m scripts.play.duel_clocks --seconds 6 --games 100 --price 0.02
    python -m scripts.play.duel_clocks --seconds 6 --games 100 --share 0.05

The first player stops when Baum's utility no longer pays for the time. The second takes an equal
share for every move that the game may still have, or, with --share, always this share of what is
left. Both have the same absolute time for the whole game, one thread, and otherwise the same
settings. Colors alternate. A side that oversteps its time loses.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import replace

from tqdm import tqdm

from engine import BLACK, WHITE, Game, Player, PlayerOptions
from engine.clock import Allotment, Clock
from patterns_db.shipped import load_knowledge
from scripts.play.duel import Score


def play_game(
    players: dict[int, Player], size: int, seconds: float, share: float | None = None
) -> tuple[int, dict[int, float]]:
    """Return the winner's color and what each side had left [seconds].

    share  of what is left that a move of a player without patience takes; None: as the clock says
    """
    game = Game(size)
    clock = Clock(lag_seconds=0.0)
    clock.set_absolute(seconds)
    while game.passes < 2 and len(game.moves) < 2 * size * size:
        color = game.to_play
        clock.start(color)
        allotment = clock.allot(color, size, len(game.moves))
        if share is not None and not players[color].options.patient:
            time_left = clock.left(color).main_seconds
            allotment = Allotment(share * time_left, share * time_left)
        decision = players[color].choose(game, color, allotment)
        clock.stop()
        if clock.left(color).main_seconds <= 0.0 or decision.resign:
            return 3 - color, _left(clock)
        game.play(color, decision.point)
    margin = players[BLACK].final_score(game)
    return BLACK if margin > 0 else WHITE, _left(clock)


def _left(clock: Clock) -> dict[int, float]:
    return {color: clock.left(color).main_seconds for color in (BLACK, WHITE)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and print the score and how much time was left."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=6.0, help="for the whole game, each side")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--price", type=float, help="of a share of time (as the engine has it)")
    parser.add_argument("--share", type=float, help="of what is left, for the second player")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    knowledge = load_knowledge()
    common = PlayerOptions(threads=1, resign_percent=10.0, memory_mib=128)
    play_game({color: Player(common, knowledge) for color in (BLACK, WHITE)}, options.size, 30.0)
    score, left = Score(), [0.0, 0.0]  # that game was for the kernels alone: no clock pays for them
    start = time.monotonic()
    for number in tqdm(range(options.games), file=sys.stderr):
        color = BLACK if number % 2 == 0 else WHITE
        pair = []
        for patient in (True, False):
            own = replace(common, seed=options.seed + 2 * number + patient, patient=patient)
            if options.price is not None:
                own = replace(own, time_price=options.price)
            pair.append(Player(own, knowledge))
        winner, rest = play_game(
            {color: pair[0], 3 - color: pair[1]}, options.size, options.seconds, options.share
        )
        score = Score(score.wins + (winner == color), score.games + 1)
        left[0] += rest[color]
        left[1] += rest[3 - color]
    rival = "equal shares" if options.share is None else f"{options.share:g} of what is left"
    print(
        f"utility against {rival}: {score}; left on the clock {left[0] / score.games:.2f} and "
        f"{left[1] / score.games:.2f} s of {options.seconds:g}; "
        f"{time.monotonic() - start:.0f} s in all"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
