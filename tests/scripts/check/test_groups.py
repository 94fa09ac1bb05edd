"""Groups of counted games: sources of their fates, answers about them, the tables."""

import json

import numpy as np
import pytest

from engine import BLACK, WHITE
from engine.go.board import COLOR
from engine.go.geometry import AREA, board_points
from engine.life.groups import find_groups, questions_about
from engine.picture.picture import picture_of
from patterns_db.records.games import GameReader
from scripts.check import groups
from scripts.check.groups import FateReader, lived, position_in, with_races
from tests.diagrams import game_of
from tests.facts.test_group_facts import CRITICAL, DEAD, unsure
from tests.life.test_races import chains_of, rows_of_race
from tests.scripts.check.test_rollouts import counted

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
ALIVE = (
    CRITICAL.replace("X X X X X .", "X X X X X X")
    .replace("O O O O X .", "O O O O O X")
    .replace(". . . O X .", ". . . . O X")
)


@pytest.fixture
def games(tmp_path, monkeypatch):
    """Three counted games on 9x9, short ones."""
    monkeypatch.setattr(groups, "FIRST", 20)
    monkeypatch.setattr(groups, "LAST", 40)
    for seed in range(3):
        (tmp_path / f"{seed}.sgf").write_bytes(counted(seed)[0])
    return tmp_path


def test_a_position_knows_how_its_game_ended(games):
    for seed, record in enumerate(GameReader([str(games)])):
        game, owners = position_in(record, np.random.default_rng(seed))
        assert 20 <= len(game.moves) <= 40
        assert owners.sum() - game.komi == counted(seed)[1]
        for other in ({"margin": None}, {"margin": record.margin + 5.0}):
            assert position_in(record._replace(**other), np.random.default_rng(1)) is None


@pytest.mark.parametrize(
    ("diagram", "status"), [(CRITICAL, "depends"), (DEAD, "dead"), (ALIVE, "alive")]
)
def test_statuses_of_groups(diagram, status):
    game = game_of(diagram)
    found = [
        q
        for group in find_groups(picture_of(game.board))
        for q in questions_about(picture_of(game.board), group)
    ]
    question = next(question for question in found if question.defender == WHITE)
    fate = FateReader(5000).read(game.board, question, unsure(diagram))
    assert (fate.said, fate.alone, fate.races) == (status, status, {})
    assert fate.nodes > 0
    assert fate.seconds > 0.0


@pytest.mark.parametrize(
    ("white", "black", "said", "ends"),
    [
        (3, 2, "wins a race", ("other", "other")),
        (2, 2, "depends", ("other", "one")),
        (1, 3, "dead", ("one", "one")),
    ],
)
def test_races_are_read_with_chains_that_may_fall(white, black, said, ends):
    board, one, other = chains_of(rows_of_race((white, 0), (black, 0), 0))
    shares = np.zeros(AREA)
    for point in board_points(9):
        shares[point] = 0.0 if point in one | other else {WHITE: -1.0}.get(board[COLOR + point], 1)
    (question,) = (q for q in questions_about(picture_of(board), one) if set(q.goal) == one)
    fate = FateReader(5000).read(board, question, shares)
    assert (fate.said, fate.alone, fate.races) == (said, "dead", {min(other): ends})
    firm = np.where(np.isin(np.arange(AREA), list(other)), 1.0, shares)
    assert FateReader(5000).read(board, question, firm)[:3] == ("dead", "dead", {})


@pytest.mark.parametrize("alone", ["dead", "in between", "depends", "unknown"])
def test_changes_by_races(alone):
    lost, won, first = ("one", "one"), ("other", "other"), ("other", "neither")
    assert with_races(alone, []) == with_races(alone, [lost, lost]) == alone
    assert with_races(alone, [lost, first, won]) == "wins a race"
    weak = alone in ("dead", "in between")
    assert with_races(alone, [first, lost]) == ("depends" if weak else alone)
    for end in ("neither", "ko", "unknown"):
        assert with_races(alone, [lost, (end, "one")]) == ("in between" if weak else alone)


def test_survivors():
    owners = np.zeros(AREA)
    owners[[30, 31]] = 1.0, -1.0
    assert lived([30], BLACK, owners) == 1.0
    assert lived([30, 31], BLACK, owners) == 0.0
    assert lived([30, 32], WHITE, owners) == -0.5


def test_the_tables_and_going_on(games, tmp_path, capsys):
    out = tmp_path / "groups.json"
    command = ["--games", str(games), "--rollouts", "4", "--nodes", "50", "--out", str(out)]
    assert groups.main([*command, "--groups", "1"]) == 0
    first = json.loads(out.read_text())["positions"]
    assert groups.main([*command, "--groups", "100"]) == 0
    rows = json.loads(out.read_text())["positions"]
    assert rows[: len(first)] == first
    assert len(rows) > len(first)
    printed = capsys.readouterr().out
    assert f"{sum(len(row['groups']) for row in rows)} groups of {len(rows)} positions" in printed
    assert "calibration" in printed
    assert groups.main([*command, "--seed", "2"]) == 1
    assert "other conditions" in capsys.readouterr().err


def test_no_counted_games(tmp_path, capsys):
    (tmp_path / "a.sgf").write_text("(;SZ[9];B[ee])")
    assert groups.main(["--games", str(tmp_path)]) == 1
    assert "no counted games" in capsys.readouterr().err
