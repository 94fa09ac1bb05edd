"""patterns_db.records.games: every kind of container, damaged games, multi-game files."""

import io
import tarfile
import zipfile

import numpy as np
import pytest
from tqdm import tqdm

from engine.errors import SgfError
from engine.go.geometry import PASS, parse_vertex
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.records.sgf import read_record
from tests.patterns_db.records.test_members import add

GAME = b"(;GM[1]FF[4]SZ[9]KM[7];B[cc];W[gg];B[])"
HANDICAP = b"(;GM[1]SZ[9]HA[2]AB[cc][gg];W[ee];B[cg])"
BROKEN = b"(;GM[1]FF[4]SZ[9];B[cc];W[zz])"
CUT_OFF = b"(;GM[1]FF[4]SZ[9];B[cc];W[gg"


def names(reader):
    return [game.source for game in reader]


def check(game):
    assert isinstance(game, DecodedGame)
    assert game.size == 9
    assert game.moves.dtype == game.colors.dtype == np.int64
    assert game.moves.tolist() == [parse_vertex("C7", 9), parse_vertex("G3", 9), PASS]
    assert game.colors.tolist() == [1, 2, 1]
    assert game.black.size == game.white.size == 0


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "a.sgf").write_bytes(GAME)
    (tmp_path / "deep" / "er" / "b.SGF").write_bytes(GAME)
    (tmp_path / "broken.sgf").write_bytes(BROKEN)
    (tmp_path / "notes.txt").write_text("not a game")
    with tarfile.open(tmp_path / "c.tar.xz", "w:xz") as tar:
        add(tar, "kgs/1.sgf", GAME)
        add(tar, "kgs/._1.sgf", b"\0")
        add(tar, "kgs/readme", b"no game")
    with zipfile.ZipFile(tmp_path / "d.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tom/2.sgf", GAME)
        archive.writestr("tom/3.sgf", BROKEN)
    return tmp_path


def test_a_directory_with_everything(folder, caplog):
    reader = GameReader([folder])
    games = list(reader)
    for game in games:
        check(game)
    assert [game.source for game in games] == [
        "kgs/1.sgf",
        "tom/2.sgf",
        "deep/a.sgf",
        "deep/er/b.SGF",
    ]
    assert (reader.games, reader.damaged) == (4, 2)
    assert reader.bytes_done == reader.bytes_total > 0
    skipped = [message.split(":")[0] for message in caplog.messages]
    assert skipped == ["skipped broken.sgf", "skipped tom/3.sgf"]
    assert names(reader) == [game.source for game in games]
    assert reader.games == 4


