"""Fights on the board: regions, local play, and best moves against exhaustive play by the rules."""

import numpy as np

from engine import BLACK, EMPTY, WHITE, Game, format_vertex, parse_vertex, to_column_row
from engine.endings.local_play import MAX_POINTS, local_positions
from engine.endings.point_games import PointGame, Shapes
from engine.endings.regions import divide
from engine.endings.sums import Bound, LocalFight, SumAdvice, best_moves, play_out
from engine.go.geometry import AREA, board_points
from engine.jit import JIT_ENABLED
from scripts.play.endings import read_endings
from tests.diagrams import game_of, stones_of
from tests.reference import fights as slow

# Eyes of one point, and two fights: a single dame at D5; at E1 the side to move first also
# threatens.
TWO = """
    .XXOO.O
    XXXOOOO
    X.X.OO.
    XXXXOOO
    XXXOO.O
    XX.XOOO
    X.XX..O
"""


OPEN = "D5 E1 F1"


def judged(game: Game, open_vertices: str) -> np.ndarray:
    """Return ownership as roll-outs would judge it if only some points were open."""
    owned = np.zeros(AREA)
    opened = {parse_vertex(vertex, game.size) for vertex in open_vertices.split()}
    for point in board_points(game.size):
        color = game.color_at(point)
        near = {game.color_at(p) for p in (point + 1, point - 1, point + 26, point - 26)}
        if point in opened:
            continue
        if color == EMPTY:
            color = BLACK if BLACK in near else WHITE
        owned[point] = 1.0 if color == BLACK else -1.0
    return owned


def advice_for(game: Game, open_vertices: str, color: int) -> SumAdvice | None:
    shapes = Shapes(100_000)
    division = divide(game.board, judged(game, open_vertices), MAX_POINTS)
    if division is None:
        return None
    fights = [play_out(game.board, r, division.owners, shapes) for r in division.regions]
    found = [fight for fight in fights if fight is not None]
    if len(found) < len(fights):
        return None
    return best_moves(found, division.settled_margin(), color, shapes)


def same(game: PointGame, black_moves: dict[int, PointGame]) -> LocalFight:
    """Return a fight without a ko."""
    bound = Bound(game, {BLACK: black_moves, WHITE: {}})
    return LocalFight(bound, bound)


def vertices(points) -> list[str]:
    return sorted(format_vertex(point) for point in points)


def test_random_endings_against_exhaustive_search():
    """Every advice on random endings agrees with a search of the whole board."""
    advised = 0
    for ending in read_endings()[: 40 if JIT_ENABLED else 6]:
        game = ending.game()
        empty = [p for room in ending.rooms for p in room if game.color_at(p) == EMPTY]
        advice = advice_for(game, " ".join(map(format_vertex, empty)), ending.to_play)
        if advice is None:
            continue
        advised += 1
        # Komi makes the right moves win by half a point.
        best = ending.komi + (0.5 if ending.to_play == BLACK else -0.5)
        assert advice.margin == best, str(game)
        assert advice.moves <= ending.right, str(game)
    assert advised > (20 if JIT_ENABLED else 2)


def test_no_advice_when_no_fight_is_left():
    game = game_of(
        """
        .XOO.
        XXOOO
        XXO.O
        .XOOO
        XXO.O
        """
    )
    assert advice_for(game, "", BLACK) is None


def test_regions_are_cut_at_settled_stones():
    game = game_of(TWO)
    owned = judged(game, OPEN)
    division = divide(game.board, owned, 9)
    assert division is not None
    assert [vertices(region.points) for region in division.regions] == [["E1", "F1"], ["D5"]]
    assert division.settled_margin() == int(owned.sum())
    assert all(movers == (3,) * len(movers) for movers in (r.movers for r in division.regions))


def test_a_chain_that_is_not_safe_brings_its_liberties():
    game = game_of(TWO.replace("X.XX..O", "X.XX.XO"))
    owned = judged(game, "F1")
    owned[parse_vertex("E1", 7)] = -1.0
    division = divide(game.board, owned, 9)
    assert division is not None
    assert [vertices(region.points) for region in division.regions] == [["E1", "F1"]]
    tight = divide(game.board, owned, 1)  # too large, so it is not widened
    assert tight is not None
    assert tight.regions[0].points == division.regions[0].points


