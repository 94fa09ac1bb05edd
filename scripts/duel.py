"""Play searches against each other in one process, colors alternating: quick, for tuning.

    python -m scripts.duel --first "yomi:bias_variance=0.2,exploration=0.4" \
        --second "rave:b2=0.0003" --playouts 1000 --games 200 --size 9 --rollouts uniform

Searches and constants are named as scripts.contestants says. Only the search is compared: nobody
judges dead stones, passes or resigns for other reasons than its own roll-outs. A game ends after
two passes, counted by area, or when one side's win rate falls below RESIGN. The same seed plays
the same games.
"""

import argparse
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from tqdm import tqdm

from engine import BLACK, RULESETS, WHITE, Game, Knowledge, MoveCode, YomiError
from engine.go.geometry import PASS
from engine.patterns.position import position_of
from engine.rollout.uniform import is_playable
from engine.search.root_priors import PriorStep
from engine.search.searcher import MoveBelief, Root, Searcher
from engine.tactics.advice import Adviser
from engine.thinkers.searching import prior_steps
from scripts.contestants import Contestant, knowledge_for, parse_contestant
from scripts.significance import log_likelihood_ratio, wilson_interval

RESIGN = 0.03
MEMORY_BYTES = 64 << 20
SURE = 2.94  # log likelihood ratio at which a sequential test ends, errors of 5 %


class Conditions(NamedTuple):
    """What both sides of a duel share: ``playouts`` a move, or ``seconds`` if they are given."""

    size: int = 9
    komi: float = 7.5
    playouts: int = 1000
    knowledge: Knowledge = Knowledge()
    seed: int = 1
    seconds: float | None = None


class Side(NamedTuple):
    """One side of a game."""

    searcher: Searcher
    adviser: Adviser | None = None

    def prior_steps(self, game: Game, conditions: Conditions) -> tuple[PriorStep, ...]:
        """Return what chains read out say about single moves; nothing without an adviser."""
        if self.adviser is None:
            return ()
        board, color, seconds = game.board, game.to_play, conditions.seconds
        moves = {p for p in game.legal_points(color) if is_playable(board, p, color)}
        playouts = conditions.playouts if seconds is None else None
        advice = self.adviser.advise(board, color, moves, playouts, seconds)
        return prior_steps(advice)


def new_side(contestant: Contestant, conditions: Conditions, seed: int) -> Side:
    """Return a side that has seen nothing yet."""
    searcher = contestant.searcher(conditions.knowledge, MEMORY_BYTES, seed)
    return Side(searcher, contestant.adviser())


class Score(NamedTuple):
    """The first side's result so far; a game that did not end is half a win."""

    wins: float = 0.0
    games: int = 0
    moves: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the first side's win rate."""
        return wilson_interval(self.wins, self.games)

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.wins:g}/{self.games} = {self.wins / max(self.games, 1):.1%} "
            f"({low:.1%} to {high:.1%}), LLR {log_likelihood_ratio(self.wins, self.games):.2f}, "
            f"{self.moves / max(self.games, 1):.0f} moves a game"
        )


def choose_move(side: Side, game: Game, conditions: Conditions) -> MoveBelief | None:
    """Return the best move that the rules allow; None: nothing but a pass."""
    start = time.monotonic()
    searcher, seconds = side.searcher, conditions.seconds
    points = [move.point for move in game.moves]
    steps = side.prior_steps(game, conditions)
    root = Root(position_of(game, game.to_play), None, steps)
    searcher.set_root(root, tuple(points[-2:]) if len(points) >= 2 else None)
    if seconds is None:
        searcher.run(conditions.playouts, None)
    else:
        searcher.run(None, start + seconds)
    for move in searcher.report().moves:
        if game.legality(game.to_play, move.point) == MoveCode.LEGAL:
            return move
    return None


def play_game(black: Side, white: Side, conditions: Conditions) -> tuple[float, int]:
    """Return Black's result, 1 or 0, or 0.5 for no result, and the number of moves."""
    game = Game(conditions.size, RULESETS["chinese"], conditions.komi)
    sides = {BLACK: black, WHITE: white}
    while game.passes < 2:
        color = game.to_play
        if len(game.moves) > 4 * conditions.size**2:
            return 0.5, len(game.moves)
        move = choose_move(sides[color], game, conditions)
        if move is not None and move.win_rate < RESIGN and len(game.moves) > 10:
            return float(color == WHITE), len(game.moves)
        game.play(color, PASS if move is None else move.point)
    margin = game.score()
    return (0.5 if margin == 0 else float(margin > 0)), len(game.moves)


def play_duel(
    first: Contestant,
    second: Contestant,
    games: int,
    conditions: Conditions,
    watch: Callable[[Score], bool] = lambda score: True,
) -> Score:
    """Return the score of the first of two searches; it is Black in the even games.

    watch  told the score after every game; the match ends when it returns False
    """
    score = Score()
    for number in range(games):
        seed = conditions.seed + 2 * number
        one, other = new_side(first, conditions, seed), new_side(second, conditions, seed + 1)
        pair = (one, other) if number % 2 == 0 else (other, one)
        black, moves = play_game(*pair, conditions)
        won = black if number % 2 == 0 else 1.0 - black
        score = Score(score.wins + won, score.games + 1, score.moves + moves)
        if not watch(score):
            break
    return score


def is_undecided(score: Score) -> bool:
    """Return whether a sequential test of 35 against 0 Elo is still open."""
    return abs(log_likelihood_ratio(score.wins, score.games)) < SURE


def add_conditions(parser: argparse.ArgumentParser, games: int) -> None:
    """Add the options that all scripts of duels share."""
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.5)
    parser.add_argument("--playouts", type=int, default=1000, help="new roll-outs a move")
    parser.add_argument("--seconds", type=float, help="time a move, instead of roll-outs")
    parser.add_argument("--games", type=int, default=games)
    parser.add_argument("--rollouts", choices=("uniform", "guided"), default="uniform")
    parser.add_argument("--priors", action="store_true", help="moves ordered by the ranking model")
    parser.add_argument("--seed", type=int, default=1)


def conditions_of(options: argparse.Namespace) -> Conditions:
    """Return the conditions that a command line asks for."""
    knowledge = knowledge_for(options.rollouts, options.priors)
    return Conditions(
        options.size, options.komi, options.playouts, knowledge, options.seed, options.seconds
    )


def main() -> int:
    """Play and print the score."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", required=True)
    parser.add_argument("--second", required=True)
    parser.add_argument("--sprt", action="store_true", help="stop when 35 Elo are (un)likely")
    add_conditions(parser, games=100)
    options = parser.parse_args()
    try:
        sides = [
            parse_contestant(text, options.rollouts, options.priors)
            for text in (options.first, options.second)
        ]
        conditions = conditions_of(options)
    except YomiError as error:
        print(f"duel: {error}", file=sys.stderr)
        return 2
    with tqdm(total=options.games, file=sys.stderr) as bar:

        def watch(score: Score) -> bool:
            bar.update()
            bar.set_postfix_str(f"{score.wins:g} won")
            return not options.sprt or is_undecided(score)

        score = play_duel(sides[0], sides[1], options.games, conditions, watch)
    print(f"{options.first} against {options.second}: {score}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
