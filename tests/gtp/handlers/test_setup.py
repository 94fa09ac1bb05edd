"""Handicap and game records through GTP."""

import pytest

from engine import RULESETS, WHITE
from patterns_db.records.sgf import read_record


@pytest.mark.parametrize(
    ("size", "count", "points"),
    [
        (19, 2, "D4 Q16"),
        (19, 3, "D4 Q16 D16"),
        (9, 3, "C3 G7 C7"),
        (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
        (13, 5, "D4 K10 D10 K4 G7"),
    ],
)
def test_fixed_handicap(talk, size, count, points):
    talk(f"boardsize {size}")
    assert talk(f"fixed_handicap {count}") == points
    assert set(talk("list_stones b").split()) == set(points.split())
    assert talk("undo") == "? cannot undo"
    assert talk.session.game.to_play == 2
    assert talk.session.game.handicap == count


@pytest.mark.parametrize(
    ("command", "failure"),
    [
        ("fixed_handicap 1", "invalid number of stones"),
        ("fixed_handicap 10", "invalid number of stones"),
        ("fixed_handicap -2", "invalid number of stones"),
        ("fixed_handicap two", "syntax error"),
        ("place_free_handicap 1", "invalid number of stones"),
        ("set_free_handicap", "bad vertex list"),
        ("set_free_handicap A1", "bad vertex list"),
        ("set_free_handicap A1 A1", "bad vertex list"),
        ("set_free_handicap A1 pass", "bad vertex list"),
        ("set_free_handicap A1 Z99", "bad vertex list"),
        ("set_free_handicap A1 B2\u00a0", "bad vertex list"),
    ],
)
def test_bad_handicap_leaves_the_board_empty(talk, command, failure):
    talk("boardsize 9")
    assert talk(command).partition(";")[0] == f"? {failure}"
    assert talk("list_stones b") == ""
    assert talk.session.game.handicap == 0


def test_no_handicap_on_a_full_board(talk):
    talk("boardsize 2")
    assert talk("set_free_handicap A1 A2 B1 B2") == "? bad vertex list"


def test_free_handicap(talk):
    talk("boardsize 19")
    points = talk("place_free_handicap 12").split()
    assert len(points) == 12
    assert set(talk("list_stones b").split()) == set(points)
    talk("clear_board")
    assert talk("set_free_handicap D4 Q16 K10") == ""
    assert talk.session.game.handicap == 3
    assert talk("fixed_handicap 2") == "? board not empty"


@pytest.fixture
def sgf(tmp_path):
    def write(text, name="game.sgf"):
        path = tmp_path / name
        path.write_bytes(text.encode())
        return path

    return write


GAME = "(;SZ[9]KM[5.5]RU[Japanese]HA[2]AB[cg][gc];W[ee];B[ff](;W[dd];B[])(;W[aa]))"


def test_loadsgf(talk, sgf):
    path = sgf(GAME)
    assert talk(f"loadsgf {path}") == "white"
    assert talk("list_stones w") == "D6 E5"
    assert talk("get_komi") == "5.5"
    assert talk.session.game.rules.name == "japanese"
    assert talk.session.game.handicap == 2
    assert talk("undo", "undo", "undo", "undo") == ""
    assert talk("undo") == "? cannot undo"
    assert talk("clear_board", "get_komi") == "5.5"
    assert talk.session.game.rules.name == "japanese"


@pytest.mark.parametrize(("rules", "move"), [("Chinese", "pass"), ("Tromp-Taylor", "B1")])
def test_a_loaded_record_whose_rules_know_no_dead_stones_has_them_captured(talk, sgf, rules, move):
    # A dead white stone at A1 in Black's area, all other points settled.
    text = f"(;SZ[5]KM[0.5]RU[{rules}]AB[ad][bd][bc][bb][ba][ce][cd][cc][cb][ca]"
    text += "AW[de][dd][dc][db][da][ed][eb][ae]PL[W];W[])"
    assert talk(f"loadsgf {sgf(text)}") == "black"
    assert talk("reg_genmove b") == move
    talk("clear_board")
    assert not talk.session.player.options.capture_dead


@pytest.mark.parametrize(
    ("number", "to_play", "moves"),
    [(1, "white", 0), (2, "black", 1), (3, "white", 2), (99, "white", 4)],
)
def test_loadsgf_stops_before_a_move(talk, sgf, number, to_play, moves):
    assert talk(f"loadsgf {sgf(GAME)} {number}") == to_play
    assert len(talk.session.game.moves) == moves


def test_loadsgf_with_set_up_in_the_middle(talk, sgf):
    path = sgf("(;SZ[9]AB[aa]AW[bb]PL[W];W[cc];AE[aa]AB[dd]PL[B];B[ee])", "a b.SGF")
    for name in (f'"{path}"', path):
        assert talk(f"loadsgf {name}") == "white"
        assert talk(f"loadsgf {name} 2") == "black"
        assert talk(f"loadsgf {name}") == "white"
    assert set(talk("list_stones b").split()) == {"D6", "E5"}
    assert set(talk("list_stones w").split()) == {"B8", "C7"}
    assert talk("undo") == ""
    assert talk("undo") == "? cannot undo"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no SGF data"),
        ("(;SZ[9];B[aa];W[aa])", "at move 2: illegal move: white A9"),
        ("(;SZ[99])", "size"),
        ("(;SZ[9]AB[aa]AW[ab][ba];B[cc])", "libert"),
        ("(;SZ[9];B;W[aa]", "not a readable SGF"),
    ],
)
def test_a_record_that_cannot_be_loaded_changes_nothing_and_it_says_why(talk, sgf, text, reason):
    talk("boardsize 9", "play b e5")
    before = talk.state
    answer = talk(f"loadsgf {sgf(text)}")
    assert answer.startswith("? cannot load file: ")
    assert reason in answer
    assert "\n" not in answer
    assert talk.state == before


