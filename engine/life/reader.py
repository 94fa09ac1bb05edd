"""The reader of groups: entry point to fights over life and death.

A group is dead if the side to move kills it although the defender wins every ko. It is alive if the
side to move keeps it although the attacker wins every ko. A result that needs the ko is "ko", and a
third search finds the side that needs the first threat. A group lives in seki if it is alive and
gets no eyes although it wins every ko. Links between chains are read in the same way.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from engine.arrays import ROOT
from engine.go.board import BLACK, WHITE, Board, empty_board, place
from engine.go.geometry import PASS, to_point
from engine.life.fight import AIM_EYES, AIM_LIFE, AIM_LINK, AIM_RETURN, PASS_BIT, RegionSearch
from engine.life.goal import LifeQuestion, find_questions, wider_questions
from engine.life.priors import FEATURES, VALUES, LifeWeights
from engine.life.regions import ATTACKERS, DEFENDERS, GOAL, RIVAL, TAKEN
from engine.life.search import search_fight, set_up_fight
from engine.picture.picture import picture_of
from engine.proof import graph
from engine.proof.descent import MOST_PLIES
from engine.proof.graph import DEFENDER_MOVES, FALSE, NONE, TRUE, UNKNOWN, ProofTree
from engine.proof.reader import SPARE_NODES, Method, Reader

LifeStatus = Literal["alive", "dead", "seki", "ko", "unknown"]
Aim = Literal["life", "eyes", "link", "return"]
AIMS: dict[Aim, int] = {"life": AIM_LIFE, "eyes": AIM_EYES, "link": AIM_LINK, "return": AIM_RETURN}


class TimeShares(NamedTuple):
    """Shares of a question's time, or of the rest of it."""

    without_ko: float = 0.6  # of the time, for the search in which the mover takes no ko
    wider: float = 0.5  # of the rest, for the next wider region
    seki: float = 0.5  # of the rest, for telling seki from eyes


SHARES = TimeShares()


@dataclass(frozen=True)
class LifeReading:
    """The result of reading a group, with one side to move first."""

    # "alive" (in seki, too, where that was not asked), "dead", "seki", "ko" or "unknown"; of a
    # group that races, "dead": captured before its rival is, "alive": not
    status: LifeStatus
    # The first move of the side to move that makes it so, PASS where no move is needed; with
    # "unknown", and where no move works, the most promising one
    move: int | None = None
    # The group and the region in which it was read, None without any
    question: LifeQuestion | None = None
    nodes: int = 0
    seconds: float = 0.0
    # The side that needs the first threat in a ko, to move or not; None where unknown
    threat: Literal["mover", "other"] | None = None

    @property
    def works(self) -> bool:
        """Whether the side to move reaches something that it has to play for."""
        return self.status != "unknown" and self.move not in (None, PASS)


class LifeGoal:
    """The goal to capture a group, or to keep it from its aim; without weights moves are even."""

    edges_per_node = 12  # nearly all points of a region are tried
    slice = 500

    def __init__(self, max_nodes: int, weights: LifeWeights | None) -> None:
        self._weights = np.zeros((FEATURES, VALUES)) if weights is None else weights
        self._stones = np.zeros((max_nodes, TAKEN), np.uint64)
        self._path = np.zeros(MOST_PLIES, np.int64)

    def begin(self, question: LifeQuestion, aim: Aim, hint: int | None) -> None:
        """Begin a fight. Arguments as in ``LifeReader.read_group``."""
        move = PASS_BIT if hint in (None, PASS) else question.region.points.tolist().index(hint)
        self.question = question
        self.fight = RegionSearch(
            region=question.region,
            stones=self._stones,
            aim=np.array([AIMS[aim]]),
            hint=np.array([move]),
            weights=self._weights,
            features=np.zeros(FEATURES, np.int64),
            after=np.zeros(TAKEN + 1, np.uint64),
        )

    def set_up(self, tree: ProofTree, defends: bool) -> None:
        """Make the root node from the question."""
        fight, root = self.question, self._stones[ROOT]
        root[:] = 0
        root[DEFENDERS], root[ATTACKERS] = fight.defenders, fight.attackers
        root[GOAL], root[RIVAL] = fight.group, fight.rival
        set_up_fight(tree, self.fight, defends)

    def search(self, tree: ProofTree, most_nodes: int, expansions: int) -> int:
        """Develop some leaves; return why it ended."""
        return int(search_fight(tree, self._path, self.fight, most_nodes, expansions))


