"""Handicap and game records through GTP."""

import pytest

from engine import WHITE
from patterns_db.records.sgf import read_record


@pytest.fixture
def sgf(tmp_path):
    def write(text, name="game.sgf"):
        path = tmp_path / name
        path.write_bytes(text.encode())
        return path

    return write


@pytest.mark.parametrize(("rules", "move"), [("Chinese", "pass"), ("Tromp-Taylor", "B1")])
def test_a_loaded_record_whose_rules_know_no_dead_stones_has_them_captured(talk, sgf, rules, move):
    # A dead white stone at A1 in Black's area, all other points settled.
    text = f"(;SZ[5]KM[0.5]RU[{rules}]AB[ad][bd][bc][bb][ba][ce][cd][cc][cb][ca]"
    text += "AW[de][dd][dc][db][da][ed][eb][ae]PL[W];W[])"
    assert talk(f"loadsgf {sgf(text)}") == "black"
    assert talk("reg_genmove b") == move
    talk("clear_board")
    assert not talk.session.rules.capture_dead


def test_printsgf_and_back(talk, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    path = tmp_path / "out.sgf"
    talk("boardsize 9", "komi 6", "set_free_handicap c3 g7", "play w e5", "play b pass")
    assert talk("printsgf ~/out.sgf") == ""
    assert list(tmp_path.iterdir()) == [path]
    assert read_record(path.read_bytes()) == read_record(talk("printsgf").encode())
    before = talk.state
    talk("boardsize 13")
    assert talk(f"loadsgf {path}") == "white"
    assert talk.state == before


def comes_back(talk, folder):
    """Write the session's game and load it into an empty board; return the side to move."""
    talk(f"printsgf {folder / 'x.sgf'}")
    before = talk.state
    color = talk("clear_board", f"loadsgf {folder / 'x.sgf'}")
    assert talk.state == before
    return color


@pytest.mark.parametrize(
    ("words", "color"),
    [
        (("gogui-setup b a1 w b2", "gogui-setup_player w"), "white"),
        (("play b e5", "gogui-setup_player b"), "black"),
    ],
)
def test_a_position_and_its_side_to_move_are_written(talk, tmp_path, words, color):
    talk("boardsize 9", *words)
    assert comes_back(talk, tmp_path) == color


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
    comes_back(talk, tmp_path)


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
    talk(f"loadsgf {sgf(f'(;SZ[9]RU[GOE]{moves})')}")
    comes_back(talk, tmp_path)


def test_a_forced_move_is_written_and_read(talk, sgf, tmp_path):
    ko = "AB[bb][ac][bd]AW[cb][dc][cd]PL[B];B[cc];W[bc]"
    assert talk(f"loadsgf {sgf(f'(;SZ[9]{ko};B[cc]KO[])')}") == "white"
    comes_back(talk, tmp_path)


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
