"""Queries of the analysis protocol: their positions, and the errors in some."""

import json

import pytest

from engine import BLACK, PASS, RULESETS, WHITE, board_points, parse_vertex
from gtp.katago.fields import QueryError
from gtp.katago.query import Defaults, Warned, read_query

PLAIN = {"id": "q", "rules": "tromp-taylor", "boardXSize": 5, "boardYSize": 5, "moves": []}
TWO_MOVES = [["B", "C3"], ["W", "b2"]]


def read(**fields):
    query = {**PLAIN, **fields}
    found, warned = read_query(
        {name: value for name, value in query.items() if value is not ...}, Defaults()
    )
    return list(found.requests(found.turns)), warned


def only(**fields):
    tasks, warned = read(**fields)
    assert warned == []
    (task,) = tasks
    return task


def priorities(**fields):
    return read_query({**PLAIN, **fields}, Defaults())[0].turns


def points(text, size=5):
    return [parse_vertex(word, size) for word in text.split()]


def test_defaults_of_a_query():
    task = only()
    assert (task.id, task.turn, task.color) == ("q", 0, BLACK)
    assert priorities() == {0: 0}
    assert (task.visits, task.seconds, task.avoid) == (1000, float("inf"), frozenset())
    assert (task.game.komi, task.game.rules) == (7.5, RULESETS["tromp-taylor"])
    assert task.wanted.perspective == "black"
    assert task.wanted[2:] == (*[False] * 7, float("inf"), float("inf"))


@pytest.mark.parametrize(
    ("fields", "stones", "color", "handicap"),
    [
        ({"moves": TWO_MOVES}, "C3 | B2", BLACK, 0),
        ({"moves": [["w", "(0,0)"], ["B", "(4,1)"]]}, "E4 | A5", WHITE, 0),
        ({"moves": [["B", "pass"]]}, "|", WHITE, 0),
        ({"initialStones": [["B", "A1"]]}, "A1 |", BLACK, 0),
        ({"initialStones": [["B", "A1"], ["B", "E5"]]}, "A1 E5 |", WHITE, 2),
        ({"initialStones": [["B", "A1"], ["W", "E5"], ["B", "B1"]]}, "A1 B1 | E5", BLACK, 0),
        ({"initialStones": [["B", "A1"]], "initialPlayer": "W"}, "A1 |", WHITE, 0),
        ({"moves": [["B", "A1"], ["B", "B1"], ["W", "E5"]]}, "A1 B1 | E5", BLACK, 2),
        ({"moves": [["B", "A1"], ["W", "pass"], ["B", "B1"], ["W", "E5"]]}, "A1 B1 | E5", BLACK, 2),
    ],
)
def test_positions(fields, stones, color, handicap):
    task = only(**fields)
    black, white = stones.split("|")
    assert task.game.stones(BLACK) == sorted(points(black))
    assert task.game.stones(WHITE) == sorted(points(white))
    assert (task.color, task.game.to_play, task.game.handicap) == (color, color, handicap)


def test_turns():
    asked = {"moves": TWO_MOVES, "analyzeTurns": [2, 0, 2], "priorities": [5, 6, 7]}
    tasks, _ = read(**asked)
    assert [(t.turn, len(t.game.moves), t.color) for t in tasks] == [(0, 0, BLACK), (2, 2, BLACK)]
    assert priorities(**asked) == {0: 6, 2: 7}
    assert [task.turn for task in read(moves=TWO_MOVES)[0]] == [2]
    assert priorities(priority=-3) == {0: -3}


@pytest.mark.parametrize(
    ("rules", "fields", "full_komi"),
    [
        ("Chinese", {}, 9.5),
        ("japanese", {}, 6.5),
        ("japanese", {"whiteHandicapBonus": "N-1"}, 7.5),
        ({"scoring": "AREA", "whiteHandicapBonus": "N"}, {"komi": -3}, -1.0),
        ("aga", {"komi": 0.5, "whiteHandicapBonus": "0"}, 0.5),
    ],
)
def test_rules_and_komi(rules, fields, full_komi):
    stones = [["B", "A1"], ["B", "E5"]]
    assert only(rules=rules, initialStones=stones, **fields).game.full_komi == full_komi


