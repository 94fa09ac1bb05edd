"""Results in files: all or nothing, read again, of one setting."""

import pytest

from engine.errors import BadSetup
from scripts.kept_rows import KeptRows


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
