"""Asking for advice about sums as a thinker does."""

from engine.endings.advice import SURVEY_NODES, advise
from engine.endings.outlook import Ownership
from engine.fates import judge_fates
from engine.go.history import Game
from engine.tactics.facts import Surveyor


def advice_for(game: Game, color: int, ownership: Ownership | None = None):
    """Return what is advised, chains read by a surveyor of its own; ownership as fates say."""
    owned = judge_fates(game).ownership if ownership is None else ownership
    return advise(game, color, owned, lambda board: Surveyor().survey(board, SURVEY_NODES))
