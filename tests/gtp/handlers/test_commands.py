"""Commands of GTP 2 and of GNU Go on a session."""

import pytest

from engine import Knowledge, PlayerOptions, level_options
from engine.patterns.valuing import no_patterns
from engine.people.model import model_of_patterns
from engine.player.clock import Overtime, TimeLeft


def test_start(talk):
    assert talk("name") == "yomi"
    assert talk("protocol_version") == "2"
    assert talk("get_komi") == "7.5"
    commands = talk("list_commands").split("\n")
    assert len(commands) == len(set(commands))
    assert {"boardsize", "clear_board", "komi", "play", "genmove", "quit"} <= set(commands)
    assert {"time_settings", "time_left", "final_status_list", "loadsgf"} <= set(commands)


@pytest.mark.parametrize(
    ("command", "failure"),
    [
        ("boardsize", "syntax error"),
        ("boardsize nine", "syntax error"),
        ("boardsize 1", "unacceptable size"),
        ("boardsize 26", "unacceptable size"),
        ("boardsize -9", "unacceptable size"),
        ("boardsize 9 13", "unacceptable size"),
        ("boardsize 999999999999999999", "unacceptable size"),
        ("boardsize " + "9" * 5000, "syntax error"),
        ("boardsize 1_9", "syntax error"),
        ("komi", "syntax error"),
        ("komi six", "syntax error"),
        ("komi nan", "syntax error"),
        ("komi inf", "syntax error"),
        ("komi 1e999", "syntax error"),
        ("komi 1e9", "syntax error"),
        ("play", "syntax error"),
        ("play b", "syntax error"),
        ("play x a1", "syntax error"),
        ("play b i5", "syntax error"),
        ("play b k10", "syntax error"),
        ("play b resign", "syntax error"),
        ("play b e4\u00a0", "syntax error"),
        ("play b \u00a0e4", "syntax error"),
        ("play b\u00a0 e4", "syntax error"),
        ("play b\u00a0e4", "syntax error"),
        ("play b e5", "illegal move"),
        ("play w a9", "illegal move"),
        ("genmove", "syntax error"),
        ("genmove green", "syntax error"),
        ("reg_genmove", "syntax error"),
        ("gg-undo 9", "cannot undo"),
        ("gg-undo -1", "syntax error"),
        ("time_settings 10 5", "syntax error"),
        ("time_settings a b c", "syntax error"),
        ("time_left b", "syntax error"),
        ("time_left b x 0", "syntax error"),
        ("kgs-time_settings", "syntax error"),
        ("kgs-time_settings hourglass 5", "syntax error"),
        ("kgs-time_settings byoyomi 5", "syntax error"),
        ("final_status_list", "syntax error"),
        ("final_status_list undead", "syntax error"),
        ("fixed_handicap 2", "board not empty"),
        ("place_free_handicap 2", "board not empty"),
        ("set_free_handicap A1 B1", "board not empty"),
        ("loadsgf", "syntax error"),
        ("loadsgf /no/such/file.sgf", "cannot load file: no such file"),
        ("loadsgf . 3", "cannot load file: not a file"),
        ("loadsgf x 0", "syntax error"),
        ('loadsgf "x', "syntax error"),
        ("printsgf /no/such/folder/x.sgf", "cannot write file: No such file or directory"),
        ("gogui-play_sequence b a1 w", "syntax error"),
        ("gogui-play_sequence b a1 w a1", "illegal move"),
        ("gogui-play_sequence b c1 w c2\u00a0", "syntax error"),
        ("gogui-setup b a1", "board not empty"),
        ("is_legal b", "syntax error"),
        ("countlib c3", "vertex must not be empty"),
        ("countlib pass", "vertex must not be empty"),
        ("captures", "syntax error"),
        ("list_stones grey", "syntax error"),
        ("set_random_seed x", "syntax error"),
        ("no_such_command", "unknown command"),
        ("NAME", "unknown command"),
    ],
)
def test_a_failed_command_changes_nothing(talk, command, failure):
    talk("boardsize 9", "komi 5.5", "time_settings 300 30 5", "time_left b 100 0")
    talk("play b a8", "play w a1", "play b b9", "play w e5")
    before = talk.state
    # The accepted form follows the semicolon.
    assert talk(command).partition(";")[0] == f"? {failure}"
    assert talk.state == before


