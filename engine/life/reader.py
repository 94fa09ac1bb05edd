"""The reader of groups: entry point to fights over life and death.

Each status is the result of one or two searches (``search``). A group is dead if the side to move
kills it although the defender wins every ko. It is alive if the side to move keeps it although the
attacker wins every ko. A result that needs the ko is "ko", and a third search tells which side
needs the first threat. A group lives in seki if it is alive and gets no eyes although it wins every
ko. Links between chains are read in the same way.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from engine.arrays import ROOT
from engine.go.board import BLACK, WHITE, Board, empty_board, place
from engine.go.geometry import PASS, to_point
from engine.life.evidence import FEATURES, LifeWeights, even_weights
from engine.life.fight import AIM_EYES, AIM_LIFE, AIM_LINK, AIM_RETURN, BOTH, PASS_BIT, RegionSearch
from engine.life.goal import LifeQuestion, find_questions, wider_questions
from engine.life.regions import ATTACKERS, DEFENDERS, GOAL, RIVAL, TAKEN
from engine.life.search import search_fight, set_up_fight
from engine.picture.picture import picture_of
from engine.proof.descent import MOST_PLIES, PAUSED
from engine.proof.effort import Effort
from engine.proof.graph import (
    BELIEF_DISPROOF_NUMBER,
    BELIEF_LOG_ODDS,
    BELIEF_PROOF_NUMBER,
    BY_PROBABILITY,
    BY_PROOF_NUMBERS,
    DEFENDER_MOVES,
    EDGE_MOVE,
    FALSE,
    GRAPH_ATTACKER,
    GRAPH_KO_USED,
    GRAPH_METHOD,
    GRAPH_OBEYS_BAN,
    NODE_PROOF,
    NONE,
    TRUE,
    UNKNOWN,
    edge_belief,
    edges_of,
    is_open,
    proof_tree,
)

LifeStatus = Literal["alive", "dead", "seki", "ko", "unknown"]
Aim = Literal["life", "eyes", "link", "return"]
AIMS: dict[Aim, int] = {"life": AIM_LIFE, "eyes": AIM_EYES, "link": AIM_LINK, "return": AIM_RETURN}

_SLICE = 500  # Expansions between two checks of the clock: some ten milliseconds.
_KO_SHARE = 0.6  # Share of the time for the search without the ko's help.
_WIDER_SHARE = 0.5  # Share of the remaining time for the next wider region.
_SEKI_SHARE = 0.5  # Share of the remaining time for telling seki from eyes.
_EDGES_PER_NODE = 12


@dataclass(frozen=True)
class LifeReading:
    """The result of reading a group, with one side to move first.

    status      "alive" (in seki, too, where that was not asked), "dead", "seki", "ko" or "unknown";
                of a group that races, "dead": captured before its rival is, "alive": not
    move        the first move of the side to move that makes it so, PASS where no move is needed;
                with "unknown", and where no move works, the most promising one
    question    the group and the region in which it was read, None without any
    threat      of a ko: which side needs the first threat for it to work, the side to move or the
                other; None where that is unknown
    """

    status: LifeStatus
    move: int | None
    question: LifeQuestion | None
    nodes: int
    expansions: int
    seconds: float
    threat: Literal["mover", "other"] | None = None


def _works(reading: LifeReading) -> bool:
    """Return whether the side to move reaches something that it has to play for."""
    return reading.status != "unknown" and reading.move not in (None, PASS)


class LifeReader:
    """A solver for life and death with its memory, for one group after another.

    method     "pns" proof-number search, "pp" probability propagation
    max_nodes  most nodes of one search, touched only when used
    weights    float64[FEATURES, VALUES], priors of moves (``evidence``); None: all moves are even
    clock      returns the time in seconds
    """

    def __init__(
        self,
        method: Literal["pp", "pns"] = "pns",
        max_nodes: int = 400_000,
        weights: LifeWeights | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.tree = proof_tree(max_nodes + 4096, _EDGES_PER_NODE)
        self._path = np.zeros(MOST_PLIES, np.int64)
        self._weights = even_weights() if weights is None else weights
        self._features = np.zeros(FEATURES, np.int64)
        self._aim = np.zeros(1, np.int64)
        self._hint = np.zeros(1, np.int64)
        self.max_nodes = max_nodes
        self._clock = clock
        self._stones = np.zeros((max_nodes + 4096, TAKEN), np.uint64)
        self._after = np.zeros(TAKEN + 1, np.uint64)
        self.tree.meta[GRAPH_METHOD] = BY_PROBABILITY if method == "pp" else BY_PROOF_NUMBERS
        self.on_search_end: Callable[[], None] | None = None

    def read_position(self, board: Board, to_move: int, seconds: float) -> LifeReading:
        """Find the group in question and read it, in wider regions as well while there is time.

        The group is the first one that the side to move can kill or save; if there is none, the
        likeliest.
        """
        start = self._clock()
        best = LifeReading("unknown", None, None, 0, 0, 0.0)
        nodes = expansions = 0
        for question in find_questions(picture_of(board)):
            left = seconds - (self._clock() - start)
            reading = self._read_wider(board, question, to_move, left)
            nodes += reading.nodes
            expansions += reading.expansions
            useful = reading.status == "unknown" or _works(reading)
            if useful or best.question is None:
                best = reading
            if useful:
                break
        seconds = self._clock() - start
        return replace(best, nodes=nodes, expansions=expansions, seconds=seconds)

    def _read_wider(
        self, board: Board, question: LifeQuestion, to_move: int, seconds: float
    ) -> LifeReading:
        """Read a group, and then in wider regions: does the answer hold there, too?"""
        start = self._clock()
        reading = self.read_group(board, question, to_move, seconds)
        nodes, expansions = reading.nodes, reading.expansions
        for wider in wider_questions(picture_of(board), question):
            left = seconds - (self._clock() - start)
            if reading.status == "unknown" or left <= 0.0:
                break
            again = self.read_group(board, wider, to_move, left * _WIDER_SHARE, reading.move)
            nodes += again.nodes
            expansions += again.expansions
            # A move that works in the small region only is still the best one known.
            if again.status != "unknown" or not _works(reading):
                reading = again
        left = seconds - (self._clock() - start)
        told = self.tell_seki(board, reading, to_move, max(0.0, left) * _SEKI_SHARE)
        return replace(
            told,
            nodes=nodes + told.nodes - reading.nodes,
            expansions=expansions + told.expansions - reading.expansions,
        )

    def tell_seki(
        self, board: Board, reading: LifeReading, to_move: int, seconds: float = float("inf")
    ) -> LifeReading:
        """Tell whether a group that was read as alive lives in seki; find a move that decides it.

        to_move  the side that moved first in the reading
        returns  the reading with status "seki" where the group gets no eyes although it wins every
                 ko; otherwise the reading as it was, with a move that makes eyes if one was found
        """
        question = reading.question
        if reading.status != "alive" or question is None or question.rival:
            return reading
        start = self._clock()
        nodes, expansions = reading.nodes, reading.expansions
        defends = to_move == question.defender
        # A side that is alive without a move may need one for eyes.
        first_movers = [3 - to_move, to_move] if defends and reading.move == PASS else [to_move]
        for first in first_movers:
            left = seconds - (self._clock() - start)
            asked = self.read_group(board, question, first, left, reading.move, "eyes")
            nodes, expansions = nodes + asked.nodes, expansions + asked.expansions
            if asked.status == "alive":
                break
        status: LifeStatus = reading.status
        move = reading.move
        if asked.status == "dead":
            status = "seki"
            move = reading.move if defends else asked.move
        elif asked.status == "alive" and defends and first == to_move:
            move = asked.move
        seconds = reading.seconds + self._clock() - start
        return LifeReading(status, move, question, nodes, expansions, seconds)

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
        start = self._clock()
        self._start(board, question)
        self._aim[0] = AIMS[aim]
        points = list(question.region.points)
        self._hint[0] = PASS_BIT if hint in (None, PASS) else points.index(hint)
        effort = Effort()
        defends = to_move == question.defender
        mine, theirs = to_move, 3 - to_move
        works = FALSE if defends else TRUE
        # First the mover obeys the ban: a move that works then works for any outcome of the kos.
        found = self._search(mine, defends, start + seconds * _KO_SHARE, effort)
        move = self._best_move()
        status: LifeStatus = "unknown"
        if found == UNKNOWN or (found != works and self.tree.meta[GRAPH_KO_USED]):
            again = self._search(theirs, defends, start + seconds, effort)
            if again == works:
                # It may work without the ko, too, if the first search did not finish.
                status = "unknown" if found == UNKNOWN else "ko"
            if found != UNKNOWN or again != UNKNOWN:
                move = self._best_move()
            # A plan that fails even with all kos won fails for good.
            found = again if again != works else UNKNOWN
        threat: Literal["mover", "other"] | None = None
        if status == "ko":
            # If neither side finds a threat, the side that needs the first one loses the ko.
            unthreatened = self._search(BOTH, defends, start + seconds, effort)
            if unthreatened == works:
                threat = "other"
                found_now = self._best_move()
                move = move if found_now is None else found_now
            elif unthreatened != UNKNOWN:
                threat = "mover"
        if found != UNKNOWN:
            status = "alive" if found == FALSE else "dead"
        return LifeReading(
            status,
            move,
            question,
            effort.nodes,
            effort.expansions,
            self._clock() - start,
            threat,
        )

    def _start(self, board: Board, question: LifeQuestion) -> None:
        self.question = question
        self.fight = RegionSearch(
            question.region,
            self._stones,
            self._aim,
            self._hint,
            self._weights,
            self._features,
            self._after,
        )
        tree = self.tree
        tree.root[:] = board
        tree.meta[GRAPH_ATTACKER] = 3 - question.defender
        self._root = np.zeros(TAKEN, np.uint64)
        self._root[DEFENDERS], self._root[GOAL] = question.defenders, question.group
        self._root[ATTACKERS], self._root[RIVAL] = question.attackers, question.rival

    def _search(self, obeys_ban: int, defends: bool, deadline: float, effort: Effort) -> int:
        """Run one search until a deadline; return the root's value."""
        # Keys and bit operations wrap around; numpy warns of it when nothing is compiled.
        with np.errstate(over="ignore"):
            return self._run(obeys_ban, defends, deadline, effort)

    def _run(self, obeys_ban: int, defends: bool, deadline: float, effort: Effort) -> int:
        tree = self.tree
        tree.meta[GRAPH_OBEYS_BAN] = obeys_ban
        self.fight.stones[ROOT] = self._root
        set_up_fight(tree, self.fight, defends)
        while True:
            state = search_fight(tree, self._path, self.fight, self.max_nodes, _SLICE)
            if state != PAUSED or self._clock() > deadline:
                break
        effort.count(tree)
        # If both sides obey the ban, values have another meaning, so nothing is learned from
        # them.
        if self.on_search_end is not None and obeys_ban != BOTH:
            self.on_search_end()
        return int(tree.values[ROOT])

    def point_of(self, move: int) -> int:
        """Return the board's point of a move of the graph."""
        return PASS if move == PASS_BIT else int(self.fight.region.points[move])

    def _best_move(self) -> int | None:
        """Return the first move that works, or else the most promising one."""
        tree = self.tree
        proof = int(tree.nodes[ROOT, NODE_PROOF])
        if proof != NONE:
            return self.point_of(int(tree.edges[proof, EDGE_MOVE]))
        if tree.values[ROOT] != UNKNOWN:
            return None
        defends = tree.flags[ROOT] & DEFENDER_MOVES
        by_probability = tree.meta[GRAPH_METHOD] == BY_PROBABILITY
        best, move = -math.inf, None
        for edge in edges_of(tree, ROOT):
            if is_open(tree, edge):
                if by_probability:
                    promise = float(edge_belief(tree, edge, BELIEF_LOG_ODDS))
                else:
                    proofs = float(edge_belief(tree, edge, BELIEF_PROOF_NUMBER))
                    promise = float(edge_belief(tree, edge, BELIEF_DISPROOF_NUMBER)) / proofs
                promise = (
                    (1.0 / promise if not by_probability else -promise) if defends else promise
                )
                if promise > best:
                    best, move = promise, self.point_of(int(tree.edges[edge, EDGE_MOVE]))
        return move


def small_fight() -> Board:
    """Return a position to compile with."""
    board = empty_board(5)
    for column, row, color in ((1, 1, WHITE), (2, 1, WHITE), (1, 3, BLACK), (3, 2, BLACK)):
        place(board, to_point(column, row), color)
    return board


def compile_life() -> None:
    """Compile or load everything that a reader of groups needs."""
    for method in ("pp", "pns"):
        # Five nodes decide nothing, so that the reader looks up the most promising move.
        for max_nodes in (1000, 5):
            LifeReader(method, max_nodes).read_position(small_fight(), BLACK, 0.1)  # type: ignore[arg-type]
