"""Play equally strong players against each other on a game clock, to compare their use of time.

    python -m scripts.play.duel_clocks --seconds 6 --games 100 --price 0.02
    python -m scripts.play.duel_clocks --seconds 6 --games 100 --share 0.05

The first player stops when Baum's utility no longer pays for the time. The second takes an equal
share for every move that the game may still have. With --share, it always takes this share of the
remaining time. Both have the same absolute time for the whole game, one thread, and otherwise the
same settings. Colors alternate. A side that oversteps its time loses.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean

from engine import WHITE, Game, Player, PlayerOptions, YomiError
from engine.clock import Allotment, Clock
from patterns_db.shipped import load_knowledge
from scripts.kept_rows import KeptRows, Row
from scripts.play.arena import Score, SideReply, first_color, play_game, play_match, progress


class ClockedSide:
    """A player with a clock; a side that oversteps its time has lost.

    share  of the remaining time that every move takes; None: as the clock says
    """

    def __init__(self, player: Player, clock: Clock, share: float | None = None) -> None:
        self._player, self._clock, self._share = player, clock, share

    def choose(self, game: Game) -> SideReply:
        """Return the player's move, and take its time off the clock."""
        color = game.to_play
        self._clock.start(color)
        allotment = self._clock.allot(color, game.size, len(game.moves))
        if self._share is not None:
            time_left = self._clock.left(color).main_seconds
            allotment = Allotment(self._share * time_left, self._share * time_left)
        decision = self._player.choose(game, color, allotment)
        self._clock.stop()
        # A side whose flag fell during the move loses, even if the move would have won.
        over = self._clock.left(color).main_seconds <= 0.0
        return SideReply(decision.point, over or decision.resign, late=over)


def play_clocked(
    number: int, pair: tuple[Player, Player], size: int, seconds: float, share: float | None = None
) -> Row:
    """Return one game's outcome, with each side's remaining time [seconds].

    pair   the first player and the second, which has the share
    share  of the remaining time for a move of the second player; None: as the clock says
    """
    # No pipe lies between players and clock, so only their thinking costs time.
    clock = Clock(lag_seconds=0.0)
    clock.set_absolute(seconds)
    sides = ClockedSide(pair[0], clock), ClockedSide(pair[1], clock, share)
    black = pair[first_color(number) == WHITE]
    outcome = play_game(number, Game(size), sides, 2 * size * size, black.final_score)
    color = first_color(number)
    left = [clock.left(c).main_seconds for c in (color, 3 - color)]
    return {**outcome._asdict(), "left": [round(each, 3) for each in left]}


def play_all(options: argparse.Namespace, kept: KeptRows) -> Score:
    """Play the games that are missing and return the score of all."""
    knowledge = load_knowledge()
    common = PlayerOptions(threads=1, resign_percent=10.0, memory_mib=128)
    if options.price is not None:
        common = replace(common, time_price=options.price)
    # This game only compiles the kernels, so that no clock pays for them.
    play_clocked(0, (Player(common, knowledge), Player(common, knowledge)), options.size, 30.0)

    def play(number: int) -> Row:
        seed = options.seed + 2 * number
        # New players every game, because a kept tree would make the first moves cheaper.
        patient = Player(replace(common, seed=seed + 1, patient=True), knowledge)
        other = Player(replace(common, seed=seed, patient=False), knowledge)
        return play_clocked(number, (patient, other), options.size, options.seconds, options.share)

    with progress(options.games) as watch:
        return play_match(play, options.games, kept, watch)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and print the score and the remaining times."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=6.0, help="for the whole game, each side")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--price", type=float, help="of a share of time (as the engine has it)")
    parser.add_argument("--share", type=float, help="of the remaining time, for the second player")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="the games, JSON, so that a stopped run goes on")
    options = parser.parse_args(arguments)
    setting = {name: getattr(options, name) for name in ("seconds", "size", "price", "share")}
    start = time.monotonic()  # of this run alone, kept games aside
    try:
        kept = KeptRows(options.out, {**setting, "seed": options.seed}, "games", "another duel")
        score = play_all(options, kept)
    except (YomiError, OSError) as error:
        print(f"duel_clocks: {error}", file=sys.stderr)
        return 2
    left = [mean(row["left"][side] for row in kept.rows) for side in (0, 1)]
    rival = "equal shares" if options.share is None else f"{options.share:g} of the remaining time"
    print(
        f"utility against {rival}: {score}; left on the clock {left[0]:.2f} and "
        f"{left[1]:.2f} s of {options.seconds:g}; {time.monotonic() - start:.0f} s in all"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
