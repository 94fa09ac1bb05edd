"""An effect of a move: its kind, its points and its stones; the clause of each kind."""

from enum import Enum
from typing import NamedTuple

from engine.go.board import EMPTY
from engine.go.geometry import PASS
from engine.picture.picture import StoneList

STONE = 2.0  # points that a captured or saved stone is worth


class Kind(Enum):
    """The kinds of effects and of other grounds for a move, with their clauses.

    {one} is the move, {other} the other one, {at} the first of the places, {places} all of them;
    ``words`` has the rest. Shapes are defined in ``docs/glossary.md``.
    """

    # Proved, or counted in both positions.
    LINKS = "{one} links {first} with {last}"
    CUTS = "{one} cuts {first} off from {last}"
    TRAPS = "{one} leaves {chains} no escape"
    SAVES = "{one} saves {chains}"
    PREVENTS_CAPTURE = "after {other}, {rival} captures {chains} with {at}"
    PREVENTS_LOST_RACE = "after {other}, {rival} wins the race against {group}"
    LIVES = "{one} makes {group} live; after {other} it dies"
    LIVES_IN_SEKI = "{one} makes {group} live in seki; after {other} it dies"
    PREVENTS_DEATH = "after {other}, {group} dies"
    PREVENTS_KILL = "after {other}, {rival} kills {group} with {at}"
    WINS_RACE = "{one} wins the race against {group}"
    KILLS = "{one} kills {group}"
    OWN_LIVE = "{mover}'s {shares}"
    RIVALS_DIE = "{rival}'s {shares}"
    GROUND = "{one} gains {ground}{lost}"
    TAKES_GROUND = "{one} gains {ground} that {other} leaves to {rival}{lost}"
    # Against the other move.
    OTHER_IN_RIVALS_GROUND = "{other} is inside {rival}'s settled ground, where it dies"
    OTHER_IN_OWN_GROUND = "{other} is inside {mover}'s own settled ground"
    OTHER_IS_LOST = "after {other}, {chains} cannot escape"
    OTHER_IS_CAPTURED = "after {other}, {rival} can capture {chains}, starting at {at}"
    # In the expected replies, and in the record of a game.
    KEY_POINT = "{one} is a key point for both sides: after {other}, {rival} plays there"
    KEY_POINT_NEXT = "{rival} took {one} with the next move"
    KEY_POINT_SOON = "{rival} took {one} soon after"
    KEEPS_SENTE = "{one} keeps sente: {rival} should answer at {at}, but need not answer {other}"
    SENTE = "{one} asks {rival} for an answer at {at}"
    CAPTURED_IN_GAME = "{rival} captured {chains} with {at} in the game"
    # Shapes of the move with the stones around it, the most urgent first.
    TAKES_KO = "{one} takes the ko, so {rival} needs the first threat"
    SNAPBACK = "{one} catches {chains} in a snapback"
    CAPTURES = "{one} captures {chains}"
    LADDER_BREAKER = "{one} breaks the ladder of {chains}"
    RESCUES = "{one} saves {chains} from atari"
    KO_THREAT = "{one} is a ko threat: it threatens to capture {chains}"
    LADDER = "{one} catches {chains} in a ladder"
    NET = "{one} catches {chains} in a net"
    SQUEEZE = "{one} squeezes {chains} by a sacrifice"
    DOUBLE_ATARI = "{one} is a double atari on {chains}"
    ATARI = "{one} puts {chains} into atari"
    SEPARATES = "{one} separates {first} from {last}"
    CONNECTS = "{one} connects {chains}"
    HANGING = "{one} protects the cut at {at} with a hanging connection"
    HALF_EYE = "{one} turns the half eye at {at} into an eye"
    FALSE_EYE = "{one} makes the eye at {at} false"
    MAKES_EYE = "{one} makes an eye at {at}"
    TAKES_EYE = "{one} takes an eye from {chains}"
    THROW_IN = "{one} throws in a stone that takes liberties or an eye from {chains}"
    SACRIFICE = "{one} sacrifices {chains}"
    CROSSCUT = "{one} crosscuts {places}"
    WEDGE = "{one} wedges in between {places}"
    PEEP = "{one} peeps at the cut between {places}"
    BAMBOO = "{one} connects to {places} with a bamboo joint"
    TABLE = "{one} makes a table shape with {places}"
    APPROACH = "{one} approaches the corner at {places}"
    SMALL_ENCLOSURE = "{one} closes the corner of {places} with a small enclosure"
    LARGE_ENCLOSURE = "{one} closes the corner of {places} with a large enclosure"
    HIGH_ENCLOSURE = "{one} closes the corner of {places} with a high enclosure"
    CENTER = "{one} takes the center"
    CORNER = "{one} takes an empty corner at the {spot} point"
    PINCER = "{one} pincers {places}"
    BASE = "{one} makes a base with {places}"
    EXTENSION = "{one} extends {width} spaces along the side from {places}"
    INVASION = "{one} invades between {places}"
    SPLIT = "{one} splits the side between {places}"
    CORNER_INVASION = "{one} invades the corner under {places}"
    REDUCTION = "{one} reduces the side of {places} from above"
    CAP = "{one} caps {places}, toward the center"
    SHOULDER_HIT = "{one} presses {places} down with a shoulder hit"
    CLAMP = "{one} clamps {places} from the other side"
    HANE = "{one} bends around {places} with a hane"
    BLOCK = "{one} blocks {places}"
    PUSH = "{one} extends along {places}"
    DESCENT = "{one} descends from {places} to guard the edge"
    ATTACHMENT = "{one} attaches to {places}"
    STRETCH = "{one} stretches from {places} to gain liberties"
    MONKEY_JUMP = "{one} is a monkey jump from {places} into the ground on the edge"
    SLIDE = "{one} slides from {places} under the stones beside it"
    FIRST_LINE = "{one} is a first-line endgame move{worth} near {places}"
    SECOND_LINE = "{one} is a second-line endgame move{worth} near {places}"
    ONE_SPACE_JUMP = "{one} jumps one space from {places}{way}"
    SMALL_KNIGHT = "{one} makes a small knight's jump from {places}{way}"
    DIAGONAL = "{one} makes a diagonal move from {places}{way}"
    TWO_SPACE_JUMP = "{one} jumps two spaces from {places}{way}"
    LARGE_KNIGHT = "{one} makes a large knight's jump from {places}{way}"
    TAKES_AREA = "{one} takes a part of the {area}"
    # What a level's move answers and overlooks.
    ANSWERS = "{one} answers {rival}'s {at}"
    OVERLOOKS_LOSS = "it overlooks that {rival} can capture {chains} with {at}"
    OVERLOOKS_CAPTURE = "it overlooks that {at} captures {chains}"
    ALSO = "{places} came to mind as well"
    # By the count, by a sum of fights, by the clock, by the ranking model.
    SUM = "only {fights} left: {one} gains {gain} points, and best play gives {result}"
    AT_STAKE = "{one} gains points that are still open"
    DEFENDS = "after a pass, {rival} gains points with {at}"
    DEFENDS_GROUND = "{one} defends ground that is lost after {other}"
    FILLS = "{one} has to be filled before the count"
    NO_MOVE = "no sensible move is left"
    SETTLED = "the position is settled"
    COUNT_WINS = "the opponent passed, and the count wins the game"
    NO_GAIN = "no move gains a point, and no point needs a defense"
    NO_OPEN_POINT = "no point is open"
    NO_TIME = "the clock leaves no time for a search"
    COMPILING = "the engine is still being compiled"
    GAME_OVER = "the game is over"
    EXPECTED = "{expectation}"
    # No reason: the search alone.
    PREFERRED = "{preference}; it cannot name a reason"
    ONLY = "the search compared it with no other move; it cannot name a reason"

    @property
    def is_against_other(self) -> bool:
        """Whether it speaks against the other move."""
        return self.name.startswith("OTHER_")

    @property
    def is_reason(self) -> bool:
        """Whether it may stand behind "because" for the move itself."""
        return not self.is_against_other and self not in (Kind.PREFERRED, Kind.ONLY)

    @property
    def is_shape(self) -> bool:
        """Whether it is a shape of the move with the stones around it."""
        return self in SHAPE_ORDER

    @property
    def is_ground(self) -> bool:
        """Whether the points of the effect are those of ground."""
        return "{ground}" in self.value


