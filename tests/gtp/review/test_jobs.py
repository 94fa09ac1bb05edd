"""The games to review, and the places of their files."""

import os
import sys
import zipfile

import pytest

pytest.importorskip("jinja2", reason="pages need jinja2")

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
    jobs, finished = find_jobs(paths, out)
    assert finished == 0
    names = [job.outputs.record.relative_to(out).as_posix() for job in jobs]
    deep = ["deep/b.sgf", "deep/c #2.sgf", "deep/c #2-2.sgf"]
    assert names == ["A.sgf", "A-2.sgf", *deep, "A+.sgf"]
    assert jobs[2].outputs == tuple(out / f"deep/b.{kind}" for kind in ("sgf", "html", "json"))
    out.mkdir()
    (out / "A-2.sgf").write_bytes(b"")
    jobs, finished = find_jobs(paths, out)
    assert (len(jobs), finished) == (5, 1)


def test_an_index_lists_all_games_but_not_itself(tmp_path):
    (tmp_path / "deep").mkdir()
    page = '<title>Aki &lt;b&gt;</title><meta name="description" content="Black won.">'
    (tmp_path / "deep" / "index.html").write_text(page, "utf-8")
    (tmp_path / "other.html").write_bytes(b"\xff")
    for _ in range(2):
        write_index(tmp_path)
        text = (tmp_path / "index.html").read_text("utf-8")
        game = "<td><bdi>Aki &lt;b&gt;</bdi></td><td><bdi>Black won.</bdi></td>"
        assert f'<a href="deep/index.html">deep/index</a></td>{game}' in text
        assert 'href="index.html"' not in text
        assert 'href="other.html"' in text


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have names in Unicode alone")
def test_a_file_name_need_not_be_utf_8(tmp_path):
    (tmp_path / os.fsdecode(b"f\xfcnf.html")).touch()
    write_index(tmp_path)
    text = (tmp_path / "index.html").read_text("utf-8")
    assert '<a href="f%FCnf.html">f\\udcfcnf</a>' in text
