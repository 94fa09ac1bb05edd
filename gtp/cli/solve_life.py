"""``yomi solve --life``: problems of life and death from the command line."""

import argparse
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine import BadSetup, format_vertex
from engine.life.reader import Aim, LifeReader, LifeReading, compile_life
from engine.life.records import life_proof_record
from engine.player.staged_fights import FightJudge
from gtp.cli.command_line import say
from gtp.cli.solving import Solved, solve_all
from patterns_db.records.problems import (
    LifeProblem,
    Malformed,
    read_life_problems,
    read_sgf_life_problem,
)
from patterns_db.shipped import LIFE_TABLE, load_knowledge
from patterns_db.solvers.life_weights import read_life_weights

_STATUSES = ("alive", "dead", "seki", "ko", "unknown")
# The possible proofs, as pairs: the group's aim and the resulting status.
_CLAIMS: dict[str, list[tuple[Aim, str]]] = {
    "alive": [("life", "alive")],
    "dead": [("life", "dead")],
    "seki": [("life", "alive"), ("eyes", "dead")],
}


def run_life(options: argparse.Namespace) -> int:
    """Solve and print. Return the exit status: 1 when a problem was malformed, else 0.

    Raises YomiError when there is no problem to read or when the proofs cannot be written.
    """
    if options.goal is not None:
        raise BadSetup("--life finds the group by itself: leave out --goal")
    try:
        if options.problems is not None:
            problems: Iterable[LifeProblem | Malformed] = read_life_problems(Path(options.problems))
        else:
            problems = [read_sgf_life_problem(Path(options.sgf), options.move or 0)]
        # This comes before any clock starts. Otherwise the first problem would pay for it.
        compile_life()
        path = LIFE_TABLE if options.priors is None else Path(options.priors)
        weights = None if options.priors == "none" else read_life_weights(path)
        # A node with its edges takes 650 bytes; unused ones take no memory.
        nodes = min(options.max_nodes, 2_000_000)
        # Processor time is measured, so that the machine's load does not decide the results.
        reader = LifeReader(options.solver or "pns", nodes, weights, clock=time.process_time)
        judge = FightJudge(load_knowledge(), time.process_time)
        return solve_all(
            problems, lambda one: _solved(one, reader, judge, options), _STATUSES, options
        )
    except OSError as error:
        raise BadSetup(f"{error.filename or 'output'}: {error.strerror}") from error


def _solved(
    problem: LifeProblem, reader: LifeReader, judge: FightJudge, options: argparse.Namespace
) -> Solved:
    # A quarter of the time is kept for judging the groups that the rest did not decide.
    seconds = options.seconds * 0.75
    reading = reader.read_position(problem.board, problem.to_move, seconds)
    if reading.question is None:
        say(f"{problem.id}: no group is in question")
    if reading.status == "unknown":
        reading = _judged(problem, reading, judge, options.seconds)
    proofs = [] if options.proof is None else _proofs(problem, reading, reader, options.seconds)
    record = life_record(problem, reading)
    return Solved(reading.status, reading.nodes, reading.seconds, record, proofs)


def _judged(
    problem: LifeProblem, reading: LifeReading, judge: FightJudge, seconds: float
) -> LifeReading:
    """Return an undecided reading with the best move that a search finds in the remaining time."""
    if reading.question is None:
        return reading
    start = time.process_time()
    rest = seconds - reading.seconds
    move = judge.best_move(problem.board, reading.question, problem.to_move, rest)
    used = reading.seconds + time.process_time() - start
    return replace(reading, move=reading.move if move is None else move, seconds=used)


def _proofs(
    problem: LifeProblem, reading: LifeReading, reader: LifeReader, seconds: float
) -> list[dict[str, Any]]:
    """Return the proofs of a reading, as far as they can be reproduced in the time."""
    records = []
    if reading.question is not None:
        for aim, status in _CLAIMS.get(reading.status, []):
            # The group is read again, since other groups or regions may have been read after it.
            again = reader.read_group(
                problem.board, reading.question, problem.to_move, seconds, reading.move, aim
            )
            if again.status == status:
                records.append({"id": problem.id} | life_proof_record(reader))
    return records


def life_record(problem: LifeProblem, reading: LifeReading) -> dict[str, Any]:
    """Return a reading as the JSON object that ``yomi solve --life --json`` prints."""
    goal = [] if reading.question is None else reading.question.goal
    return {
        "id": problem.id,
        "status": reading.status,
        "move": None if reading.move is None else format_vertex(reading.move),
        "nodes": reading.nodes,
        "seconds": round(reading.seconds, 4),
        "group": [format_vertex(point) for point in goal],
    }
