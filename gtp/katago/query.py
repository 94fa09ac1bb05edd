"""Parser of the analysis protocol's queries: the positions, search limits and requested values.

Source: docs/Analysis_Engine.md of KataGo, "Queries". Clients compare parts of errors ("Illegal
move"), so errors that they read have KataGo's wording.
"""

import json
import math
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine import (
    BLACK,
    MAX_SIZE,
    MIN_SIZE,
    PASS,
    WHITE,
    BadSetup,
    Game,
    IllegalMove,
    Rules,
    board_points,
    format_vertex,
)
from gtp.katago import fields
from gtp.katago.fields import Fields, QueryError
from gtp.protocol import GtpError
from patterns_db.records.kata_rules import (
    KataRules,
    read_rules,
    rule_fields,
    rules_of_fields,
    with_bonus,
)

PERSPECTIVES = ("black", "white", "sidetomove")


class FieldLimits(NamedTuple):
    """The largest and smallest values of a query's fields."""

    # KataGo's bounds of these fields. Over GTP, yomi accepts a larger komi.
    max_komi: int = 400
    max_visits: int = 2**50
    max_priority: int = 2**62 - 1
    max_seconds: float = 1e6
    least_seconds: float = 0.001
    max_moves: int = 20_000  # far beyond any game; a game of as many takes 15 MB
    # Turns answered together; each holds its report until the last one
    most_joint: int = 1_000


FIELDS = FieldLimits()

_UNKNOWN = "Unexpected or unused field, do you have a typo?"
# The fields known in queries with and without an "action".
_KNOWN = frozenset(
    "id action boardXSize boardYSize initialStones moves initialPlayer analyzeTurns priority"
    " priorities rules komi whiteHandicapBonus overrideSettings maxVisits analysisPVLen"
    " includeOwnership includeOwnershipStdev includeMovesOwnership includeMovesOwnershipStdev"
    " includePolicy includePVVisits reportDuringSearchEvery firstReportDuringSearchAfter"
    " allowMoves avoidMoves".split()
)


class Wanted(NamedTuple):
    """The requested values and reports.

    every, first  seconds between reports during the search, and before the first one
    """

    perspective: str  # point of view of the values, see PERSPECTIVES
    line_moves: int  # moves of a variation after its first
    ownership: bool = False
    ownership_deviation: bool = False
    moves_ownership: bool = False
    moves_ownership_deviation: bool = False
    policy: bool = False
    line_visits: bool = False
    images: bool = False  # whether the mirror images of a move are listed, too, as copies of it
    every: float = math.inf
    first: float = math.inf


class Defaults(NamedTuple):
    """Defaults for the fields missing from a query."""

    visits: int = 1000
    perspective: str = "black"
    line_moves: int = 15


@dataclass(eq=False)
class AnalysisRequest:
    """One position to analyze, as its search begins."""

    id: str
    turn: int  # how many of the query's moves were played
    game: Game
    color: int
    avoid: frozenset[int]  # moves of the color that are not considered
    visits: int  # roll-outs
    seconds: float  # at most
    wanted: Wanted
    stop: threading.Event = field(default_factory=threading.Event)  # ends the search early


class Query(NamedTuple):
    """The positions of one query. Their games are made when they are needed.

    size, rules, komi, stones, first  of the game before its first move: Black's and White's
        stones, and the side to move
    visits, seconds, wanted  of ``AnalysisRequest``
    """

    id: str
    size: int
    rules: Rules
    komi: float
    stones: tuple[list[int], list[int]]
    first: int
    moves: fields.Moves
    turns: dict[int, int]  # those to analyze, in order, and their priorities
    avoid: dict[int, frozenset[int]]  # moves of each color that are not considered
    visits: int
    seconds: float
    wanted: Wanted
    joint: bool  # whether the turns are answered together

    def requests(self, turns: Iterable[int]) -> Iterator[AnalysisRequest]:
        """Yield the positions after some numbers of moves, which must ascend."""
        game = self.beginning()
        for turn in turns:
            for color, point in self.moves[len(game.moves) : turn]:
                game.play(color, point)
            yield AnalysisRequest(
                id=self.id, turn=turn, game=game.copy(), color=game.to_play,
                avoid=self.avoid[game.to_play], visits=self.visits, seconds=self.seconds,
                wanted=self.wanted,
            )  # fmt: skip

    def beginning(self) -> Game:
        """Return the game before its first move. Raises BadSetup."""
        game = Game(self.size, self.rules, self.komi)
        game.setup(*self.stones, self.first)
        return game


class Warned(NamedTuple):
    """A part of a query that has no effect."""

    field: str
    message: str


