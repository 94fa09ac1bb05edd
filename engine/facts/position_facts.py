"""The one entry point to proved and judged facts of a position, with a memory from move to move.

The solvers prove the status of chains, groups, races and links. Careful roll-outs judge the rest
(``final_status``). Every part that plays, explains or answers a command asks here. No two parts
therefore disagree about a group, and no position is surveyed twice. Every fact has a basis. Facts
about chains, groups and links are proved; a final status names the basis for each stone
(``basis``). Chains without a proof have a probability (``open_chains``).
"""

import math
import time
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from engine.captures.odds import CaptureOdds
from engine.captures.priors import PriorTable, SolverPriors, learned_priors
from engine.captures.reader import CaptureReader, CaptureReading
from engine.facts.chain_facts import ChainFacts, Surveyor, chains_in_trouble
from engine.facts.final_status import FinalStatus, judge_fates, judge_open
from engine.facts.group_facts import GroupFacts, GroupSurveyor
from engine.facts.group_prover import PROVER
from engine.facts.open_chains import OPEN_NODES, ChanceReader, OpenChain
from engine.facts.survey import Survey, survey_of
from engine.go.board import Board, Ownership
from engine.go.history import Game
from engine.go.rules import Rules
from engine.life.evidence import LifeWeights
from engine.life.links import LinkFacts, survey_links
from engine.life.reader import LifeStatus


class FactsLimits(NamedTuple):
    """Work and memory of the facts of positions."""

    # Used where time bounds the reading, or where nothing else does
    analysis_nodes: int = 20_000
    # Final positions whose status is remembered; one takes a few kB
    most_statuses: int = 128


FACTS_LIMITS = FactsLimits()


class ReadingBudget(NamedTuple):
    """The limits of a survey of a position.

    nodes     solver nodes of all readings together
    deadline  in time.monotonic() seconds
    stopped   ends it early when it returns True; asked between readings
    """

    nodes: int = FACTS_LIMITS.analysis_nodes
    deadline: float = math.inf
    stopped: Callable[[], bool] = lambda: False

    def is_over(self) -> bool:
        """Return whether no reading should begin any more."""
        return self.stopped() or time.monotonic() >= self.deadline