def test_avoided_and_allowed_moves():
    everything = frozenset([*board_points(5), PASS])
    limits = [
        {"player": "B", "moves": ["A1", "pass"], "untilDepth": 1},
        {"player": "W", "moves": ["C3"], "untilDepth": 1},
        {"player": "b", "moves": ["B1"], "untilDepth": 1},
    ]
    assert only(avoidMoves=limits).avoid == frozenset([*points("A1 B1"), PASS])
    assert only(avoidMoves=limits, initialPlayer="W").avoid == frozenset(points("C3"))
    assert only(allowMoves=limits[:2]).avoid == everything - frozenset([*points("A1"), PASS])
    _, warned = read(avoidMoves=[{**limits[0], "untilDepth": 7}, {**limits[1], "untilDepth": 2}])
    assert [warning.field for warning in warned] == ["avoidMoves"]


def test_supported_settings():
    settings = {"maxVisits": "70", "maxPlayouts": 60.0, "maxTime": 2.5}
    task = only(overrideSettings={**settings, "reportAnalysisWinratesAs": "SIDETOMOVE"})
    assert (task.visits, task.seconds) == (60, 2.5)
    assert task.wanted.perspective == "sidetomove"
    for value in (True, "true"):
        assert only(overrideSettings={"rootSymmetryPruning": value}).wanted.images
    assert not only(overrideSettings={"rootSymmetryPruning": "false"}).wanted.images
    assert only(overrideSettings=settings, maxVisits=9).visits == 9


def test_report_options():
    task = only(
        includeOwnership=True,
        includePolicy=True,
        includePVVisits=True,
        analysisPVLen=3,
        reportDuringSearchEvery=0.5,
        firstReportDuringSearchAfter=0.05,
    )
    wanted = task.wanted
    assert (wanted.ownership, wanted.policy, wanted.line_visits, wanted.moves_ownership) == (
        True,
        True,
        True,
        False,
    )
    assert (wanted.line_moves, wanted.every, wanted.first) == (3, 0.5, 0.05)
    assert only(reportDuringSearchEvery=0.5).wanted.first == 0.5


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"overrideSettings": {"wideRootNoise": 0.04, "x": None}}, "overrideSettings"),
        ({"rootPolicyTemperature": 1.2}, "rootPolicyTemperature"),
        ({"maxvisits": 5}, "maxvisits"),
        ({"rules": "stone_scoring"}, "rules"),
    ],
)
def test_warnings(fields, field):
    tasks, warned = read(**fields)
    assert len(tasks) == 1
    assert [warning.field for warning in warned] == ([] if field is None else [field])
    assert all(isinstance(warning, Warned) and warning.message for warning in warned)


MOVES = {"player": "B", "moves": ["A1"], "untilDepth": 1}