class LifeReader(Reader[LifeGoal]):
    """A solver for life and death with its memory. Arguments as of ``LifeGoal`` and ``Reader``."""

    def __init__(
        self,
        method: Method = "pns",
        max_nodes: int = 400_000,
        weights: LifeWeights | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        super().__init__(LifeGoal(max_nodes + SPARE_NODES, weights), method, max_nodes, clock)

    def read_position(self, board: Board, to_move: int, seconds: float) -> LifeReading:
        """Find the group in question and read it, in wider regions as well while there is time.

        The group is the first one that the side to move can kill or save, or else the likeliest.
        """
        start = self._clock()
        best = LifeReading("unknown")
        nodes = 0
        for question in find_questions(picture_of(board)):
            rest = seconds - (self._clock() - start)
            reading = self._read_wider(board, question, to_move, rest)
            nodes += reading.nodes
            useful = reading.status == "unknown" or reading.works
            if useful or best.question is None:
                best = reading
            if useful:
                break
        return replace(best, nodes=nodes, seconds=self._clock() - start)

    def _read_wider(
        self, board: Board, question: LifeQuestion, to_move: int, seconds: float
    ) -> LifeReading:
        """Read a group, and then in wider regions: does the answer hold there, too?"""
        start = self._clock()
        reading = self.read_group(board, question, to_move, seconds)
        nodes = reading.nodes
        for wider in wider_questions(picture_of(board), question):
            rest = seconds - (self._clock() - start)
            if reading.status == "unknown" or rest <= 0.0:
                break
            again = self.read_group(board, wider, to_move, rest * SHARES.wider, reading.move)
            nodes += again.nodes
            # A move that works in the small region only is still the best one known.
            if again.status != "unknown" or not reading.works:
                reading = again
        rest = seconds - (self._clock() - start)
        final = self.tell_seki(board, reading, to_move, max(0.0, rest) * SHARES.seki)
        return replace(final, nodes=nodes + final.nodes - reading.nodes)

    def tell_seki(
        self, board: Board, reading: LifeReading, to_move: int, seconds: float = float("inf")
    ) -> LifeReading:
        """Return a reading with status "seki" if the living group gets no eyes though it wins kos.

        Otherwise the reading stays as it was, with a move that makes eyes if one was found.
        """
        question = reading.question
        if reading.status != "alive" or question is None or question.rival:
            return reading
        start = self._clock()
        nodes = reading.nodes
        defends = to_move == question.defender
        # A side that is alive without a move may need one for eyes.
        first_movers = [3 - to_move, to_move] if defends and reading.move == PASS else [to_move]
        for first in first_movers:
            rest = seconds - (self._clock() - start)
            eyes = self.read_group(board, question, first, rest, reading.move, "eyes")
            nodes += eyes.nodes
            if eyes.status == "alive":
                break
        reading = replace(reading, nodes=nodes, seconds=reading.seconds + self._clock() - start)
        if eyes.status == "dead":
            return replace(reading, status="seki", move=reading.move if defends else eyes.move)
        if eyes.status == "alive" and defends and first == to_move:
            return replace(reading, move=eyes.move)
        return reading

    def read_group(
        self,
        board: Board,
        question: LifeQuestion,
        to_move: int,
        seconds: float = float("inf"),
        hint: int | None = None,
        aim: Aim = "life",
    ) -> LifeReading:
        """Read whether a group lives with one side to move first.

        hint  a move in the region to try first
        aim   the meaning of "alive": not captured, with two eyes, linked, or back after a capture
        """
        self.begin(board, question.defender)
        self.goal.begin(question, aim, hint)
        defends = to_move == question.defender
        works = FALSE if defends else TRUE
        # First the mover obeys the ban: a move that works then works for any outcome of the kos.
        value = self.search(defends, to_move, seconds * SHARES.without_ko)
        move = self._best_move()
        status: LifeStatus = "unknown"
        if value == UNKNOWN or (value != works and self.tree.meta[graph.META_KO_USED]):
            with_kos = self.search(defends, 3 - to_move, seconds)
            if with_kos == works:
                # It may work without the ko, too, if the first search did not finish.
                status = "unknown" if value == UNKNOWN else "ko"
            if value != UNKNOWN or with_kos != UNKNOWN:
                move = self._best_move()
            # A plan that fails even with all kos won fails for good.
            value = with_kos if with_kos != works else UNKNOWN
        threat: Literal["mover", "other"] | None = None
        if status == "ko":
            # If neither side finds a threat, the side that needs the first one loses the ko.
            unthreatened = self.search(defends, graph.BOTH, seconds)
            if unthreatened == works:
                threat = "other"
                best = self._best_move()
                move = move if best is None else best
            elif unthreatened != UNKNOWN:
                threat = "mover"
        if value != UNKNOWN:
            status = "alive" if value == FALSE else "dead"
        return LifeReading(
            status=status,
            move=move,
            question=question,
            nodes=self.nodes,
            seconds=self.taken(),
            threat=threat,
        )

    def point_of(self, move: int) -> int:
        """Return the board's point of a move of the graph."""
        return PASS if move == PASS_BIT else int(self.goal.fight.region.points[move])

    def _best_move(self) -> int | None:
        """Return the first move that works, or else the most promising one."""
        tree = self.tree
        proved = int(tree.nodes[ROOT, graph.NODE_PROOF])
        if proved != NONE:
            return self.point_of(int(tree.edges[proved, graph.EDGE_MOVE]))
        if tree.values[ROOT] != UNKNOWN:
            return None
        defends = tree.flags[ROOT] & DEFENDER_MOVES
        best, move = -math.inf, None
        for edge in filter(lambda edge: graph.is_open(tree, edge), graph.edges_of(tree, ROOT)):
            if tree.meta[graph.META_METHOD] == graph.BY_PROBABILITY:
                log_odds = float(graph.edge_belief(tree, edge, graph.BELIEF_LOG_ODDS))
                promise = -log_odds if defends else log_odds
            else:
                proof = float(graph.edge_belief(tree, edge, graph.BELIEF_PROOF_NUMBER))
                promise = float(graph.edge_belief(tree, edge, graph.BELIEF_DISPROOF_NUMBER)) / proof
                promise = 1.0 / promise if defends else promise
            if promise > best:
                best, move = promise, self.point_of(int(tree.edges[edge, graph.EDGE_MOVE]))
        return move


def small_fight() -> Board:
    """Return a position to compile with."""
    board = empty_board(5)
    for column, row, color in ((1, 1, WHITE), (2, 1, WHITE), (1, 3, BLACK), (3, 2, BLACK)):
        place(board, to_point(column, row), color)
    return board


def compile_life() -> None:
    """Compile or load everything that a reader of groups needs."""
    for method in get_args(Method):
        # Five nodes decide nothing, so that the reader looks up the most promising move.
        for max_nodes in (1000, 5):
            LifeReader(method, max_nodes).read_position(small_fight(), BLACK, 0.1)
