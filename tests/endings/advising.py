"""Asking for advice about sums as a thinker does."""

from engine.endings.sums import SURVEY_NODES, advise
from engine.facts.position_facts import Facts, ReadingBudget
from engine.go.board import Ownership
from engine.go.history import Game


def advice_for(game: Game, color: int, ownership: Ownership | None = None):
    """Return what is advised, facts surveyed anew; ownership as fates say."""
    facts = Facts()
    owned = facts.status(game).ownership if ownership is None else ownership
    return advise(game, color, owned, facts, ReadingBudget(SURVEY_NODES))
