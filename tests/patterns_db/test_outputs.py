"""Outputs are checked before long work."""

import os

import pytest

from engine import BadSetup
from patterns_db.outputs import check_folder, check_outputs, check_training


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "games" / "g.sgf"
    path.parent.mkdir()
    path.write_bytes(b"(;SZ[5];B[aa])")
    return path


def test_valid_outputs(game, tmp_path):
    check_outputs([tmp_path / "a.sgf", tmp_path / "a.md"], [game, game.parent])
    check_outputs([tmp_path / "no" / "such" / "a.sgf"], [game], make_folders=True)
    check_training(tmp_path / "a.table", [game.parent])
    check_folder(tmp_path / "out", [game.parent])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games"]  # nothing is left behind


def refusal(check, *arguments):
    with pytest.raises(BadSetup) as caught:
        check(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    "name", ["{}/games/g.sgf", "{}/games/../games/g.sgf", "{}/link.sgf", "{}/hard"]
)
def test_an_input_under_any_name_is_refused(game, tmp_path, name):
    (tmp_path / "link.sgf").symlink_to(game)
    os.link(game, tmp_path / "hard")
    out = type(tmp_path)(name.format(tmp_path))
    assert "also an input" in refusal(check_outputs, [out], [game])
    assert "also an input" in refusal(check_training, out, [game])
    assert game.read_bytes() == b"(;SZ[5];B[aa])"


def test_a_game_in_a_folder_that_is_read_is_an_input(game):
    assert "also an input" in refusal(check_outputs, [game], [game.parent])
    check_outputs([game.parent / "plot.png"], [game.parent])


def test_two_outputs_of_one_name(tmp_path):
    paths = [tmp_path / "a", tmp_path / "b" / ".." / "a"]
    (tmp_path / "b").mkdir()
    assert "two outputs" in refusal(check_outputs, paths, [])


def test_impossible_places(game, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("elsewhere")
    for path, reason in (
        (tmp_path, "folder"),
        (tmp_path / "no" / "a.sgf", "no such folder"),
        (game / "a.sgf", "no such folder"),
        (tmp_path / "pipe", "a device or pipe"),
        (type(tmp_path)("/dev/null"), "a device or pipe"),
        (tmp_path / "link", "link"),
        (tmp_path / ("x" * 300), "name"),
        (tmp_path / "a\0b", "null"),
    ):
        assert reason in refusal(check_outputs, [path], [])
        assert reason in refusal(check_training, path, [])


def test_inputs_that_a_training_would_empty(tmp_path):
    work = tmp_path / "a.table.work"
    work.mkdir()
    for source in (work, work / "games.sgf"):
        assert "work folder" in refusal(check_training, tmp_path / "a.table", [source])


def test_the_tables_beside_a_table_are_outputs_too(tmp_path):
    for name in ("a-paper.table", "a-bernoulli.table", "a.table.MANIFEST"):
        assert "also an input" in refusal(check_training, tmp_path / "a.table", [tmp_path / name])


def test_a_folder_of_reviews(game, tmp_path):
    assert "also an input" in refusal(check_folder, game.parent, [game.parent])
    assert "not a folder" in refusal(check_folder, game, [])
