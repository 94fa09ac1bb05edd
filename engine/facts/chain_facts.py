"""Proved facts of the chains in trouble: which can be captured, which can be saved, and how.

Chains with few liberties are read with either side to move first, within a bound of nodes. Only
proofs count (``engine.captures``): an unfinished reading and a ko give no facts. The slow twin is
tests/reference/tactics.py.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from engine.captures.odds import chance_of_capture
from engine.captures.priors import SolverPriors
from engine.captures.reader import CaptureReader, CaptureReading
from engine.facts.kept_facts import FactMemory
from engine.go.board import COLOR, EMPTY, Board, is_legal, place
from engine.go.geometry import PASS
from engine.picture.picture import Chain, StoneList, picture_of

ChainStatus = Literal["safe", "critical", "attackable", "dead"]


class ChainLimits(NamedTuple):
    """The readings of chains."""

    most_liberties: int = 3  # chains with more are not read
    # Nodes of one reading. Most captures with one or two liberties need fewer than 40, with three
    # about 200. A proof that no attack works takes 150 to 300.
    reading_nodes: int = 300
    # All chains are read shortly before any is read to the end
    budgets: tuple[int, int] = (60, reading_nodes)
    defense_nodes: int = 600  # a move that saves a chain is the most important fact
    open_nodes: int = 300  # of a reading for a probability; the odds were learned at this limit


CHAINS = ChainLimits()


@dataclass(frozen=True)
class ChainFacts:
    """The proved facts of one chain; stones and liberties are sorted."""

    stones: tuple[int, ...]
    color: int
    liberties: tuple[int, ...]
    # "safe": not captured within the reading's liberty limit, even if the opponent moves first;
    # "critical": the first move decides; "attackable": the opponent captures it with the first
    # move, no more is known; "dead": the opponent captures it anyway
    status: ChainStatus
    # The opponent's first moves that are proved to capture it; "dead": not looked for
    attacks: tuple[int, ...] = ()
    # The owner's first moves that are proved to save it, if it is "critical"
    defenses: tuple[int, ...] = ()
    # "dead": the owner's moves and the opponent's proved answers
    replies: tuple[tuple[int, int], ...] = ()


class OpenChain(NamedTuple):
    """A chain, its stones sorted, that no proof decides with at least one side to move first.

    attacked, defended  probability that it is captured if the opponent, or its owner, moves first
    """

    stones: tuple[int, ...]
    color: int
    attacked: float
    defended: float


MaybeFacts = dict[StoneList, ChainFacts | None]


class Surveyor:
    """Reads the chains of a position, within bounds; remembers the last position's facts.

    nodes  number of nodes of the last survey
    """

    def __init__(self, priors: SolverPriors | None = None) -> None:
        # With learned priors, proof numbers do better here than propagated probabilities.
        self._reader = CaptureReader("pns", 4 * CHAINS.reading_nodes, priors)
        self._memory: FactMemory[ChainFacts] = FactMemory()
        self.nodes = 0
        self._reader.on_search_end = lambda: self._memory.note_moves(self._reader.tree)

    def forget(self) -> None:
        """Start the next position from nothing."""
        self._memory.forget()

    def survey(
        self, board: Board, nodes: int, stopped: Callable[[], bool] = lambda: False
    ) -> list[ChainFacts]:
        """Return the proved facts of the chains with few liberties.

        nodes    solver nodes for all readings together, exceeded by at most one; those of the last
                 position that still hold cost none
        stopped  asked between readings; True ends the survey with the facts so far
        """
        self._board, self.nodes = board, 0
        self._most_nodes, self._stopped = nodes, stopped
        chains = chains_in_trouble(board)
        facts = self._memory.recall(board, chains)
        for most in CHAINS.budgets:
            # Read once more, and longer, after all others were read.
            for stones in chains:
                if stones not in facts and not self._over():
                    self._survey_chain(stones, most, facts)
        return [fact for stones in chains if (fact := facts.get(stones)) is not None]

    def _survey_chain(self, stones: StoneList, most: int, facts: MaybeFacts) -> None:
        """Read a chain within ``most`` nodes, and add its facts; a short reading may be in vain."""
        self._memory.begin(self._board, stones)
        attack = self._read(self._board, stones[0], True, most)
        if attack.value == "unknown" and most < CHAINS.reading_nodes:
            return
        is_proved = attack.value not in ("unknown", "ko")
        facts[stones] = self._facts(stones, attack) if is_proved else None
        # A reading that was cut short is not kept: the next one may have the time.
        if not self._over():
            self._memory.keep(self._board, stones, facts[stones])

    def _over(self) -> bool:
        return self.nodes >= self._most_nodes or self._stopped()

    def _read(self, board: Board, stone: int, attacker_first: bool, nodes: int) -> CaptureReading:
        # The same after a first move on ``board``.
        limit = limit_for(picture_of(self._board).chain_at(stone))
        reading = self._reader.read_chain(board, stone, attacker_first, limit, nodes)
        self.nodes += reading.nodes
        return reading

    def _facts(self, stones: tuple[int, ...], attack: CaptureReading) -> ChainFacts:
        """Return the provable facts of a chain that was read with the opponent to move first."""
        board, goal = self._board, stones[0]
        picture, color = picture_of(board), int(board[COLOR + goal])
        chain = picture.chain_at(goal)
        liberties = chain.liberties
        facts = ChainFacts(stones, color, liberties, "safe")
        if attack.value == "safe":
            return facts
        defense = self._read(board, goal, False, CHAINS.defense_nodes)
        # Captured although the owner moves first: there is no move to urge for either side.
        if defense.value == "captured":
            return replace(facts, status="dead", replies=tuple(self._reader.replies().items()))
        attacks = self._that_work(goal, 3 - color, liberties, attack.move)
        facts = replace(facts, status="attackable", attacks=attacks)
        # It is still proved that the opponent captures it with the first move.
        if defense.value == "ko":
            return facts
        first = defense.move if defense.value == "safe" else None
        captures = {
            beside.liberties[0] for beside in picture.opponents_of(chain) if beside.in_atari
        }
        rescues = *sorted(captures), *(p for p in liberties if p not in captures)
        defenses = self._that_work(goal, color, rescues, first)
        return replace(facts, status="critical", defenses=defenses) if defenses else facts

    def _that_work(
        self, goal: int, color: int, tries: tuple[int, ...], first: int | None
    ) -> tuple[int, ...]:
        """Return the moves, ``first`` included, that reach a color's aim at ``goal``, by proof."""
        # If a pass works, any move elsewhere does, too, so there is no move to urge.
        works = [] if first in (None, PASS) else [first]
        defends = self._board[COLOR + goal] == color
        wanted = "safe" if defends else "captured"
        for point in tries:
            if point in works or not is_legal(self._board, point, color) or self._over():
                continue
            after = self._board.copy()
            place(after, point, color)
            if (
                after[COLOR + goal] == EMPTY
                or self._read(after, goal, defends, CHAINS.reading_nodes).value == wanted
            ):
                works.append(point)
        return tuple(works)

    def chance(self, board: Board, stone: int, attacker_first: bool) -> tuple[float, bool] | None:
        """Return the probability that a chain is captured, and if it is proved; None for a ko."""
        limit, nodes = limit_for(picture_of(board).chain_at(stone)), CHAINS.open_nodes
        value = self._reader.read_chain(board, stone, attacker_first, limit, nodes).value
        if value == "unknown":
            return chance_of_capture(self._reader.open_search()), False
        return None if value == "ko" else (float(value == "captured"), True)

    def open_chain(self, board: Board, stones: tuple[int, ...]) -> OpenChain | None:
        """Return the chances of a chain with either side first; None: both are proved, or a ko."""
        attack = self.chance(board, stones[0], True)
        # A chain that survives the opponent's first move survives its owner's, too.
        if attack is None or attack == (0.0, True):
            return None
        defense = self.chance(board, stones[0], False)
        if defense is None or (attack[1] and defense[1]):
            return None
        # Moving first never harms, but two estimates may say so.
        attacked = max(attack[0], defense[0])
        return OpenChain(stones, int(board[COLOR + stones[0]]), attacked, defense[0])


def chains_in_trouble(board: Board) -> list[StoneList]:
    """Return chains with few liberties as sorted stones: fewest liberties, then largest first."""
    order = sorted(
        (len(chain.liberties), -len(chain.stones), tuple(sorted(chain.stones)))
        for chain in picture_of(board).chains
        if len(chain.liberties) <= CHAINS.most_liberties
    )
    return [stones for _, _, stones in order]


def limit_for(chain: Chain) -> int:
    """Return the liberty limit up to which a chain is read, also after its first move."""
    return max(4, min(len(chain.liberties), CHAINS.most_liberties) + 2)
