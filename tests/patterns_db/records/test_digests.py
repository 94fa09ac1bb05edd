"""patterns_db.records.games.describe: a collection is identified by its content."""

from patterns_db.records.games import describe


def test_games_are_described_by_their_content(tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "a.sgf").write_bytes(b"(;SZ[9];B[aa])")
    (folder / "notes.txt").write_bytes(b"no game")
    before = describe(folder), describe(folder / "a.sgf")
    assert [found["name"] for found in before] == ["games", "a.sgf"]
    (folder / "notes.txt").write_bytes(b"still none")
    (folder / "a.sgf").touch()
    assert (describe(folder), describe(folder / "a.sgf")) == before
    (folder / "a.sgf").write_bytes(b"(;SZ[9];B[ab])")  # the same length as before
    assert describe(folder) != before[0]
    assert describe(folder / "a.sgf") != before[1]
