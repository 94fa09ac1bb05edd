"""``yomi train`` says which table is better, as far as games it learned from can show it."""

from pathlib import Path

import pytest

from gtp.cli import train
from patterns_db.patterns.training import TrainingSettings
from patterns_db.shipped import PATTERN_TABLE

GAME = "(;SZ[9];B[ee];W[cc];B[gc];W[cg])"


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [
        (0.265, "new table predicts 26.5 % of the moves, the shipped one 48.3 %: the shipped one"),
        (0.6, "the new one knows these games; which is better, other games show: yomi evaluate"),
    ],
)
def test_only_a_defeat_on_its_own_games_is_a_verdict(tmp_path, monkeypatch, capsys, ours, verdict):
    for number in range(4):
        (tmp_path / f"{number}.sgf").write_text(GAME)
    counts = []

    def predicted(games, table):
        counts.append(games.games)
        return 0.483 if table == PATTERN_TABLE else ours

    monkeypatch.setattr(train, "predicted_by", predicted)
    train._compare(Path("mine.table"), TrainingSettings(paths=(str(tmp_path),), max_games=3))
    message = capsys.readouterr().err
    assert message.startswith("of 3 games that it learned from, the ")
    assert verdict in message
    assert "play with it: yomi --patterns mine.table" in message
    assert counts == [3, 3]
