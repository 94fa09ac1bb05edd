"""The thinker that reads ahead: a tree search, advised by chains read out and by sums of fights."""

import time
from collections.abc import Generator, Iterator

from engine.belief.knowledge import Knowledge
from engine.belief.memory import Place
from engine.belief.posterior import settled_share
from engine.belief.report import SearchReport, with_equal_moves, with_posterior
from engine.belief.root_moves import MoveBelief
from engine.belief.searcher import Searcher
from engine.endings.sums import SUMS, SumAdvice, advise
from engine.explain.kinds import Effect, Kind
from engine.facts.position_facts import Facts
from engine.go.board import BLACK
from engine.go.geometry import PASS
from engine.patterns.position import position_of
from engine.player.decision import LEAST_PLAYOUTS, Decision, decide
from engine.player.prior_steps import Advice, RankedMoves, reading_budget, replies_to_rescues
from engine.player.prior_steps import advise as advise_on_facts
from engine.player.thinker import Limits, MoveRequest, NewSearcher, ThinkerOptions
from engine.rollout.guided import KnownReply


class SearchThinker:
    """Searches, and remembers its tree; ``new_searcher``: another search, for measuring."""

    reads_ahead = True

    def __init__(
        self,
        options: ThinkerOptions,
        knowledge: Knowledge,
        seed: int,
        facts: Facts,
        *,
        new_searcher: NewSearcher = Searcher,
    ) -> None:
        self.options, self.facts = options, facts
        self.search = options.game_search(knowledge, seed, new_searcher)

    def think(
        self, request: MoveRequest, limits: Limits, interval: float
    ) -> Generator[SearchReport, None, Decision]:
        """Search up to one of the limits; the decision names what was known before the search."""
        game, color, moves, *_, beliefs = request
        # Both before the search, on its clock; the sum has a say only in what is chosen afterwards.
        ending = self._ending(request, limits)
        advice, replies = self._advice(request, limits)
        place = beliefs.place(game, color) if beliefs is not None else None
        searcher = self.search.enter(game, color, moves, advice.steps, replies, place)
        for report in reports(searcher, limits, interval):
            counted = self._counted(request, report, place, limits)
            # The belief that equal moves share is also that of the reasons below.
            report = with_equal_moves(counted, game, color)
            yield report
        best = choose_between(report.moves, ending)
        why = advice.effects.get(best.point, ())
        if ending is not None and best.point in ending.moves:
            why = (sum_effect(ending, color, best.point, game.full_komi), *why)
        decision = decide(report, color, why, best)
        return decision._replace(advice=advice.effects, lead_interval=report.lead_interval)

    def _counted(
        self, request: MoveRequest, report: SearchReport, place: Place | None, limits: Limits
    ) -> SearchReport:
        """Return a report whose lead is the final score, where the facts say that all is settled.

        A pass that ends the game with all stones alive has the score of the board. After the
        deadline the facts only remember.
        """
        game, color = request.game, request.color
        if game.rules.all_stand and game.passes > 0 and report.moves[0].point == PASS:
            return with_posterior(report, report.posterior.at(game.score()), color)
        # Least ``settled_share`` at which the facts are asked for the final score.
        if report.evidence is None or settled_share(report.evidence) < 0.05:
            return report
        facts, is_late = self.facts, limits.proofs.is_over()
        status = facts.remembered(game) if is_late else facts.status(game, limits.proofs)
        if status is None or not status.settled:
            return report
        margin = game.score(*status.counted)
        if place is not None:
            place.counted(margin)
        return with_posterior(report, report.posterior._replace(mean=margin), color)

    def forget(self) -> None:
        """Start the next position from nothing."""
        self.search.forget()
        self.facts.forget()

    def _ending(self, request: MoveRequest, limits: Limits) -> SumAdvice | None:
        """Return what the sum of fights says, if the position is one and that is wanted."""
        game, color, moves, ownership, clean_up, *_ = request
        if not self.options.sums or ownership is None or clean_up:
            return None
        # One survey of the board serves the sum and the search: it is remembered.
        playouts = self.options.playouts
        cost = game.size, playouts, limits.share, limits.stopped
        budget = reading_budget(*cost, SUMS.survey_nodes)
        advice = advise(game, color, ownership, self.facts, budget)
        # The moves in question may exclude all moves that the sum names.
        return advice if advice is not None and advice.moves & moves else None

    def _advice(
        self, request: MoveRequest, limits: Limits
    ) -> tuple[Advice, tuple[KnownReply, ...]]:
        """Return the advice of facts about chains, and the proved answers, if they are wanted."""
        if not self.options.tactics or request.clean_up:
            return Advice(), ()
        game, color = request.game, request.color
        # The options' playouts, not the limits': pondering has none, and its facts are kept.
        cost = game.size, self.options.playouts, limits.share, limits.stopped
        chains = self.facts.chains(game.board, reading_budget(*cost))
        if not chains:
            return Advice(), ()
        # The search's predictor, because its report asks about the same position.
        predictor = self.search.searcher.predictor
        ranked = RankedMoves.of(predictor, position_of(game, color), self.options.model)
        advice = advise_on_facts(chains, color, request.moves, ranked)
        return advice, replies_to_rescues(chains, game.size)


def reports(searcher: Searcher, limits: Limits, interval: float) -> Iterator[SearchReport]:
    """Search up to one of the limits and report after every interval [seconds] and at the end."""
    playouts = limits.playouts
    started = time.monotonic()
    next_report = started + interval
    next_look = started + limits.pause
    total = 0
    while True:
        until = min(next_report, next_look, limits.deadline)
        done = searcher.run(playouts, until, limits.stopped)
        # Reduced by the number done: a run ends early at a report, a look, or a stop.
        if playouts is not None:
            playouts -= done
        total += done
        now = time.monotonic()
        # No roll-out was done: the tree can count no further.
        over = done == 0 or playouts == 0 or limits.stopped() or now >= limits.deadline
        if now >= next_look:
            over = over or limits.is_enough(searcher, total, now - started)
            next_look = now + limits.pause
        if over or now >= next_report:
            yield searcher.report()
            next_report = now + interval
        if over:
            return


def sum_effect(ending: SumAdvice, color: int, move: int, komi: float) -> Effect:
    """Return what a move gains in a sum of fights; komi includes handicap compensation."""
    margin = ending.margin - komi if color == BLACK else komi - ending.margin
    return Effect(
        kind=Kind.SUM, points=float(ending.worth), color=color, moves=(move, PASS),
        numbers=(ending.fights, ending.worth, margin),
    )  # fmt: skip


def choose_between(moves: tuple[MoveBelief, ...], ending: SumAdvice | None) -> MoveBelief:
    """Return the first, best move of the search, or the right move of a sum, if there is one."""
    best = moves[0]
    if ending is None or best.point in ending.moves:
        return best
    # Best first: the search's favorite among equal moves of the sum.
    for move in moves:
        # In a game from the same position the side with sums lost 25 points that the search alone
        # kept: roll-outs judge the settled parts. The search therefore has a veto on the sum's
        # move. It uses the veto when the move's share of won roll-outs is smaller by this.
        is_clear = move.playouts >= LEAST_PLAYOUTS and move.won >= best.won - 0.1
        if move.point in ending.moves and is_clear:
            return move
    return best
