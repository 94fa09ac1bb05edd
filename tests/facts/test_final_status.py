"""Final status and score of the positions in ``final_positions``, under three rule sets."""

from itertools import product

import pytest

from engine import BLACK, RULESETS, WHITE, Player, PlayerOptions
from engine.facts.final_status import FinalStatus, status_of
from engine.facts.group_prover import LONG_READING
from engine.facts.position_facts import Facts
from engine.facts.survey import survey_of, with_proofs
from engine.go.geometry import PASS, to_column_row, to_point
from engine.jit import JIT_ENABLED
from tests.diagrams import game_of, points_marked, rows_of, stones_of
from tests.final_positions import POSITIONS, FinalPosition, Verdict
from tests.reference.protection import points_to_fill
from tests.reference.scoring import area_score, territory_score
from tests.symmetries import transform

pytestmark = pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
CASES = [
    pytest.param(position, rules, id=f"{position.name}, {rules}")
    for position in POSITIONS
    for rules in ("japanese", "chinese", "aga")
    if rules == "japanese" or position.area is not None
]
SWAPPED = str.maketrans("XOxo", "OXox")


def verdict_of(position: FinalPosition, rules: str) -> Verdict:
    verdict = position.territory if rules == "japanese" else position.area
    assert verdict is not None
    return verdict


def player() -> Player:
    return Player(PlayerOptions(threads=1, seed=1))


def turned(diagram: str, symmetry: int) -> str:
    """Return a diagram as seen in one of the eight symmetries of the board."""
    rows = rows_of(diagram)
    size = len(rows)
    turned_rows = [[""] * size for _ in rows]
    for row, line in enumerate(rows, 1):
        for column, mark in enumerate(line, 1):
            point = transform(to_point(column, row), size, symmetry)
            new_column, new_row = to_column_row(point)
            turned_rows[new_row - 1][new_column - 1] = mark
    return "\n".join("".join(line) for line in reversed(turned_rows))


def words(status: FinalStatus, stones: list[int]) -> set[str]:
    """Return the status of some stones."""
    dead, seki = status.dead_stones(), status.seki_stones()
    return {"dead" if p in dead else "seki" if p in seki else "alive" for p in stones}


def check(diagram: str, verdict: Verdict, rules: str, to_play: int) -> None:
    """Assert that the chains and the margin of a position are counted right."""
    game = game_of(diagram, to_play, RULESETS[rules])
    status = player().status(game)
    others = points_marked(diagram, "X") + points_marked(diagram, "O")
    assert "dead" not in words(status, others)
    for mark, right in (("x", verdict.black), ("o", verdict.white)):
        found = words(status, points_marked(diagram, mark))
        if right == "lives":
            assert "dead" not in found, mark
        elif found:
            assert found == {right}, mark
    assert player().final_score(game) == verdict.margin


@pytest.mark.parametrize(("position", "rules"), CASES)
def test_the_table_is_counted_right(position, rules):
    """The margins in the table follow from the statuses in it, by the slow twin."""
    verdict = verdict_of(position, rules)
    game = game_of(position.diagram)
    marked = {
        status: {
            to_column_row(point)
            for mark, right in (("x", verdict.black), ("o", verdict.white))
            if right == status
            for point in points_marked(position.diagram, mark)
        }
        for status in ("dead", "seki")
    }
    if rules == "japanese":
        stones = stones_of(game)
        margin = territory_score(stones, game.size, (0, 0), marked["dead"], marked["seki"])
        to_fill = points_to_fill(stones, game.size, marked["dead"], marked["seki"])
        margin -= len(to_fill[BLACK]) - len(to_fill[WHITE])
    else:
        margin = area_score(stones_of(game), game.size, marked["dead"])
    assert margin == verdict.margin


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
@pytest.mark.parametrize(("position", "rules"), CASES)
def test_final_status(position, rules, to_play):
    check(position.diagram, verdict_of(position, rules), rules, to_play)


