"""The engine that plays; it has no files and no protocol.

Read it from the board up (go, rollout), from the player down (player), or beside a paper (one
folder each). Points are integers on a padded board. Colors are EMPTY, BLACK, WHITE, WALL = 0..3.
Every stored value is Black's.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.belief.knowledge import Knowledge
    from engine.belief.report import SearchReport
    from engine.belief.root_moves import MoveBelief
    from engine.errors import BadSetup, BadVertex, IllegalMove, MoveCode, SgfError, YomiError
    from engine.gaussian import NINETY_PERCENT
    from engine.go.board import BLACK, EMPTY, WHITE, Ownership
    from engine.go.drawing import board_svg
    from engine.go.geometry import (
        MAX_SIZE,
        MIN_SIZE,
        PASS,
        board_points,
        fixed_handicap,
        format_vertex,
        free_handicap,
        parse_vertex,
        to_column_row,
        to_point,
    )
    from engine.go.history import Game
    from engine.go.played import COLOR_NAMES, Move
    from engine.go.rules import RULESETS, Rules
    from engine.patterns.predictor import Predictor
    from engine.people.posterior import rank_name
    from engine.player.clock import Allotment, Clock
    from engine.player.decision import Decision
    from engine.player.levels import level_options
    from engine.player.options import PlayerOptions
    from engine.player.patterns import PatternThinker
    from engine.player.player import Player
    from engine.player.searching import SearchThinker

__all__ = [
    "BLACK",
    "COLOR_NAMES",
    "EMPTY",
    "MAX_SIZE",
    "MIN_SIZE",
    "NINETY_PERCENT",
    "PASS",
    "RULESETS",
    "WHITE",
    "Allotment",
    "BadSetup",
    "BadVertex",
    "Clock",
    "Decision",
    "Game",
    "IllegalMove",
    "Knowledge",
    "Move",
    "MoveBelief",
    "MoveCode",
    "Ownership",
    "PatternThinker",
    "Player",
    "PlayerOptions",
    "Predictor",
    "Rules",
    "SearchReport",
    "SearchThinker",
    "SgfError",
    "YomiError",
    "board_points",
    "board_svg",
    "fixed_handicap",
    "format_vertex",
    "free_handicap",
    "level_options",
    "parse_vertex",
    "rank_name",
    "to_column_row",
    "to_point",
]

_HOMES = {
    "belief.knowledge": "Knowledge",
    "belief.report": "SearchReport",
    "belief.root_moves": "MoveBelief",
    "errors": "BadSetup BadVertex IllegalMove MoveCode SgfError YomiError",
    "gaussian": "NINETY_PERCENT",
    "go.board": "BLACK EMPTY WHITE Ownership",
    "go.drawing": "board_svg",
    "go.geometry": "MAX_SIZE MIN_SIZE PASS board_points fixed_handicap format_vertex free_handicap"
    " parse_vertex to_column_row to_point",
    "go.history": "Game",
    "go.played": "COLOR_NAMES Move",
    "go.rules": "RULESETS Rules",
    "patterns.predictor": "Predictor",
    "people.posterior": "rank_name",
    "player.clock": "Allotment Clock",
    "player.decision": "Decision",
    "player.levels": "level_options",
    "player.options": "PlayerOptions",
    "player.patterns": "PatternThinker",
    "player.player": "Player",
    "player.searching": "SearchThinker",
}


def __getattr__(name: str) -> Any:
    """Import a name when it is first used: a bare ``import engine`` costs next to nothing."""
    for module, names in _HOMES.items():
        if name in names.split():
            value = globals()[name] = getattr(importlib.import_module(f"engine.{module}"), name)
            return value
    raise AttributeError(f"module 'engine' has no attribute {name!r}")