def read_query(entries: Mapping[str, Any], defaults: Defaults) -> tuple[Query, list[Warned]]:
    """Return the positions to analyze, and warnings. Raises QueryError."""
    read = Fields(entries)
    size = _size(read)
    warned: list[Warned] = []
    rules, komi = _rules(read, warned)
    moves = read("moves", fields.moves(size), None)
    if moves is None:
        raise QueryError("moves", "Must specify an array of [player,location] pairs")
    if len(moves) > FIELDS.max_moves:
        raise QueryError("moves", f"Must be at most {FIELDS.max_moves} moves")
    stones, first = _set_up(read, size, moves)
    turns = _priorities(read, len(moves))
    settings = _settings(read, warned)
    wanted = _wanted(read, settings, defaults)
    visits = read("maxVisits", fields.whole(1, FIELDS.max_visits), None)
    if visits is None:
        visits = int(settings.get("visits", defaults.visits))
    avoid = _avoid(read, size, warned)
    warned += [Warned(name, _UNKNOWN) for name in entries if name not in _KNOWN]
    # A client that gives each turn a priority wants some answers before others.
    joint = not read.has("priorities") and 1 < len(turns) <= FIELDS.most_joint
    query = Query(
        id=entries["id"], size=size, rules=rules, komi=komi, stones=stones, first=first,
        moves=moves, turns=turns, avoid=avoid, visits=visits,
        seconds=float(settings.get("seconds", math.inf)), wanted=wanted,
        joint=joint,
    )  # fmt: skip
    _check(query)
    return query, warned


# -- the position ---------------------------------------------------------------------------------


def _size(read: Fields) -> int:
    """Return the number of points per side."""
    sides = []
    for name in ("boardXSize", "boardYSize"):
        side = read(name, fields.whole(MIN_SIZE, MAX_SIZE), None)
        if side is None:
            raise QueryError(name, f"Must provide an integer from {MIN_SIZE} to {MAX_SIZE}")
        sides.append(side)
    if sides[0] != sides[1]:
        raise QueryError("boardYSize", "Must be the same as boardXSize: yomi knows square boards")
    return int(sides[0])


def _rules(read: Fields, warned: list[Warned]) -> tuple[Rules, float]:
    """Return the rules and the komi."""
    kata_rules: KataRules | None = read("rules", _refusing(_read_rules), None)
    if kata_rules is None:
        raise QueryError("rules", 'Must specify rules, such as "chinese", or a JSON object')
    rules = kata_rules.rules
    bonus = read("whiteHandicapBonus", _refusing(lambda value: with_bonus(rules, value)), rules)
    if kata_rules.replaced:
        nearest = json.dumps(rule_fields(bonus, kata_rules.friendly_pass))
        warned.append(
            Warned("rules", f"Rules {kata_rules.replaced} not supported, using {nearest}")
        )
    return bonus, read("komi", fields.half_points(FIELDS.max_komi), kata_rules.komi)


def _refusing(reader: fields.FieldReader) -> fields.FieldReader:
    """Return a reader of rules with the error messages of this protocol."""

    def read(value: Any) -> Any:
        try:
            return reader(value)
        except BadSetup as error:
            raise GtpError(str(error)) from None

    return read


def _read_rules(value: object) -> KataRules:
    if isinstance(value, dict):
        return rules_of_fields(value)
    if isinstance(value, str):
        return read_rules(value)
    raise GtpError('Must be rules, such as "chinese", or a JSON object')


def _set_up(
    read: Fields, size: int, moves: fields.Moves
) -> tuple[tuple[list[int], list[int]], int]:
    """Return the stones of Black and White that are set up, and the first side to move."""
    stones: dict[int, int] = {}
    for color, point in read("initialStones", fields.moves(size), []):
        if point == PASS:
            raise QueryError("initialStones", "Could not parse board location: pass")
        if point in stones:
            again = f"Must name each point once: {format_vertex(point)} is named twice"
            raise QueryError("initialStones", again)
        stones[point] = color
    black = [point for point, color in stones.items() if color == BLACK]
    white = [point for point, color in stones.items() if color == WHITE]
    to_play = moves[0][0] if moves else WHITE if len(black) > 1 and not white else BLACK
    return (black, white), read("initialPlayer", fields.color, to_play)


def _check(query: Query) -> None:
    """Raise QueryError if a stone cannot be set up or a move is illegal."""
    try:
        game = query.beginning()
    except BadSetup as error:
        raise QueryError("initialStones", str(error)) from None
    for number, (color, point) in enumerate(query.moves):
        try:
            game.play(color, point)
        except IllegalMove:
            raise QueryError("moves", f"Illegal move {number}: {format_vertex(point)}") from None


