"""The noise of choices by rank."""

import numpy as np

from engine import Knowledge
from engine.patterns.valuing import beliefs_of, no_patterns
from engine.people.model import model_of_patterns
from patterns_db.patterns.evaluation import EvaluatedModel
from scripts.check import noise_by_rank
from scripts.check.noise_by_rank import band_of, main
from tests.patterns_db.collections import random_collection, to_sgf


def test_both_players_are_of_one_band():
    (record,) = random_collection(1)
    assert band_of(record._replace(ranks=("7k", "9k")), False) == (6, 10)
    assert band_of(record._replace(ranks=("7k", "11k")), False) is None
    assert band_of(record._replace(ranks=("28k", "29k")), True) == (1, 5)
    assert band_of(record, False) is None


def test_the_table(tmp_path, capsys, monkeypatch):
    model = no_patterns()
    known = EvaluatedModel("evidence", model, beliefs_of(model))
    people = Knowledge(patterns=model, people=model_of_patterns())
    monkeypatch.setattr(noise_by_rank, "open_model", lambda *_: known)
    monkeypatch.setattr(noise_by_rank, "load_knowledge", lambda: people)
    monkeypatch.setattr(noise_by_rank, "VARIANCES", (1.0, 2.0))
    for game in random_collection(2, size=4, length=6):
        (tmp_path / game.source[2:]).write_text(to_sgf(game).replace("SZ", "BR[7k]WR[8k]SZ"))
    assert main(["--games", str(tmp_path)]) == 0
    name, *numbers = capsys.readouterr().out.splitlines()[-1].split(maxsplit=3)
    assert name == "10k"
    moves, _, nats, usual, gain, _, _ = map(float, numbers[-1].split())
    # Without knowledge all moves are alike, whatever the noise.
    assert moves > 0
    assert np.isclose(nats, usual)
    assert gain == 0.0
    assert main(["--games", str(tmp_path / "none")]) == 1