def test_printsgf_and_back(talk, tmp_path):
    path = tmp_path / "out.sgf"
    talk("boardsize 9", "komi 6", "set_free_handicap c3 g7", "play w e5", "play b pass")
    assert talk(f"printsgf {path}") == ""
    assert list(tmp_path.iterdir()) == [path]
    assert read_record(path.read_bytes()) == read_record(talk("printsgf").encode())
    before = talk.state
    talk("boardsize 13")
    assert talk(f"loadsgf {path}") == "white"
    assert talk.state == before


def test_printsgf_of_a_set_up_position(talk, tmp_path):
    talk("boardsize 9", "gogui-setup b a1 w b2", "gogui-setup_player w")
    talk(f"printsgf {tmp_path / 'x.sgf'}")
    before = talk.state
    assert talk("clear_board", f"loadsgf {tmp_path / 'x.sgf'}") == "white"
    assert talk.state == before


def test_the_side_to_move_after_the_last_move_is_written(talk, tmp_path):
    talk("boardsize 9", "play b e5", "gogui-setup_player b", f"printsgf {tmp_path / 'x.sgf'}")
    before = talk.state
    assert talk("clear_board", f"loadsgf {tmp_path / 'x.sgf'}") == "black"
    assert talk.state == before


@pytest.mark.parametrize(
    ("rules", "points"), [("chinese", 3), ("aga", 2), ("japanese", 0), ("new-zealand", 0)]
)
def test_handicap_stones_that_are_played(talk, rules, points):
    talk("boardsize 9", "komi 0.5", f"kata-set-rules {rules}")
    talk("play b c3", "play b g7", "play b c7", "play w e5", "play b e3")
    game = talk.session.game
    assert (game.handicap, game.full_komi) == (3, 0.5 + points)
    assert "HA[3]" in talk("printsgf")


@pytest.mark.parametrize(
    "moves",
    [
        ";B[cg];B[gc];B[cc];W[ee]",
        "(;B[cg](;B[gc](;B[cc](;W[ee]))))",
        ";B[cg];W[];B[gc];W[tt];B[cc];W[ee]",
        "AB[cg][gc][cc];W[ee]",
        "AB[cg];AB[gc];AB[cc];W[ee]",
        "AB[cg][gc];B[cc];W[ee]",
    ],
)
def test_handicap_of_a_record(talk, sgf, moves, tmp_path):
    talk(f"loadsgf {sgf(f'(;SZ[9]RU[Chinese]HA[3]KM[0.5]{moves})')}")
    assert (talk.session.game.handicap, talk.session.game.full_komi) == (3, 3.5)
    talk(f"printsgf {tmp_path / 'out.sgf'}")
    before = talk.state
    talk("clear_board", f"loadsgf {tmp_path / 'out.sgf'}")
    assert talk.state == before


