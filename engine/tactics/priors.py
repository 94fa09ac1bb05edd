"""stub"""
from typing import NamedTuple
import numpy as np
import numpy.typing as npt
from engine.jit import kernel
from engine.go.board import Board

class Knowledge(NamedTuple):
    """x"""
    meta: npt.NDArray[np.int64]
    keys: npt.NDArray[np.uint64]

def no_knowledge():
    return Knowledge(np.zeros(4,np.int64), np.zeros(1,np.uint64))

@kernel
def leaf_log_odds(knowledge: Knowledge, board: Board, move: int, mover: int, goal: int, node: int) -> float:
    """stub"""
    return 0.0
