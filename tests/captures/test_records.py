"""engine.captures.records: written proofs hold under the rules of the independent checker."""

import argparse

import pytest

from engine.captures.reader import CaptureReader
from engine.captures.records import proof_record
from engine.jit import JIT_ENABLED
from engine.proof.graph import META_KO_USED
from patterns_db.records.problems import parse_problem
from scripts.check.proofs import check

# The attack goes through a ko, and the same stones occur twice with different banned moves.
KOS = [
    ("..O.O/OO..X/OO.O./...OX/.....", "white", "black", "E4"),
    ("....X/.XXX./XO.../X.OOX/XO.X.", "black", "black", "B1"),
    ("OO.XX/OXOO./XX.X./X...X/.OX..", "black", "white", "C4"),
]


@pytest.mark.parametrize(("board", "attacker", "to_move", "goal"), KOS if JIT_ENABLED else KOS[:1])
def test_no_position_repeats_in_a_proof(board, attacker, to_move, goal):
    task = "attack" if attacker == to_move else "defend"
    record = {"id": "ko", "size": 5, "board": board, "attacker": attacker, "task": task}
    problem = parse_problem(record | {"to_move": to_move, "goal": goal})
    reader = CaptureReader("pns", 20_000)
    reading = reader.read_chain(problem.board, problem.goal, problem.attacker_to_move)
    assert reading.value == "captured"
    assert reader.tree.meta[META_KO_USED]
    options = argparse.Namespace(positions=20_000, foreign=1, random=50, seed=1)
    assert check(proof_record(reader), options)[0] == "holds"
