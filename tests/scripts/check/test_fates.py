"""Counted games: their ends, the fates of groups and races in them, and roll-outs."""

import numpy as np
import pytest

from engine import BLACK, WHITE
from engine.go.board import COLOR
from engine.go.geometry import AREA, board_points
from engine.go.scoring import point_owners
from engine.life.groups import find_groups, questions_about
from engine.picture.picture import picture_of
from patterns_db.records.games import GameReader
from patterns_db.shipped import load_knowledge
from scripts.check import groups, rollouts
from scripts.check.groups import FateReader, position_in
from scripts.check.races import RaceTally
from scripts.check.rollouts import CountedPosition, look_at, positions_of
from tests.diagrams import game_of
from tests.facts.test_group_facts import CRITICAL, DEAD, unsure
from tests.life.test_races import chains_of, rows_of_race
from tests.scripts.check.games import filled_game, sgf_of

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
ALIVE = (
    CRITICAL.replace("X X X X X .", "X X X X X X")
    .replace("O O O O X .", "O O O O O X")
    .replace(". . . O X .", ". . . . O X")
)


def counted(seed: int) -> tuple[bytes, float]:
    """Return a record of a game that was filled to the end and counted, and Black's margin."""
    game = filled_game(seed)
    margin = game.score()
    winner = "B" if margin > 0 else "W"
    return sgf_of(game, f"{winner}+{abs(margin)}"), margin


@pytest.fixture
def games(tmp_path, monkeypatch):
    """Three counted games on 9x9, short ones."""
    monkeypatch.setattr(groups, "FIRST", 20)
    monkeypatch.setattr(groups, "LAST", 40)
    for seed in range(3):
        (tmp_path / f"{seed}.sgf").write_bytes(counted(seed)[0])
    return tmp_path


def test_positions_know_how_their_game_ended(games):
    for seed, record in enumerate(GameReader([str(games)])):
        game, owners = position_in(record, np.random.default_rng(seed))
        assert 20 <= len(game.moves) <= 40
        assert owners.sum() - game.komi == counted(seed)[1]
        for other in ({"margin": None}, {"margin": record.margin + 5.0}):
            assert position_in(record._replace(**other), np.random.default_rng(1)) is None
        found = positions_of(record, np.random.default_rng(seed))
        assert len({len(position.game.moves) for position in found}) == rollouts.EACH
        for position in found:
            assert position.owners.sum() - position.game.komi == counted(seed)[1]
            assert 0 < len(position.game.moves) < len(record.moves)
        for other in ({"margin": None}, {"margin": record.margin + 5.0}):
            assert positions_of(record._replace(**other), np.random.default_rng(1)) == []


@pytest.mark.parametrize(
    ("diagram", "status"), [(CRITICAL, "depends"), (DEAD, "dead"), (ALIVE, "alive")]
)
def test_statuses_of_groups(diagram, status):
    game = game_of(diagram)
    picture = picture_of(game.board)
    found = [q for group in find_groups(picture) for q in questions_about(picture, group)]
    question = next(question for question in found if question.defender == WHITE)
    reader = FateReader(5000)
    assert reader.read(game.board, question, unsure(diagram)) == status
    assert reader.nodes > 0


@pytest.mark.parametrize(
    ("white", "black", "status"), [(3, 2, "wins a race"), (2, 2, "depends"), (1, 3, "dead")]
)
def test_races_are_read_with_chains_that_may_fall(white, black, status):
    board, one, other = chains_of(rows_of_race((white, 0), (black, 0), 0))
    shares = np.zeros(AREA)
    for point in board_points(9):
        shares[point] = 0.0 if point in one | other else {WHITE: -1.0}.get(board[COLOR + point], 1)
    (question,) = (q for q in questions_about(picture_of(board), one) if set(q.goal) == one)
    assert FateReader(5000).read(board, question, shares) == status
    firm = np.where(np.isin(np.arange(AREA), list(other)), 1.0, shares)
    assert FateReader(5000).read(board, question, firm) == "dead"


def test_a_finished_game_is_foretold():
    """No move is left from the end on: owners are right."""
    game = filled_game(1)
    owners = np.zeros(AREA)
    colors = point_owners(game.board, [])
    for color, sign in ((BLACK, 1.0), (WHITE, -1.0)):
        owners[[p for p in board_points(game.size) if colors[p] == color]] = sign
    position = CountedPosition(game, owners)
    policy = load_knowledge(patterns=None).policy
    look = look_at([position], policy, 4, 1)
    assert (look.errors.tolist(), look.right.tolist()) == ([0.0], [1.0])
    wrong = look_at([position._replace(owners=-owners)], policy, 4, 1)
    held = np.abs(owners[list(board_points(game.size))])
    assert wrong.errors.tolist() == pytest.approx([held.mean()])
    assert wrong.right.tolist() == [0.0]


def test_answers_and_survivors(capsys):
    board, one, other = chains_of(rows_of_race((2, 0), (2, 0), 0))
    owners = np.zeros(AREA)
    owners[[*one, *other]] = -1.0
    tally = RaceTally(1000)
    tally.add(board, (one, other), owners)
    tally.add(board, (other, one), owners)
    assert tally.ends == {
        ("captures the other", True, False): 1,
        ("captures the other", False, True): 1,
    }
    assert (tally.counted, tally.proofs) == (2, {True: 2})
    tally.show()
    assert "2 captures known at once; proofs that hold, and refuted ones: 2, 0" in (
        capsys.readouterr().out
    )
