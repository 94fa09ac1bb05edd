"""Chains without a proof: the probability of their capture, with either side to move first.

A proof has probability 1 or 0. If the solver ends without a proof, its numbers give a probability
(``engine.captures.odds``). A chain that depends on a ko has none. These facts are estimates.
Callers that need a proof ask ``chain_facts``.
"""

from typing import NamedTuple

from engine.captures.odds import CaptureOdds, chance_of_capture, no_odds
from engine.captures.priors import SolverPriors
from engine.captures.reader import CaptureReader
from engine.facts.chain_facts import limit_for
from engine.go.board import COLOR, Board
from engine.picture.picture import picture_of

OPEN_NODES = 300
"""Node limit of one reading. The odds were learned at this limit."""


class ChanceReading(NamedTuple):
    """The chance of a capture with one side to move first.

    chance  probability that the chain is captured
    move    first move of the side to move, PASS where it need not move; None if it has none
    line    a main line of a proof, first move first
    proved  whether the chance is that of a proof, 0 or 1
    """

    chance: float
    move: int | None
    line: tuple[int, ...]
    proved: bool


class OpenChain(NamedTuple):
    """A chain that no proof decides with at least one side to move first.

    stones    sorted
    attacked  probability that it is captured if the opponent moves first
    defended  the same if its owner moves first
    """

    stones: tuple[int, ...]
    color: int
    attacked: float
    defended: float


class ChanceReader:
    """Reads single chains for the probability of their capture.

    priors  learned priors of the solver; None: it does without
    odds    learned weights; None: the search's own odds
    """

    def __init__(self, priors: SolverPriors | None = None, odds: CaptureOdds | None = None) -> None:
        # Proof numbers: with learned priors they tell captures from failures better than
        # propagated probabilities do.
        self._reader = CaptureReader("pns", OPEN_NODES, priors)
        self._odds = no_odds() if odds is None else odds

    def read(self, board: Board, stone: int, attacker_first: bool) -> ChanceReading | None:
        """Return the proof or the probability about one chain; None for a ko.

        board  uint16[BOARD_CELLS]
        """
        limit = limit_for(picture_of(board).chain_at(stone))
        reading = self._reader.read_chain(board, stone, attacker_first, limit)
        if reading.value == "ko":
            return None
        if reading.value != "unknown":
            return ChanceReading(
                float(reading.value == "captured"), reading.move, reading.line, True
            )
        search = self._reader.open_search()
        return ChanceReading(chance_of_capture(self._odds, search), search.move, (), False)

    def read_open(self, board: Board, stones: tuple[int, ...]) -> OpenChain | None:
        """Return the chances of a chain with either side first; None if both are proved, or a ko.

        stones  sorted
        """
        attack = self.read(board, stones[0], True)
        # A chain that survives the opponent's first move survives its owner's, too.
        if attack is None or (attack.proved and attack.chance == 0.0):
            return None
        defense = self.read(board, stones[0], False)
        if defense is None or (attack.proved and defense.proved):
            return None
        # Moving first never harms, but two estimates may say so.
        attacked = max(attack.chance, defense.chance)
        return OpenChain(stones, int(board[COLOR + stones[0]]), attacked, defense.chance)
