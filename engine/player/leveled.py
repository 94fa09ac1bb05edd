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
from engine.errors import BadSetup
from engine.facts.position_facts import Facts
from engine.facts.survey import SURVEY
from engine.go.geometry import PASS, format_vertex
from engine.patterns.position import position_of
from engine.people.model import PeoplePredictor
from engine.people.words import describe_move
from engine.player.decision import Decision, decide
from engine.player.levels import LevelOptions
from engine.player.limits import Limits
from engine.player.searching import SearchThinker
from engine.player.thinker import MoveRequest, ThinkerOptions
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


class Idea(NamedTuple):
    """A move that may come to mind.

    chance  probability that a player of the rank plays it
    about   its purpose, in words
    """

    chance: float
    about: str


class LevelThinker:
    """Plays at a level, on one thread: strength must not depend on the machine.

    Only played moves are at a level. An analysis, which neither a clock nor a number of roll-outs
    bounds, uses the full engine and leaves no trace in the moves. The same holds for thinking on
    the opponent's time.
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
        facts: Facts | None = None,
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
            model=by_visits(options.model),  # the rule under which the levels were measured
        )
        # The levels were measured with a search whose prior steps had no context.
        plain = knowledge._replace(patterns=knowledge.patterns.plain())
        facts = facts or Facts(knowledge.solver, knowledge.life, knowledge.odds)
        self._searching = SearchThinker(own, plain, seed, facts)
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
        """Do as ``Thinker.think``, with one report where moves are drawn.

        The decision then names the moves that came to mind, and their probability.
        """
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
        searcher = self._searching.search.enter(
            request.game, request.color, moves, (), request.capture_dead
        )
        searcher.run(limits.playouts, limits.deadline, limits.stopped)
        report = with_equal_moves(searcher.report(), request.game, request.color)
        yield report
        points = [move.point for move in report.moves]
        beside = compared_with(points[1:])
        reasons = {point: self._reason(ideas.get(point)) for point in points}
        reasons[points[0]] = self._reason(ideas.get(points[0]), beside)
        return decide(report, reasons)

    def forget(self) -> None:
        """Start the next position from nothing."""
        self._searching.forget()
        self._analyst.forget()

    def _ideas(self, request: MoveRequest) -> dict[int, Idea]:
        """Return the moves that may come to mind."""
        people = self._people
        position = position_of(request.game, request.color)
        count = people.study(position, request.game.size)
        chances = [math.exp(log) for log in people.log_chances(self._weights, count)]
        rows = people.work.rows[:count].tolist()
        ideas = {
            point: Idea(chance, describe_move(move_rows))
            for point, chance, move_rows in zip(people.points(count), chances, rows, strict=True)
        }
        return usual(sensible(ideas, request))

    def _draw(self, ideas: Mapping[int, Idea]) -> frozenset[int]:
        """Return the moves that come to mind, each at most once."""
        assert self.level.ideas is not None
        # Whole numbers whose mean is the level's number of ideas.
        count = int(self.level.ideas + self._rng.random())
        chances = {point: idea.chance for point, idea in ideas.items()}
        moves: set[int] = set()
        while chances and len(moves) < count:
            point = self._rng.choices(list(chances), list(chances.values()))[0]
            del chances[point]
            moves.add(point)
        return frozenset(moves)

    def _reason(self, idea: Idea | None, beside: str = "") -> str:
        """Return the reason of a move: its purpose, the compared moves, and how usual it is."""
        if idea is None:
            return "nothing else came to mind"
        return (
            f"{idea.about}{beside};"
            f" {self.level.name} players choose it in {100 * idea.chance:.0f} % of such positions"
        )


def compared_with(rivals: Sequence[int]) -> str:
    """Return in words what else came to mind, for the move that was preferred to it."""
    if not rivals:
        return ", and nothing else came to mind"
    names = [format_vertex(point) for point in rivals[: LEVELED.named]]
    if len(rivals) > LEVELED.named:
        names.append(f"{len(rivals) - LEVELED.named} more")
    listed = " and ".join(", ".join(names).rsplit(", ", 1))
    return f", and it looks better than {listed}, which came to mind as well"


def sensible(ideas: Mapping[int, Idea], request: MoveRequest) -> dict[int, Idea]:
    """Return the moves that are worth drawing.

    Moves inside secure ground are left out: people would pass instead, and passing is left to the
    player.
    """
    owners = request.ownership
    return {
        point: idea
        for point, idea in ideas.items()
        if point in request.moves and (owners is None or abs(owners[point]) < SURVEY.secure)
    }


def usual(ideas: Mapping[int, Idea]) -> dict[int, Idea]:
    """Return the most probable moves, which have all but never of the probability, by point.

    Twin: tests/reference/people.py::usual
    """
    order = sorted(ideas, key=lambda point: (ideas[point].chance, point))
    total = sum(idea.chance for idea in ideas.values())
    dropped = 0.0
    points = set(ideas)
    for point in order[:-1]:
        dropped += ideas[point].chance
        if dropped > LEVELED.never * total:
            break
        points.remove(point)
    return {point: ideas[point] for point in sorted(points)}