def _priorities(read: Fields, last: int) -> dict[int, int]:
    """Return the priorities of the turns to analyze, by turn."""
    turns = read("analyzeTurns", fields.wholes(0, last, "Invalid turn number: {}"), None)
    levels = read(
        "priorities",
        fields.wholes(-FIELDS.max_priority, FIELDS.max_priority, "Invalid priority: {}"),
        None,
    )
    level = read("priority", fields.whole(-FIELDS.max_priority, FIELDS.max_priority), None)
    if levels is None:
        return dict.fromkeys(sorted({last} if turns is None else turns), level or 0)
    if level is not None:
        raise QueryError("priority", "Cannot specify both priority and priorities")
    if turns is None:
        raise QueryError("priorities", "Can only specify when also specifying analyzeTurns")
    if len(levels) != len(turns):
        raise QueryError("priorities", "Must be of matching length to analyzeTurns")
    return dict(sorted(zip(turns, levels, strict=True)))


def _avoid(read: Fields, size: int, warned: list[Warned]) -> dict[int, frozenset[int]]:
    """Return the excluded moves of each color."""
    avoid: dict[int, frozenset[int]] = {BLACK: frozenset(), WHITE: frozenset()}
    if read.has("allowMoves") and read.has("avoidMoves"):
        raise QueryError("allowMoves", "Cannot specify both allowMoves and avoidMoves")
    everything = frozenset([*board_points(size), PASS])
    for name in ("avoidMoves", "allowMoves"):
        limits = read(name, fields.restrictions(size), [])
        colors = [color for color, _, _ in limits]
        if name == "allowMoves" and len(set(colors)) < len(colors):
            raise QueryError(name, "Cannot specify allowMoves more than once for the same player")
        for color, points, depth in limits:
            avoid[color] |= everything - points if name == "allowMoves" else points
            if depth > 1 and not any(warning.field == name for warning in warned):
                warned.append(Warned(name, "Only the next move is restricted, whatever untilDepth"))
    return avoid


# -- how long, and what to say --------------------------------------------------------------------


def _settings(read: Fields, warned: list[Warned]) -> dict[str, str | float]:
    """Return the settings of the query that have a meaning here."""
    overrides = read("overrideSettings", fields.mapping, {})
    settings: dict[str, str | float] = {}
    ignored = []
    for name, value in overrides.items():
        try:
            if name == "reportAnalysisWinratesAs":
                settings["perspective"] = _perspective(value)
            elif name in ("maxVisits", "maxPlayouts"):
                # Nothing is known about a position before its search, so both limits are the same.
                visits = int(fields.number(1, 2.0**60)(fields.unquoted(value)))
                settings["visits"] = min(visits, settings.get("visits", visits))  # type: ignore[type-var]
            elif name == "rootSymmetryPruning":
                # Mirror images are one move here; KataGo lists them, with "isSymmetryOf".
                settings["images"] = fields.truth({"true": True, "false": False}.get(value, value))
            elif name == "maxTime":
                settings["seconds"] = fields.number(0.0, 1e20)(fields.unquoted(value))
            else:
                ignored.append(name)
        except GtpError as error:
            raise QueryError(
                "overrideSettings", f"Could not set settings: {name}: {error}"
            ) from None
    if ignored:
        warned.append(Warned("overrideSettings", f"Unknown config params: {','.join(ignored)}"))
    return settings


def _perspective(value: object) -> str:
    if not isinstance(value, str) or value.lower() not in PERSPECTIVES:
        raise GtpError(f"Must be one of {', '.join(PERSPECTIVES)}")
    return value.lower()


def _wanted(read: Fields, settings: dict[str, str | float], defaults: Defaults) -> Wanted:
    seconds = fields.number(FIELDS.least_seconds, FIELDS.max_seconds)
    every = read("reportDuringSearchEvery", seconds, math.inf)
    return Wanted(
        perspective=str(settings.get("perspective", defaults.perspective)),
        line_moves=read("analysisPVLen", fields.whole(1, 1000), defaults.line_moves),
        ownership=read("includeOwnership", fields.truth, False),
        ownership_deviation=read("includeOwnershipStdev", fields.truth, False),
        moves_ownership=read("includeMovesOwnership", fields.truth, False),
        moves_ownership_deviation=read("includeMovesOwnershipStdev", fields.truth, False),
        policy=read("includePolicy", fields.truth, False),
        line_visits=read("includePVVisits", fields.truth, False),
        images=bool(settings.get("images", False)),
        every=every,
        first=read("firstReportDuringSearchAfter", seconds, every),
    )