def test_settled_points_behind_an_open_one_are_played_on_while_there_is_room():
    game = game_of(TWO)
    owned = judged(game, OPEN)
    owned[parse_vertex("F1", 7)] = -1.0
    wide = divide(game.board, owned, 9)
    assert wide is not None
    assert vertices(wide.regions[0].points) == ["E1", "F1"]
    assert wide.regions[0].movers == (3, 3)
    owned[parse_vertex("D5", 7)] = 1.0  # settled: no longer a region of its own
    only = divide(game.board, owned, 9)
    assert only is not None
    assert [vertices(region.points) for region in only.regions] == [["E1", "F1"]]


def explore(game: Game, names: str, room: int = 1000, barred: int = WHITE):
    points = [parse_vertex(name, game.size) for name in names.split()]
    owners = np.zeros(AREA, np.uint8)
    for point in board_points(game.size):
        owners[point] = 0 if point in points else game.color_at(point)
    return local_positions(game.board, points, [3] * len(points), owners, barred, room)


def test_local_positions_of_a_dame():
    found = explore(game_of(TWO), "D5")
    assert found is not None
    assert found.codes.tolist() == [0, 1, 2]
    assert found.margins.tolist() == [0, 1, -1]  # as an empty point it borders both colors
    assert found.options[0].tolist() == [[1], [2]]
    assert not found.kos


def test_local_positions_are_those_of_the_slow_board():
    """All positions that the rules allow are found, each with all its moves."""
    game = game_of(TWO)
    points = [parse_vertex(v, 7) for v in OPEN.split()]
    found = explore(game, OPEN)
    assert found is not None
    met, waiting = set(), [stones_of(game)]
    while waiting:
        stones = waiting.pop()
        code = sum(stones.get(to_column_row(p), 0) * 3**i for i, p in enumerate(points))
        if code in met:
            continue
        met.add(code)
        number = found.codes.tolist().index(code)
        for color in (BLACK, WHITE):
            after = dict(slow.moves(stones, 7, color, [to_column_row(p) for p in points]))
            after.pop(None)
            played = {to_column_row(points[i]) for i in range(3)
                      if found.options[number, color - 1, i] >= 0}  # fmt: skip
            assert played == set(after)
            waiting += [dict(items) for items in after.values()]
    assert met == set(found.codes.tolist())


def test_local_play_stops_where_it_leaves_the_region():
    game = game_of(
        """
        XXXXX
        XXOXX
        XO.OX
        XXOXX
        XXX.X
        """
    )
    # Black at C3 captures four stones that are not in the region.
    assert explore(game, "C3") is None


def test_local_play_is_bounded():
    game = game_of("....\n....\n....\n....")
    assert explore(game, "A1 B1 C1 D1 A2", room=20) is None


def test_a_ko_that_matters_is_left_alone():
    ko = game_of(
        """
        .XXOO.O
        XXXXOOO
        X.X.XO.
        XXXXOOO
        XXXOO.O
        XX.XOOO
        X.XX..O
        """
    )
    found = explore(ko, "D5 E5")
    assert found is not None
    assert found.kos
    for color in (BLACK, WHITE):
        assert advice_for(ko, "D5 E5 E1 F1", color) is None


def test_worth_is_the_gain_over_moving_second():
    shapes = Shapes(1000)
    small = shapes.game({PointGame(0, 1)}, {PointGame(0, -1)}, 0)
    large = shapes.game({PointGame(0, 3)}, {PointGame(0, -3)}, 0)
    found = [same(small, {40: PointGame(0, 1)}), same(large, {80: PointGame(0, 3)})]
    advice = best_moves(found, 10, BLACK, shapes)
    assert advice == SumAdvice(frozenset({80}), 12, 4, 2)


def test_fights_that_hang_on_a_ko_give_no_advice():
    shapes = Shapes(1000)
    sure = shapes.game({PointGame(0, 2)}, {PointGame(0, 0)}, 0)
    low = shapes.game({PointGame(0, 0)}, {PointGame(0, -1)}, 0)
    high = shapes.game({PointGame(0, 9)}, {PointGame(0, -1)}, 0)
    plain = same(sure, {40: PointGame(0, 2)})
    ko = LocalFight(Bound(low, {BLACK: {80: PointGame(0, 0)}, WHITE: {}}),
               Bound(high, {BLACK: {80: PointGame(0, 9)}, WHITE: {}}))  # fmt: skip
    assert best_moves([plain, ko], 0, BLACK, shapes) is None
    mild = LocalFight(ko.lower, Bound(low, {BLACK: {80: PointGame(0, 1)}, WHITE: {}}))
    advice = best_moves([plain, mild], 0, BLACK, shapes)
    assert advice is not None
    assert advice.moves == {40}
