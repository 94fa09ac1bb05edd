"""Rule sets: scoring, forbidden repetitions, the legality of suicide, and the end of a game."""

from dataclasses import dataclass, field
from typing import Literal

Scoring = Literal["area", "territory"]
Superko = Literal["none", "positional", "situational"]


@dataclass(frozen=True)
class Rules:
    """One rule set."""

    name: str
    scoring: Scoring  # "area" counts stones and surrounded points, "territory" points and prisoners
    # Repetitions that ``genmove`` avoids beyond simple ko: of the position, or of it with the same
    # side to move ("situational"), or none
    superko: Superko
    suicide: bool = False  # whether a chain of two or more stones may take its own last liberty
    # White's points per handicap stone: 1, or all but the first (AGA)
    handicap_compensation: Literal["none", "each", "all but one"] = "none"
    # Whether dead stones are captured before two passes, as CGOS counts; no difference between sets
    # that are equal otherwise
    capture_dead: bool = field(default=False, compare=False)

    @property
    def counts_all_stones(self) -> bool:
        """Whether a finished board is counted as it stands: dead stones must be captured."""
        return self.name == "tromp-taylor"

    @property
    def all_stand(self) -> bool:
        """Whether all stones are alive after two passes."""
        return self.capture_dead or self.counts_all_stones

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
        Rules("tromp-taylor", "area", "positional", suicide=True, capture_dead=True),
        Rules("new-zealand", "area", "situational", suicide=True),
    )
}
