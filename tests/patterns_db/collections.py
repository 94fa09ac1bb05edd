"""Small collections of games for the tests: half random, half repeated, so that classes recur."""

import numpy as np

from engine.go.geometry import to_column_row
from patterns_db.records.games import DecodedGame
from tests.reference.games import random_game
from tests.symmetries import transform


def random_collection(count=6, size=7, length=24, seed=1):
    """Return games; every second one begins like the one before it, mirrored."""
    games = []
    for number in range(count):
        turns = [turn.move for turn in random_game(size, length, seed + number // 2)]
        if number % 2:
            turns = [transform(move, size, number % 8) for move in turns[: length * 2 // 3]]
        games.append(as_game(turns, size, f"{'ab'[number % 2]}/{number}.sgf"))
    return games


def as_game(moves, size, source):
    moves = np.array(moves, np.int64)
    none = np.zeros(0, np.int64)
    return DecodedGame(size, none, none, np.arange(len(moves)) % 2 + 1, moves, source)


def to_sgf(game):
    letters = "abcdefghijklmnopqrs"
    text = f"(;GM[1]SZ[{game.size}]"
    for color, move in zip(game.colors, game.moves, strict=True):
        column, row = to_column_row(int(move))
        text += f";{' BW'[color]}[{letters[column - 1]}{letters[game.size - row]}]"
    return text + ")"


def write_collection(folder, games):
    for game in games:
        file = folder / game.source
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text(to_sgf(game))
    return folder
