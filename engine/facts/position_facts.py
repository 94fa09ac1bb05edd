"""The one entry point to proved and judged facts of a position, with a memory from move to move.

Every part that plays, explains or answers a command asks here, so that no two disagree about a
group and no position is surveyed twice.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile

import numpy as np

from engine.captures.priors import PriorTable, SolverPriors, learned_priors
from engine.captures.reader import CaptureReader, CaptureReading
from engine.facts.chain_facts import CHAINS, ChainFacts, OpenChain, Surveyor, chains_in_trouble
from engine.facts.final_status import FinalStatus, judge_open, status_of
from engine.facts.group_facts import GroupFacts, GroupSurveyor
from engine.facts.group_prover import LONG_READING, ReadingBudget
from engine.facts.survey import SURVEY, Survey, survey_of, with_proofs
from engine.go.board import KO, KO_COLOR, Board, Ownership
from engine.go.geometry import AREA
from engine.go.history import Game
from engine.go.rules import Rules
from engine.life.links import LinkFacts, survey_links
from engine.life.priors import LifeWeights
from engine.life.reader import LifeStatus
from engine.picture.picture import Picture, Stones, picture_of

MOST_PICTURES = 128  # whose facts are remembered; one takes a few kB


@dataclass
class _Asked:
    """The facts of one picture that somebody asked for."""

    picture: Picture
    # Without proofs, by their number of roll-outs
    surveys: dict[int, Survey] = field(default_factory=dict)
    # By rules, with the nodes that they were allowed
    statuses: dict[Rules, tuple[int, FinalStatus]] = field(default_factory=dict)

    def survey_of(self, game: Game, rollouts: int = SURVEY.rollouts) -> Survey:
        """Return roll-outs of the position, without proofs, as ``survey.survey_of`` does."""
        if rollouts not in self.surveys:
            self.surveys[rollouts] = survey_of(game, rollouts)
        survey = self.surveys[rollouts]
        # A copy, because proofs change the counts.
        return survey._replace(owned=survey.owned.copy(), neutral=survey.neutral.copy())


class Facts:
    """Fills in pictures of positions on request, and remembers the latest ones."""

    def __init__(self, captures: PriorTable | None = None, life: LifeWeights | None = None) -> None:
        self._captures, self._life = captures, life
        self._ring: dict[tuple[int, ...], _Asked] = {}  # by colors, the latest picture last
        self._chains: dict[tuple[int, ...], list[ChainFacts]] = {}  # of the last position

    def _asked(self, board: Board) -> _Asked:
        """Return the facts of a board's picture so far."""
        picture = picture_of(board)
        answers = self._ring.pop(picture.colors, None) or _Asked(picture)
        answers.picture = picture  # a picture that was forgotten meanwhile is drawn anew
        # Put back last, so that the first one is always the least recently used one.
        self._ring[picture.colors] = answers
        if len(self._ring) > MOST_PICTURES:
            del self._ring[next(iter(self._ring))]
        return answers

    @cached_property
    def priors(self) -> SolverPriors | None:
        """Learned priors for captures; None if there are none."""
        # Made only when first asked for: a player exists before its kernels do.
        return None if self._captures is None else learned_priors(self._captures)

    @cached_property
    def _surveyor(self) -> Surveyor:
        return Surveyor(self.priors)

    @cached_property
    def _group_surveyor(self) -> GroupSurveyor:
        return GroupSurveyor(self._life)

    def forget(self) -> None:
        """Read the chains of the next position from nothing; final statuses are kept."""
        self._chains.clear()
        if "_surveyor" in vars(self):  # not made for this alone
            self._surveyor.forget()

    def status(self, game: Game, budget: ReadingBudget = LONG_READING) -> FinalStatus:
        """Return which chains are alive, dead or in seki, whatever a ko forbids.

        The same position gets the same answer.

        budget  of all readings of groups; its nodes are of those that a short one leaves open. A
                position that was read with more keeps its status
        """
        answers = self._asked(game.board)
        most, status = answers.statuses.get(game.rules, (-1, None))
        if status is None or most < budget.nodes:
            survey = with_proofs(game, answers.survey_of(game), self._life, budget)
            status = status_of(survey, game.rules)
            # A reading that was cut short is repeated when there is time.
            if not budget.is_over():
                answers.statuses[game.rules] = budget.nodes, status
        answers.picture.statuses = status.words
        return status

    def remembered(self, game: Game) -> FinalStatus | None:
        """Return the status of a position that was asked for before, None: it was not."""
        return self._asked(game.board).statuses.get(game.rules, (0, None))[1]

    def brief_status(self, game: Game, budget: ReadingBudget = LONG_READING) -> FinalStatus:
        """Return the status of all chains, without proofs while many points are open.

        Over a game it takes a tenth of the time of ``status``, which has the same ``budget``.
        """
        answers = self._asked(game.board)
        for rollouts in (SURVEY.first_rollouts, SURVEY.rollouts):
            status = judge_open(answers.survey_of(game, rollouts), game.rules)
            if status is not None:
                return status
        return self.status(game, budget)

    def open_status(self, game: Game) -> FinalStatus:
        """Return the status of a position as if all points were open, without any roll-outs."""
        owned, neutral = np.zeros((2, AREA), np.int64)
        counts = Survey(self._asked(game.board).picture, owned=owned, neutral=neutral)
        return status_of(counts, game.rules)

    def few_rollouts(self, game: Game, rollouts: int) -> Survey:
        """Return the counts of a few careful roll-outs, for a player without time for a status."""
        return self._asked(game.board).survey_of(game, rollouts)

    def chains(self, board: Board, budget: ReadingBudget) -> list[ChainFacts]:
        """Return the proved facts of the chains with few liberties.

        The last position costs nothing under any budget, nor do unchanged parts (``kept_facts``).
        """
        # A ko that may not be retaken yet matters, too.
        ban = (int(board[KO]), int(board[KO_COLOR])) if board[KO] else ()
        key = self._asked(board).picture.colors + ban
        if key not in self._chains:
            self._chains.clear()
            facts = self._surveyor.survey(board, budget.nodes, budget.is_over)
            # A reading that was cut short is not kept: the next one may have the time.
            return facts if budget.stopped() else self._chains.setdefault(key, facts)
        return self._chains[key]

    def open_chains(self, board: Board, budget: ReadingBudget) -> list[OpenChain]:
        """Return the chains with few liberties that no proof decides, with their probabilities.

        budget  of ``chains``, which are read first; it also limits the number of open chains
        """
        decided = {
            chain.stones for chain in self.chains(board, budget) if chain.status != "attackable"
        }
        waiting = [stones for stones in chains_in_trouble(board) if stones not in decided]
        waiting = waiting[: budget.nodes // (2 * CHAINS.open_nodes)]
        in_time = takewhile(lambda _: not budget.is_over(), waiting)
        chains = (self._surveyor.open_chain(board, stones) for stones in in_time)
        return [chain for chain in chains if chain is not None]

    def groups(
        self, board: Board, ownership: Ownership, budget: ReadingBudget, about: Stones = frozenset()
    ) -> list[GroupFacts]:
        """Return proved facts of groups in doubt and of their races, the most relevant first."""
        survey = self._group_surveyor.survey
        return survey(board, ownership, budget.nodes, budget.is_over, about)

    def life_of(self, board: Board, stone: int) -> LifeStatus:
        """Return the proved status of the group of a stone, its opponent to move."""
        return self._group_surveyor.life_of(board, stone)

    def links(self, board: Board, move: int) -> list[LinkFacts]:
        """Return the pairs of chains near a move that the first move links or cuts, by proof."""
        return list(survey_links(board, move))

    def read_chain(
        self,
        board: Board,
        stone: int,
        attacker_first: bool,
        nodes: int,
        seconds: float = math.inf,
        limit: int = 6,
    ) -> CaptureReading:
        """Return the result of reading one chain, with one side to move first.

        nodes  most nodes of one search; ``limit`` is the largest liberty limit to try
        """
        reader = CaptureReader("pns", nodes, self.priors)
        return reader.read_chain(board, stone, attacker_first, limit, seconds=seconds)
