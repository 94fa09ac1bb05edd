"""Rule sets: scoring, forbidden repetitions, and the legality of suicide."""

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
    handicap_compensation  White's points per handicap stone: 1, or all but the first (AGA)
    """

    name: str
    scoring: Scoring
    superko: Superko
    suicide: bool = False
    handicap_compensation: Literal["none", "each", "all but one"] = "none"

    @property
    def counts_all_stones(self) -> bool:
        """Whether a finished board is counted as it stands: dead stones must be captured."""
        return self.name == "tromp-taylor"

    def all_stand(self, capture_dead: bool) -> bool:
        """Return whether all stones are alive after two passes.

        capture_dead  whether the players capture dead stones before they pass
        """
        return capture_dead or self.counts_all_stones

    def compensation(self, handicap: int) -> int:
        """Return White's points for a number of handicap stones."""
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