# Every run takes two turns of a case, other ones in the next case. AGA rules count area as Chinese
# do.
TURNS = list(product(range(8), (False, True)))
TURNED = [
    pytest.param(
        *case.values,
        *turn,
        id=f"{case.id}-{turn[0]}-{turn[1]}",
        marks=() if (3 * number + at) % 8 == 0 and case.values[1] != "aga" else pytest.mark.long,
    )
    for number, case in enumerate(CASES)
    for at, turn in enumerate(TURNS)
]


@pytest.mark.parametrize(("position", "rules", "symmetry", "swap"), TURNED)
def test_the_verdict_turns_with_the_board(position, rules, symmetry, swap):
    verdict = verdict_of(position, rules)
    diagram = turned(position.diagram, symmetry)
    if swap:
        diagram = diagram.translate(SWAPPED)
        verdict = Verdict(-verdict.margin, verdict.white, verdict.black)
    check(diagram, verdict, rules, WHITE if swap else BLACK)


@pytest.mark.parametrize("position", [p for p in POSITIONS if p.area is not None][::3])
def test_pass_stones_change_no_margin_under_aga_rules(position):
    """Each pass hands over a stone, and White passes last (A: rules 7 and 12)."""
    assert position.area is not None
    for to_play in (BLACK, WHITE):
        game = game_of(position.diagram, to_play, RULESETS["aga"])
        given = {BLACK: 0, WHITE: 0}
        while game.passes < 2 or game.to_play == WHITE:
            given[game.to_play] += 1
            game.play(game.to_play, PASS)
            assert player().final_score(game) == position.area.margin
        assert game.moves[-1].color == WHITE
        assert given[WHITE] - given[BLACK] == (to_play == WHITE)


def walls(black: int, white: int, gaps: int = 0) -> str:
    """Return two walls on 9x9, in some columns; at the top they leave some gaps of two columns."""
    rows = []
    for row in range(9):
        right = white if row >= gaps else black + 3
        stones = {black: "X", right: "O"}
        rows.append("".join(stones.get(column, ".") for column in range(9)))
    return "\n".join(rows)


@pytest.mark.parametrize(
    ("diagram", "unfinished", "closed", "brief"),
    [
        (walls(3, 4), 0, True, False),
        (walls(3, 5), 0, True, False),  # dame
        (walls(3, 5, gaps=1), 2, True, False),
        (walls(3, 5, gaps=2), 4, False, False),
        (walls(3, 5, gaps=4), 8, False, False),
        (walls(3, 5, gaps=5), 10, False, True),
        (walls(2, 6), 27, False, True),
    ],
    ids=["no dame", "dame", "a gap", "two gaps", "four gaps", "five gaps", "wide open"],
)
def test_borders_are_closed_where_almost_all_dame_touch_both_colors(
    diagram, unfinished, closed, brief
):
    """While borders are wide open, a brief status does without proofs."""
    game, facts = game_of(diagram, BLACK, RULESETS["japanese"]), Facts()
    status = facts.status(game)
    assert (len(status.unfinished), status.closed) == (unfinished, closed)
    assert (facts.brief_status(game) is not status) == brief


@pytest.mark.parametrize("rules", ["japanese", "chinese"])
def test_by_area_borders_are_closed_where_owners_are_likely(rules):
    """Half of the roll-outs give the corner to White."""
    game = game_of(walls(3, 4), BLACK, RULESETS[rules])
    survey = with_proofs(game, survey_of(game), None, LONG_READING)
    assert status_of(survey, game.rules).closed
    survey.owned[to_point(1, 1)] = 0
    assert status_of(survey, game.rules).closed == (rules == "japanese")


def test_a_ko_beside_dead_stones_needs_no_move():
    """Black could take C3 at C4, but the stones that surround it are taken off."""
    diagram = """
        . O O O .
        O O . O O
        O x O x O
        O . x . O
        O O O O O"""
    game = game_of(diagram, WHITE, RULESETS["japanese"])
    status = player().status(game)
    assert status.dead_stones() == set(points_marked(diagram, "x"))
    assert status.moves_required(WHITE) == set()
    assert status._replace(dead=[]).moves_required(WHITE) == {to_point(3, 4)}