class Facts:
    """Surveys positions and remembers the findings.

    captures  learned priors of the solver of captures; None: it does without
    life      learned weights of the solver of life and death; None: it does without
    odds      learned odds of captures without a proof; None: the solver's own numbers
    """

    def __init__(
        self,
        captures: PriorTable | None = None,
        life: LifeWeights | None = None,
        odds: CaptureOdds | None = None,
    ) -> None:
        self._captures, self._life, self._odds = captures, life, odds
        self._statuses: dict[tuple[int, int, Rules], tuple[int, FinalStatus]] = {}
        self._survey: Survey | None = None
        self._surveyed = (0, 0)  # size and hash of the position of ``_survey``
        self._chains: list[ChainFacts] = []
        self._read = b""  # the board that ``_chains`` were read on
        self._open: list[OpenChain] = []
        self._opened = b""  # the board that ``_open`` was read on
        self._links: list[LinkFacts] = []
        self._linked = b""  # the board that ``_links`` were read on

    @cached_property
    def priors(self) -> SolverPriors | None:
        """Learned priors for captures; None if there are none."""
        # Made only when first asked for: a player exists before its kernels do.
        return None if self._captures is None else learned_priors(self._captures)

    @cached_property
    def _surveyor(self) -> Surveyor:
        return Surveyor(self.priors)

    @cached_property
    def chance_reader(self) -> ChanceReader:
        """Reads single chains for the probability of their capture."""
        return ChanceReader(self.priors, self._odds)

    @cached_property
    def _group_surveyor(self) -> GroupSurveyor:
        return GroupSurveyor(self._life)

    def forget(self) -> None:
        """Read the chains of the next position from nothing.

        Final statuses are kept, since they depend on their position alone.
        """
        self._read = self._opened = b""
        if "_surveyor" in vars(self):  # not made for this alone
            self._surveyor.forget()

    def status(self, game: Game, nodes: int = PROVER.longer_nodes) -> FinalStatus:
        """Return which chains are alive, dead or in seki; the same answer for the same position.

        Roll-outs judge all chains that no proof decides. The side to move, a ko that may not be
        retaken yet, and komi have no effect. Stones and rules therefore identify a position.
        nodes  of all readings of groups that a short one does not decide. A position that was read
               with more of them keeps its status
        """
        key = game.size, game.position_hash, game.rules
        most, status = self._statuses.pop(key, (-1, None))
        if status is None or most < nodes:
            most, status = nodes, judge_fates(game, self._life, self._survey_of(game), nodes)
        # Put back last, so that the first entry is always the least recently used one.
        self._statuses[key] = most, status
        if len(self._statuses) > FACTS_LIMITS.most_statuses:
            del self._statuses[next(iter(self._statuses))]
        return status

    def brief_status(self, game: Game, nodes: int = PROVER.longer_nodes) -> FinalStatus:
        """Return the status of all chains, without proofs while many points are open.

        Over a game it takes a tenth of the time of ``status``.
        nodes  as ``status`` takes them
        """
        return judge_open(game, self._survey_of(game)) or self.status(game, nodes)

    def few_rollouts(self, game: Game, rollouts: int) -> Survey:
        """Return the counts of a few careful roll-outs, for a player without time for a status."""
        return survey_of(game, rollouts)

    def _survey_of(self, game: Game) -> Survey:
        """Return the roll-outs of a position, without proofs. The last position costs nothing."""
        position = game.size, game.position_hash
        if self._survey is None or position != self._surveyed:
            self._survey, self._surveyed = survey_of(game), position
        # A copy, because proofs change the counts.
        owned, neutral = self._survey.owned.copy(), self._survey.neutral.copy()
        return self._survey._replace(owned=owned, neutral=neutral)

    def chains(self, board: Board, budget: ReadingBudget) -> list[ChainFacts]:
        """Return the proved facts of the chains with few liberties.

        The position that was read last costs nothing under any budget. In another
        position, unchanged parts cost nothing either (``kept_facts``).
        board  uint16[BOARD_CELLS]
        """
        position = board.tobytes()
        if position != self._read:
            self._chains = self._surveyor.survey(board, budget.nodes, budget.is_over)
            # A reading that was cut short is not kept: the next one may have the time.
            self._read = b"" if budget.stopped() else position
        return self._chains

    def open_chains(self, board: Board, budget: ReadingBudget) -> list[OpenChain]:
        """Return the chains with few liberties that no proof decides, with their probabilities.

        The same position costs nothing again. The estimates of an earlier position are not kept.
        board   uint16[BOARD_CELLS]
        budget  of ``chains``, which are read first; it also limits the number of open chains
        """
        decided = {
            chain.stones for chain in self.chains(board, budget) if chain.status != "attackable"
        }
        position = board.tobytes()
        if position == self._opened:
            return self._open
        chains: list[OpenChain] = []
        waiting = [stones for stones in chains_in_trouble(board) if stones not in decided]
        for stones in waiting[: budget.nodes // (2 * OPEN_NODES)]:
            if budget.is_over():
                return chains
            chain = self.chance_reader.read_open(board, stones)
            if chain is not None:
                chains.append(chain)
        self._open, self._opened = chains, position
        return chains

    def groups(self, board: Board, ownership: Ownership, budget: ReadingBudget) -> list[GroupFacts]:
        """Return the proved facts of groups in doubt and of their races, the most relevant first.

        board      uint16[BOARD_CELLS]
        ownership  float64[AREA], who owns each point in roll-outs: -1 White .. 1 Black
        """
        return self._group_surveyor.survey(board, ownership, budget.nodes, budget.is_over)

    def life_of(self, board: Board, stone: int) -> LifeStatus:
        """Return the proved status of the group of a stone, its opponent to move.

        board  uint16[BOARD_CELLS]
        """
        return self._group_surveyor.life_of(board, stone)

    def links(self, board: Board) -> list[LinkFacts]:
        """Return the pairs of chains that are proved to be linked or cut by the first move.

        board  uint16[BOARD_CELLS]
        """
        position = board.tobytes()
        if position != self._linked:
            self._links, self._linked = list(survey_links(board)), position
        return self._links

    def read_chain(
        self, board: Board, stone: int, attacker_first: bool, nodes: int, seconds: float
    ) -> CaptureReading:
        """Return the result of reading one chain, with one side to move first.

        board  uint16[BOARD_CELLS]
        nodes  most nodes of one search
        """
        reader = CaptureReader("pns", nodes, self.priors)
        return reader.read_chain(board, stone, attacker_first, seconds=seconds)
