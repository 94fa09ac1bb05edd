"""Resigning: hopeless moves in a row, by color, and never early against handicap stones."""

import pytest

from engine import BLACK, PASS, RULESETS, WHITE, Decision, Game, Player, level_options, parse_vertex
from engine.facts.position_facts import Facts
from engine.player.candidates import endgame_of
from engine.player.resigning import Resigning, is_lost
from tests.diagrams import EYES, game_of
from tests.players import player


@pytest.mark.parametrize(
    ("hopeless", "expected"),
    [
        ((True, True, True, True), [False, False, True, True]),
        ((True, True, False, True, True, True), [False] * 5 + [True]),
    ],
)
def test_hopeless_moves_are_counted_in_a_row(hopeless, expected):
    resigning, game = Resigning(), Game(5)
    assert [resigning.gives_up(game, BLACK, each) for each in hopeless] == expected


def test_colors_are_counted_apart():
    resigning, game = Resigning(), Game(5)
    colors = (BLACK, BLACK, WHITE, WHITE, BLACK)
    said = [resigning.gives_up(game, color, True) for color in colors]
    assert said == [False] * 4 + [True]


ALL_WHITE = """
    . . . . .
    . O O O O
    O O . O .
    O . O O .
    O O O O ."""


def test_a_lost_game_is_far_behind_with_no_fight_open():
    game = game_of(ALL_WHITE)
    status = Facts().status(game)
    assert is_lost(game, BLACK, status)
    assert not is_lost(game, WHITE, status)
    assert not is_lost(game, BLACK, status._replace(clear=False))
    game.komi = -20.0
    assert not is_lost(game, BLACK, status)
    game.komi = -40.0
    assert is_lost(game, WHITE, status)


def test_a_game_is_not_lost_by_few_points_or_while_the_board_is_open():
    close = game_of(EYES, komi=5.5)
    status = Facts().status(close)
    assert not any(is_lost(close, color, status) for color in (BLACK, WHITE))
    empty = Game(9, komi=40.5)
    assert not is_lost(empty, BLACK, Facts().status(empty))
    empty.komi = 60.5
    assert is_lost(empty, BLACK, Facts().status(empty))
    opened = Game(9, komi=0.5)
    opened.play(BLACK, parse_vertex("E5", 9))
    assert not is_lost(opened, WHITE, Facts().status(opened)._replace(clear=True))


@pytest.mark.parametrize(
    ("threshold", "level", "passes", "expected"),
    [
        (4.0, "15k", 0, [False, False, True]),
        (4.0, "15k", 1, [False, False, False]),
        (4.0, None, 0, [False, False, False]),
        (None, "15k", 0, [False, False, False]),
    ],
)
def test_a_level_with_nothing_left_resigns_and_the_engine_lets_the_game_be_counted(
    threshold, level, passes, expected
):
    game = game_of(ALL_WHITE, WHITE if passes else BLACK)
    for _ in range(passes):
        game.play(WHITE, PASS)
    end = endgame_of(game, BLACK, Facts().status(game), frozenset())
    decision = Decision(PASS, False, (), 0.0, 0)
    resigning, options = Resigning(), level_options(level) if level else None
    marked = [resigning.considered(decision, end, threshold, options) for _ in expected]
    assert [each.resign for each in marked] == expected


def test_a_level_that_wins_passes():
    game = game_of(ALL_WHITE, WHITE)
    end = endgame_of(game, WHITE, Facts().status(game), frozenset())
    decision = Decision(PASS, False, (), 1.0, 0)
    resigning = Resigning()
    assert not any(
        resigning.considered(decision, end, 4.0, level_options("20k")).resign for _ in range(5)
    )


LOST = ALL_WHITE.replace("O", "X")


def hopeless_game(moves: int = 1) -> Game:
    game = game_of(LOST, WHITE, RULESETS["chinese"], komi=0.5)
    game._given, game._opening = 0, False  # black stones alone, and yet no handicap
    for _ in range(moves):
        game.play(game.to_play, PASS)
    return game


def decisions(one: Player, game: Game, color: int, count: int) -> list[bool]:
    return [one.choose(game, color).resign for _ in range(count)]


@pytest.fixture
def pessimist(monkeypatch):
    """A player that never passes and loses every roll-out."""
    one = player(playouts=30)
    monkeypatch.setattr("engine.player.candidates.may_pass", lambda *_: False)
    return one


def test_a_new_game_starts_the_count_anew_and_colors_count_apart(pessimist):
    decisions(pessimist, hopeless_game(), WHITE, 2)
    assert decisions(pessimist, hopeless_game(), BLACK, 3) == [False, False, False]
    pessimist.new_game()
    assert decisions(pessimist, hopeless_game(), WHITE, 3) == [False, False, True]


def test_never_resigns_by_setting(monkeypatch):
    one = player(playouts=8, resign_percent=None)
    monkeypatch.setattr("engine.player.candidates.may_pass", lambda *_: False)
    assert decisions(one, hopeless_game(), WHITE, 5) == [False] * 5


def test_never_resigns_early_against_handicap_stones(pessimist):
    early = hopeless_game()
    early._given = 4
    assert decisions(pessimist, early, WHITE, 5) == [False] * 5
    late = hopeless_game(moves=13)
    late._given = 4
    assert decisions(pessimist, late, WHITE, 3)[-1]