def test_clear_board_keeps_size_komi_and_time_settings(talk):
    talk("boardsize 9", "komi -3", "time_settings 300 0 0", "time_left b 100 0", "play b e5")
    assert talk("clear_board") == ""
    assert talk("list_stones b") == ""
    assert talk("get_komi") == "-3.0"
    assert talk.session.game.size == 9
    assert talk.session.clock.overtime is Overtime.ABSOLUTE
    assert talk.session.clock.left(1).main_seconds == 300


def test_boardsize_keeps_komi(talk):
    talk("komi 0.5", "boardsize 13")
    assert talk("get_komi") == "0.5"
    assert talk("boardsize 9 9") == ""


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("7", "7.0"),
        ("7.0", "7.0"),
        ("-6.5", "-6.5"),
        (".5", "0.5"),
        ("5.", "5.0"),
        ("6.75", "6.75"),
    ],
)
def test_komi(talk, given, shown):
    assert talk(f"komi {given}") == ""
    assert talk("get_komi") == shown


def test_moves_in_any_order(talk):
    talk("boardsize 9")
    assert talk("play B D4", "play black e5", "play W pass", "play w PASS", "play b f5") == ""
    assert talk("list_stones black") == "E5 F5 D4"


def test_superko_may_be_played_but_is_not_generated(talk):
    talk("boardsize 2", "play b a1", "play w b2", "play b b1", "play w a2", "play b a1")
    talk("play w pass", "play b b1")  # White at B2 would repeat the position after move 3
    assert talk("is_legal w b2") == "1"
    moves = {talk(f"set_random_seed {seed}", "reg_genmove w") for seed in range(10)}
    assert moves <= {"A2", "pass"}
    assert talk("play w b2") == ""


def test_genmove_plays_and_undo_takes_back(talk):
    talk("boardsize 5")
    move = talk("genmove b")
    assert move in talk("list_stones b") or move in ("pass", "resign")
    assert talk("undo") == ""
    assert talk("list_stones b") == ""
    assert talk("undo") == "? cannot undo"


def test_genmove_of_either_color_after_passes(talk):
    talk("boardsize 5", "play b pass", "play w pass")
    for color in ("white", "w", "b", "BLACK"):
        assert talk(f"genmove {color}").split()[0] != "?"


def test_reg_genmove_leaves_everything(talk):
    talk("boardsize 5", "time_settings 60 0 0", "play b c3")
    before = talk.state
    assert not talk("reg_genmove w").startswith("?")
    assert talk.state == before


def test_the_same_seed_gives_the_same_move(talk):
    talk("boardsize 9")
    moves = {talk("set_random_seed 7", "reg_genmove b") for _ in range(3)}
    assert len(moves) == 1


def test_gg_undo(talk):
    talk("boardsize 9", "play b a1", "play w b1", "play b c1", "play w d1")
    assert talk("gg-undo 2") == ""
    assert talk("list_stones w") == "B1"
    assert talk("gg-undo") == ""
    assert talk("list_stones w") == ""


def test_time(talk):
    clock = talk.session.clock
    talk("time_settings 0 1 0")
    assert clock.overtime is Overtime.NO_LIMIT
    talk("time_settings 60.5 10 5", "time_left w 7 3")
    assert clock.left(2) == TimeLeft(0, 7, 3)
    talk("kgs-time_settings byoyomi 60 10 5", "time_left b 8 2")
    assert clock.left(1) == TimeLeft(0, 8, 2)
    talk("kgs-time_settings absolute 60", "time_left b -5 0")
    assert clock.left(1).main_seconds == 0
    talk("kgs-time_settings canadian 60 10 5")
    assert clock.overtime is Overtime.CANADIAN
    talk("kgs-time_settings none")
    assert clock.overtime is Overtime.NO_LIMIT
    assert talk("time_left b 8") == ""


@pytest.mark.parametrize(
    ("command", "waits"),
    [
        ("time_settings 60 0 0", True),
        ("kgs-time_settings absolute 60", True),
        ("kata-time_settings byoyomi 60 10 3", True),
        ("kata-time_settings fischer 60 2", True),
        ("time_settings 0 1 0", False),
        ("kgs-time_settings none", False),
        ("time_settings 60 0", False),
    ],
)
def test_a_clock_command_is_answered_once_kernels_are_ready(talk, command, waits):
    waited = []
    talk.session.wait_for_kernels = lambda: waited.append(True)
    talk(command)
    assert waited == [True] * waits


def test_genmove_charges_its_clock(talk):
    talk("boardsize 5", "time_settings 60 0 0", "genmove b")
    assert 0 < talk.session.clock.left(1).main_seconds < 60
    assert talk.session.clock.left(2).main_seconds == 60


