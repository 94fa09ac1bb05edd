"""Roll-outs compared with the ends of games: figures by hand, choice of games, the table."""

import numpy as np
import pytest

from engine import BLACK, WHITE, Game
from engine.go.geometry import AREA, board_points
from engine.go.scoring import point_owners
from engine.patterns.evidence import LAST_MOVE
from engine.patterns.position import position_of
from patterns_db.records.games import GameReader
from patterns_db.shipped import load_knowledge
from scripts.check import rollouts
from scripts.check.rollouts import CountedPosition, RolloutErrors, look_at, positions_of, row_of
from tests.scripts.check.games import filled_game, sgf_of


def counted(seed: int) -> tuple[bytes, float]:
    """Return a record of a game that was filled to the end and counted, and Black's margin."""
    game = filled_game(seed)
    margin = game.score()
    winner = "B" if margin > 0 else "W"
    return sgf_of(game, f"{winner}+{abs(margin)}"), margin


def owner_of(game: Game, point: int) -> int:
    """Return who owns a point when all stones are alive."""
    return int(point_owners(game.board, [])[point])


@pytest.fixture
def games(tmp_path):
    for seed in range(3):
        (tmp_path / f"{seed}.sgf").write_bytes(counted(seed)[0])
    return tmp_path


def test_positions_know_how_the_game_ended(games):
    for seed, record in enumerate(GameReader([str(games)])):
        margin = counted(seed)[1]
        found = positions_of(record, np.random.default_rng(seed))
        assert len({len(position.game.moves) for position in found}) == rollouts.EACH
        early = positions_of(record, np.random.default_rng(seed), (2, 6))
        assert {len(position.game.moves) for position in early} <= set(range(2, 6))
        assert len(early) == rollouts.EACH
        for position in found:
            assert position.owners.sum() - position.game.komi == margin
            assert position.winner == np.sign(margin)
            known = position_of(position.game, position.game.to_play).memory
            assert known[LAST_MOVE] == position.game.moves[-1].point
            assert 0 < len(position.game.moves) < len(record.moves)


def test_games_that_tell_nothing_are_left_out(games):
    record = next(iter(GameReader([str(games)])))
    random = np.random.default_rng(1)
    for other in (
        {"margin": None},
        {"margin": record.margin + 5.0},
        {"black": np.array([record.moves[0]])},
        {"moves": record.moves[:3], "colors": record.colors[:3]},
    ):
        assert positions_of(record._replace(**other), random) == []


def test_a_finished_game_is_foretold():
    """No move is left from the end on: owners are right, and no chain changes its fate."""
    game = filled_game(1)
    owners = np.zeros(AREA)
    for color, sign in ((BLACK, 1.0), (WHITE, -1.0)):
        owners[[p for p in board_points(game.size) if owner_of(game, p) == color]] = sign
    winner = float(np.sign(game.score()))
    position = CountedPosition(game, owners, winner)
    policy = load_knowledge(patterns=None).policy
    look = look_at([position], policy, 4, 1, 2)
    assert (look.errors.tolist(), look.right.tolist()) == ([0.0], [1.0])
    assert (set(look.alive), look.dead.tolist()) == ({1.0}, [])
    # With the other owners everything is wrong, and the chains that live should have died.
    wrong = look_at([position._replace(owners=-owners, winner=-winner)], policy, 4, 1, 2)
    held = np.abs(owners[list(board_points(game.size))])
    assert wrong.errors.tolist() == pytest.approx([held.mean()])
    assert (wrong.right.tolist(), set(wrong.dead), wrong.alive.tolist()) == ([0.0], {1.0}, [])


def test_rows_by_hand():
    usual = RolloutErrors(
        np.array([0.1, 0.3]), np.array([0.7, 0.2]), np.array([0.9]), np.array([1.0, 0.0])
    )
    other = usual._replace(errors=np.array([0.1, 0.1]))
    assert row_of((0.5, 1.0), other, usual) == pytest.approx(
        [0.5, 1.0, 0.1, -0.1, 0.1 / 2**0.5, 0.45, 0.5, 0.1, 0.0, 0.5]
    )


def test_the_table(games, capsys):
    command = ["--games", str(games), "--positions", "6", "--rollouts", "4"]
    assert rollouts.main([*command, "--elsewhere", "1", "0.2", "--power", "1", "2"]) == 0
    first, header, usual, *others = capsys.readouterr().out.splitlines()
    assert first.startswith("6 positions, 4 roll-outs each")
    assert header.split()[:2] == ["elsewhere", "power"]
    assert [float(x) for x in usual.split()[:2]] == [1.0, 1.0]
    assert [float(x) for x in usual.split()[3:5]] == [0.0, 0.0]
    settings = [[float(x) for x in row.split()[:2]] for row in others]
    assert settings == [[1.0, 2.0], [0.2, 1.0], [0.2, 2.0]]


def test_no_counted_games(tmp_path, capsys):
    assert rollouts.main(["--games", str(tmp_path / "none.sgf")]) == 1
    assert capsys.readouterr().err
