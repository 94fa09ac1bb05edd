"""The table of all settings of play, for the command line and for a running session.

A new setting is one row of ``SETTINGS``. ``yomi gtp`` gets its options from this table. The
commands of GoGui and KataGo (gtp/handlers/settings.py) know every row that a session
can change.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from engine import RULESETS, PlayerOptions, level_options
from engine.jit.machine import usable_memory
from gtp.kinds import FILE, SWITCH, ValueKind, decimal_kind, list_kind, whole_number_kind, word_kind
from gtp.session import Session, SessionOptions


class SettingLimits(NamedTuple):
    """The largest and smallest values of settings."""

    # KataGo's bounds. Its clients send them for "no limit".
    most_seconds: float = 1e20
    most_playouts: int = 2**50
    most_lag: float = 1e6
    most_threads: int = 1024
    least_memory: int = 16
    # No more than there is: the tree's memory is reserved at once.
    most_memory: int = max(least_memory, min(65536, (usable_memory() or 1 << 36) >> 20))
    most_seed: int = 10**18 - 1  # as many digits as set_random_seed takes


BOUNDS = SettingLimits()

SUPERKO = ("none", "positional", "situational")
PARTS = ("patterns", "tactics", "sums", "amaf")
"""Parts of the search that it can do without, to measure their worth."""


class Change(NamedTuple):
    """Functions that read and change a setting in a running session."""

    get: Callable[[Session], Any]
    set: Callable[[Session, Any], None]


class Setting(NamedTuple):
    """One setting."""

    name: str  # in GTP; the command line's option has hyphens instead of underscores
    kind: ValueKind  # of its values
    default: Any  # the value if none is given
    group: str  # the heading of the option in the help
    help: str  # the option's help, without a period
    change: Change | None = None  # how a session changes it; None: it is fixed at the start
    kata: tuple[str, ...] = ()  # KataGo's names of it
    # The text for the value None; the command line takes it unless None is the default
    nothing: str = ""

    @property
    def takes(self) -> str:
        """Return a description of the texts that a session accepts."""
        return f"{self.kind.takes} or {self.nothing}" if self.nothing else self.kind.takes

    def read(self, text: str) -> Any:
        """Return the value of a text in a session. Raises GtpError or YomiError."""
        if self.nothing and text.lower() == self.nothing:
            return None
        return self.kind.read(text)


_LEVEL = ValueKind(level_options, "a level from 20k to 1k or 1d to 5d", "20k..5d")
_SECONDS, _LAG = (
    decimal_kind(most, "a number of seconds", "SECONDS")
    for most in (BOUNDS.most_seconds, BOUNDS.most_lag)
)
_PERCENT = decimal_kind(100.0, "a percentage", "PERCENT|never")
# Korean rules differ from Japanese ones only in rare positions that no program here decides.
_RULES = word_kind(tuple(RULESETS), "NAME", korean="japanese")


# -- changes --------------------------------------------------------------------------------------


def _of_player(option: str) -> Change:
    """Return how an option of the player is read and changed."""
    return Change(
        lambda session: getattr(session.options.player, option),
        lambda session, value: session.set_player(**{option: value}),
    )


def _set_superko(session: Session, kind: str) -> None:
    session.set_rules(replace(session.rules_in_force, superko=kind))  # type: ignore[arg-type]


def _set_lag(session: Session, seconds: float) -> None:
    session.clock.lag_seconds = seconds


def _set_ponder(session: Session, wanted: bool) -> None:
    session.options = replace(session.options, ponder=wanted)


# -- the table ------------------------------------------------------------------------------------

THINKING = "how long to think"
RULES = "rules"
MEASURING = "for measurements"
OTHER = "other"

_PLAYER = PlayerOptions()
_SESSION = SessionOptions()

SETTINGS = (
    Setting(
        name="playouts", kind=whole_number_kind(1, BOUNDS.most_playouts, "N"), default=None,
        group=THINKING, help="random games per move (strength, not time)",
        change=_of_player("playouts"), kata=("maxPlayouts", "maxVisits"), nothing="0",
    ),
    Setting(
        name="level", kind=_LEVEL, default=None, group=THINKING,
        help="play like players of a level, 20k to 1k or 1d to 5d (full strength)",
        change=_of_player("level")._replace(get=lambda session: session.level), nothing="full",
    ),
    Setting(
        name="time", kind=_SECONDS, default=_PLAYER.seconds, group=THINKING,
        help=f"time per move ({_PLAYER.seconds:g})", kata=("maxTime",),
        change=_of_player("seconds"),
    ),
    Setting(
        name="threads", kind=whole_number_kind(1, BOUNDS.most_threads, "T"), default=None,
        group=THINKING, help="processor cores to use (all)",
        change=_of_player("threads")._replace(
            get=lambda session: session.options.player.thread_count
        ),
        kata=("numSearchThreads",),
    ),
    Setting(
        name="memory",
        kind=whole_number_kind(BOUNDS.least_memory, BOUNDS.most_memory, "MIB", " of MiB"),
        default=_PLAYER.memory_mib, group=THINKING,
        help=f"memory for the search tree ({_PLAYER.memory_mib})", change=_of_player("memory_mib"),
    ),
    Setting(
        name="resign", kind=_PERCENT, default=_PLAYER.resign_percent, group=RULES,
        help=f"resign when the win rate stays below this ({_PLAYER.resign_percent:g})",
        change=_of_player("resign_percent"), nothing="never",
    ),
    Setting(
        name="rules", kind=_RULES, default=_SESSION.rules, group=RULES,
        help=f"{', '.join(RULESETS)}, or korean for japanese ({_SESSION.rules})",
        change=Change(
            lambda session: session.rules_in_force.name,
            lambda session, name: session.set_rules(session.rules_named(name)),
        ),
    ),
    Setting(
        name="superko", kind=word_kind(SUPERKO), default=_SESSION.superko, group=RULES,
        help="repetitions to avoid: none, positional or situational (as the rules say)",
        change=Change(lambda session: session.rules_in_force.superko, _set_superko),
    ),
    Setting(
        name="capture_dead", kind=SWITCH, default=_SESSION.capture_dead, group=RULES,
        help="capture dead stones before passing, for counting all stones as alive (CGOS)",
        change=Change(lambda session: session.rules_in_force.capture_dead, Session.capture_dead),
    ),
    Setting(
        name="lag", kind=_LAG, default=_SESSION.lag, group=THINKING,
        help=f"network delay per move, kept in reserve ({_SESSION.lag:g})",
        change=Change(lambda session: session.clock.lag_seconds, _set_lag), kata=("lagBuffer",),
    ),
    Setting(
        name="ponder", kind=SWITCH, default=_SESSION.ponder, group=THINKING,
        help="think during the opponent's time", kata=("ponderingEnabled",),
        change=Change(lambda session: session.options.ponder, _set_ponder),
    ),
    # The following settings are fixed at the start.
    Setting(
        "player", word_kind(("search", "patterns")), "search", MEASURING,
        "search (default), or patterns: play the most probable move of the learned patterns",
    ),
    Setting(
        "without", list_kind(PARTS, "PART,..."), frozenset(), MEASURING,
        f"leave out parts of the search: a list of {', '.join(PARTS)}",
    ),
    Setting(
        "patterns", FILE, None, OTHER, "pattern table (the included one)"
    ),
    Setting(
        "seed", whole_number_kind(0, BOUNDS.most_seed, "S"), None, OTHER,
        "seed of the random numbers (random)",
    ),
    Setting("kgs_chat", SWITCH, False, OTHER, "answer chat on KGS (new kgsGtp versions fail)"),
    Setting("ogs_chat", SWITCH, False, OTHER, "write win rates to stderr for gtp2ogs"),
    Setting("log", FILE, None, OTHER, "write all traffic to a file"),
)  # fmt: skip


def named(name: str) -> Setting:
    """Return the setting of a name in the table."""
    return next(setting for setting in SETTINGS if setting.name == name)
