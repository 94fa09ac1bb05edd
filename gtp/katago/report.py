"""Search results in the format of the analysis protocol.

Source: docs/Analysis_Engine.md of KataGo, "Responses". raw* values are missing, since they come
from a network. Hashes are missing, because Ogatak compares them with its own and complains.
"""

from typing import Any

from engine import (
    BLACK,
    WHITE,
    Game,
    MoveBelief,
    Ownership,
    SearchReport,
    format_vertex,
    parse_vertex,
)
from engine.go.symmetry import symmetries_of, transformed
from gtp.answers import by_row, deviations_from_top, lower_bound, moves_to_show
from gtp.katago.query import AnalysisRequest, Wanted

DIGITS = 6
MOVES = 1000  # all of any board


def response(
    task: AnalysisRequest, report: SearchReport, policy: dict[int, float], during: bool
) -> dict[str, Any]:
    """Return the answer about a position.

    policy  the ranking model's probability of each legal move, if requested
    during  whether the search is still running
    """
    game, wanted = task.game, task.wanted
    sign = perspective(wanted, task.color)
    mover = sign if task.color == BLACK else -sign
    best = report.moves[0]
    infos: list[dict[str, Any]] = []
    for move in moves_to_show(report, 1, MOVES):
        infos.append(_move_info(task, move, report, mover, sign))
        equals = move.equals if wanted.images else ()
        infos += [_image(game, infos[-1], point) for point in equals if point not in task.avoid]
    answer: dict[str, Any] = {
        "id": task.id,
        "isDuringSearch": during,
        "turnNumber": task.turn,
        "moveInfos": [{**info, "order": order} for order, info in enumerate(infos)],
        "rootInfo": {
            "currentPlayer": "B" if task.color == BLACK else "W",
            "visits": report.playouts,
            "weight": report.playouts,
            **_values(best, mover),
            "scoreSelfplay": _rounded(sign * report.margin),
            "scoreStdev": _rounded(report.posterior.deviation),
        },
    }
    if wanted.ownership or wanted.ownership_deviation:
        owners = report.owners()
        if wanted.ownership:
            answer["ownership"] = _owners(game, owners, sign)
        if wanted.ownership_deviation:
            answer["ownershipStdev"] = deviations_from_top(game, owners)
    if wanted.policy:
        answer["policy"] = [_rounded(policy.get(point, -1.0)) for point in by_row(game.size)]
        # A pass is always legal, but never a candidate of the ranking model.
        answer["policy"].append(0.0 if policy else 1.0)
    return answer


def no_results(query_id: str, turn: int) -> dict[str, Any]:
    """Return the answer about a position whose search never began."""
    return {"id": query_id, "isDuringSearch": False, "noResults": True, "turnNumber": turn}


def perspective(wanted: Wanted, color: int) -> float:
    """Return 1 if values are from Black's view, -1 if from White's."""
    side = {"black": BLACK, "white": WHITE}.get(wanted.perspective, color)
    return 1.0 if side == BLACK else -1.0


def _move_info(
    task: AnalysisRequest, move: MoveBelief, report: SearchReport, mover: float, sign: float
) -> dict[str, Any]:
    """Return the values of one move.

    mover  1 if values are from the mover's view, -1 if from the opponent's
    sign   1 if they are from Black's view, -1 if from White's
    """
    game, wanted = task.game, task.wanted
    line = move.line[: 1 + wanted.line_moves]
    info: dict[str, Any] = {
        "move": format_vertex(move.point),
        "visits": move.playouts,
        "edgeVisits": move.playouts,
        "weight": move.playouts,
        "edgeWeight": move.playouts,
        "playSelectionValue": _rounded(move.weight),
        "prior": _rounded(move.prior),
        **_values(move, mover),
        # scoreSelfplay is the roll-outs' own mean, since roll-outs play positions out here.
        "scoreSelfplay": _rounded(mover * move.won_by),
        "scoreStdev": _rounded(report.posterior.deviation),
        "pv": [format_vertex(point) for point in line],
    }
    if wanted.line_visits:
        visits = list(move.line_visits[: len(line)])
        # Both are equal: in a tree no two lines transpose.
        info["pvVisits"] = info["pvEdgeVisits"] = visits
    owners = None
    if wanted.moves_ownership or wanted.moves_ownership_deviation:
        owners = report.owners_after(move, task.color)
    if wanted.moves_ownership and owners is not None:
        info["ownership"] = _owners(game, owners, sign)
    if wanted.moves_ownership_deviation and owners is not None:
        info["ownershipStdev"] = deviations_from_top(game, owners)
    return info


def _image(game: Game, info: dict[str, Any], point: int) -> dict[str, Any]:
    """Return the values of a move for its mirror image at a point, as KataGo copies them."""
    size, move = game.size, parse_vertex(info["move"], game.size)
    turn = next(s for s in symmetries_of(game) if transformed(move, size, s) == point)
    line = (transformed(parse_vertex(vertex, size), size, turn) for vertex in info["pv"])
    image = {**info, "move": format_vertex(point), "isSymmetryOf": info["move"]}
    image["pv"] = [format_vertex(at) for at in line]
    rows = by_row(size)
    for name in {"ownership", "ownershipStdev"} & info.keys():
        turned = dict(zip((transformed(at, size, turn) for at in rows), info[name], strict=True))
        image[name] = [turned[at] for at in rows]
    return image


def _values(move: MoveBelief, mover: float) -> dict[str, float]:
    """Return a move's values. A lower bound for the mover is an upper bound for the opponent."""
    rate, bound = move.win_rate, lower_bound(move)
    lead = _rounded(mover * move.margin)
    return {
        "winrate": _rounded(rate if mover > 0 else 1.0 - rate),
        "lcb": _rounded(bound if mover > 0 else 1.0 - bound),
        "utility": _rounded(mover * (2.0 * rate - 1.0)),
        "utilityLcb": _rounded(mover * (2.0 * bound - 1.0)),
        "scoreLead": lead,
        "scoreMean": lead,
    }


def _owners(game: Game, ownership: Ownership, sign: float) -> list[float]:
    return [_rounded(sign * float(ownership[point])) for point in by_row(game.size)]


def _rounded(value: float) -> float:
    return round(value, DIGITS)