@pytest.mark.parametrize("items", [GameReader.__iter__, GameReader.records])
def test_progress_is_shown_in_bytes(folder, monkeypatch, items):
    bars = []

    def visible_bar(**options):
        bars.append(tqdm(**options | {"file": io.StringIO(), "disable": False}))
        return bars[-1]

    monkeypatch.setattr("patterns_db.records.games.tqdm", visible_bar)
    reader = GameReader([folder])
    done = [bars[0].n for _ in reader.with_progress(items(reader), "judging")]
    assert done[0] < done[len(done) // 2] < bars[0].n == bars[0].total == reader.bytes_total
    assert done == sorted(done)
    assert reader.bytes_done == reader.bytes_total


@pytest.mark.parametrize("suffix", ["tar", "tar.gz", "tgz", "tar.bz2"])
def test_every_tar(tmp_path, suffix):
    path = tmp_path / f"games.{suffix}"
    mode = {"tar": "w", "tar.bz2": "w:bz2"}.get(suffix, "w:gz")
    with tarfile.open(path, mode) as tar:
        add(tar, "x/1.sgf", GAME)
        add(tar, "x/2.sgf", GAME)
    assert names(GameReader([path])) == ["x/1.sgf", "x/2.sgf"]


def test_one_file_with_many_games(tmp_path):
    path = tmp_path / "many.sgf"
    path.write_bytes(b"junk\n" + GAME + b"\n\n" + BROKEN + HANDICAP + b"\nmore junk")
    reader = GameReader([path, path])  # given twice, it is read once
    games = list(reader)
    assert [game.source for game in games] == ["many.sgf", "many.sgf#3"]
    check(games[0])
    assert games[1].black.tolist() == sorted([parse_vertex("C7", 9), parse_vertex("G3", 9)])
    assert games[1].colors.tolist() == [2, 1]
    assert reader.damaged == 1


def test_a_game_that_is_cut_off_is_read_up_to_there(tmp_path):
    path = tmp_path / "many.sgf"
    path.write_bytes(GAME + CUT_OFF + GAME + GAME + CUT_OFF)
    reader = GameReader([path])
    moves = {game.source: len(game.moves) for game in reader}
    whole, cut = moves["many.sgf"], len(read_record(CUT_OFF).moves)
    assert list(moves.values()) == [whole, cut, whole, whole, cut]
    assert reader.damaged == 0


def test_records_as_they_stand(folder, tmp_path):
    (tmp_path / "many.sgf").write_bytes(GAME + CUT_OFF + HANDICAP + b"\n")
    found = list(GameReader([folder]).records())
    assert [source for source, _ in found] == [
        "broken.sgf", "kgs/1.sgf", "tom/2.sgf", "tom/3.sgf", "deep/a.sgf", "deep/er/b.SGF",
        "many.sgf", "many.sgf#2", "many.sgf#3",
    ]  # fmt: skip
    assert found[0][1] == BROKEN
    assert found[-3][1] == GAME
    assert found[-1][1].strip() == HANDICAP
    # A bad archive is one error, in one line, and the following inputs are read.
    (tmp_path / "e.tar").write_bytes(b"no archive")
    (damage,) = (data for _, data in GameReader([folder]).records() if isinstance(data, SgfError))
    assert str(damage).endswith("e.tar: damaged, or not a tar archive")
    assert len(list(GameReader([folder]).records())) == len(found) + 1


@pytest.mark.parametrize("kept", [30, 100, 200])
def test_a_truncated_archive_gives_its_remaining_games(tmp_path, kept):
    whole = tmp_path / "whole.tar.gz"
    with tarfile.open(whole, "w:gz") as tar:
        for number in range(50):
            add(tar, f"x/{number}.sgf", GAME.replace(b"KM[7]", b"KM[%d]" % number))
    (tmp_path / "a.tar.gz").write_bytes(whole.read_bytes()[:kept])
    whole.unlink()
    (tmp_path / "z.sgf").write_bytes(GAME)
    reader = GameReader([tmp_path])
    assert names(reader)[-1] == "z.sgf"
    assert reader.damaged == 1


@pytest.mark.parametrize("name", ["x.zip", "x.tar.gz", "x.tar", "x.sgf"])
@pytest.mark.parametrize("content", [b"", b"hello", b"\x1f\x8b\x08garbage"])
def test_a_false_archive_is_counted(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    reader = GameReader([tmp_path])
    assert names(reader) == []
    assert reader.damaged == 1


def test_stones_put_by_hand_end_a_game(tmp_path):
    path = tmp_path / "x.sgf"
    path.write_bytes(b"(;SZ[9]AB[cc]AW[dd];AE[cc]AW[ee];PL[W];W[gg];B[ff];AB[aa];W[ab])")
    reader = GameReader([path])
    (game,) = reader
    assert game.black.size == 0
    assert game.white.tolist() == sorted([parse_vertex("D6", 9), parse_vertex("E5", 9)])
    assert game.moves.tolist() == [parse_vertex("G3", 9), parse_vertex("F4", 9)]


def test_games_are_cut_at_an_illegal_move_in_one_line(tmp_path, caplog):
    ko = b"(;SZ[9]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb];B[])"
    for number, data in enumerate((b"(;SZ[9];B[aa];W[aa];B[bb])", GAME, ko)):
        (tmp_path / f"{number}.sgf").write_bytes(data)
    reader = GameReader([tmp_path])
    games = list(reader)
    assert [len(game.moves) for game in games] == [1, 3, 1]
    assert (reader.games, reader.damaged) == (3, 0)
    (said,) = caplog.messages
    assert said == (
        "2 games are read up to an illegal move or stones set up by hand (4 moves are left out);"
        " the first is 0.sgf, at move 2"
    )
    caplog.clear()
    assert len(next(iter(reader)).moves) == 1  # the run ends early
    assert len(caplog.messages) == 1


def test_stones_that_cannot_stand_are_damage(tmp_path, caplog):
    (tmp_path / "x.sgf").write_bytes(b"(;SZ[9]AB[aa]AW[ab][ba];B[ee])")
    reader = GameReader([tmp_path])
    assert list(reader) == []
    [message] = caplog.messages
    assert message.startswith("skipped x.sgf: the set-up is impossible: a chain without liberties")


def test_a_folder_that_may_not_be_read_is_one_clear_error(tmp_path, monkeypatch):
    monkeypatch.setattr("os.access", lambda *_: False)  # administrators may read everything
    with pytest.raises(SgfError, match="no permission to read this folder"):
        GameReader([tmp_path])


def test_a_missing_path_is_one_clear_error(tmp_path):
    with pytest.raises(SgfError, match=r"no such file or directory.*nothing\.sgf"):
        GameReader([tmp_path / "nothing.sgf"])


@pytest.mark.parametrize(
    ("result", "winner", "margin"),
    [
        (b"B+3.5", 1, 3.5),
        (b"W+0,5", 2, -0.5),
        (b"white+12", 2, -12.0),
        (b"Black+R", 1, None),
        (b"W+Time", 2, None),
        (b"0", 0, None),
        (b"Void", 0, None),
    ],
)
def test_results(tmp_path, result, winner, margin):
    (tmp_path / "x.sgf").write_bytes(b"(;SZ[9]RE[" + result + b"];B[aa])")
    (game,) = GameReader([tmp_path])
    assert (game.winner, game.margin) == (winner, margin)
