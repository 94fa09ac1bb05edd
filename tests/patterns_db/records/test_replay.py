"""Decoded games played again: every position once, set-up first, up to the first illegal move."""

import numpy as np

from engine import BLACK, RULESETS, WHITE, parse_vertex
from patterns_db.records.games import DecodedGame
from patterns_db.records.replay import replay_moves


def decoded(moves: list[str], black: tuple[str, ...] = ()) -> DecodedGame:
    points = [parse_vertex(vertex, 5) for vertex in moves]
    colors = [(BLACK, WHITE)[number % 2] for number in range(len(moves))]
    stones = np.array([parse_vertex(vertex, 5) for vertex in black], np.int64)
    nothing = np.zeros(0, np.int64)
    return DecodedGame(5, stones, nothing, np.array(colors), np.array(points), "here")


def lengths(record: DecodedGame) -> list[tuple[int, int]]:
    """Return, by position, the numbers of moves and of stones."""
    return [
        (len(game.moves), len(game.stones(BLACK)) + len(game.stones(WHITE)))
        for game in replay_moves(record, RULESETS["chinese"], 2.5)
    ]


def test_a_position_before_each_move_and_one_after_the_last():
    assert lengths(decoded(["A1", "C3", "E5"])) == [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert lengths(decoded([])) == [(0, 0)]


def test_an_illegal_move_ends_it(caplog):
    assert lengths(decoded(["A1", "A1", "E5"])) == [(0, 0), (1, 1)]
    (said,) = caplog.messages
    assert said.startswith("here is read up to move 1: illegal move: white A1")


def test_stones_that_were_set_up_are_there_from_the_beginning():
    assert lengths(decoded(["C3"], black=("A1", "B1"))) == [(0, 2), (1, 3)]


def test_rules_and_komi_are_as_asked():
    [game] = replay_moves(decoded([]), RULESETS["japanese"], 6.5)
    assert (game.rules.name, game.komi) == ("japanese", 6.5)
