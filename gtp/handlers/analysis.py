"""Streaming analysis: lz-analyze, kata-analyze, and genmove commands with the same lines.

One line holds all candidates, the best first: ``info move D4 visits 8 ... pv D4 E5 info move ...``.
Its readers (Sabaki, Lizzie, the CGOS client) dictate the form. Before ``pv`` there are only pairs
of words. ``pv`` is last and never empty. Everything else follows the last candidate. lz-* commands
print whole numbers (ten-thousandths), kata-* commands fractions. All values are from the view of
the side to move.

``analyze`` and ``genmove_analyze`` are other names of the kata-* commands. They are accepted but
not listed: Sabaki would prefer them and expect whole numbers, where KataGo prints fractions.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from engine import PASS, Game, MoveBelief, Ownership, SearchReport, board_points, format_vertex
from gtp import arguments
from gtp.answers import (
    LINE_MOVES,
    deviations_from_top,
    lower_bound,
    moves_to_show,
    owners_from_top,
    variation,
)
from gtp.kinds import SWITCH
from gtp.protocol import Command, FormError
from gtp.session import Session, SessionHandler


class AnalysisDefaults(NamedTuple):
    """Values of a command of analysis that names none."""

    centisecond: float = 0.01
    # Sabaki asks for this number.
    default_interval_seconds: float = 0.5
    min_interval_seconds: float = 0.05  # new results are rarely more frequent
    usual_moves: int = 50  # candidates on a line when the command gives no number


INTERVALS = AnalysisDefaults()

# Optional values by their word in lower case. Only kata-* commands know them.
SWITCHES = {
    word.lower(): word
    for word in (
        "rootInfo", "ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev",
        "pvVisits", "pvEdgeVisits",
    )
}  # fmt: skip

_OPTION = re.compile(r"[a-z][a-z_-]*")


class AnalyzeArguments(NamedTuple):
    """The arguments of an analysis command.

    least, most  numbers of candidates to list
    """

    color: int
    interval: float  # seconds between two lines
    least: int
    most: int
    avoid: frozenset[int]  # moves of the color that the search excludes
    extras: frozenset[str] = frozenset()  # further values to print, words of SWITCHES


def read_request(session: Session, command: Command, flags: bool) -> AnalyzeArguments:
    """Read color, interval and options, in any order. All may be missing.

    Unknown options are skipped with their values, since clients ask for those of other engines,
    such as KataGo's noResultValue.
    flags  whether SWITCHES are accepted
    """
    # The list is reversed, so that the next word is at its end.
    size, words = session.game.size, list(reversed(command.arguments))
    color, interval = session.game.to_play, INTERVALS.default_interval_seconds
    limits = {"minmoves": 0, "maxmoves": 0}
    extras: dict[str, bool] = {}
    restrictions: list[tuple[bool, int, set[int]]] = []
    while words:
        word = words.pop().lower()
        if word in ("b", "w", "black", "white"):
            color = arguments.color(word)
        elif word == "interval":
            interval = _interval(_value(words))
        elif word in limits:
            limits[word] = _at_least_one(_value(words))
        elif word in ("avoid", "allow"):
            whose, texts = arguments.color(_value(words)), _value(words).split(",")
            points = {arguments.vertex(text, size) for text in texts}
            _at_least_one(_value(words))  # untilDepth: only the first move counts here
            restrictions.append((word == "allow", whose, points))
        elif flags and word in SWITCHES:
            extras[SWITCHES[word]] = SWITCH.read(_value(words))
        # All options of Leela Zero and KataGo except avoid and allow have one value.
        elif _OPTION.fullmatch(word):
            _value(words)
        else:
            interval = _interval(word)
    # The color is known only now: it may come after the restrictions.
    everything = {*board_points(size), PASS}
    own = [(allow, points) for allow, whose, points in restrictions if whose == color]
    avoid = {point for allow, points in own if not allow for point in points}
    # Several lists of allowed moves allow the moves of each, as in Leela Zero.
    if any(allow for allow, _ in own):
        avoid |= everything.difference(*(points for allow, points in own if allow))
    most = limits["maxmoves"] or max(INTERVALS.usual_moves, limits["minmoves"])
    return AnalyzeArguments(
        color=color,
        interval=interval,
        least=limits["minmoves"],
        most=most,
        avoid=frozenset(avoid),
        extras=frozenset(word for word, wanted in extras.items() if wanted),
    )


def _value(words: list[str]) -> str:
    if not words:
        raise FormError
    return words.pop()


def _interval(text: str) -> float:
    centiseconds = arguments.decimal(text)
    if centiseconds < 0:
        raise FormError
    return max(centiseconds * INTERVALS.centisecond, INTERVALS.min_interval_seconds)


def _at_least_one(text: str) -> int:
    number = arguments.integer(text)
    if number < 1:
        raise FormError
    return number


# -- writing ----------------------------------------------------------------------------------


def lz_line(game: Game, request: AnalyzeArguments, report: SearchReport) -> str:
    """Write a report as Leela Zero does."""
    return " ".join(
        f"info move {format_vertex(move.point)} visits {move.playouts}"
        f" winrate {_whole(move.win_rate)} prior {_whole(move.prior)}"
        f" lcb {_whole(lower_bound(move))} order {order} pv {variation(move)}"
        for order, move in enumerate(moves_to_show(report, request.least, request.most))
    )


def kata_line(game: Game, request: AnalyzeArguments, report: SearchReport) -> str:
    """Write a report as KataGo does; ``rootInfo`` and ``ownership`` come last."""
    words = [
        f"info move {format_vertex(move.point)} visits {move.playouts} {_kata_values(move)}"
        f" prior {move.prior:.6f} lcb {lower_bound(move):.6f} weight {move.playouts}"
        f" order {order} pv {variation(move)}{_extras(game, request, report, move)}"
        for order, move in enumerate(moves_to_show(report, request.least, request.most))
    ]
    # This comes after the last pv, and only on request. Sabaki drops the moves of a segment that
    # has anything after its pv. CGOS's client would read this as part of the pv. Neither asks for
    # it.
    if "rootInfo" in request.extras:
        words.append(
            f"rootInfo visits {report.playouts} {_kata_values(report.moves[0])}"
            f" scoreStdev {report.posterior.deviation:.4f} weight {report.playouts}"
        )
    # This comes last, where CGOS's client looks for it.
    return " ".join(words) + _owners(game, request, report.owners, "ownership")


def _extras(game: Game, request: AnalyzeArguments, report: SearchReport, move: MoveBelief) -> str:
    """Return the optional values of a move after its variation, with a leading blank."""
    visits = " ".join(str(count) for count in move.line_visits[:LINE_MOVES])
    # Both numbers are equal: in a tree no two lines of play transpose.
    counts = "".join(f" {w} {visits}" for w in ("pvVisits", "pvEdgeVisits") if w in request.extras)
    after = partial(report.owners_after, move, request.color)
    return counts + _owners(game, request, after, "movesOwnership")


def _owners(
    game: Game, request: AnalyzeArguments, owners_of: Callable[[], Ownership | None], name: str
) -> str:
    """Return the requested ownership values and deviations under a name, as words.

    owners_of  computes Black's ownership; called only if it is requested; None: there is none
    """
    if request.extras.isdisjoint((name, f"{name}Stdev")) or (ownership := owners_of()) is None:
        return ""
    text = ""
    if name in request.extras:
        owners = owners_from_top(game, request.color, ownership)
        text += f" {name} " + " ".join(f"{owner:.4f}" for owner in owners)
    if f"{name}Stdev" in request.extras:
        deviations = deviations_from_top(game, ownership)
        text += f" {name}Stdev " + " ".join(f"{deviation:.4f}" for deviation in deviations)
    return text


def _kata_values(move: MoveBelief) -> str:
    return (
        # scoreMean is the older name of scoreLead. Some clients still read it.
        f"winrate {move.win_rate:.6f} utility {2 * move.win_rate - 1:.6f}"
        f" scoreLead {move.margin:.4f} scoreMean {move.margin:.4f}"
    )


def _whole(share: float) -> int:
    # Sabaki recognizes fractions by the command's name, older versions by a decimal point. Numbers
    # here therefore never have one, and those of kata-* always do.
    return round(share * 10000)


# -- commands ---------------------------------------------------------------------------------

LineWriter = Callable[[Game, AnalyzeArguments, SearchReport], str]


def lz_analyze(session: Session, command: Command) -> Iterator[str]:
    """Analyze until any input comes: ``[color] [centiseconds] [option value]...``."""
    return _analyze(session, command, read_request(session, command, flags=False), lz_line)


def kata_analyze(session: Session, command: Command) -> Iterator[str]:
    """Analyze as lz-analyze does, with scores and, on request, ownership."""
    return _analyze(session, command, read_request(session, command, flags=True), kata_line)


def lz_genmove_analyze(session: Session, command: Command) -> Iterator[str]:
    """Analyze, then choose and play a move. The last line is ``play`` and the move."""
    return _genmove(session, command, read_request(session, command, flags=False), lz_line)


def kata_genmove_analyze(session: Session, command: Command) -> Iterator[str]:
    """Do as lz-genmove_analyze, in the format of kata-analyze."""
    return _genmove(session, command, read_request(session, command, flags=True), kata_line)


def _analyze(
    session: Session, command: Command, request: AnalyzeArguments, write: LineWriter
) -> Iterator[str]:
    for report in session.analyze(request.color, command, request.interval, request.avoid):
        yield write(session.game, request, report)


def _genmove(
    session: Session, command: Command, request: AnalyzeArguments, write: LineWriter
) -> Iterator[str]:
    # Input does not end this search, unlike an analysis: clients send commands ahead and want the
    # move.
    thoughts = session.thoughts(
        request.color, command, interval=request.interval, avoid=request.avoid
    )
    for report in thoughts:
        yield write(session.game, request, report)
    yield f"play {session.play_generated()}"


# Accepted but not listed by list_commands, see the module's docstring.
UNLISTED_ANALYSES = ("analyze", "genmove_analyze")

ANALYSIS: dict[str, SessionHandler] = {
    "analyze": kata_analyze,
    "genmove_analyze": kata_genmove_analyze,
    "lz-analyze": lz_analyze,
    "kata-analyze": kata_analyze,
    "lz-genmove_analyze": lz_genmove_analyze,
    "kata-genmove_analyze": kata_genmove_analyze,
}
