"""Final positions with the right status of chains and the right margin, for tests of counting.

The letters X and O are living stones. The letters x and o are the black and white chains in
question. The right value holds for either side to move. Komi is 0, and nothing was captured.

All positions are our own. A comment gives the source of the right value:

- J: Japanese Rules of Go (1989), articles 7 (life and death) and 8 (territory and seki), and the
  official commentary on them.
- C: Chinese rules. Stones and surrounded points count once the dead stones are removed. A dispute
  is decided by playing on.
- A: AGA rules. The margin is that of area. Pass stones make territory counting agree with it.
- S: the term on Sensei's Library.
- G: GNU Go 3.8 at level 10 gives the same margin and the same status to the chains in question,
  under Japanese and Chinese rules and for either side to move.

Where GNU Go is of another opinion, the comment says so and gives the line that refutes it.
"""

from typing import NamedTuple


class Verdict(NamedTuple):
    """The right counting of a position.

    margin  Black's, in points
    black   status of the chains x: "alive", "dead" or "seki"; "lives" is either of the others than
            dead, where rules do not tell these two apart
    white   status of the chains o
    """

    margin: int
    black: str
    white: str


class FinalPosition(NamedTuple):
    """A position with the right verdicts on it.

    area       under Chinese and AGA rules; None: the value is in doubt or depends on the mover
    territory  under Japanese rules
    """

    name: str
    diagram: str
    area: Verdict | None
    territory: Verdict


# Each capture that takes an eye is answered by a larger recapture, so that the eye is real (S:
# snapback; J 7.1: stones are alive if their capture enables a new stone that cannot be captured).
SNAPBACKS = [
    # G. Black D1 captures C1, and White C1 captures three stones.
    FinalPosition(
        "snapback eye at the edge",
        """
        . . . . O . . . .
        . . . . O . . . .
        O O O O O O O O O
        X X X X X X X X X
        . . . . X . . . .
        X X X X X X X X X
        X o o o o X X X X
        X o x x o o o X .
        X X o . o . o X .""",
        Verdict(-3, "dead", "alive"),
        Verdict(-12, "dead", "alive"),
    ),
    # GNU Go agrees but for a point of territory: it says B+15. Counted as it stands, Black has 32
    # points (D1 to D4 are stones), and White has 9 at the top, five below and two prisoners.
    FinalPosition(
        "snapback eye in the corner, two-point eye at the edge",
        """
        . . . . . . . . .
        O O O O O O O O O
        X X X X X X X X X
        o o X . . . . . .
        . o X . . . . . .
        . o X X . . . . .
        o o o X . . . . .
        x x o X . . . . .
        . o X X . . . . .""",
        Verdict(17, "dead", "alive"),
        Verdict(16, "dead", "alive"),
    ),
    # GNU Go agrees but for the same point: it says B+26. Black has 45 points, and White has 18.
    FinalPosition(
        "snapback eye in the corner, three-point eye at the edge",
        """
        . . . . . . . . . .
        O O O O O O O O O O
        X X X X X X X X X X
        o o X . . . . . . .
        . o X . . . . . . .
        . o X . . . . . . .
        . o X X . . . . . .
        o o o X . . . . . .
        x x o X . . . . . .
        . o X X . . . . . .""",
        Verdict(28, "dead", "alive"),
        Verdict(27, "dead", "alive"),
    ),
    # G. Black F3 captures E3, and White E3 captures three stones.
    FinalPosition(
        "snapback eye in the center",
        """
        . . . X . X . . .
        X X X X X X X X X
        . . X o o X X . .
        X X X o . o X X X
        . X o o o o o X .
        . X o o x x o X .
        X X X X o . o X .
        . . . X X o o X .
        . . X X . X X X .""",
        Verdict(41, "dead", "alive"),
        Verdict(18, "dead", "alive"),
    ),
    # G. Whichever eye Black attacks, White retakes there.
    FinalPosition(
        "two snapback eyes and no other one",
        """
        . . . . O . . . .
        . . . . O . . . .
        O O O O O O O O O
        X X X X X X X X X
        . . . . X . . . .
        X X X X X X X X X
        X o o o o o o o X
        X o x x o x x o X
        X X o . o . o X X""",
        Verdict(-11, "dead", "alive"),
        Verdict(-18, "dead", "alive"),
    ),
]

