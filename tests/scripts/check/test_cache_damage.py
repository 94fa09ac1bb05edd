"""The check of a damaged cache, with sessions that need no engine."""

import contextlib
import hashlib
import pickle

import pytest

from scripts.check import cache_damage

WHOLE = b"kernel"


@pytest.fixture
def sessions(monkeypatch):
    """Replace sessions: they read one of two kernels, and write it again if it is damaged.

    Returns the contents that they found.
    """
    found = []

    def play(cache):
        folder = cache / "engine-1"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "read.kernel"
        if not file.exists():
            file.write_bytes(WHOLE)
            (folder / "unread.kernel").write_bytes(WHOLE[:1])  # the smallest come first
        found.append(file.read_bytes())
        file.write_bytes(WHOLE)
        return b"= E5", ["cache: damaged"] if found[-1] != WHOLE else []

    monkeypatch.setattr(cache_damage, "play", play)
    return found


def test_files_that_no_session_reads_are_damaged_too(sessions, capsys):
    assert cache_damage.main([]) == 0
    said = capsys.readouterr().out
    assert said == (
        "4 damages of 2 of 2 files: 2 noticed, 0 sessions wrong; planted code did not run\n"
    )
    damaged = [data for data in sessions if data != WHOLE]
    assert damaged[:2] == [b"", b"keroel"]
    # The planted code would run wherever the check before it were missing.
    assert len(damaged) == 4
    for contents in damaged[2:]:
        with pytest.raises(FileNotFoundError):  # Its folder is gone.
            pickle.loads(contents[32:])
    right = [hashlib.sha256(data[32:]).digest() == data[:32] for data in damaged[2:]]
    assert right == [False, True]


@pytest.mark.parametrize("missed", [b"", b"keroel"])
def test_a_damage_that_nobody_notices_fails(sessions, monkeypatch, missed):
    play = cache_damage.play

    def careless(cache):
        answer, lines = play(cache)
        return answer, [] if sessions[-1] == missed else lines

    monkeypatch.setattr(cache_damage, "play", careless)
    assert cache_damage.main([]) == 1


def test_planted_code_that_runs_fails(sessions, monkeypatch):
    play = cache_damage.play

    def trusting(cache):
        answer, lines = play(cache)
        if len(sessions[-1]) > 40:
            with contextlib.suppress(FileExistsError):  # it ran before
                pickle.loads(sessions[-1][32:])
        return answer, lines

    monkeypatch.setattr(cache_damage, "play", trusting)
    assert cache_damage.main([]) == 1


def test_each_damage_stands_alone(sessions, monkeypatch):
    unread, play = [], cache_damage.play

    def looking_play(cache):
        answer = play(cache)
        unread.append((cache / "engine-1" / "unread.kernel").read_bytes())
        return answer

    monkeypatch.setattr(cache_damage, "play", looking_play)
    cache_damage.main([])
    # The smallest file is damaged twice, and whole again before the next one is damaged.
    assert [data == WHOLE[:1] for data in unread] == [True, False, False, *[True] * 4]


def test_a_damage_is_told_once(sessions, monkeypatch, capsys):
    play = cache_damage.play
    monkeypatch.setattr(cache_damage, "play", lambda cache: (play(cache)[0], ["damaged"] * 2))
    assert cache_damage.main(["--files", "1"]) == 1
    assert "3 sessions wrong" in capsys.readouterr().out


def test_a_check_of_files_that_nobody_reads_says_so(sessions, capsys):
    assert cache_damage.main(["--files", "1"]) == 2
    assert "no session reads the chosen files" in capsys.readouterr().err