def test_nothing_leaks_from_one_record_into_the_next(talk, sgf):
    talk("komi 0.5", f"loadsgf {sgf('(;SZ[9]RU[AGA]KM[5.5];B[ee])', 'a.sgf')}")
    assert talk("get_komi") == "5.5"
    talk(f"loadsgf {sgf('(;SZ[9];B[ee])', 'b.sgf')}")
    assert talk("get_komi") == "7.5"
    assert talk.session.game.rules.name == "chinese"
    talk(f"loadsgf {sgf('(;SZ[9]RU[JP];B[ee])', 'c.sgf')}")
    assert talk("get_komi") == "6.5"
    talk(f"loadsgf {sgf('(;SZ[9]HA[2]AB[cc][gg];W[ee])', 'd.sgf')}")
    assert talk("get_komi") == "0.5"


def test_a_new_game_keeps_the_rules_and_the_komi_of_a_loaded_record(talk, sgf):
    talk(f"loadsgf {sgf('(;SZ[9]RU[JP]KM[5.5];B[ee])', 'a.sgf')}", "clear_board")
    assert (talk.session.game.rules, talk("get_komi")) == (RULESETS["japanese"], "5.5")
    talk("boardsize 13")
    assert (talk.session.game.rules, talk("get_komi")) == (RULESETS["japanese"], "5.5")
    # They are no default for a record without rules and komi.
    talk(f"loadsgf {sgf('(;SZ[9];B[ee])', 'b.sgf')}", "clear_board")
    assert (talk.session.game.rules, talk("get_komi")) == (RULESETS["chinese"], "7.5")


@pytest.mark.parametrize("rules", ["chinese", "chinese-ogs", "aga", "korean", "ing"])
def test_a_written_record_is_read_back_with_the_same_ko_rule(talk, tmp_path, rules):
    talk(f"kata-set-rules {rules}", f"printsgf {tmp_path / 'x.sgf'}")
    before = talk("kata-get-rules")
    talk("kata-set-rules tromp-taylor", f"loadsgf {tmp_path / 'x.sgf'}")
    talk("kata-set-rule friendlyPassOk true")  # records do not say it
    assert talk("kata-get-rules") == before


def test_guesses_are_reported(talk, sgf, caplog):
    talk(f"loadsgf {sgf('(;SZ[9]RU[moon];B[ee]')}")
    assert "RU[moon]" in caplog.text
    assert "not closed" in caplog.text


def test_suicide_of_a_record(talk, sgf, tmp_path):
    moves = ";B[aa];W[ca];B[ii];W[bb];B[hh];W[ac];B[gg];W[gc];B[ab];W[ig];B[ba];W[cg]"
    assert talk(f"loadsgf {sgf(f'(;SZ[9]RU[GOE]{moves})')}") == "black"
    game = talk.session.game
    assert game.captures(2) == 3
    assert "A9" not in talk("list_stones b").split()
    assert talk(f"loadsgf {sgf(f'(;SZ[9]RU[Chinese]{moves})')}").startswith("? cannot load file")
    talk(f"loadsgf {sgf(f'(;SZ[9]RU[GOE]{moves})')}", f"printsgf {tmp_path / 'x.sgf'}")
    before = talk.state
    talk("clear_board", f"loadsgf {tmp_path / 'x.sgf'}")
    assert talk.state == before


def test_a_forced_move_is_written_and_read(talk, sgf, tmp_path):
    ko = "AB[bb][ac][bd]AW[cb][dc][cd]PL[B];B[cc];W[bc]"
    answer = talk(f"loadsgf {sgf(f'(;SZ[9]{ko};B[cc])')}")
    assert "(ko)" in answer
    assert talk(f"loadsgf {sgf(f'(;SZ[9]{ko};B[cc]KO[])')}") == "white"
    talk(f"printsgf {tmp_path / 'x.sgf'}")
    before = talk.state
    talk("clear_board", f"loadsgf {tmp_path / 'x.sgf'}")
    assert talk.state == before


@pytest.mark.parametrize(
    ("words", "number"),
    [
        (("play b C3", "play w C2", "play b pass"), 3),
        (("set_free_handicap A1 C3 E5",), 3),
        (("gogui-setup b C3 b A1 w C2 w E5", "play b D3", "play w D2"), 6),
    ],
)
def test_a_clock_takes_stones_that_were_set_up_for_moves(talk, monkeypatch, words, number):
    asked = []
    monkeypatch.setattr(talk.session.clock, "allot", lambda *words: asked.append(words))
    talk("boardsize 5", *words, "genmove w")
    assert asked == [(WHITE, 5, number)]
