"""A search's findings in the protocol's terms: the side of the values, and optional fields."""

import json
import math

import numpy as np
import pytest

from engine import BLACK, PASS, WHITE, Game, MoveBelief, SearchReport, parse_vertex
from engine.belief.posterior import Posterior
from gtp.katago.query import AnalysisRequest, Wanted
from gtp.katago.report import no_results, response
from tests.belief.test_posterior import evidence

A2, B2, B1 = (parse_vertex(vertex, 2) for vertex in ("A2", "B2", "B1"))


def belief(point, playouts, win_rate, margin, *line):
    return MoveBelief(
        point, playouts, 0.9, 9.0, win_rate, 0.01, 0.0, 1.0, margin, 0.25, (point, *line),
        line_visits=(playouts, *range(5, 5 - len(line), -1)), weight=2.5 * playouts,
    )  # fmt: skip


OWNERS = np.zeros(2000)
OWNERS[[A2, B1]] = [1.0, -0.6]
REPORT = SearchReport(
    (belief(B2, 30, 0.61, 1.5, A2, PASS), belief(PASS, 8, 0.5, -2.0), belief(A2, 0, 0.5, 0.0)),
    38,
    Posterior(1.5, 5.4, 9.0),
    1.25,
    3.5,
    OWNERS,
    {B2: -OWNERS},
)


def answer(color=BLACK, chances=None, during=False, report=REPORT, **wanted):
    wanted = Wanted(**{"perspective": "black", "line_moves": 15, **wanted})
    task = AnalysisRequest("q", 3, Game(2), color, frozenset(), 40, 1.0, wanted)
    found = response(task, report, chances or {}, during)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    return found


def test_all_of_an_answer():
    values = {
        "winrate": 0.61,
        "lcb": 0.593551,
        "utility": 0.22,
        "utilityLcb": 0.187102,
        "scoreLead": 1.5,
        "scoreMean": 1.5,
    }
    found = answer()
    assert found.keys() == {"id", "isDuringSearch", "turnNumber", "moveInfos", "rootInfo"}
    assert (found["id"], found["isDuringSearch"], found["turnNumber"]) == ("q", False, 3)
    assert found["rootInfo"] == {
        "currentPlayer": "B",
        "visits": 38,
        "weight": 38,
        "scoreSelfplay": 1.25,
        "scoreStdev": 5.4,
        **values,
    }
    first, second = found["moveInfos"]  # untried moves are missing
    assert first == {
        "move": "B2",
        "order": 0,
        "prior": 0.25,
        "scoreSelfplay": 9.0,
        "scoreStdev": 5.4,
        "pv": ["B2", "A2", "pass"],
        "playSelectionValue": 75.0,
        **dict.fromkeys(["visits", "edgeVisits", "weight", "edgeWeight"], 30),
        **values,
    }
    assert (second["move"], second["order"], second["pv"]) == ("pass", 1, ["pass"])


@pytest.mark.parametrize("perspective", ["black", "white", "sidetomove"])
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_the_side_of_the_values(color, perspective):
    """A report's moves are the mover's, its margin and owners Black's."""
    found = answer(color, perspective=perspective, ownership=True, moves_ownership=True)
    side = {"black": BLACK, "white": WHITE}.get(perspective, color)
    first, root = found["moveInfos"][0], found["rootInfo"]
    own = side == color
    for values in (first, root):
        assert values["winrate"] == pytest.approx(0.61 if own else 0.39)
        assert values["lcb"] == pytest.approx(0.593551 if own else 1 - 0.593551)
        assert values["scoreLead"] == (1.5 if own else -1.5)
        assert values["utility"] == pytest.approx(0.22 if own else -0.22)
    black = 1 if side == BLACK else -1
    assert root["scoreSelfplay"] == 1.25 * black
    assert root["currentPlayer"] == "?BW"[color]
    assert found["ownership"] == [black * 1.0, 0.0, 0.0, black * -0.6]
    assert first["ownership"] == [black * -1.0, 0.0, 0.0, black * 0.6]


