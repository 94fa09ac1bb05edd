"""The engine that plays; knows no files and no protocol.

Read it from the board up (go, rollout), from the player down (player), or beside a paper (one
folder each). Points are integers on a padded board, colors are EMPTY, BLACK, WHITE, WALL = 0..3,
and every stored value is Black's.
"""

from engine.captures.reader import CaptureReader, CaptureReading, compile_solver
from engine.captures.records import proof_record
from engine.clock import Clock
from engine.errors import (
    BadSetup,
    BadVertex,
    EpDiverged,
    IllegalMove,
    ModelFormatError,
    MoveCode,
    SgfError,
    YomiError,
)
from engine.facts.chain_facts import ChainFacts
from engine.facts.final_status import FinalStatus
from engine.go.board import BLACK, EMPTY, WALL, WHITE
from engine.go.geometry import (
    COLUMN_LETTERS,
    MAX_SIZE,
    MIN_SIZE,
    PASS,
    board_points,
    fixed_handicap,
    format_vertex,
    max_fixed_handicap,
    parse_vertex,
    to_column_row,
    to_point,
)
from engine.go.history import COLOR_NAMES, Game, Move
from engine.go.rules import RULESETS, Rules
from engine.go.symmetry import orbit, symmetries_of
from engine.knowledge import Knowledge
from engine.life.reader import Aim, LifeReader, LifeReading, compile_life
from engine.life.records import life_proof_record
from engine.path.game import GamePath, PathStep, Sight, follow, win_probability
from engine.path.losses import (
    NOTHING,
    Loss,
    Observation,
    Size,
    Track,
    observed,
    size_interval,
    times,
)
from engine.patterns.predictor import Predictor
from engine.people.posterior import RankPosterior, rank_name
from engine.player import Player, PlayerOptions
from engine.search.calibration import NINETY_PERCENT
from engine.search.model import OPTIMISTIC, RELEVANCE, THOMPSON, SearchModel
from engine.search.report import Ownership, SearchReport
from engine.search.root_moves import MoveBelief
from engine.thinkers.explaining import margin_words
from engine.thinkers.levels import LEVELS, LevelOptions, level_options
from engine.thinkers.patterns import PatternThinker
from engine.thinkers.searching import SearchThinker
from engine.thinkers.staged_fights import FightJudge
from engine.thinkers.thinker import Candidate, Decision

__all__ = [
    "BLACK",
    "COLOR_NAMES",
    "COLUMN_LETTERS",
    "EMPTY",
    "LEVELS",
    "MAX_SIZE",
    "MIN_SIZE",
    "NINETY_PERCENT",
    "NOTHING",
    "OPTIMISTIC",
    "PASS",
    "RELEVANCE",
    "RULESETS",
    "THOMPSON",
    "WALL",
    "WHITE",
    "Aim",
    "BadSetup",
    "BadVertex",
    "Candidate",
    "CaptureReader",
    "CaptureReading",
    "ChainFacts",
    "Clock",
    "Decision",
    "EpDiverged",
    "FightJudge",
    "FinalStatus",
    "Game",
    "GamePath",
    "IllegalMove",
    "Knowledge",
    "LevelOptions",
    "LifeReader",
    "LifeReading",
    "Loss",
    "ModelFormatError",
    "Move",
    "MoveBelief",
    "MoveCode",
    "Observation",
    "Ownership",
    "PathStep",
    "PatternThinker",
    "Player",
    "PlayerOptions",
    "Predictor",
    "RankPosterior",
    "Rules",
    "SearchModel",
    "SearchReport",
    "SearchThinker",
    "SgfError",
    "Sight",
    "Size",
    "Track",
    "YomiError",
    "board_points",
    "compile_life",
    "compile_solver",
    "fixed_handicap",
    "follow",
    "format_vertex",
    "level_options",
    "life_proof_record",
    "margin_words",
    "max_fixed_handicap",
    "observed",
    "orbit",
    "parse_vertex",
    "proof_record",
    "rank_name",
    "size_interval",
    "symmetries_of",
    "times",
    "to_column_row",
    "to_point",
    "win_probability",
]