def test_scores(talk):
    # Black owns the left half of a 5x5 board, White the right; Black has one point more.
    talk("boardsize 5", "komi 0.5")
    talk("gogui-setup b c1 b c2 b c3 b c4 b c5 w d1 w d2 w d3 w d4 w d5", "play b pass")
    assert talk("final_score") == "B+4.5"
    talk("komi 5")
    assert talk("final_score") == "0"
    talk("komi 6.75")
    assert talk("final_score") == "W+1.75"


def test_status_lists_name_every_stone_once_and_twice_the_same(talk):
    talk("boardsize 5")
    talk("gogui-setup b c1 b c2 b c3 b c4 b c5 w d1 w d2 w d3 w d4 w d5 w a1", "play b pass")
    lists = [talk(f"final_status_list {status}") for status in ("alive", "dead", "seki")]
    assert lists[1] == "A1"
    assert lists[2] == ""
    assert {frozenset(line.split()) for line in lists[0].split("\n")} == {
        frozenset({"C1", "C2", "C3", "C4", "C5"}),
        frozenset({"D1", "D2", "D3", "D4", "D5"}),
    }
    assert talk("final_status_list dead") == lists[1]
    assert talk("final_status_list ALIVE") == lists[0]


def test_queries_answer_as_gnu_go(talk):
    talk("boardsize 9", "play b a1", "play w a2", "play b e5", "play w b1")
    assert talk("captures w") == "1"
    assert talk("captures b") == "0"
    assert talk("list_stones b") == "E5"
    assert talk("list_stones w") == "A2 B1"
    assert talk("countlib e5") == "4"
    assert talk("is_legal b e5") == "0"
    assert talk("is_legal b a1") == "0"  # suicide
    assert talk("is_legal w a1") == "1"
    assert talk("is_legal w pass") == "1"
    legal = talk("all_legal b").split()
    assert len(legal) == 81 - 3 - 1
    assert "A1" not in legal
    assert float(talk("cputime")) > 0


def test_showboard_starts_with_a_line_of_its_own(talk):
    first, *rows = talk("boardsize 9", "play w e5", "showboard").split("\n")
    assert "komi 7.5" in first
    assert sum("O" in row for row in rows) >= 1
    assert len(rows) >= 11


def test_level(talk_with):
    patterns = Knowledge(patterns=no_patterns(), people=model_of_patterns())
    player = PlayerOptions(playouts=4, threads=1, seed=7)
    talk = talk_with(player=player, knowledge=patterns)
    full = type(talk.session.player.thinker)
    assert talk("yomi-level") == "full"
    assert talk("yomi-level 12K", "yomi-level") == "12k"
    assert talk.session.player.options.level == level_options("12k")
    assert talk.session.player.seed == 7
    assert talk("yomi-level 21k").startswith("?")
    # A new seed keeps the level, and so does a new game.
    assert talk("set_random_seed 3", "boardsize 5", "clear_board", "yomi-level") == "12k"
    assert talk.session.player.options.level == level_options("12k")
    assert talk("genmove b") not in ("", "resign")
    assert "came to mind" in talk("yomi-explain")
    assert talk("yomi-level FULL", "yomi-level") == "full"
    assert talk.session.player.options.level is None
    assert type(talk.session.player.thinker) is full


def test_gogui(talk):
    talk("boardsize 9")
    assert talk("gogui-play_sequence b a1 w b1 b pass w c1") == ""
    assert len(talk.session.game.moves) == 4
    assert talk("gogui-interrupt") == ""
    assert talk("gogui-version 1.6.0") == ""
    assert "9x9" in talk("gogui-title")
    assert talk("gogui-setup_player b") == ""
    assert talk.session.game.to_play == 1
    known = set(talk("list_commands").split("\n"))
    menu = talk("gogui-analyze_commands").split("\n")
    assert len({line.split("/")[1] for line in menu}) == len(menu)
    for line in menu:
        kind, _, command = line.split("/")
        assert kind in {"string", "hstring", "plist", "none", "gfx", "dboard", "var", "param"}
        assert command.split()[0] in known


def test_gogui_setup_is_all_or_nothing(talk):
    talk("boardsize 9")
    before = talk.state
    assert talk("gogui-setup b a1 w a1").startswith("?")
    assert talk("gogui-setup b a1 w b1 w a2").startswith("?")  # no liberty
    assert talk("gogui-setup b a1 w pass").startswith("?")
    assert talk.state == before
    assert talk("gogui-setup b c3 w d4 b c4") == ""
    assert talk("undo") == "? cannot undo"
    assert talk("list_stones w") == "D4"
