"""The command ``yomi analyze``."""

import json
import sys
from threading import current_thread, main_thread

import pytest

from engine.jit import JIT_ENABLED
from engine.review.looks import Lookout
from gtp.__main__ import main
from gtp.cli.analyze import OWN, _Progress
from patterns_db.records.sgf import read_record
from tests.gtp.quick_looks import look_at_once

RECORD = b"(;SZ[5]KM[0.5];B[cc];W[bb];B[cb];W[])"


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_bytes(RECORD)
    return path


needs_jit = pytest.mark.skipif(not JIT_ENABLED, reason="searches without JIT take long")


@needs_jit
def test_a_review(record, tmp_path, capsys):
    out, numbers = tmp_path / "out.sgf", tmp_path / "numbers.json"
    options = ["--out", str(out), "--playouts", "8", "--threads", "1", "--json", str(numbers)]
    assert main(["analyze", str(record), *options]) == 0
    first = capsys.readouterr().out
    assert first.endswith("\n")
    data = out.read_bytes()
    assert read_record(data).moves == read_record(RECORD).moves
    assert data.count(b"SBKV[") == 5
    assert b"Strong players mostly play:" in data
    review = json.loads(numbers.read_text("utf-8"))
    assert [move["move"] for move in review["moves"]] == ["C3", "B4", "C4", "pass"]
    assert main(["analyze", str(record), *options]) == 0  # the same seed, the same review
    assert capsys.readouterr().out == first
    assert out.read_bytes() == data


@needs_jit
def test_a_folder_of_games_goes_on_where_it_was_stopped(tmp_path, capsys):
    source, out = tmp_path / "in", tmp_path / "out"
    (source / "deep").mkdir(parents=True)
    (source / "a.sgf").write_bytes(RECORD + RECORD)
    (source / "deep" / "b.sgf").write_bytes(b"(;SZ[5]RU[Japanese];B[cc])")
    (source / "bad.sgf").write_bytes(b"(;SZ[5];B[zz])")
    options = ["--out", str(out), "--playouts", "4", "--jobs", "2"]
    assert main(["analyze", str(source), *options]) == 1  # for the bad one
    printed, err = capsys.readouterr()
    *verdicts, last = printed.splitlines()
    assert sorted(line.split(":")[0] for line in verdicts) == ["a.sgf", "a.sgf#2", "deep/b.sgf"]
    assert last == f"wrote {out / 'index.html'}"
    assert "bad.sgf: bad move" in err
    assert "Traceback" not in err
    names = {path.relative_to(out).as_posix() for path in out.rglob("*.*")}
    games = {
        f"{name}.{kind}" for name in ("a", "a-2", "deep/b") for kind in ("sgf", "html", "json")
    }
    assert names == {*games, "index.html"}
    assert not any(".part" in name for name in names)
    index = (out / "index.html").read_text("utf-8")
    assert 'href="a-2.html"' in index
    assert 'href="deep/b.html"' in index
    before = (out / "a.sgf").stat().st_mtime_ns
    (out / "deep" / "b.sgf").unlink()
    assert main(["analyze", str(source), *options]) == 1
    printed, err = capsys.readouterr()
    assert printed.startswith("deep/b.sgf:")
    assert "2 finished games skipped" in err
    assert (out / "a.sgf").stat().st_mtime_ns == before


@pytest.fixture
def quick(monkeypatch):
    """Searches that call every position even, because files are under test."""
    monkeypatch.setattr(Lookout, "look", look_at_once)


QUICK = ("--playouts", "2", "--threads", "1")


@needs_jit
def test_remarks_are_printed_before_files_are_written(record, tmp_path, capsys, monkeypatch, quick):
    def full(path, data):
        assert capsys.readouterr().out.startswith("In the last position, ")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("gtp.review.games.write_whole", full)
    out = tmp_path / "out.sgf"
    assert main(["analyze", str(record), "--out", str(out), *QUICK]) == 1
    assert f"{out}: No space left on device" in capsys.readouterr().err