# Bent four in the corner. J: dead, whatever threats there are (commentary on article 7). C and A:
# dead where Black can remove all threats before he starts the ko (S: bent four in the corner).
BENT_FOURS = [
    # G.
    FinalPosition(
        "bent four, no threat on the board",
        """
        . X . X . X . X
        X X X X X X X X
        . X . X . X . X
        X X X X X X X X
        o o o X . X . X
        . o o X X X X X
        x o o o X . X .
        x x . o X X X X""",
        Verdict(64, "alive", "dead"),
        Verdict(32, "alive", "dead"),
    ),
    # G. White B9 threatens to kill the upper group. Black B9 removes the threat and costs no area.
    FinalPosition(
        "bent four, one threat that Black can remove",
        """
        . . . . X O . O .
        X X X X X O O O O
        O O O O O O O O O
        X X X X X X X X X
        X X X . X . X . X
        o o o X X X X X X
        . o o X . X . X .
        x o o o X X X X X
        x x . o X . X . X""",
        Verdict(47, "alive", "dead"),
        Verdict(30, "alive", "dead"),
    ),
    # White A9 threatens 14 stones. Black E9 answers and gains 8 points, but White then wins the ko
    # and 8 points. Black cannot remove the threat, because A9 and E9 are self-atari. So starting
    # the ko gains nothing by area. GNU Go agrees by territory. By area it calls White dead.
    FinalPosition(
        "bent four, a threat in a seki that Black cannot remove",
        """
        . O O O . X O . O
        X X X X X X O O O
        X X X X X X X O .
        O O O O O O O O O
        X X X X X X X X X
        o o o X . X . X .
        . o o X X X X X X
        x o o o X . X . X
        x x . o X X X X .""",
        Verdict(19, "lives", "lives"),
        Verdict(24, "alive", "dead"),
    ),
]

SEKIS = [
    # G. A side that fills C2 is captured (S: seki). J 8: eyes in seki are no territory.
    FinalPosition(
        "seki with one eye each and one shared liberty",
        """
        O . O X . X X .
        . O O X X . X X
        O O X X X X X .
        . O X . X X X X
        O O X X X . X .
        x x o o X X X X
        x x . o o o X .
        . x x o . o X X""",
        Verdict(23, "seki", "seki"),
        Verdict(5, "seki", "seki"),
    ),
    # G. Each side has taken one ko. A side that takes the other ko puts the opponent in atari, who
    # then takes the first ko (S: double ko seki; J: commentary on article 7).
    FinalPosition(
        "double ko seki",
        """
        . X . X . X .
        X X X X X X X
        X X X X X X X
        o o o o o o o
        x o o o o o .
        . x x . x x o
        x x x x x x x""",
        Verdict(20, "seki", "seki"),
        Verdict(4, "seki", "seki"),
    ),
    # S: ten thousand year ko. A side that connects the ko makes a seki, and a side that fights it
    # needs the first threat. J 7.2: neither side can capture the other one without that, so it is a
    # seki. GNU Go calls Black dead, but after White A2 and D2 Black retakes at A3, and White is in
    # atari. By area the side to move gains points.
    FinalPosition(
        "ten thousand year ko",
        """
        . X . X . X .
        X X X X X X X
        X X X X X X X
        o o o o o o o
        x o o o o o o
        . x x . x . x
        x x x x x x x""",
        None,
        Verdict(4, "seki", "seki"),
    ),
]

# Japanese rules of 1989, article 7.1: stones live if their capture enables a new stone that cannot
# be captured. White A1 takes four stones, Black then takes back; Black A1 takes A2, and White
# retakes five. Both live, and A1 is no territory (J: the commentary's "three points without
# capturing"; S: torazu sanmoku). By area White plays A1 and gains, if it is White's turn.
SEKIS.append(
    FinalPosition(
        "three points without capturing",
        """
        . X . X . X .
        X X X X X X X
        X X X X X X X
        X X X O O O O
        X O O O . O .
        o x x O O O O
        . x x O . O .""",
        None,
        Verdict(0, "seki", "seki"),
    )
)

