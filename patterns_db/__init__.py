"""Learning from game records and problems, and storage of the learned tables.

Other packages use the names below. Each is loaded on first use: a player that reads a table needs
neither the trainer nor its imports.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patterns_db.cluster.connection import Tls, open_cluster
    from patterns_db.cluster.solving import ClusterSolver
    from patterns_db.cluster.tasks import Cluster
    from patterns_db.cluster.training import ClusterPatterns
    from patterns_db.outputs import check_folder, check_outputs, check_training
    from patterns_db.patterns.backend import SERIAL_PATTERNS, PatternBackend
    from patterns_db.patterns.evaluation import evaluate, open_model
    from patterns_db.patterns.pipeline import TrainingSettings, train_patterns
    from patterns_db.patterns.report import plot_summary, summarize, summary_text
    from patterns_db.people.levels import PlayerLevel, judge_levels, ranks_of
    from patterns_db.printing import how_to_install, markdown, printable
    from patterns_db.records.annotations import Note, Variation, annotate
    from patterns_db.records.archive import join_archives, read_archive
    from patterns_db.records.games import GameReader, is_archive
    from patterns_db.records.kata_rules import (
        KataRules,
        read_rules,
        rule_fields,
        rules_of_fields,
        with_bonus,
        with_rule,
    )
    from patterns_db.records.members import record_bytes
    from patterns_db.records.problems import (
        LifeProblem,
        Malformed,
        Problem,
        read_life_problems,
        read_problems,
        read_sgf_life_problem,
        read_sgf_problem,
    )
    from patterns_db.records.replay import apply_event, fault_of, record_of, replay_record, terms_of
    from patterns_db.records.sgf import (
        Event,
        MainLine,
        Play,
        read_main_line,
        read_record,
        write_record,
    )
    from patterns_db.shipped import (
        LIFE_TABLE,
        PATTERN_TABLE,
        SOLVER_TABLE,
        learned_beside,
        load_knowledge,
    )
    from patterns_db.solvers.life_weights import read_life_weights
    from patterns_db.solvers.solver_learner import SolverTrainingSettings
    from patterns_db.solvers.solver_priors import read_priors
    from patterns_db.solvers.solver_training import (
        SERIAL_SOLVER,
        SolverBackend,
        train_solver,
    )
    from patterns_db.store.whole_files import whole_file, write_whole

__all__ = [
    "LIFE_TABLE",
    "PATTERN_TABLE",
    "SERIAL_PATTERNS",
    "SERIAL_SOLVER",
    "SOLVER_TABLE",
    "Cluster",
    "ClusterPatterns",
    "ClusterSolver",
    "Event",
    "GameReader",
    "KataRules",
    "LifeProblem",
    "MainLine",
    "Malformed",
    "Note",
    "PatternBackend",
    "Play",
    "PlayerLevel",
    "Problem",
    "SolverBackend",
    "SolverTrainingSettings",
    "Tls",
    "TrainingSettings",
    "Variation",
    "annotate",
    "apply_event",
    "check_folder",
    "check_outputs",
    "check_training",
    "evaluate",
    "fault_of",
    "how_to_install",
    "is_archive",
    "join_archives",
    "judge_levels",
    "learned_beside",
    "load_knowledge",
    "markdown",
    "open_cluster",
    "open_model",
    "plot_summary",
    "printable",
    "ranks_of",
    "read_archive",
    "read_life_problems",
    "read_life_weights",
    "read_main_line",
    "read_priors",
    "read_problems",
    "read_record",
    "read_rules",
    "read_sgf_life_problem",
    "read_sgf_problem",
    "record_bytes",
    "record_of",
    "replay_record",
    "rule_fields",
    "rules_of_fields",
    "summarize",
    "summary_text",
    "terms_of",
    "train_patterns",
    "train_solver",
    "whole_file",
    "with_bonus",
    "with_rule",
    "write_record",
    "write_whole",
]

# Names are listed by module. None equals a module's name, because importing that module would hide
# it.
_HOMES = {
    "records.annotations": "Note Variation annotate",
    "records.archive": "join_archives read_archive",
    "cluster.connection": "Tls open_cluster",
    "cluster.solving": "ClusterSolver",
    "cluster.tasks": "Cluster",
    "cluster.training": "ClusterPatterns",
    "patterns.backend": "SERIAL_PATTERNS PatternBackend",
    "patterns.evaluation": "evaluate open_model",
    "records.games": "GameReader is_archive",
    "records.kata_rules": ("KataRules read_rules rule_fields rules_of_fields with_bonus with_rule"),
    "solvers.life_weights": "read_life_weights",
    "outputs": "check_folder check_outputs check_training",
    "patterns.pipeline": "TrainingSettings train_patterns",
    "people.levels": "PlayerLevel judge_levels ranks_of",
    "printing": "how_to_install markdown printable",
    "records.members": "record_bytes",
    "records.problems": (
        "LifeProblem Malformed Problem read_life_problems read_problems read_sgf_life_problem"
        " read_sgf_problem"
    ),
    "records.sgf": "Event MainLine Play read_main_line read_record write_record",
    "records.replay": "apply_event fault_of record_of replay_record terms_of",
    "patterns.report": "plot_summary summarize summary_text",
    "shipped": "LIFE_TABLE PATTERN_TABLE SOLVER_TABLE learned_beside load_knowledge",
    "solvers.solver_priors": "read_priors",
    "solvers.solver_learner": "SolverTrainingSettings",
    "solvers.solver_training": "SERIAL_SOLVER SolverBackend train_solver",
    "store.whole_files": "whole_file write_whole",
}


if not TYPE_CHECKING:  # a type checker would assume that every name exists

    def __getattr__(name: str) -> object:
        """Load a name's module, and store the name (PEP 562)."""
        for home, names in _HOMES.items():
            if name in names.split():
                found = getattr(import_module(f"patterns_db.{home}"), name)
                globals()[name] = found  # the next access finds it without this function
                return found
        raise AttributeError(f"module 'patterns_db' has no attribute {name!r}")