@needs_jit
def test_a_page_for_a_browser_is_written(record, tmp_path, capsys, quick):
    pytest.importorskip("jinja2")
    page = tmp_path / "page.html"
    assert main(["analyze", str(record), "--html", str(page), *QUICK]) == 0
    text = page.read_text("utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert text.endswith("</html>\n")
    printed, err = capsys.readouterr()
    verdict, *_, last = printed.splitlines()
    assert verdict.startswith("In the last position, ")
    assert last == f"wrote {page}"
    assert len(printed.splitlines()) <= 16
    assert "%" not in err  # no bar where there is no terminal
    # The record has a komi and no rules.
    assert "Note: the record names no rules: Chinese rules are used." in text
    assert "no komi" not in text


def test_progress_of_all_looks_is_one_bar_that_ends_at_100_percent(monkeypatch):
    shown = []

    class Bar:
        def __init__(self, total, **_):
            self.total, self.n = total, 0

        def refresh(self):
            shown.append(self.n)

        def close(self):
            shown.append("closed")

    monkeypatch.setattr("gtp.cli.analyze.tqdm", Bar)
    with _Progress() as progress:
        for what, done in (("positions", 0), ("positions", 10), ("suspects", 4), ("suspects", 8)):
            progress.show(what, done, 10)
    assert shown == [0, 25, 55, 85, 100, "closed"]


def test_a_page_without_jinja_is_refused_before_the_search(record, capsys, monkeypatch):
    monkeypatch.setattr("gtp.cli.analyze.review_records", None)  # not reached
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert main(["analyze", str(record), "--html", str(record.parent / "page.html")]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("yomi: pages need jinja2: ")
    assert line.endswith(" -m pip install jinja2")


@needs_jit
def test_a_page_that_fails_costs_no_record(record, tmp_path, capsys, monkeypatch, quick):
    def fault(*_):
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr("gtp.review.games.html_of", fault)
    out, page = tmp_path / "out.sgf", tmp_path / "a.html"
    words = ["analyze", str(record), "--out", str(out), "--html", str(page), *QUICK]
    assert main(words) == 1
    printed, err = capsys.readouterr()
    assert printed.startswith("In the last position, ")
    assert printed.endswith(f"wrote {out}\n")
    assert f"{page}: not written, internal error" in err
    assert out.exists()


@needs_jit
def test_bad_files_in_a_folder_do_not_stop_the_others(tmp_path, capsys, quick):
    source, out = tmp_path / "in", tmp_path / "in" / "reviewed"
    source.mkdir()
    for name, data in {
        "a.sgf": b"(;SZ[5];B[aa]TR[zz]LB[dd]C[a]C[b];W[bb])",
        "b.sgf": b"nothing",
        "c.zip": b"PK no archive",
        "d.tar.gz": b"no archive",
        "index.sgf": RECORD,
        "z.sgf": RECORD,
    }.items():
        (source / name).write_bytes(data)
    assert main(["analyze", str(source), "--out", str(out), *QUICK]) == 1
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert "internal" not in err
    for name in ("b.sgf: ", "c.zip: ", "d.tar.gz: damaged, or not a tar archive"):
        assert sum(name in line for line in err.split("\n")) == 1
    assert {path.name for path in out.glob("*.sgf")} == {"a.sgf", "index+.sgf", "z.sgf"}
    # The reviews lie in the input folder, and are not taken for games of it.
    assert main(["analyze", str(source), "--out", str(out), *QUICK]) == 1
    assert "3 finished games skipped" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["{in}", "--out", "{in}"], "also an input"),
        (["{in}/a.sgf", "--out", "{in}/a.sgf"], "also an input"),
        (["{in}/a.sgf", "--json", "{in}/../in/a.sgf"], "also an input"),
        (["{in}/a.sgf", "--html", "{in}/a.sgf"], "also an input"),
        (["{in}/a.sgf", "--html", "{in}"], "this is a folder"),
        (["{in}/a.sgf", "--html", "{in}/c", "--json", "{in}/../in/c"], "two outputs"),
        (["{in}/a.sgf", "--out", "{in}/b.sgf", "--json", "{in}/b.sgf"], "two outputs"),
        (["{in}/a.sgf", "--out", "{in}"], "this is a folder"),
        (["{in}/a.sgf", "{in}/b.sgf", "--out", "{in}"], "also an input"),
        (["{empty}", "--out", "{in}/out"], "no game records here"),
        (["{empty}"], "no game records here"),
        (["{in}/a.sgf", "--out", ""], "an output has an empty name"),
        (["{in}/a.sgf", "--out", "{in}/b.sgf", "--html", ""], "an output has an empty name"),
        (["{in}"], "several games need --out"),
        (["{in}/none", "--out", "{in}/out"], "no such file or directory"),
        (["{in}/none/"], "no such file or directory"),
    ],
)
def test_outputs_are_checked_before_the_search(tmp_path, capsys, monkeypatch, words, reason):
    monkeypatch.setattr("gtp.cli.analyze.review_records", None)  # not reached
    for name in ("in", "empty"):
        (tmp_path / name).mkdir()
    for name in ("a.sgf", "b.sgf"):
        (tmp_path / "in" / name).write_bytes(RECORD)
    places = {name: str(tmp_path / name) for name in ("in", "empty")}
    assert main(["analyze", *(word.format(**places) for word in words)]) == 1
    printed, err = capsys.readouterr()
    assert printed == ""
    assert reason in err
    assert err.count("\n") == 1
    assert (tmp_path / "in" / "a.sgf").read_bytes() == RECORD


def test_an_interrupted_review_leaves_nothing_half_done(tmp_path, capsys, monkeypatch):
    def interrupted(jobs, *_, **__):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr("gtp.cli.analyze.review_records", interrupted)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.sgf").write_bytes(RECORD)
    out = tmp_path / "out"
    assert main(["analyze", str(tmp_path / "in"), "--out", str(out)]) == 130
    assert "continues with the next game" in capsys.readouterr().err
    assert not out.exists()
    with pytest.raises(SystemExit) as end:
        raise SystemExit(main(["analyze", str(tmp_path / "in" / "a.sgf")]))
    assert end.value.code == 130


def test_an_unreadable_record_is_named_before_anything_is_compiled(tmp_path, capsys, monkeypatch):
    (tmp_path / "bad.sgf").write_text("no record")
    monkeypatch.setattr("gtp.cli.analyze.compile_visibly", None)
    assert main(["analyze", str(tmp_path / "bad.sgf")]) == 1
    assert "bad.sgf" in capsys.readouterr().err


def test_compiling_can_be_interrupted(record, tmp_path, monkeypatch):
    def interrupted(*_):
        # Ctrl-C reaches this thread alone.
        raise KeyboardInterrupt if current_thread() is main_thread() else AssertionError

    monkeypatch.setattr("gtp.cli.analyze.compile_visibly", interrupted)
    assert main(["analyze", str(record)]) == 130
    assert main(["analyze", str(record), str(record), "--out", str(tmp_path / "out")]) == 130


def test_the_help_names_the_word_for_the_players_own_levels(capsys):
    with pytest.raises(SystemExit):
        main(["analyze", "--help"])
    assert f", or {OWN}, " in " ".join(capsys.readouterr().out.split())
