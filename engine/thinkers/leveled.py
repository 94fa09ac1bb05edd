"""The thinker that plays at a level: moves that come to mind, few of them compared.

The ranking model says how probable each move is as an expert's (Stern, Herbrich & Graepel 2006,
Sec. 3.1). A level flattens that by its temperature and draws: so its moves look like a player's,
good and less good ones. What reading chains tells of captures, rescues and ladders tilts the draw
as far as the level sees it: nothing large is left in atari, and no dead stones are run out, by a
level that knows better. The moves drawn are compared by a small search.
Twin: tests/reference/levels.py.
"""

import dataclasses
import math
import random
from collections.abc import Callable, Container, Generator, Iterable, Mapping, Set

from engine.errors import BadSetup
from engine.facts.chain_facts import ChainFacts, Surveyor
from engine.facts.final_status import SECURE
from engine.go.board import COLOR, place
from engine.go.chains import chain_size, count_liberties
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.go.ladders import is_captured_in_ladder, ladder_work
from engine.knowledge import Knowledge
from engine.patterns.predictor import Predictor
from engine.search.model import by_visits
from engine.search.report import SearchReport
from engine.thinkers.levels import LevelOptions
from engine.thinkers.prior_steps import AdviceModel, advise
from engine.thinkers.searching import SearchThinker, prior_steps
from engine.thinkers.thinker import Decision, Limits, MoveRequest, ThinkerOptions, candidate

MEMORY_MIB = 160  # the strongest level's tree takes 112 on an empty 19x19, 18 on 9x9
# Solver nodes a point of the board: a player looks at chains in atari first, then on while it may.
NODES_A_POINT = 4
LADDER_NODES = 500
# Of the draw's whole weight, for a move that captures or saves n stones: n * n times this. One
# stone gets a fifth of all moves, two a half, five 86 %: the pattern model knows small ones itself.
URGE = 0.25
IN_VAIN = 0.05  # what is left of the weight of a move that helps a chain that is captured anyway
REDRAWS = 7  # of moves that are seen to be captured: at last there may be nothing better

Weights = dict[int, float]  # by point


