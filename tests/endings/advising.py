"""Advice about sums, requested as a thinker requests it."""

from engine.endings.sums import SUMS, advise
from engine.facts.group_prover import ReadingBudget
from engine.facts.position_facts import Facts
from engine.go.board import Ownership
from engine.go.history import Game


def advice_for(game: Game, color: int, ownership: Ownership | None = None):
    """Return the advice, with facts surveyed anew and ownership from statuses."""
    facts = Facts()
    owned = facts.status(game).ownership if ownership is None else ownership
    return advise(game, color, owned, facts, ReadingBudget(SUMS.survey_nodes))
