"""All settings of play in one table, for the command line and for a running session.

A new setting is a row of ``SETTINGS``. ``yomi gtp`` gets its options from the table, and the
commands of GoGui, KataGo and Leela Zero (gtp/handlers/settings.py) know every row that a session
can change.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from engine import RULESETS, PlayerOptions, level_options
from engine.search.model import OPTIMISTIC, RELEVANCE, THOMPSON
from gtp.kinds import FILE, SWITCH, Kind, decimal_kind, whole_number_kind, word_kind
from gtp.session import FULL_STRENGTH, Session, SessionOptions

MOST_SECONDS = 1e6
MOST_THREADS = 1024
LEAST_MEMORY, MOST_MEMORY = 16, 65536
MOST_SEED = 10**18 - 1  # as many digits as set_random_seed takes
SUPERKO = ("none", "positional", "situational")
POLICIES = {"thompson": THOMPSON, "optimistic": OPTIMISTIC, "relevance": RELEVANCE}


class Change(NamedTuple):
    """How a running session reads and changes a setting."""

    get: Callable[[Session], Any]
    set: Callable[[Session, Any], None]


class Setting(NamedTuple):
    """One setting.

    name     in GTP; the option of the command line has hyphens instead of underscores
    kind     of its values
    default  the value where nothing is said
    group    the heading of the option in the help
    help     the option's help, without an end mark
    change   how a session changes it; None: it is fixed when yomi starts
    kata     KataGo's names of it
    nothing  stands for the value None; the command line takes it unless None is the default
    """

    name: str
    kind: Kind
    default: Any
    group: str
    help: str
    change: Change | None = None
    kata: tuple[str, ...] = ()
    nothing: str = ""

    @property
    def takes(self) -> str:
        """Return the texts that a session accepts, in words."""
        return f"{self.kind.takes} or {self.nothing}" if self.nothing else self.kind.takes

    def read(self, text: str) -> Any:
        """Return the value that a text means in a session. Raises GtpError or YomiError."""
        if self.nothing and text.lower() == self.nothing:
            return None
        return self.kind.read(text)


_LEVEL = Kind(level_options, "a level from 20k to 1k or 1d to 5d", "20k..5d")
_SECONDS = decimal_kind(MOST_SECONDS, "a number of seconds", "SECONDS")
_PERCENT = decimal_kind(100.0, "a percentage", "PERCENT|never")
# Korean rules differ from Japanese ones only in odd positions that no program here decides.
_RULES = word_kind(tuple(RULESETS), "NAME", korean="japanese")


# -- changes --------------------------------------------------------------------------------------


def _of_player(option: str) -> Change:
    """Return how an option of the player is changed."""
    return Change(
        lambda session: getattr(session.options.player, option),
        lambda session, value: session.set_player(**{option: value}),
    )


def _level_name(session: Session) -> str | None:
    level = session.options.player.level
    return None if level is None else level.name


def _set_superko(session: Session, kind: str) -> None:
    session.set_rules(replace(session.rules, superko=kind))  # type: ignore[arg-type]


def _set_lag(session: Session, seconds: float) -> None:
    session.clock.lag_seconds = seconds


def _set_ponder(session: Session, wanted: bool) -> None:
    session.options = replace(session.options, ponder=wanted)


# -- the table ------------------------------------------------------------------------------------

THINKING = "how long to think"
RULES = "rules"
MEASURING = "for measuring: leave something out"
OTHER = "other"

_PLAYER = PlayerOptions()
_SESSION = SessionOptions()

SETTINGS = (
    Setting(
        "playouts", whole_number_kind(1, 10**12, "N"), None, THINKING,
        "random games a move (strength, not time)",
        _of_player("playouts"), ("maxPlayouts", "maxVisits"), nothing="0",
    ),
    Setting(
        "level", _LEVEL, None, THINKING,
        "play at a level, 20k to 1k or 1d to 5d, as players do (full strength)",
        _of_player("level")._replace(get=_level_name), nothing=FULL_STRENGTH,
    ),
    Setting(
        "time", _SECONDS, _PLAYER.seconds, THINKING, f"time a move ({_PLAYER.seconds:g})",
        _of_player("seconds"), ("maxTime",),
    ),
    Setting(
        "threads", whole_number_kind(1, MOST_THREADS, "T"), None, THINKING,
        "processor cores to use (all, at most 4)",
        _of_player("threads")._replace(get=lambda session: session.options.player.thread_count),
        ("numSearchThreads",),
    ),
    Setting(
        "memory", whole_number_kind(LEAST_MEMORY, MOST_MEMORY, "MIB", " of MiB"),
        _PLAYER.memory_mib, THINKING,
        f"memory for the search tree ({_PLAYER.memory_mib})", _of_player("memory_mib"),
    ),
    Setting(
        "resign", _PERCENT, _PLAYER.resign_percent, RULES,
        f"resign when the chance to win stays below this ({_PLAYER.resign_percent:g})",
        _of_player("resign_percent"), nothing="never",
    ),
    Setting(
        "rules", _RULES, _SESSION.rules, RULES,
        f"{', '.join(RULESETS)}, or korean for japanese ({_SESSION.rules})",
        Change(
            lambda session: session.rules.name,
            lambda session, name: session.set_rules(session.rules_named(name)),
        ),
    ),
    Setting(
        "superko", word_kind(SUPERKO), _SESSION.superko, RULES,
        "repetitions to avoid: none, positional or situational (as the rules say)",
        Change(lambda session: session.rules.superko, _set_superko),
    ),
    Setting(
        "capture_dead", SWITCH, _PLAYER.capture_dead, RULES,
        "capture dead stones before passing, where they would be counted as alive (CGOS)",
        Change(lambda session: session.options.player.capture_dead, Session.capture_dead),
    ),
    Setting(
        "lag", _SECONDS, _SESSION.lag, THINKING,
        f"time lost on the way for each move, kept in reserve ({_SESSION.lag:g})",
        Change(lambda session: session.clock.lag_seconds, _set_lag), ("lagBuffer",),
    ),
    Setting(
        "ponder", SWITCH, _SESSION.ponder, THINKING, "go on thinking while the opponent does",
        Change(lambda session: session.options.ponder, _set_ponder), ("ponderingEnabled",),
    ),
    # The rest is fixed when yomi starts.
    Setting(
        "player", word_kind(("search", "patterns")), "search", MEASURING,
        "search (default), or patterns: the most probable move by the learned patterns",
    ),
    Setting(
        "rollouts", word_kind(("guided", "uniform")), "guided", MEASURING,
        "random games by the learned policy (guided, default) or uniform",
    ),
    Setting(
        "policy", word_kind(tuple(POLICIES)), "thompson", MEASURING,
        "where to search next: thompson (sampled values, default), optimistic (mean and"
        " deviation) or relevance (Baum's, at the root)",
    ),
    Setting(
        "clock", word_kind(("share", "utility")), "share", MEASURING,
        "a clock's time goes in equal shares (default) or by Baum's utility",
    ),
    Setting(
        "no_patterns", SWITCH, False, MEASURING, "search without the learned pattern values"
    ),
    Setting(
        "no_sums", SWITCH, False, MEASURING, "search late positions without solving their fights"
    ),
    Setting(
        "no_amaf", SWITCH, False, MEASURING, "search without all-moves-as-first evidence"
    ),
    Setting(
        "no_tactics", SWITCH, False, MEASURING, "search without chains read out beforehand"
    ),
    Setting(
        "life", SWITCH, False, MEASURING, "search with groups read out beforehand: do they live?"
    ),
    Setting(
        "independent", SWITCH, False, MEASURING,
        "believe of a position what its own search says, whatever is known of those around it",
        _of_player("independent"),
    ),
    Setting(
        "patterns", FILE, None, OTHER, "another table of patterns than the one that comes along"
    ),
    Setting(
        "seed", whole_number_kind(0, MOST_SEED, "S"), None, OTHER,
        "repeat the same random numbers (random)",
    ),
    Setting("kgs_chat", SWITCH, False, OTHER, "answer what is said on KGS (new kgsGtp: trouble)"),
    Setting("ogs_chat", SWITCH, False, OTHER, "write on stderr what gtp2ogs shows of each move"),
    Setting("log", FILE, None, OTHER, "write everything said to a file"),
)  # fmt: skip


def named(name: str) -> Setting:
    """Return the setting of a name that is in the table."""
    return next(setting for setting in SETTINGS if setting.name == name)
