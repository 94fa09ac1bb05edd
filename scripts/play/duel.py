"""Play searches against each other in one process, with alternating colors: quick, for tuning.

    python -m scripts.play.duel --first "yomi:bias_variance=0.2,exploration=0.4" \
        --second "rave:b2=0.0003" --playouts 1000 --games 200 --size 9 --rollouts uniform

``scripts.play.contestants`` explains the names of searches and constants. Only the search is
compared: no part judges dead stones, passes or resigns for other reasons than its own roll-outs. A
game ends after two passes, counted by area, or when one side's win rate falls below RESIGN. The
same seed plays the same games.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from engine import RULESETS, Game, Knowledge, MoveCode, YomiError
from engine.facts.position_facts import Facts
from engine.patterns.position import position_of
from engine.patterns.predictor import Predictor
from engine.rollout.uniform import is_playable
from engine.search.root_moves import MoveBelief
from engine.search.searcher import Root, Searcher
from engine.thinkers.prior_steps import (
    AdviceModel,
    RankedMoves,
    advise,
    reading_budget,
    replies_to_rescues,
)
from engine.thinkers.searching import prior_steps
from gtp.cli.command_line import add_cluster, cluster_of
from scripts.kept_rows import KeptRows, Row
from scripts.play.arena import (
    Score,
    SideReply,
    match_backend,
    play_game,
    play_match,
    progress,
)
from scripts.play.contestants import Contestant, knowledge_for, parse_contestant

RESIGN = 0.03
FEWEST_MOVES = 10  # moves of a game before a side may resign
MEMORY_BYTES = 64 << 20


class Conditions(NamedTuple):
    """The conditions that both sides share: ``playouts`` a move, or ``seconds`` if given."""

    size: int = 9
    komi: float = 7.5
    playouts: int = 1000
    knowledge: Knowledge = Knowledge()
    seed: int = 1
    seconds: float | None = None


class SearchSide(NamedTuple):
    """A search, maybe with advice, as one side of a game."""

    searcher: Searcher
    conditions: Conditions
    facts: Facts
    advice: AdviceModel | None = None
    predictor: Predictor | None = None  # of the ranking model, if the search uses it

    def root(self, game: Game) -> Root:
        """Return the position, with advice by readings of chains if wanted."""
        position = position_of(game, game.to_play)
        if self.advice is None:
            return Root(position)
        board, color, seconds = game.board, game.to_play, self.conditions.seconds
        # The search has children at these points: roll-outs and the tree leave own eyes alone, and
        # an occupied point is no move.
        moves = {p for p in game.legal_points(color) if is_playable(board, p, color)}
        playouts = self.conditions.playouts if seconds is None else None
        chains = self.facts.chains(board, reading_budget(game.size, playouts, seconds))
        ranked = None
        if chains and self.predictor is not None:
            ranked = RankedMoves.of(self.predictor, position, self.searcher.model)
        steps = prior_steps(advise(chains, color, moves, self.advice, ranked))
        replies = replies_to_rescues(chains, game.size, self.advice)
        return Root(position, None, steps, replies)

    def best_move(self, game: Game) -> MoveBelief | None:
        """Return the best legal move; None: nothing but a pass."""
        # Before the advice: reading chains uses the same time as the search.
        start = time.monotonic()
        searcher, seconds = self.searcher, self.conditions.seconds
        points = [move.point for move in game.moves]
        root = self.root(game)
        # Two moves, ours and the answer, lead from the last root to this one, so its tree is kept.
        searcher.set_root(root, tuple(points[-2:]) if len(points) >= 2 else None)
        if seconds is None:
            searcher.run(self.conditions.playouts, None)
        else:
            searcher.run(None, start + seconds)
        # The root does not know the superko bans, so the best move may repeat a position.
        for move in searcher.report().moves:
            if game.legality(game.to_play, move.point) == MoveCode.LEGAL:
                return move
        return None

    def choose(self, game: Game) -> SideReply:
        """Return the best move, or resign."""
        move = self.best_move(game)
        if move is None:
            return SideReply()
        resign = move.won < RESIGN and len(game.moves) > FEWEST_MOVES
        return SideReply(move.point, resign, move.won)


def new_side(contestant: Contestant, conditions: Conditions, seed: int) -> SearchSide:
    """Return a side without any memory."""
    searcher = contestant.searcher(conditions.knowledge, MEMORY_BYTES, seed)
    facts = contestant.facts(conditions.knowledge)
    predictor = Predictor(searcher.patterns) if searcher.model.informed else None
    return SearchSide(searcher, conditions, facts, contestant.advice, predictor)


def play_pair(first: Contestant, second: Contestant, conditions: Conditions, number: int) -> Row:
    """Play one game of two searches."""
    # One seed a side and a game, so that a game does not depend on earlier ones.
    seed = conditions.seed + 2 * number
    pair = new_side(first, conditions, seed), new_side(second, conditions, seed + 1)
    game = Game(conditions.size, RULESETS["chinese"], conditions.komi)
    return play_game(number, game, pair, 4 * conditions.size**2 + 1)._asdict()


def play_duel(
    first: Contestant,
    second: Contestant,
    games: int,
    conditions: Conditions,
    watch: Callable[[Score], bool] = lambda score: True,
    kept: KeptRows | None = None,
) -> Score:
    """Return the score of the first of two searches; it is Black in the even games.

    A game without end is half a win.
    watch  called with the score after every game; the match ends when it returns False
    kept   the store of the games, old and new
    """

    def play(number: int) -> Row:
        return play_pair(first, second, conditions, number)

    return play_match(play, games, KeptRows(None, {}) if kept is None else kept, watch)


class DuelPlan(NamedTuple):
    """A duel in words, from which another process can play any of its games."""

    first: str
    second: str
    rollouts: str
    priors: bool
    conditions: Conditions  # without knowledge: every process reads the tables itself


_knowledge = cache(knowledge_for)


def play_planned(plan: DuelPlan, number: int) -> Row:
    """Play one game of a duel."""
    conditions = plan.conditions._replace(knowledge=_knowledge(plan.rollouts, plan.priors))
    first, second = (
        parse_contestant(text, plan.rollouts, plan.priors) for text in (plan.first, plan.second)
    )
    return play_pair(first, second, conditions, number)


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
    """Return the conditions of a command line."""
    knowledge = knowledge_for(options.rollouts, options.priors)
    return Conditions(
        options.size, options.komi, options.playouts, knowledge, options.seed, options.seconds
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and print the score."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", required=True)
    parser.add_argument("--second", required=True)
    parser.add_argument("--sprt", action="store_true", help="stop when 35 Elo are (un)likely")
    parser.add_argument("--out", type=Path, help="the games, JSON, so that a stopped run goes on")
    add_conditions(parser, games=100)
    add_cluster(parser)
    options = parser.parse_args(arguments)
    shared = ("first", "second", "size", "komi", "playouts", "seconds", "rollouts", "priors")
    setting = {name: getattr(options, name) for name in (*shared, "seed")}
    try:
        for text in (options.first, options.second):
            # Parsed first, so that errors appear before any game.
            parse_contestant(text, options.rollouts, options.priors)
        conditions = conditions_of(options)._replace(knowledge=Knowledge())
        how = options.first, options.second, options.rollouts, options.priors
        play = partial(play_planned, DuelPlan(*how, conditions))
        kept = KeptRows(options.out, setting, "games", "another duel")
        with cluster_of(options) as cluster, progress(options.games, options.sprt) as watch:
            score = play_match(play, options.games, kept, watch, match_backend(cluster))
    except (YomiError, OSError) as error:
        print(f"duel: {error}", file=sys.stderr)
        return 2
    print(f"{options.first} against {options.second}: {score}")
    return 0


if __name__ == "__main__":
    # The workers of a cluster find the function by its name.
    from scripts.play import duel

    sys.exit(duel.main())
