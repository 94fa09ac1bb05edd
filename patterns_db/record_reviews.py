"""The review of a record as one task: what it depends on can be sent anywhere."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from engine import RULESETS, Player, PlayerOptions
from patterns_db.records import read_main_line
from patterns_db.replay import rules_of
from patterns_db.review import Thought, positions_of, review_game
from patterns_db.shipped import PATTERN_TABLE, load_knowledge

KOMI = 7.5  # where the record says nothing


class ReviewSettings(NamedTuple):
    """What a review depends on beside its record.

    playouts  random games a move
    threads   None: all cores; the same review every time with 1 only
    patterns  a table; None: the one that comes along
    """

    playouts: int = 1000
    threads: int | None = None
    seed: int = 1
    patterns: str | None = None


def review_record(
    data: bytes,
    settings: ReviewSettings,
    progress: Callable[[int], object] = lambda positions: None,
) -> list[Thought]:
    """Let a new player think about each position of a record's main line.

    progress  told after each node that one more is done
    Raises SgfError for what cannot be read or replayed, ModelFormatError for a bad table.
    """
    line = read_main_line(data)
    rules = RULESETS[rules_of(line.record) or "chinese"]
    komi = KOMI if line.record.komi is None else line.record.komi
    games = positions_of(line, rules, komi)
    options = PlayerOptions(
        playouts=settings.playouts,
        threads=settings.threads,
        seed=settings.seed,
        # A review wants an opinion of lost positions as well.
        resign_percent=None,
    )
    player = Player(options, load_knowledge(Path(settings.patterns or PATTERN_TABLE)))
    return review_game(line, games, player, progress)