# A side that attacks in these is captured itself.
STAND_OFFS = [
    # G. Black B2 leaves Black only C3, and White takes everything there. White B2 gives three
    # stones away (J 7.1: stones that cannot be captured live; J 8: they share points, so seki).
    FinalPosition(
        "two stones in the corner that cannot be attacked",
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . O O O . . . . .
        O O x O O O O . .
        O x x x O O . . .
        x x . x x x O . .
        o . x x O O O . .
        . o x O O . . . .""",
        Verdict(-54, "lives", "lives"),
        Verdict(-46, "seki", "seki"),
    ),
    # Black has one eye at A5. A side that fills D2 is captured there (S: seki). GNU Go gives the
    # same status to all chains.
    FinalPosition(
        "seki with a besieger that has one eye",
        """
        x O . . . . . . . . . . .
        x O . . . . . . . . . . .
        x O . . . . . . . . . . .
        x O . . . . . . . . . . .
        x O . . . . . . . . . . .
        x O . . . . . . . . . . .
        x O O . . . . . . . . . .
        x x O . . . . . . . . . .
        . x O O O . . . . . . . .
        x x O O O O . . . . . . .
        x x x x x O . . . . . . .
        o o o . x O . . . . . . .
        . o o x x O . . . . . . .""",
        Verdict(-126, "lives", "lives"),
        Verdict(-122, "seki", "seki"),
    ),
]

# Points that no side owns, or that a side has to fill.
BORDERS = [
    # G, by territory. Black fills C4, where White could take D4 (J: commentary on article 8). By
    # area a point is left for the side to move.
    FinalPosition(
        "open ko that Black has won",
        """
        . X X O . O .
        X X X O O O O
        . X X O O . O
        X X . x O O O
        X X X O O . O
        . X X O O O O
        . . X O . O .""",
        None,
        Verdict(-1, "alive", "alive"),
    ),
    # G, by territory. Only Black fills C1 without loss, for White would be in atari there. White
    # then connects at E1 (J: commentary on article 8). Left empty, C1 is nobody's by area.
    FinalPosition(
        "one-sided dame at the edge",
        """
        . X . X O . O
        X X X X O O O
        . X . X O . O
        X X X X O O O
        X X X X O O .
        X X X X O O O
        . X . o . O .""",
        Verdict(4, "alive", "alive"),
        Verdict(1, "alive", "alive"),
    ),
    # G, by territory, as before: Black fills C4, and White connects at E4.
    FinalPosition(
        "one-sided dame in the center",
        """
        . X . X O . O
        X X X X O O O
        X . X X O O .
        X X . o . O O
        X X X X O O .
        X X X X O O O
        . X . X O . O""",
        Verdict(4, "alive", "alive"),
        Verdict(1, "alive", "alive"),
    ),
    # J 8: dame are no territory. C and A: those that are left empty belong to nobody.
    FinalPosition(
        "dame along a border",
        """
        . X . O . O .
        X X . O O O O
        . X . O . O .
        X X . O O O O
        . X . O . O .
        X X . O O O O
        . X . O . O .""",
        Verdict(-14, "alive", "alive"),
        Verdict(-4, "alive", "alive"),
    ),
]

LIFE = [
    # G. S: two-headed dragon. Each chain has both corners as liberties.
    FinalPosition(
        "two-headed dragon around living stones",
        """
        o o o o o o .
        o X X X X X o
        o X . X . X o
        o X X X X X o
        o X . X X X o
        o X X X X X o
        . o o o o o o""",
        Verdict(1, "alive", "alive"),
        Verdict(1, "alive", "alive"),
    ),
    # G. The eye at E1 is false: two stones hang on it (S: false eye).
    FinalPosition(
        "false eye at the edge",
        """
        . X . X . X .
        X X X X X X X
        . X . X . X .
        X X X X X X X
        X o o o X X X
        X o . o X o X
        X o o o . o X""",
        Verdict(49, "alive", "dead"),
        Verdict(30, "alive", "dead"),
    ),
    # G. Both eyes are false: each holds a tail of two stones that Black captures there.
    FinalPosition(
        "two false eyes along the wall",
        """
        . X . X . X .
        X X X X X X X
        . X . X . X .
        X X X X X X X
        X X o o X X X
        o X o o X o X
        o . o o . o X""",
        Verdict(49, "alive", "dead"),
        Verdict(30, "alive", "dead"),
    ),
    # G. A4 cuts White in two and cannot be saved: A5 is suicide. White captures it when A1 or B1
    # is attacked.
    FinalPosition(
        "group cut off by a stone in atari",
        """
        . O . O X X .
        O O O O X . X
        . O X X X X X
        x O X . X . X
        o X X X X X X
        o o o X . X .
        . . o X X X X""",
        Verdict(11, "dead", "alive"),
        Verdict(-1, "dead", "alive"),
    ),
]

POSITIONS = SNAPBACKS + BENT_FOURS + SEKIS + STAND_OFFS + BORDERS + LIFE
