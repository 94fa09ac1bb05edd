"""The thinker that plays at a level: a few moves come to mind and are compared.

Moves come to mind with the probability that people of the level's rank play them
(``engine.people``). Captures that they overlook do not come to mind either. A small search compares
the drawn moves.
Twin: tests/reference/people.py.
"""

import dataclasses
import math
import random
from collections.abc import Generator, Mapping, Sequence
from typing import NamedTuple

from engine.belief.knowledge import Knowledge
from engine.belief.report import SearchReport, with_equal_moves
from engine.belief.root_moves import MoveBelief
from engine.errors import BadSetup
from engine.explain.kinds import Effect, Kind
from engine.explain.scene import Scene
from engine.explain.shapes import ideas_of
from engine.facts.position_facts import Facts
from engine.facts.survey import SURVEY
from engine.go.geometry import PASS
from engine.patterns.position import position_of
from engine.people.model import PeoplePredictor
from engine.player.decision import Decision, decide, expected_move
from engine.player.levels import LevelOptions
from engine.player.searching import SearchThinker
from engine.player.thinker import Limits, MoveRequest, ThinkerOptions
from engine.search.model import by_visits


class LeveledLimits(NamedTuple):
    """A player of a level."""

    # The strongest level's tree takes about 190 on 19x19, 30 on 9x9
    memory_mib: int = 256
    # The least probable moves with this probability together are not drawn: no model is sure enough
    # of the moves that nobody would play.
    never: float = 0.02
    named: int = 3  # moves that a reason names of those that were compared


LEVELED = LeveledLimits()


class LevelThinker:
    """Plays at a level, on one thread: strength must not depend on the machine.

    An analysis, which neither a clock nor a number of roll-outs bounds, uses the full engine and
    leaves no trace in the moves. The same holds for thinking on the opponent's time.
    Raises BadSetup without knowledge of patterns and of people.
    """

    # A level plays only moves that come to mind.
    reads_ahead = False

    def __init__(
        self,
        level: LevelOptions,
        options: ThinkerOptions,
        knowledge: Knowledge,
        seed: int,
        facts: Facts,
    ) -> None:
        if knowledge.patterns is None or knowledge.people is None:
            raise BadSetup("levels need a table of patterns and one of people's choices")
        self.level = level
        # The playouts of the level bound the reading of chains.
        own = dataclasses.replace(
            options,
            playouts=level.playouts,
            threads=1,
            memory_mib=LEVELED.memory_mib,
            # The rule and the prior steps under which the levels were measured
            model=by_visits(options.model)._replace(owners=False),
        )
        self._searching = SearchThinker(own, knowledge, seed, facts)
        # It takes memory only at its first analysis.
        self._analyst = SearchThinker(options, knowledge, seed, facts)
        self._rng = random.Random(seed)
        self._people = PeoplePredictor(knowledge.patterns, knowledge.people)
        self._weights = knowledge.people.at(level.kyu)

    @property
    def options(self) -> ThinkerOptions:
        """The options of an analysis; a level keeps its own limits."""
        return self._analyst.options

    @options.setter
    def options(self, options: ThinkerOptions) -> None:
        self._analyst.options = options

    def think(
        self, request: MoveRequest, limits: Limits, interval: float
    ) -> Generator[SearchReport, None, Decision]:
        """Do as ``Thinker.think``, with one report where moves are drawn."""
        if limits.playouts is None and limits.deadline == math.inf:
            return (yield from self._analyst.think(request, limits, interval))
        # Start afresh: analysis and clocks of other moves must not change the strength of a level.
        self._searching.forget()
        # No time plan: roll-outs bound the reading of a level, and a clock may only cut it short.
        limits = limits._replace(share=None)
        # Beliefs about other positions inform the lead that is shown, and not the choice.
        request = request._replace(beliefs=None)
        # In a clean-up dead stones have to be captured, and their places are known.
        if self.level.ideas is None or request.clean_up:
            return (yield from self._searching.think(request, limits, interval))
        ideas = self._ideas(request)
        moves = self._draw(ideas) if ideas else (request.moves & {PASS} or request.moves)
        searcher = self._searching.search.enter(request.game, request.color, moves)
        searcher.run(limits.playouts, limits.deadline, limits.stopped)
        report = with_equal_moves(searcher.report(), request.game, request.color)
        yield report
        return decide(report, request.color, self._why(request, ideas, report.moves))

    def forget(self) -> None:
        """Start the next position from nothing."""
        self._searching.forget()
        self._analyst.forget()

    def _ideas(self, request: MoveRequest) -> dict[int, float]:
        """Return the moves that may come to mind, with their probabilities."""
        position = position_of(request.game, request.color)
        chances = self._people.of_position(position, request.game.size, self._weights)
        return usual(sensible(chances, request))

    def _draw(self, ideas: Mapping[int, float]) -> frozenset[int]:
        """Return the moves that come to mind, each at most once."""
        assert self.level.ideas is not None
        # Whole numbers whose mean is the level's number of ideas.
        count = int(self.level.ideas + self._rng.random())
        chances = dict(ideas)
        moves: set[int] = set()
        while chances and len(moves) < count:
            point = self._rng.choices(list(chances), list(chances.values()))[0]
            del chances[point]
            moves.add(point)
        return frozenset(moves)

    def _why(
        self, request: MoveRequest, ideas: Mapping[int, float], moves: Sequence[MoveBelief]
    ) -> tuple[Effect, ...]:
        """Return why the best of some moves came to mind, how usual it is, and what else did."""
        best, *rivals = moves
        color = request.color
        if best.point not in ideas:
            return (Effect(Kind.NO_MOVE, 0.0),)
        chance = sum(ideas.get(point, 0.0) for point in (best.point, *best.equals))
        also = Effect(Kind.ALSO, 0.0, places=tuple(move.point for move in rivals[: LEVELED.named]))
        return (
            *ideas_of(Scene(request.game, color, best.point), self._searching.facts),
            expected_move(color, best.point, chance, self.level.kyu),
            *((also,) if rivals else ()),
        )


def sensible(ideas: Mapping[int, float], request: MoveRequest) -> dict[int, float]:
    """Return the allowed moves outside secure ground, where people would pass."""
    owners = request.ownership
    return {
        point: chance
        for point, chance in ideas.items()
        if point in request.moves and (owners is None or abs(owners[point]) < SURVEY.secure)
    }


def usual(ideas: Mapping[int, float]) -> dict[int, float]:
    """Return the most probable moves, which have all but ``never`` of it, by point.

    Twin: tests/reference/people.py::usual
    """
    order = sorted(ideas, key=lambda point: (ideas[point], point))
    total = sum(ideas.values())
    dropped = 0.0
    points = set(ideas)
    for point in order[:-1]:
        dropped += ideas[point]
        if dropped > LEVELED.never * total:
            break
        points.remove(point)
    return {point: ideas[point] for point in sorted(points)}
