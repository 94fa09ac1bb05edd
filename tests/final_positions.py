"""Final positions with the right status of chains and the right margin, for tests of counting.

The letters X and O are living stones. The letters x and o are the black and white chains in
question. The right value holds for either side to move. Komi is 0, and nothing was captured.

They lie in ``golden/final_positions.txt``. All are our own. A comment gives the source of the right
value:

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

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
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


def blocks(file: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield (group, name, lines) of each position of a golden file, without comments."""
    group = ""
    for block in (Path(__file__).parent / "golden" / file).read_text("utf-8").split("\n\n"):
        name, *lines = [line for line in block.strip().split("\n") if line[0] != "#"]
        if name.startswith("== "):
            group = name[3:]
        else:
            yield group, name, lines


def _read() -> dict[str, list[FinalPosition]]:
    """Return the positions by group."""
    found: dict[str, list[FinalPosition]] = defaultdict(list)
    for group, name, lines in blocks("final_positions.txt"):
        verdicts: dict[str, Verdict] = {}
        while lines[0].startswith(("area ", "territory ")):
            rules, margin, black, white = lines.pop(0).split()
            verdicts[rules] = Verdict(int(margin), black, white)
        diagram = "\n".join(lines)
        position = FinalPosition(name, diagram, verdicts.get("area"), verdicts["territory"])
        found[group].append(position)
    return found


GROUPS = _read()
STAND_OFFS = GROUPS["stand_offs"]
POSITIONS = [position for group in GROUPS.values() for position in group]
