"""The solver as the paper printed it: what enters its tree."""

from engine.captures.reader import CaptureReader
from engine.proof.graph import EDGE_CHILD, META_EDGES, NONE
from patterns_db.records.problems import parse_problem
from scripts.reproduce.stern2007_printed import PrintedGoal
from tests.patterns_db.solvers.test_solver_training import RECORDS


def test_as_printed_all_children_enter_the_tree():
    """In play some moves still wait at the end; the values are the same."""
    asked = parse_problem(RECORDS[2])
    readings = []
    for printed in (False, True):
        reader = CaptureReader("pp", 2000)
        if printed:
            reader.goal = PrintedGoal()
        readings.append(reader.read_chain(asked.board, asked.goal, asked.attacker_to_move, 4))
        waiting = reader.tree.edges[: reader.tree.meta[META_EDGES], EDGE_CHILD] == NONE
        assert waiting.any() != printed
    assert readings[0].value == readings[1].value == "captured"
