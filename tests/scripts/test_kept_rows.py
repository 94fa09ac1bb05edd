"""Results in files: all or nothing, read again, of one setting."""

import json

import pytest

from engine.errors import BadSetup
from scripts.kept_rows import KeptRows


def test_rows_come_back_with_their_setting(tmp_path):
    path = tmp_path / "rows.json"
    kept = KeptRows(path, {"size": 9, "pair": (1, 2)}, "games")
    assert not path.exists()
    kept.add({"game": 0})
    kept.add({"game": 1, "times": (0.5, 1.5)})
    assert json.loads(path.read_text()) == {
        "size": 9,
        "pair": [1, 2],
        "games": [{"game": 0}, {"game": 1, "times": [0.5, 1.5]}],
    }
    again = KeptRows(path, {"size": 9, "pair": (1, 2)}, "games")
    assert again.rows == [{"game": 0}, {"game": 1, "times": [0.5, 1.5]}]
    assert '{"game": 0},\n' in path.read_text()  # a line a row


def test_another_setting_is_refused(tmp_path):
    path = tmp_path / "rows.json"
    KeptRows(path, {"size": 9}).add({"game": 0})
    with pytest.raises(BadSetup, match="of other conditions"):
        KeptRows(path, {"size": 13})
    with pytest.raises(BadSetup, match="of another match"):
        KeptRows(path, {"size": 9}, "games", "another match")


@pytest.mark.parametrize("text", ["", "{", "[1]", "nothing"])
def test_a_foreign_file_is_refused(tmp_path, text):
    path = tmp_path / "rows.json"
    path.write_text(text)
    with pytest.raises(BadSetup, match="not a file of results"):
        KeptRows(path, {})


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "rows.json"
    kept = KeptRows(path, {})
    kept.add({"game": 0})
    before = path.read_bytes()
    with pytest.raises(TypeError):
        kept.add({"game": object()})
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
