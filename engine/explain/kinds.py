"""An effect of a move: its kind, its points and its stones. ``words`` turns it into a sentence."""

from enum import Enum, auto
from typing import NamedTuple

from engine.go.board import EMPTY
from engine.go.geometry import PASS

StoneList = tuple[int, ...]
"""The stones of a chain or a group, sorted."""

STONE = 2.0  # points that a captured or saved stone is worth


class Kind(Enum):
    """The kinds of effects and of other grounds for a move."""

    # Proved, or counted in both positions.
    TAKES_KO = auto()
    LINKS = auto()
    CUTS = auto()
    CAPTURES = auto()
    TRAPS = auto()
    SAVES = auto()
    PREVENTS_CAPTURE = auto()
    PREVENTS_LOST_RACE = auto()
    LIVES = auto()
    LIVES_IN_SEKI = auto()
    PREVENTS_DEATH = auto()
    PREVENTS_KILL = auto()
    WINS_RACE = auto()
    KILLS = auto()
    OWN_LIVE = auto()
    RIVALS_DIE = auto()
    GROUND = auto()
    TAKES_GROUND = auto()
    LAST_BIG_POINT = auto()
    GROUND_AND_STONES = auto()
    # Against the other move.
    OTHER_IN_RIVALS_GROUND = auto()
    OTHER_IN_OWN_GROUND = auto()
    OTHER_IS_LOST = auto()
    OTHER_IS_CAPTURED = auto()
    # In the expected lines, and in the record of a game.
    KEY_POINT = auto()
    PREVENTS_REPLY = auto()
    KEY_POINT_NEXT = auto()
    KEY_POINT_SOON = auto()
    KEEPS_SENTE = auto()
    CAPTURED_IN_GAME = auto()
    CAPTURES_IN_LINE = auto()
    # Beside the move, and why it comes to mind.
    RESCUES = auto()
    ATARI = auto()
    DOUBLE_ATARI = auto()
    CONNECTS = auto()
    SEPARATES = auto()
    MAKES_EYE = auto()
    TAKES_EYE = auto()
    ANSWERS = auto()
    PRESSES = auto()
    EXTENDS = auto()
    FACES = auto()
    TAKES_AREA = auto()
    OVERLOOKS_LOSS = auto()
    OVERLOOKS_CAPTURE = auto()
    ALSO = auto()
    # By the count, by a sum of fights, by the clock, by the ranking model.
    SUM = auto()
    AT_STAKE = auto()
    DEFENDS = auto()
    DEFENDS_GROUND = auto()
    FILLS = auto()
    NO_MOVE = auto()
    SETTLED = auto()
    COUNT_WINS = auto()
    NO_GAIN = auto()
    NO_OPEN_POINT = auto()
    NO_TIME = auto()
    COMPILING = auto()
    GAME_OVER = auto()
    EXPECTED = auto()
    # No reason: the search alone.
    PREFERRED = auto()
    ONLY = auto()

    @property
    def is_reason(self) -> bool:
        """Whether it may stand behind "because" for the move itself."""
        return self not in _AGAINST and self not in (Kind.PREFERRED, Kind.ONLY)

    @property
    def is_against_other(self) -> bool:
        """Whether it speaks against the other move."""
        return self in _AGAINST

    @property
    def is_ground(self) -> bool:
        """Whether the points of the effect are those of ground."""
        return self in _GROUND

    @property
    def is_concrete(self) -> bool:
        """Whether the effect is more than ground that belongs to the same color anyway."""
        return self not in (Kind.GROUND, Kind.GROUND_AND_STONES)


_AGAINST = {
    Kind.OTHER_IN_RIVALS_GROUND,
    Kind.OTHER_IN_OWN_GROUND,
    Kind.OTHER_IS_LOST,
    Kind.OTHER_IS_CAPTURED,
}
_GROUND = {Kind.GROUND, Kind.TAKES_GROUND, Kind.LAST_BIG_POINT, Kind.GROUND_AND_STONES}


class Effect(NamedTuple):
    """One thing that a move brings and another one does not, or another ground to play it.

    points   it is worth, about
    stones   the chains or the group that it is about, each sorted
    color    whose move it is
    moves    the one, and the other one
    places   further points: an attack, an answer, the middles of ground gained and given up, a line
    numbers  of the kind: shares of continuations after either move; points of ground gained and
             given up; fights, points and margin of a sum; a probability, and a level's kyu; points
             between two moves; a board's size
    """

    kind: Kind
    points: float
    stones: tuple[StoneList, ...] = ()
    color: int = EMPTY
    moves: tuple[int, int] = (PASS, PASS)
    places: tuple[int, ...] = ()
    numbers: tuple[float, ...] = ()

    def is_about(self, stones: StoneList) -> bool:
        """Return whether a chain is one of those that the effect is about."""
        return stones in self.stones
