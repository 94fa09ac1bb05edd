"""The temperature of players: what is fitted, and whose moves they are."""

import numpy as np
import pytest

from engine import Predictor
from engine.patterns.valuing import no_patterns
from patterns_db.records.games import GameReader
from scripts.learn import human_temperature
from scripts.learn.human_temperature import (
    TEMPERATURES,
    Tally,
    group_of,
    kyu,
    log_likelihoods,
    tally_game,
)
from tests.patterns_db.collections import random_collection, write_collection


@pytest.mark.parametrize(
    ("rank", "number"),
    [("12k", 12), ("1K", 1), ("1d", 0), ("3d", -2), ("9p", None), ("", None), (None, None)],
)
def test_ranks(rank, number):
    assert kyu(rank, False) == number


def test_numbers_counted_from_below():
    assert kyu("28k", True) == 2
    assert kyu("3d", True) == -2
    assert group_of("28k", True) == group_of("2k") == "3k to 1k"
    assert group_of("?") is None


def test_likelihoods_are_those_of_the_powers():
    chances = {1: 0.7, 2: 0.2, 3: 0.1}
    found = log_likelihoods(chances, 2)
    for place in (0, 30, len(TEMPERATURES) - 1):
        powers = {point: p ** (1 / TEMPERATURES[place]) for point, p in chances.items()}
        assert found[place] == pytest.approx(np.log(powers[2] / sum(powers.values())))
    assert np.isfinite(log_likelihoods({1: 1.0, 2: 0.0}, 2)).all()


@pytest.mark.parametrize("temperature", [0.7, 1.0, 1.6])
def test_a_known_temperature_is_found(temperature):
    """Moves drawn at a temperature lead back to it."""
    rng = np.random.default_rng(1)
    tally = Tally()
    for _ in range(1500):
        chances = dict(enumerate(rng.dirichlet(np.full(10, 0.5))))
        powers = np.array(list(chances.values())) ** (1 / temperature)
        tally.sums += log_likelihoods(chances, int(rng.choice(10, p=powers / powers.sum())))
        tally.moves += 1
    moves, found, low, high, best, at_one = tally.row()
    assert moves == 1500
    assert low <= found <= high
    assert low - 0.1 <= temperature <= high + 0.1
    assert best >= at_one


def test_the_moves_of_a_game_are_their_players(tmp_path):
    path = tmp_path / "a.sgf"
    path.write_text("(;SZ[5]BR[2d]WR[9k];B[cc];W[bb];B[dd];W[];B[bc])")
    (record,) = GameReader([path])
    assert record.ranks == ("2d", "9k")
    found = {}
    names = [group_of(rank) for rank in record.ranks]
    tally_game(record, names, Predictor(no_patterns()), found, 10)
    assert {name: tally.moves for name, tally in found.items()} == {"1d to 2d": 3, "10k to 8k": 1}
    tally_game(record, [None, "10k to 8k"], Predictor(no_patterns()), found, 1)
    assert found["10k to 8k"].moves == 1


def test_the_command(tmp_path, capsys):
    games = write_collection(tmp_path / "games", random_collection(2, size=5, length=8))
    assert human_temperature.main(["--games", str(games)]) == 0  # nobody has a rank
    assert "temperature" in capsys.readouterr().out
    assert human_temperature.main(["--games", str(tmp_path / "none")]) == 2
    assert "none" in capsys.readouterr().err
