"""How often the stronger player won: which games count, and the slope of the Elo scale."""

import numpy as np
import pytest

from patterns_db.records.games import DecodedGame
from scripts.check.rank_results import ELO, elo_slope, main, results_of

EMPTY = np.zeros(0, np.int64)


def game_of_ranks(black, white, winner):
    return DecodedGame(9, EMPTY, EMPTY, EMPTY, EMPTY, "", winner=winner, ranks=(black, white))


def test_games_that_tell_something():
    games = [
        game_of_ranks("5k", "3k", winner=2),
        game_of_ranks("5k", "3k", winner=1),
        game_of_ranks("1d", "2k", winner=1),
        game_of_ranks("5k", "5k", winner=1),
        game_of_ranks("5k", None, winner=1),
        game_of_ranks("5k", "3k", winner=0),
        game_of_ranks("25k", "3k", winner=2),
    ]
    found = results_of(games, False)
    assert found.middles.tolist() == [4.0, 4.0, 1.0]
    assert found.apart.tolist() == [2, 2, 2]
    assert found.won.tolist() == [1.0, 0.0, 1.0]
    # The labels count up: the larger number is the stronger player.
    assert results_of(games, True).won.tolist()[:2] == [0.0, 1.0]


def test_the_slope_is_that_of_the_games():
    """Two ranks apart and 64 % won: one rank is half of the log odds."""
    apart, won = np.full(100, 2), np.repeat([1.0, 0.0], [64, 36])
    slope, error = elo_slope(apart, won)
    assert slope == pytest.approx(ELO * np.log(64 / 36) / 2, rel=1e-6)
    assert error == pytest.approx(ELO / (2 * np.sqrt(100 * 0.64 * 0.36)), rel=1e-6)


def test_the_table(tmp_path, capsys):
    for number, winner in enumerate("WWB"):
        record = f"(;GM[1]FF[4]SZ[9]BR[5k]WR[3k]RE[{winner}+R];B[ee];W[ec])"
        (tmp_path / f"{number}.sgf").write_text(record)
    assert main(["--games", str(tmp_path)]) == 0
    row = capsys.readouterr().out.splitlines()[-1].split()
    assert row[:4] == ["5k", "to", "1k", "3"]
    assert float(row[-1]) == pytest.approx(66.7)