@pytest.mark.parametrize(
    ("fields", "field", "message"),
    [
        ({"boardXSize": ...}, "boardXSize", "Must provide an integer from 2 to 25"),
        ({"boardYSize": 29}, "boardYSize", "Must be an integer from 2 to 25"),
        ({"boardYSize": 5.0}, "boardYSize", "integer"),
        ({"boardXSize": True}, "boardXSize", "integer"),
        ({"boardXSize": 9}, "boardYSize", "square"),
        ({"moves": ...}, "moves", "Must specify"),
        ({"moves": "C3"}, "moves", "pairs"),
        ({"moves": [["B"]]}, "moves", "pairs"),
        ({"moves": [["B", 3]]}, "moves", "GTP board vertices"),
        ({"moves": [["X", "A1"]]}, "moves", "Could not parse player: X"),
        ({"moves": [["B", "A6"]]}, "moves", "Could not parse board location: A6"),
        ({"moves": [["B", "(5,0)"]]}, "moves", "Could not parse board location"),
        ({"moves": [["B", "A1"], ["W", "A1"]]}, "moves", "Illegal move 1: A1"),
        ({"initialStones": [["B", "pass"]]}, "initialStones", "pass"),
        ({"initialStones": [["B", "A1"], ["W", "A1"]]}, "initialStones", "A1 is named twice"),
        ({"overrideSettings": {"maxTime": 1e30}}, "overrideSettings", "0 to 100,000,000,000,"),
        ({"initialStones": [["B", f] for f in ("A2", "B1")] + [["W", "A1"]]}, "initialStones", ""),
        ({"initialPlayer": "X"}, "initialPlayer", 'Must be "b" or "w"'),
        ({"initialPlayer": 1}, "initialPlayer", 'Must be "b" or "w"'),
        ({"analyzeTurns": 0}, "analyzeTurns", "array of integers"),
        ({"analyzeTurns": []}, "analyzeTurns", "at least one"),
        ({"analyzeTurns": [1]}, "analyzeTurns", "Invalid turn number: 1"),
        ({"priorities": [1]}, "priorities", "analyzeTurns"),
        ({"priorities": [1, 2], "analyzeTurns": [0]}, "priorities", "length"),
        ({"priorities": [1], "analyzeTurns": [0], "priority": 1}, "priority", "both"),
        ({"priority": 2**62}, "priority", "integer"),
        ({"rules": ...}, "rules", "Must specify"),
        ({"rules": "chess"}, "rules", "chess"),
        ({"rules": 7}, "rules", "Must be rules"),
        ({"rules": {"ko": "no"}}, "rules", "ko"),
        ({"komi": 6.75}, "komi", "half-integer"),
        ({"komi": 401}, "komi", "-400 to 400"),
        ({"komi": "7.5"}, "komi", "number"),
        ({"whiteHandicapBonus": 0}, "whiteHandicapBonus", "must be one of"),
        ({"overrideSettings": []}, "overrideSettings", "object"),
        ({"overrideSettings": {"maxVisits": "many"}}, "overrideSettings", "maxVisits"),
        ({"overrideSettings": {"reportAnalysisWinratesAs": "X"}}, "overrideSettings", "report"),
        ({"overrideSettings": {"rootSymmetryPruning": 2}}, "overrideSettings", "rootSymm"),
        ({"maxVisits": 0}, "maxVisits", "integer"),
        ({"analysisPVLen": 0}, "analysisPVLen", "integer"),
        ({"includePolicy": 1}, "includePolicy", "Must be a boolean"),
        ({"reportDuringSearchEvery": 0}, "reportDuringSearchEvery", "number"),
        ({"avoidMoves": {}}, "avoidMoves", "list of dicts"),
        ({"avoidMoves": [{"player": "B"}]}, "avoidMoves", "list of dicts"),
        ({"avoidMoves": [{**MOVES, "moves": "A1"}]}, "avoidMoves", "vertices"),
        ({"avoidMoves": [{**MOVES, "untilDepth": 0}]}, "avoidMoves", "integer"),
        ({"avoidMoves": [MOVES], "allowMoves": [MOVES]}, "allowMoves", "both"),
        ({"allowMoves": [MOVES, MOVES]}, "allowMoves", "same player"),
    ],
)
def test_errors(fields, field, message):
    with pytest.raises(QueryError) as caught:
        read(**fields)
    assert caught.value.field == field
    assert message in str(caught.value)


def test_queries_as_json_writes_them():
    text = json.dumps({**PLAIN, "moves": [("B", "C3")]})
    query, _ = read_query(json.loads(text), Defaults(visits=7, perspective="white"))
    assert (query.visits, query.wanted.perspective) == (7, "white")
