"""What a level of play is allowed: how freely it draws its moves, what it sees, how far it reads.

A level below LEAST_SEARCHING plays moves as people do: they come to its mind as the ranking model
says, at a temperature, and a few of them are compared by few roll-outs. From there on all moves are
searched, with a bounded number of roll-outs and nothing else held back. The labels are yomi's own
scale: steps of about equal size between what plays nearly at random and what a search can do in
some seconds. What a step is worth, as far as it is measured, is in scripts/README.md.
"""

from typing import NamedTuple

from engine.errors import BadSetup

WEAKEST, STRONGEST = 20, -4  # 20k and 5d, as numbers of kyu: 1k is 1, 1d 0, 2d -1
LEAST_SEARCHING = 5  # 5k: the weakest level that searches all moves

# Players of 9x9 games, ranks as their server writes them, fit temperatures of 1.04 at 1d, 1.12 at
# 2k, 1.20 at 9k, 1.26 at 13k, 1.58 at 25k (scripts.learn.human_temperature): a line through these.
_HUMAN_TEMPERATURE, _HUMAN_SLOPE = 1.07, 0.016
# The rest was set by matches (scripts.play.ladder), such that a level is worth about as much in one
# part of the scale as in the others.
# 11k plays the one move that comes to mind, drawn as people draw it. People err in reading, of
# which a drawn move has little to lose: below, moves are drawn more freely, by an equal factor for
# every level, and less and less is seen.
_ONE_IDEA = 11
_WIDENING, _LEAST_SIGHT = 10.0, 0.05  # at 20k
# Above, several moves are compared. The best of n is better than one by about as much as 1 - 1 / n
# says, so 1 / n falls in a straight line, to 0 where all moves begin to be searched.
# All that draw have the fewest roll-outs. From 5k on every level has so many times those of the one
# below.
_FEWEST_PLAYOUTS, _PLAYOUTS_A_LEVEL = 40, 1.82


class LevelOptions(NamedTuple):
    """How a level thinks.

    name         "20k" to "5d"
    temperature  moves are drawn with probabilities proportional to P(expert plays it) ** (1 / T)
    sight        probability to see what becomes of a single stone with one liberty; see ``sees``
    ideas        how many moves are drawn and compared, on average; None: all moves are searched
    playouts     roll-outs a move on 9x9; see ``playouts_on``
    """

    name: str
    temperature: float
    sight: float
    ideas: float | None
    playouts: int

    def playouts_on(self, size: int) -> int:
        """Return the roll-outs a move on a board: in proportion to its side.

        On 19x19 a roll-out tells less, and what is bought by few of them is soon lost again.
        """
        return max(1, round(self.playouts * size / 9))

    def sees(self, liberties: int, stones: int) -> float:
        """Return the probability to see what becomes of a chain: whether it can be captured.

        A step further away for every liberty more; and every stone is another chance to look there.
        """
        return float(1.0 - (1.0 - self.sight**liberties) ** stones)


def kyu_of(grade: str) -> int | None:
    """Return a grade as a number of kyu: 12k is 12, 1d 0, 2d -1. Return None for anything else."""
    digits, unit = grade[:-1], grade[-1:].lower()
    # isascii: isdecimal takes the digits of every script.
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 2 and unit in ("k", "d")):
        return None
    if int(digits) == 0:
        return None
    return int(digits) if unit == "k" else 1 - int(digits)


def level_number(name: str) -> int:
    """Return a level as a number of kyu, see ``kyu_of``. Raises BadSetup if there is none such."""
    number = kyu_of(name)
    if number is None or not STRONGEST <= number <= WEAKEST:
        raise BadSetup(f"no such level: {name[:40]!r} (20k to 1k, 1d to 5d)")
    return number


def _name_of(number: int) -> str:
    return f"{number}k" if number > 0 else f"{1 - number}d"


LEVELS = tuple(_name_of(number) for number in range(WEAKEST, STRONGEST - 1, -1))
"""All levels, the weakest first."""


def human_temperature(number: int) -> float:
    """Return the temperature at which people of a rank follow the ranking model.

    number  of kyu: 1k is 1, 1d is 0
    """
    return _HUMAN_TEMPERATURE + _HUMAN_SLOPE * number


def level_options(name: str) -> LevelOptions:
    """Return how a level thinks, "20k" to "5d". Raises BadSetup for any other name."""
    number = level_number(name)
    if number <= LEAST_SEARCHING:
        steps = LEAST_SEARCHING + 1 - number
        playouts = round(_FEWEST_PLAYOUTS * _PLAYOUTS_A_LEVEL**steps)
        return LevelOptions(_name_of(number), human_temperature(number), 1.0, None, playouts)
    below = max(number - _ONE_IDEA, 0) / (WEAKEST - _ONE_IDEA)
    above = max(_ONE_IDEA - number, 0) / (_ONE_IDEA - LEAST_SEARCHING)
    return LevelOptions(
        _name_of(number),
        temperature=human_temperature(number) * _WIDENING**below,
        sight=1.0 - (1.0 - _LEAST_SIGHT) * below,
        ideas=1.0 / (1.0 - above),
        playouts=_FEWEST_PLAYOUTS,
    )
