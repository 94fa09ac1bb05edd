"""Games: superko, prisoners, undo and set-up; every error leaves the game unchanged."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    BLACK,
    EMPTY,
    RULESETS,
    WHITE,
    BadSetup,
    BadVertex,
    Game,
    IllegalMove,
    MoveCode,
    Rules,
    YomiError,
    board_points,
    parse_vertex,
    to_point,
)
from engine.go import played
from engine.go.geometry import AREA, PASS, fixed_handicap
from engine.go.protection import points_to_fill
from engine.go.scoring import point_owners
from engine.go.zobrist import hash_position, zobrist_keys
from tests.diagrams import PLAIN, game_of, picture_of, random_games
from tests.go.test_board import assert_consistent


def play_all(game: Game, moves: str) -> None:
    """Play vertices in turn, Black first unless the game says otherwise."""
    for vertex in moves.split():
        game.play(game.to_play, parse_vertex(vertex, game.size))


def snapshot(game: Game) -> tuple:
    """Return all parts that a failed command must leave unchanged."""
    return (
        game.board.tobytes(),
        game.position_hash,
        game.to_play,
        game.passes,
        game.captures(BLACK),
        game.captures(WHITE),
        tuple(game.moves),
        game.handicap,
        game.komi,
        game.rules,
    )


# name, rows from the top, first to move, moves before the question, the question ("b C2"), its
# code under no, positional and situational superko (suicide allowed in all)
SUPERKO_TABLE = [
    ("sending two, returning one",
     "..../..../XXO./.O.O", WHITE, "A1 C1", "B1", "LEGAL SUPERKO LEGAL"),
    ("sending two, returning one, after a tempo lost at the start",
     "..../..../XXO./.O.O", WHITE, "pass pass A1 C1", "B1", "LEGAL SUPERKO SUPERKO"),
    ("a ko retaken after two passes",
     "..../.XO./XO.O/.XO.", BLACK, "C2 pass pass B2 pass pass", "C2", "LEGAL SUPERKO SUPERKO"),
    ("a ko retaken after one exchange elsewhere",
     "..../.XO./XO.O/.XO.", BLACK, "C2 pass pass B2 A4 D4", "C2", "LEGAL LEGAL LEGAL"),
    ("suicide of two stones takes back both moves",
     "..../..../OOO./..O.", BLACK, "A1 pass", "B1", "LEGAL SUPERKO LEGAL"),
    ("suicide of two stones after a pass",
     "..../..../OOO./..O.", BLACK, "pass pass A1 pass", "B1", "LEGAL SUPERKO SUPERKO"),
    ("simple ko comes before superko", "..../.XO./XO.O/.XO.", BLACK, "C2", "B2", "KO KO KO"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("diagram", "first", "moves", "question", "codes"),
    [pytest.param(*row[1:], id=row[0]) for row in SUPERKO_TABLE],
)
def test_superko_table(diagram, first, moves, question, codes):
    for superko, code in zip(("none", "positional", "situational"), codes.split(), strict=True):
        game = game_of(diagram, first, Rules("test", "area", superko, suicide=True))
        play_all(game, moves)
        point = parse_vertex(question, game.size)
        assert game.legality(game.to_play, point).name == code, superko
        simple = game.legality(game.to_play, point, superko=False)
        assert simple == (MoveCode.KO if code == "KO" else MoveCode.LEGAL)
        if code != "LEGAL":
            before = snapshot(game)
            with pytest.raises(IllegalMove, match=code.lower()) as caught:
                game.play(game.to_play, point, superko=True)
            assert caught.value.code.name == code
            assert snapshot(game) == before
        if code == "SUPERKO":
            game.play(game.to_play, point)  # accepted by default


@given(random_games())
def test_undo_restores_every_cell(game):
    snapshots = []
    replay = Game(game.size, game.rules)
    for color, point in game.moves:
        snapshots.append(snapshot(replay))
        replay.play(color, point)
    assert replay.moves == game.moves
    for before in reversed(snapshots):
        replay.undo()
        assert snapshot(replay) == before
    with pytest.raises(YomiError, match="cannot undo"):
        replay.undo()


@given(random_games())
def test_forgotten_boards_are_made_again(game):
    with patch.object(played, "_RECENT", 2), patch.object(played, "_APART", 5):
        replay, boards = Game(game.size, game.rules), []
        for color, point in game.moves:
            replay.play(color, point)
            boards.append(replay.board.tobytes())
        assert sum(board is not None for board in replay._boards) <= len(boards) // 5 + 4
        found = [(board.tobytes(), point) for board, point in replay.recent(9)]
        assert found == [(b, m.point) for b, m in zip(boards, game.moves, strict=True)][-9:]
        twin = replay.copy()
        for before in reversed(boards[:-1]):
            replay.undo()
            assert replay.board.tobytes() == before
        assert twin.moves == game.moves
        assert twin.board.tobytes() == game.board.tobytes()


def test_a_move_takes_little_memory():
    game = Game(19)
    for point in board_points(19)[:200]:
        game.play(point)
    kept = sum(board is not None for board in game._boards)
    assert kept * game.board.nbytes < 3000 * len(game.moves)


@given(random_games(), st.data())
def test_a_copy_is_independent(game, data):
    before = snapshot(game)
    twin = game.copy()
    assert snapshot(twin) == before
    points = twin.legal_points(twin.to_play)
    if points:
        twin.play(twin.to_play, data.draw(st.sampled_from(points)))
        twin.komi = 99.0
        twin.set_to_play(3 - twin.to_play)
    while twin.moves:
        twin.undo()
    assert snapshot(game) == before
    moved = game.copy()
    game.play(game.to_play, PASS)
    assert snapshot(moved) == before


@given(random_games(largest=5))
def test_illegal_moves_change_nothing(game):
    before = snapshot(game)
    for color in (BLACK, WHITE):
        legal = set(game.legal_points(color))
        for point in range(-3, AREA + 3):
            if point in legal or point == PASS:
                continue
            with pytest.raises(IllegalMove) as caught:
                game.play(color, point, superko=True)
            off_board = point not in board_points(game.size)
            assert (caught.value.code == MoveCode.OFF_BOARD) == off_board
            assert "\n" not in str(caught.value)
    assert snapshot(game) == before


def test_passes_are_counted_and_lift_a_ko():
    game = Game(4, PLAIN)
    play_all(game, "B3 C3 A2 D2 B1 C1 C2 B2")
    assert game.legality(BLACK, parse_vertex("C2", 4)) == MoveCode.KO
    assert game.legality(WHITE, parse_vertex("C2", 4)) == MoveCode.LEGAL  # may fill
    play_all(game, "pass")
    assert (game.passes, game.to_play, game.is_over) == (1, WHITE, False)
    play_all(game, "pass")
    assert (game.passes, game.to_play, game.is_over) == (2, BLACK, True)
    assert game.legality(BLACK, parse_vertex("C2", 4)) == MoveCode.LEGAL
    play_all(game, "C2")  # moves are accepted after two passes
    assert game.passes == 0
    assert game.legality(WHITE, parse_vertex("B2", 4)) == MoveCode.KO


# -- set-up -----------------------------------------------------------------------------------


def fresh_and_busy() -> list[Game]:
    """Return games in which handicap and set-up must fail: moves, a pass, or stones."""
    moved, passed, set_up = Game(9), Game(9), Game(9)
    moved.play(BLACK, to_point(5, 5))
    passed.play(BLACK, PASS)
    set_up.setup([to_point(5, 5)], [], WHITE)
    return [moved, passed, set_up]


@pytest.mark.parametrize("game", fresh_and_busy())
def test_set_up_needs_an_empty_board(game):
    before = snapshot(game)
    with pytest.raises(BadSetup, match="board not empty"):
        game.place_handicap(fixed_handicap(9, 2))
    with pytest.raises(BadSetup, match="board not empty"):
        game.setup([to_point(1, 1)], [], WHITE)
    assert snapshot(game) == before


@pytest.mark.parametrize(
    ("black", "white"),
    [
        ([27, 27], []),
        ([27], [27]),
        ([0], []),  # PASS
        ([-1], []),
        ([to_point(10, 1)], []),
        ([], [to_point(1, 10)]),
        ([10**6], []),
        ([to_point(1, 1)], [to_point(1, 2), to_point(2, 1)]),  # no liberty left
        ([to_point(c, r) for c in range(1, 10) for r in range(1, 10)], []),
    ],
)
def test_impossible_set_ups_are_refused(black, white):
    game = Game(9)
    before = snapshot(game)
    with pytest.raises(BadSetup):
        game.setup(black, white, BLACK)
    assert snapshot(game) == before


@pytest.mark.parametrize(
    "points",
    [
        [],
        [27],
        [27, 27],
        [27, 0],
        [27, to_point(10, 10)],
        board_points(9),
        board_points(9)[:-1] * 2,
    ],
)
def test_impossible_handicaps_are_refused(points):
    game = Game(9)
    before = snapshot(game)
    with pytest.raises(BadSetup):
        game.place_handicap(points)
    assert snapshot(game) == before


def test_handicap_stones_are_no_moves():
    game = Game(19, RULESETS["chinese"], 0.5)
    game.place_handicap(fixed_handicap(19, 4))
    assert (game.handicap, game.to_play, game.moves) == (4, WHITE, [])
    assert game.stones(BLACK) == sorted(fixed_handicap(19, 4))
    assert game.score() == 361 - 0.5 - 4
    with pytest.raises(YomiError, match="cannot undo"):
        game.undo()
    assert game.position_hash == int(hash_position(game.board, zobrist_keys()))


@given(random_games(), st.randoms(use_true_random=False))
def test_set_up_in_any_order_equals_playing(game, random):
    black, white = game.stones(BLACK), game.stones(WHITE)
    random.shuffle(black)
    random.shuffle(white)
    copy = Game(game.size, game.rules)
    copy.setup(black, white, game.to_play)
    assert picture_of(copy) == picture_of(game)
    assert copy.position_hash == game.position_hash
    assert copy.to_play == game.to_play
    assert_consistent(copy.board)
    assert copy.legal_points(WHITE, superko=False) == [
        p
        for p in board_points(game.size)
        if game.legality(WHITE, p, superko=False) in (MoveCode.LEGAL, MoveCode.KO)
    ]


def test_edit_begins_a_new_game_and_keeps_prisoners():
    game = Game(3, RULESETS["japanese"])
    play_all(game, "A1 A2 C3 B1")
    game.edit([to_point(3, 1)], [to_point(3, 3)], [to_point(1, 2)])
    assert picture_of(game) == "..O\n...\n.OX"
    assert (game.moves, game.captures(WHITE), game.to_play) == ([], 1, BLACK)
    assert_consistent(game.board)
    with pytest.raises(YomiError, match="cannot undo"):
        game.undo()


@pytest.mark.parametrize(
    ("black", "white", "empty"),
    [
        ([0], [], []),
        ([to_point(4, 4)], [], []),
        ([], [to_point(1, 3), to_point(2, 1)], []),  # the corner stone would be captured
        ([], [], [to_point(4, 1)]),
        ([to_point(2, 2)], [to_point(2, 2)], []),
        ([to_point(2, 2)], [], [to_point(2, 2)]),
        (board_points(3), [], []),
    ],
)
def test_impossible_edits_are_refused(black, white, empty):
    game = Game(3, PLAIN)
    game.setup([to_point(1, 1), to_point(1, 2)], [to_point(2, 2)], WHITE)
    game.play(WHITE, to_point(3, 3))
    before = snapshot(game)
    with pytest.raises(BadSetup):
        game.edit(black, white, empty)
    assert snapshot(game) == before


def test_the_diagram_shows_the_last_move():
    game = Game(3)
    play_all(game, "A1 C3")
    assert str(game).splitlines() == [
        "chinese rules, komi 7.5",
        "   A B C",
        " 3 . .(O)3",
        " 2 . . . 2",
        " 1 X . . 1",
        "   A B C",
        "black to play, move 3, captured by black 0, by white 0",
    ]
    assert "" not in str(Game(19)).splitlines()


def test_the_text_of_a_game():
    game = Game(9, RULESETS["japanese"], 6.5)
    assert repr(game) == "<Game 9x9, japanese rules, komi 6.5, 0 moves: none>"
    game.play("e5")
    game.play("pass")
    assert repr(game) == "<Game 9x9, japanese rules, komi 6.5, 2 moves: B E5, W pass>"
    for column in "ABCDEFGHJ":
        game.play(f"{column}1")
    assert "11 moves: ..., W pass, B A1, " in repr(game)


def test_a_vertex_is_played_for_the_side_to_move():
    game = Game(9)
    game.play("E5")
    game.play(to_point(3, 3))
    game.play(WHITE, "d4")
    assert game.moves == [(BLACK, to_point(5, 5)), (WHITE, to_point(3, 3)), (WHITE, to_point(4, 4))]
    for vertex, error in (("E5", IllegalMove), ("Z9", BadVertex), ("", BadVertex)):
        with pytest.raises(error):
            game.play(vertex)
    assert len(game.moves) == 3


@given(random_games(2, 9), st.sampled_from([BLACK, WHITE]))
def test_area_komi_makes_area_margins_mean_what_the_rules_count(game, color):
    """Area less placed stones is territory with prisoners; half a point for the last mover."""
    game.rules = RULESETS["chinese"]
    game._given, game._opening = 2, False  # komi without compensation and with it
    assert game.area_komi(color) == game.full_komi == game.komi + 2
    area = game.score() + game.full_komi
    game.rules = RULESETS["japanese"]
    half = 0.5 if color == BLACK else -0.5
    # A false eye that has to be filled is a point by area.
    filled = points_to_fill(game.board, point_owners(game.board))
    territory = game.score() + len(filled[BLACK]) - len(filled[WHITE])
    assert area - game.area_komi(color) == territory - half


def test_area_komi_stays_while_moves_alternate_and_changes_with_a_pass():
    game = Game(5, RULESETS["japanese"], komi=6.5)
    assert game.area_komi(BLACK) == 7.0
    play_all(game, "C3 B2 C2 A1")
    assert game.area_komi(game.to_play) == 7.0
    game.play(BLACK, PASS)
    assert game.area_komi(WHITE) == 6.0


# Moves as "b A1"; the handicap that they make.
OPENINGS = [
    ("", 0),
    ("b A1", 0),
    ("b A1 b B1", 2),
    ("b A1 b B1 b C1 w D1 b E1 b E2", 3),
    ("b A1 w pass b B1 w pass b C1 w D1 b E1", 3),
    ("b A1 b pass b B1", 2),
    ("w A1 b B1 b C1", 0),
    ("b A1 w B1 b C1 b D1", 0),
    # Both colors several times: a position was set up.
    ("b A1 b B1 w C1 w D1", 0),
    ("b A1 b B1 w pass w D1", 0),
]


def play_colored(game: Game, text: str) -> None:
    words = text.split()
    for color, vertex in zip(words[::2], words[1::2], strict=True):
        game.play({"b": BLACK, "w": WHITE}[color], parse_vertex(vertex, game.size))


@pytest.mark.parametrize(("moves", "handicap"), OPENINGS)
def test_handicap_is_blacks_first_moves(moves, handicap):
    game = Game(5, RULESETS["chinese"], 0.5)
    play_colored(game, moves)
    assert game.handicap == handicap
    assert game.full_komi == 0.5 + handicap
    while game.moves:
        game.undo()
    assert game.handicap == 0


def test_handicap_stones_and_moves_are_added():
    game = Game(5, RULESETS["aga"], 0.5)
    game.edit([to_point(1, 1)], [], [])
    assert (game.handicap, game.to_play) == (0, BLACK)
    game.edit([to_point(2, 1)], [], [])
    assert (game.handicap, game.to_play) == (2, WHITE)
    game.play(BLACK, to_point(3, 1))
    assert (game.handicap, game.full_komi) == (3, 2.5)
    game.edit([], [to_point(5, 5)], [])
    game.play(BLACK, to_point(4, 1))
    assert game.handicap == 3


def test_a_position_with_white_stones_is_no_handicap():
    game = Game(5)
    game.setup([to_point(1, 1), to_point(2, 1)], [to_point(5, 5)], BLACK)
    play_colored(game, "b C1 b D1")
    assert game.handicap == 0


def test_a_forced_move_ignores_ko_and_suicide_alone():
    game = Game(4, PLAIN)
    play_all(game, "B3 C3 A2 D2 B1 C1 C2 B2")
    with pytest.raises(IllegalMove):
        game.play(BLACK, parse_vertex("C2", 4))
    game.play(BLACK, parse_vertex("C2", 4), forced=True)
    assert game.color_at(parse_vertex("B2", 4)) == EMPTY
    assert_consistent(game.board)
    with pytest.raises(IllegalMove):
        game.play(WHITE, parse_vertex("C2", 4), forced=True)
    corner = Game(3, PLAIN)
    play_all(corner, "pass A2 pass B1")
    corner.play(BLACK, parse_vertex("A1", 3), forced=True)
    assert corner.captures(WHITE) == 1
    assert_consistent(corner.board)
