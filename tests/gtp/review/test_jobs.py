"""The games to review, and the places of their files."""

import os
import sys
import zipfile

import pytest

from gtp.review.games import write_index
from gtp.review.jobs import find_jobs


def test_every_game_has_its_place(tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    game = b"(;SZ[5];B[aa])"
    (tmp_path / "in" / "A.SGF").write_bytes(game + game)
    (tmp_path / "in" / "deep" / "b.sgf").write_bytes(game)
    (tmp_path / "in" / "deep" / "c #2.sgf").write_bytes(game + game)
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("../../A.sgf", game)
    out = tmp_path / "out"
    paths = [str(tmp_path / "in"), str(tmp_path / "c.zip")]
    jobs, finished = find_jobs(paths, out, plots=True, html=True)
    assert finished == 0
    names = [job.outputs.record.relative_to(out).as_posix() for job in jobs]
    deep = ["deep/b.sgf", "deep/c #2.sgf", "deep/c #2-2.sgf"]
    assert names == ["A.sgf", "A-2.sgf", *deep, "A+.sgf"]
    assert jobs[2].outputs == (
        out / "deep/b.sgf",
        out / "deep/b.svg",
        out / "deep/b.md",
        out / "deep/b.html",
    )
    out.mkdir()
    (out / "A-2.sgf").write_bytes(b"")
    jobs, finished = find_jobs(paths, out, plots=False, html=False)
    assert (len(jobs), finished) == (5, 1)
    assert all(job.outputs.plot is job.outputs.html is None for job in jobs)


def test_an_index_lists_all_games_but_not_itself(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "index.md").write_text("# Aki against Ben\n", "utf-8")
    for _ in range(2):
        write_index(tmp_path)
        text = (tmp_path / "index.md").read_text("utf-8")
        assert "(deep/index.md): Aki against Ben" in text
        assert "(index.md)" not in text


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have names in Unicode alone")
def test_a_file_name_need_not_be_utf_8(tmp_path):
    name = os.fsdecode(b"f\xfcnf.md")
    (tmp_path / name).write_text("# Aki against Ben\n", "utf-8")
    write_index(tmp_path)
    assert "](f%FCnf.md): Aki" in (tmp_path / "index.md").read_text("utf-8")
