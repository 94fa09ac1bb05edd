"""Rule sets: how a game is scored, which repetitions are forbidden, whether suicide is legal."""

from dataclasses import dataclass
from typing import Literal

Scoring = Literal["area", "territory"]
Superko = Literal["none", "positional", "situational"]


@dataclass(frozen=True)
class Rules:
    """One rule set.

    scoring   "area" counts stones and surrounded points, "territory" points and prisoners
    superko   repetitions that ``genmove`` avoids beyond simple ko: of the position, or of the
              position with the same side to move ("situational"), or none
    suicide   whether a chain of two or more stones may take its own last liberty
    handicap_compensation  points that White gets per handicap stone: 1, or all but the first (AGA)
    """

    name: str
    scoring: Scoring
    superko: Superko
    suicide: bool = False
    handicap_compensation: Literal["none", "each", "all but one"] = "none"

    def compensation(self, handicap: int) -> int:
        """Return the points White gets for a number of handicap stones."""
        if handicap < 2 or self.handicap_compensation == "none":
            return 0
        return handicap if self.handicap_compensation == "each" else handicap - 1


RULESETS: dict[str, Rules] = {
    rules.name: rules
    for rules in (
        Rules("chinese", "area", "positional", handicap_compensation="each"),
        Rules("japanese", "territory", "none"),
        Rules("aga", "area", "situational", handicap_compensation="all but one"),
        Rules("tromp-taylor", "area", "positional", suicide=True),
        Rules("new-zealand", "area", "situational", suicide=True),
    )
}
