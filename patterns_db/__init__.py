"""Learns from game records and problems, and stores what was learned.

The names below are what other packages use. Each is loaded when it is first asked for: a player
who reads a table needs neither the trainer nor what it imports.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patterns_db.archive import join_archives, read_archive
    from patterns_db.cluster.connection import open_cluster
    from patterns_db.cluster.tasks import Cluster
    from patterns_db.evaluation import evaluate, open_model
    from patterns_db.games import GameReader
    from patterns_db.life_weights import read_life_weights
    from patterns_db.people_levels import PlayerLevel, judge_levels
    from patterns_db.pipeline import TrainingSettings, train_patterns
    from patterns_db.plotting import new_figure, save_figure
    from patterns_db.problems import (
        LifeProblem,
        Malformed,
        Problem,
        read_life_problems,
        read_problems,
        read_sgf_problem,
    )
    from patterns_db.records import read_main_line, read_record, write_record
    from patterns_db.replay import record_of, replay_record, rules_of
    from patterns_db.report import plot_summary, summarize, summary_text
    from patterns_db.review.apart import review_on_cluster
    from patterns_db.review.games import (
        Job,
        Outputs,
        Reviewed,
        ReviewOptions,
        find_jobs,
        review_records,
        write_index,
    )
    from patterns_db.review.remarks import describe_remark, read_level
    from patterns_db.shipped import LIFE_TABLE, PATTERN_TABLE, SOLVER_TABLE, load_knowledge
    from patterns_db.solver_priors import read_priors
    from patterns_db.solver_training import SolverTrainingSettings, train_solver
    from patterns_db.whole_files import whole_file, write_whole

__all__ = [
    "LIFE_TABLE",
    "PATTERN_TABLE",
    "SOLVER_TABLE",
    "Cluster",
    "GameReader",
    "Job",
    "LifeProblem",
    "Malformed",
    "Outputs",
    "PlayerLevel",
    "Problem",
    "ReviewOptions",
    "Reviewed",
    "SolverTrainingSettings",
    "TrainingSettings",
    "describe_remark",
    "evaluate",
    "find_jobs",
    "join_archives",
    "judge_levels",
    "load_knowledge",
    "new_figure",
    "open_cluster",
    "open_model",
    "plot_summary",
    "read_archive",
    "read_level",
    "read_life_problems",
    "read_life_weights",
    "read_main_line",
    "read_priors",
    "read_problems",
    "read_record",
    "read_sgf_problem",
    "record_of",
    "replay_record",
    "review_on_cluster",
    "review_records",
    "rules_of",
    "save_figure",
    "summarize",
    "summary_text",
    "train_patterns",
    "train_solver",
    "whole_file",
    "write_index",
    "write_record",
    "write_whole",
]

# By module; no name is a module's, or importing that module would hide it.
_HOMES = {
    "archive": "join_archives read_archive",
    "cluster.connection": "open_cluster",
    "cluster.tasks": "Cluster",
    "evaluation": "evaluate open_model",
    "games": "GameReader",
    "life_weights": "read_life_weights",
    "people_levels": "PlayerLevel judge_levels",
    "pipeline": "TrainingSettings train_patterns",
    "plotting": "new_figure save_figure",
    "problems": "LifeProblem Malformed Problem read_life_problems read_problems read_sgf_problem",
    "records": "read_main_line read_record write_record",
    "replay": "record_of replay_record rules_of",
    "report": "plot_summary summarize summary_text",
    "review.apart": "review_on_cluster",
    "review.games": "Job Outputs ReviewOptions Reviewed find_jobs review_records write_index",
    "review.remarks": "describe_remark read_level",
    "shipped": "LIFE_TABLE PATTERN_TABLE SOLVER_TABLE load_knowledge",
    "solver_priors": "read_priors",
    "solver_training": "SolverTrainingSettings train_solver",
    "whole_files": "whole_file write_whole",
}


if not TYPE_CHECKING:  # a type checker would believe that every name is here

    def __getattr__(name: str) -> object:
        """Load a name's module, and keep the name (PEP 562)."""
        for home, names in _HOMES.items():
            if name in names.split():
                found = getattr(import_module(f"patterns_db.{home}"), name)
                globals()[name] = found  # the next time Python finds it without asking here
                return found
        raise AttributeError(f"module 'patterns_db' has no attribute {name!r}")