_ALL = list(Kind)
_SHAPES = _ALL[_ALL.index(Kind.TAKES_KO) : _ALL.index(Kind.TAKES_AREA)]
SHAPE_ORDER = {kind: place for place, kind in enumerate(_SHAPES)}
"""The shapes' places from the most urgent to the least one."""


_REPLY_AT = (Kind.PREVENTS_CAPTURE, Kind.PREVENTS_KILL, Kind.OTHER_IS_CAPTURED)
_REPLY_THERE = (Kind.KEY_POINT_NEXT, Kind.KEY_POINT_SOON)


class Effect(NamedTuple):
    """One thing that a move brings and another one does not, or another ground to play it."""

    kind: Kind
    points: float  # it is worth, about
    stones: tuple[StoneList, ...] = ()  # the chains or the group that it is about, each sorted
    color: int = EMPTY  # whose move it is
    moves: tuple[int, int] = (PASS, PASS)  # the one, and the other one
    # Further points: an attack, an answer, the middles of ground gained and given up, a line, the
    # stones that make a shape
    places: tuple[int, ...] = ()
    # Of the kind: shares of continuations after either move; points of ground gained and given up;
    # fights, points and margin of a sum; a probability, and a level's kyu; points between two
    # moves; a board's size; an extension's width; the lines that a jump rises
    numbers: tuple[float, ...] = ()

    @property
    def reply(self) -> int:
        """The opponent's move after the other move that the effect rests on; PASS: none."""
        if self.kind in _REPLY_AT:
            return self.places[0] if self.places else PASS
        return self.moves[0] if self.kind in _REPLY_THERE else PASS

    @property
    def points_named(self) -> set[int]:
        """The points of its stones and its places."""
        return {stone for chain in self.stones for stone in chain} | set(self.places)
