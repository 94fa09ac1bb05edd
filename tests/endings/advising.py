"""Asking for advice about sums as a thinker does."""

from engine.endings.outlook import Ownership
from engine.endings.sums import SURVEY_NODES, advise
from engine.facts.chain_facts import Surveyor
from engine.facts.final_status import judge_fates
from engine.go.history import Game


def advice_for(game: Game, color: int, ownership: Ownership | None = None):
    """Return what is advised, chains read by a surveyor of its own; ownership as fates say."""
    owned = judge_fates(game).ownership if ownership is None else ownership
    return advise(game, color, owned, lambda board: Surveyor().survey(board, SURVEY_NODES))
