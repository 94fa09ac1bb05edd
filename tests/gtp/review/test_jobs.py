"""The games to review, and the places of their files."""

import zipfile

from gtp.review.jobs import find_jobs


def test_every_game_has_its_place(tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    game = b"(;SZ[5];B[aa])"
    (tmp_path / "in" / "A.SGF").write_bytes(game + game)
    (tmp_path / "in" / "deep" / "b.sgf").write_bytes(game)
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("../../A.sgf", game)
    out = tmp_path / "out"
    paths = [str(tmp_path / "in"), str(tmp_path / "c.zip")]
    jobs, finished = find_jobs(paths, out, plots=True, html=True)
    assert finished == 0
    names = [job.outputs.record.relative_to(out).as_posix() for job in jobs]
    assert names == ["A.sgf", "A-2.sgf", "deep/b.sgf", "A+.sgf"]
    assert jobs[2].outputs == (
        out / "deep/b.sgf",
        out / "deep/b.svg",
        out / "deep/b.md",
        out / "deep/b.html",
    )
    out.mkdir()
    (out / "A-2.sgf").write_bytes(b"")
    jobs, finished = find_jobs(paths, out, plots=False, html=False)
    assert (len(jobs), finished) == (3, 1)
    assert all(job.outputs.plot is job.outputs.html is None for job in jobs)