class LevelThinker:
    """Plays at a level, on one thread: strength must not depend on the machine.

    Only moves that are played are a level's. An analysis, which no clock and no number of roll-outs
    bounds, is the full engine's, and leaves no trace in the moves: so does thinking on the
    opponent's time.
    Raises BadSetup without knowledge of patterns.
    """

    def __init__(
        self, level: LevelOptions, options: ThinkerOptions, knowledge: Knowledge, seed: int
    ) -> None:
        if knowledge.patterns is None:
            raise BadSetup("levels need a table of patterns")
        self.level = level
        # Its playouts bound the reading of chains.
        own = dataclasses.replace(
            options,
            playouts=level.playouts,
            threads=1,
            memory_mib=MEMORY_MIB,
            model=by_visits(options.model),  # as when the levels were measured
        )
        self._searching = SearchThinker(own, knowledge, seed)
        # Takes memory when it is first asked.
        self._analyst = SearchThinker(options, knowledge, seed)
        self._rng = random.Random(seed)
        self._predictor = Predictor(knowledge.patterns)
        self._surveyor = Surveyor()
        self._ladders = ladder_work()

    @property
    def options(self) -> ThinkerOptions:
        """What an analysis goes by; a level's own limits stand for themselves."""
        return self._analyst.options

    @options.setter
    def options(self, options: ThinkerOptions) -> None:
        self._analyst.options = options

    def think(
        self, request: MoveRequest, limits: Limits, interval: float
    ) -> Generator[SearchReport, None, Decision]:
        """Report once; the decision says how probable the move is as an expert's."""
        if limits.playouts is None and limits.deadline == math.inf:
            return (yield from self._analyst.think(request, limits, interval))
        # Every move anew, or analysis and clocks of other moves would change what a level is worth.
        self._searching.forget()
        self._surveyor.forget()
        # No plan for the time: roll-outs bound what a level reads; a clock may only cut it short.
        limits = limits._replace(share=None)
        # The dead have to be captured by who plays for it, and where they are is known.
        if self.level.ideas is None or request.clean_up:
            return (yield from self._searching.think(request, limits, interval))
        seen = self._seen(request, limits)
        ideas, chances = self._ideas(request, seen)
        steps = prior_steps(advise(seen, request.color, ideas, AdviceModel()))
        searcher = self._searching.search.enter(
            request.game, request.color, ideas, steps, request.pass_ends
        )
        searcher.run(limits.playouts, limits.deadline, limits.stopped)
        report = searcher.report()
        yield report
        count = len(ideas)
        candidates = tuple(
            candidate(
                move,
                f"one of {count} move{'s' if count > 1 else ''} that came to mind"
                f" (an expert plays it with a probability of {chances.get(move.point, 0.0):.1%})",
            )
            for move in report.moves
        )
        best = candidates[0]
        return Decision(best.point, False, best.reason, best.win_rate, report.playouts, candidates)

    def chain_facts(self, game: Game, stopped: Callable[[], bool]) -> list[ChainFacts]:
        """Return what is proved of the chains with few liberties; read for whoever asks."""
        return self._analyst.chain_facts(game, stopped)

    def forget(self) -> None:
        """Start the next position from nothing."""
        self._searching.forget()
        self._analyst.forget()

    def _seen(self, request: MoveRequest, limits: Limits) -> list[ChainFacts]:
        """Return those facts about chains that the level sees this time."""
        board = request.game.board
        nodes = NODES_A_POINT * request.game.size**2
        facts = self._surveyor.survey(board, nodes, limits.stopped)
        return [chain for chain in facts if self._sees(len(chain.liberties), len(chain.stones))]

    def _sees(self, liberties: int, stones: int) -> bool:
        return self._rng.random() < self.level.sees(liberties, stones)

    def _ideas(
        self, request: MoveRequest, seen: list[ChainFacts]
    ) -> tuple[frozenset[int], dict[int, float]]:
        """Return the moves that come to mind, and every move's probability as an expert's."""
        chances = self._predictor.of_game(request.game, request.color)
        advice = advise(seen, request.color, request.moves, AdviceModel())
        vain = {item.point for item in advice if not item.urged}
        stakes = stones_at_stake(seen, request.color)
        drawable = sensible(chances, request, stakes)
        weights = weigh(drawable, stakes, vain, self.level.temperature)
        if not weights:
            # All that is left is somebody's ground beyond doubt.
            return (request.moves & {PASS} or request.moves), chances
        assert self.level.ideas is not None
        # Any average, by whole numbers.
        count = int(self.level.ideas + self._rng.random())
        drawn: set[int] = set()
        redraws = REDRAWS
        while weights and len(drawn) < count:
            points = list(weights)
            point = self._rng.choices(points, list(weights.values()))[0]
            del weights[point]
            if redraws and weights and point not in stakes and self._sees_loss(request, point):
                redraws -= 1
                continue
            drawn.add(point)
        return frozenset(drawn), chances

    def _sees_loss(self, request: MoveRequest, point: int) -> bool:
        """Return whether the level sees that a stone would be lost at once, or in a ladder."""
        board = request.game.board.copy()
        place(board, point, request.color)
        # Suicide, where it is allowed.
        if board[COLOR + point] != request.color:
            return True
        liberties = int(count_liberties(board, point, 3))
        if liberties > 2 or not self._sees(liberties, int(chain_size(board, point))):
            return False
        return bool(is_captured_in_ladder(board, point, True, LADDER_NODES, self._ladders))


def sensible(
    chances: Mapping[int, float], request: MoveRequest, stakes: Container[int]
) -> dict[int, float]:
    """Return the probabilities of the moves that are worth drawing.

    Not those inside of ground that is somebody's beyond doubt: the model knows nothing of that, and
    who fills his own looks silly even where it costs nothing.
    """
    owners = request.ownership
    return {
        point: chance
        for point, chance in chances.items()
        if point in request.moves
        and chance > 0.0
        and (point in stakes or owners is None or abs(owners[point]) < SECURE)
    }


def stones_at_stake(seen: Iterable[ChainFacts], color: int) -> dict[int, int]:
    """Return how many stones each move captures or saves, by what a color sees."""
    stakes: dict[int, int] = {}
    for chain in seen:
        for point in chain.defenses if chain.color == color else chain.attacks:
            stakes[point] = stakes.get(point, 0) + len(chain.stones)
    return stakes


def weigh(
    chances: Mapping[int, float],
    stakes: Mapping[int, int],
    vain: Set[int],
    temperature: float,
) -> Weights:
    """Return the weight of each move in the draw, by point in ascending order.

    chances  of the moves that may be drawn, all above 0
    stakes   stones that moves capture or save
    vain     moves that help a chain which is captured anyway
    Twin: tests/reference/levels.py::weights
    """
    if not chances:
        return {}
    # From the largest down: powers of small numbers may vanish, the largest one's is 1.
    most = max(chances.values())
    powers = {point: (chances[point] / most) ** (1.0 / temperature) for point in sorted(chances)}
    total = sum(powers.values())
    return {
        point: power / total * (IN_VAIN if point in vain else 1.0)
        + URGE * stakes.get(point, 0) ** 2
        for point, power in powers.items()
    }
