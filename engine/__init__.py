"""The engine that plays; knows no files and no protocol.

Read it from the board up (go, rollout), from the player down (player), or beside a paper (one
folder each). Points are integers on a padded board, colors are EMPTY, BLACK, WHITE, WALL = 0..3,
and every stored value is Black's.
"""

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
from engine.fates import FinalStatus
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
from engine.path.game import Path, Sight, Step, follow, win_probability
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
from engine.tactics.facts import ChainFacts
from engine.tactics.life import Aim, LifeReader, LifeReading, compile_life
from engine.tactics.life_proofs import life_proof_record
from engine.tactics.proofs import proof_record
from engine.tactics.solver import Reader, Reading, compile_solver
from engine.thinkers.explaining import margin_words
from engine.thinkers.fights import FightJudge
from engine.thinkers.levels import LEVELS, LevelOptions, level_options
from engine.thinkers.patterns import PatternThinker
from engine.thinkers.searching import SearchThinker
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
    "ChainFacts",
    "Clock",
    "Decision",
    "EpDiverged",
    "FightJudge",
    "FinalStatus",
    "Game",
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
    "Path",
    "PatternThinker",
    "Player",
    "PlayerOptions",
    "Predictor",
    "RankPosterior",
    "Reader",
    "Reading",
    "Rules",
    "SearchModel",
    "SearchReport",
    "SearchThinker",
    "SgfError",
    "Sight",
    "Size",
    "Step",
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
