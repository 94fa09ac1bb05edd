import json

from patterns_db.records.problems import read_life_problems
from scripts.check.life_fights import main


def test_fights_are_problems_and_the_seed_decides_them(tmp_path):
    paths = [tmp_path / name for name in ("a", "b", "c")]
    for path, seed in zip(paths, (3, 3, 4), strict=True):
        assert main(["--count", "4", "--seed", str(seed), "--out", str(path)]) == 0
    first, again, other = (path.read_text() for path in paths)
    assert first == again != other
    assert len(list(read_life_problems(paths[0]))) == 4
    assert {json.loads(line)["to_move"] for line in first.splitlines()} == {"black", "white"}


def test_a_place_that_cannot_be_written_is_one_line(tmp_path, capsys):
    out = tmp_path / "missing" / "fights"
    assert main(["--count", "1", "--out", str(out)]) == 1
    assert capsys.readouterr().err.count("\n") == 1