def test_the_sum_of_owners_is_the_lead():
    """Roll-outs see 0.4 points where the posterior sees a lead of 1.5 and komi of 0.5."""
    searched = REPORT._replace(evidence=evidence(size=2, komi=0.5))
    for perspective, side in (("black", 1.0), ("white", -1.0)):
        wanted = {"ownership": True, "moves_ownership": True, "perspective": perspective}
        found = answer(report=searched, **wanted)
        first = found["moveInfos"][0]
        assert sum(found["ownership"]) == pytest.approx(side * 2.0, abs=1e-5)
        assert sum(first["ownership"]) == pytest.approx(side * 2.0, abs=1e-5)
        assert first["scoreLead"] == found["rootInfo"]["scoreLead"] == side * 1.5
    white = answer(WHITE, report=searched, moves_ownership=True)["moveInfos"][0]
    assert sum(white["ownership"]) == pytest.approx(0.5 - 1.5, abs=1e-5)


def test_deviations_are_those_of_the_shown_owners():
    searched = REPORT._replace(evidence=evidence(size=2, komi=0.5))
    alone = answer(report=searched, ownership_deviation=True, moves_ownership_deviation=True)
    both = answer(report=searched, ownership=True, moves_ownership=True)
    for deviations, owners in ((alone, both), (alone["moveInfos"][0], both["moveInfos"][0])):
        expected = [math.sqrt(1.0 - owner**2) for owner in owners["ownership"]]
        assert deviations["ownershipStdev"] == pytest.approx(expected, abs=1e-3)
        assert "ownership" not in deviations


def test_fields_on_request():
    found = answer(
        line_moves=1,
        line_visits=True,
        ownership_deviation=True,
        moves_ownership=True,
        moves_ownership_deviation=True,
        during=True,
    )
    first, second = found["moveInfos"]
    assert found["isDuringSearch"] is True
    assert found["ownershipStdev"] == first["ownershipStdev"] == [0.0, 1.0, 1.0, 0.8]
    assert first["pv"] == ["B2", "A2"]
    assert first["pvVisits"] == first["pvEdgeVisits"] == [30, 5]
    # No roll-out went through it since the search took up the position.
    assert "ownership" not in second
    assert "ownership" not in found
    assert "policy" not in found


def test_policy():
    wanted = {"perspective": "white", "policy": True}
    assert answer(chances={A2: 0.75, B1: 0.25}, **wanted)["policy"] == [0.75, -1.0, -1.0, 0.25, 0.0]
    # Only a pass is legal.
    assert answer(**wanted)["policy"] == [-1.0, -1.0, -1.0, -1.0, 1.0]


def test_no_results():
    assert no_results("q", 3) == {
        "id": "q",
        "isDuringSearch": False,
        "noResults": True,
        "turnNumber": 3,
    }


def test_mirror_images_are_listed_only_where_pruning_by_symmetry_is_asked_for():
    a1 = parse_vertex("A1", 2)
    line = belief(A2, 30, 0.6, 1.5, B1)._replace(equals=(B1, B2, a1))
    report = REPORT._replace(moves=(line,), moves_ownership={A2: OWNERS})
    assert [info["move"] for info in answer(report=report)["moveInfos"]] == ["A2"]
    first, *images = answer(report=report, images=True, moves_ownership=True)["moveInfos"]
    assert [info["move"] for info in images] == ["B1", "B2", "A1"]
    assert [info["order"] for info in images] == [1, 2, 3]
    assert {info["isSymmetryOf"] for info in images} == {"A2"}
    assert "isSymmetryOf" not in first
    assert next(info["pv"] for info in images) == ["B1", "A2"]
    assert all(sum(info["ownership"]) == pytest.approx(sum(first["ownership"])) for info in images)
    rows = ("A2", "B2", "A1", "B1")
    owners = [dict(zip(rows, info["ownership"], strict=True)) for info in (first, *images)]
    played = [info["move"] for info in (first, *images)]
    assert len({owned[move] for owned, move in zip(owners, played, strict=True)}) == 1
    assert images[0]["winrate"] == first["winrate"]
