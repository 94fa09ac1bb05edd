"""The engine that plays; it has no files and no protocol.

Read it from the board up (go, rollout), from the player down (player), or beside a paper (one
folder each). Points are integers on a padded board. Colors are EMPTY, BLACK, WHITE, WALL = 0..3.
Every stored value is Black's.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.belief.knowledge import Knowledge as Knowledge
    from engine.belief.report import SearchReport as SearchReport
    from engine.belief.root_moves import MoveBelief as MoveBelief
    from engine.errors import BadSetup as BadSetup
    from engine.errors import BadVertex as BadVertex
    from engine.errors import IllegalMove as IllegalMove
    from engine.errors import MoveCode as MoveCode
    from engine.errors import SgfError as SgfError
    from engine.errors import YomiError as YomiError
    from engine.gaussian import NINETY_PERCENT as NINETY_PERCENT
    from engine.go.board import BLACK as BLACK
    from engine.go.board import EMPTY as EMPTY
    from engine.go.board import WHITE as WHITE
    from engine.go.board import Ownership as Ownership
    from engine.go.drawing import board_svg as board_svg
    from engine.go.geometry import MAX_SIZE as MAX_SIZE
    from engine.go.geometry import MIN_SIZE as MIN_SIZE
    from engine.go.geometry import PASS as PASS
    from engine.go.geometry import board_points as board_points
    from engine.go.geometry import fixed_handicap as fixed_handicap
    from engine.go.geometry import format_vertex as format_vertex
    from engine.go.geometry import free_handicap as free_handicap
    from engine.go.geometry import parse_vertex as parse_vertex
    from engine.go.geometry import to_column_row as to_column_row
    from engine.go.geometry import to_point as to_point
    from engine.go.history import Game as Game
    from engine.go.played import COLOR_NAMES as COLOR_NAMES
    from engine.go.played import Move as Move
    from engine.go.rules import RULESETS as RULESETS
    from engine.go.rules import Rules as Rules
    from engine.patterns.predictor import Predictor as Predictor
    from engine.people.posterior import rank_name as rank_name
    from engine.player.clock import Allotment as Allotment
    from engine.player.clock import Clock as Clock
    from engine.player.decision import Decision as Decision
    from engine.player.levels import level_options as level_options
    from engine.player.options import PlayerOptions as PlayerOptions
    from engine.player.patterns import PatternThinker as PatternThinker
    from engine.player.player import Player as Player
    from engine.player.searching import SearchThinker as SearchThinker

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

__all__ = sorted(" ".join(_HOMES.values()).split())


def __getattr__(name: str) -> Any:
    """Import a name when it is first used: a bare ``import engine`` costs next to nothing."""
    for module, names in _HOMES.items():
        if name in names.split():
            value = globals()[name] = getattr(importlib.import_module(f"engine.{module}"), name)
            return value
    raise AttributeError(f"module 'engine' has no attribute {name!r}")
