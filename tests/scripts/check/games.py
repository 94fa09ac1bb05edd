"""Small games for tests of scripts."""

import random

from engine import PASS, RULESETS, Game
from engine.rollout.uniform import is_playable
from patterns_db.records.replay import record_of
from patterns_db.records.sgf import write_record


def filled_game(seed: int, size: int = 5) -> Game:
    """Return a random game in which both sides play until no sensible move is left."""
    rng = random.Random(seed)
    game = Game(size, RULESETS["chinese"], 0.5)
    while game.passes < 2:
        color = game.to_play
        moves = [p for p in game.legal_points(color) if is_playable(game.board, p, color)]
        game.play(color, rng.choice(moves) if moves else PASS)
    return game


def sgf_of(game: Game, result: str = "B+R", ranks: str = "") -> bytes:
    """Return a game as a record with a result, perhaps with ranks: "BR[5k]WR[3k]"."""
    return write_record(record_of(game)).replace(b"SZ[", f"RE[{result}]{ranks}SZ[".encode())
