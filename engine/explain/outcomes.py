"""The position after a move, with all that is known of it: proofs and roll-outs."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.facts.chain_facts import CHAINS, ChainFacts
from engine.facts.group_facts import GroupFacts
from engine.facts.group_prover import ReadingBudget
from engine.facts.position_facts import Facts
from engine.go.board import BLACK, EMPTY, Ownership
from engine.go.history import Game
from engine.picture.picture import Picture, picture_of

READING_NODES, GROUP_NODES = 6_000, 3_000  # of the solvers, in each position


class Outcome(NamedTuple):
    """A position after a move, with the opponent to move, and what is known of it.

    owners  float64[AREA], -1 White .. 1 Black, in roll-outs
    """

    move: int
    game: Game
    chains: Sequence[ChainFacts]
    groups: Sequence[GroupFacts]
    owners: Ownership

    @property
    def picture(self) -> Picture:
        """The picture of the position."""
        return picture_of(self.game.board)


def outcome_of(game: Game, color: int, move: int, owners: Ownership, facts: Facts) -> Outcome:
    """Return what is known after a move of a color.

    owners  float64[AREA] after the move, as ``Outcome`` has it
    """
    after = game.copy()
    after.play(color, move, forced=True)  # a record may force a move (KO)
    chains = facts.chains(after.board, ReadingBudget(READING_NODES))
    groups = facts.groups(after.board, owners, ReadingBudget(GROUP_NODES))
    return Outcome(move, after, chains, groups, owners)


def status_after(stones: Sequence[int], outcome: Outcome) -> tuple[str, ChainFacts | None]:
    """Return the proved status of a chain, "gone" if it was taken, "" if nothing is proved."""
    if outcome.game.color_at(stones[0]) == EMPTY:
        return "gone", None
    for fact in outcome.chains:
        if stones[0] in fact.stones:
            return fact.status, fact if fact.attacks else None
    # Chains with more are not read: they are safe for now.
    liberties = outcome.picture.chain_at(stones[0]).liberties
    return ("safe" if len(liberties) > CHAINS.most_liberties else ""), None


def share_alive(stones: Sequence[int], color: int, owners: Ownership) -> float:
    """Return the share of continuations in which stones of a color live.

    owners  float64[AREA], -1 White .. 1 Black
    """
    # The points of a chain stay its color's exactly if it lives.
    sign = 1.0 if color == BLACK else -1.0
    return 0.5 + 0.5 * sign * float(owners[list(stones)].mean())
