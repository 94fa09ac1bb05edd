"""Settings changed while a session runs: GoGui's, KataGo's and Leela Zero's commands, one table.

A new setting is a row of ``SETTINGS``: every command below then knows it. Sources: GoGui's
documentation of analyze commands (``param``), KataGo's GTP_Extensions.md (``kata-set-param``),
Leela Zero's ``lz-setoption``.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from engine import RULESETS, YomiError
from gtp import arguments
from gtp.protocol import Command, FormError, GtpError
from gtp.session import FULL_STRENGTH, Session, SessionHandler

Value = bool | float | str
SUPERKO = ("none", "positional", "situational")
DEFAULT_RESIGN = "4"
MOST_PLAYOUTS = 10**12
MOST_SECONDS = 1e6
MOST_THREADS = 1024
LEAST_MEMORY, MOST_MEMORY = 16, 65536


class Setting(NamedTuple):
    """One setting.

    name   as the option of the command line, and GoGui's
    kata   what KataGo calls it, if it has it
    kind   what GoGui shows: string, bool, or list and the choices
    takes  what it may be set to, in words
    set    changes it; raises GtpError or YomiError where it cannot be
    """

    name: str
    kata: tuple[str, ...]
    kind: str
    takes: str
    get: Callable[[Session], Value]
    set: Callable[[Session, str], None]


def _within(value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise FormError


def _truth(text: str) -> bool:
    # GoGui sends 0 and 1, the others words.
    known = {"0": False, "1": True, "false": False, "true": True}
    if text.lower() not in known:
        raise FormError
    return known[text.lower()]


def _set_playouts(session: Session, text: str) -> None:
    playouts = arguments.integer(text)
    _within(playouts, 0, MOST_PLAYOUTS)
    session.set_player(playouts=playouts or None)


def _set_seconds(session: Session, text: str) -> None:
    seconds = arguments.decimal(text)
    _within(seconds, 0, MOST_SECONDS)
    session.set_player(seconds=seconds)


def _set_threads(session: Session, text: str) -> None:
    threads = arguments.integer(text)
    _within(threads, 1, MOST_THREADS)
    session.set_player(threads=threads)


def _set_memory(session: Session, text: str) -> None:
    mebibytes = arguments.integer(text)
    _within(mebibytes, LEAST_MEMORY, MOST_MEMORY)
    session.set_player(memory_mib=mebibytes)


def _set_resign(session: Session, text: str) -> None:
    percent = None if text.lower() == "never" else arguments.decimal(text)
    _within(percent or 0.0, 0, 100)
    session.set_player(resign_percent=percent)


def _resign(session: Session) -> str:
    percent = session.options.player.resign_percent
    return "never" if percent is None else f"{percent:g}"


def _set_rules(session: Session, text: str) -> None:
    if text.lower() not in RULESETS:
        raise FormError
    session.set_rules(session.rules_named(text.lower()))


def _set_superko(session: Session, text: str) -> None:
    if text.lower() not in SUPERKO:
        raise FormError
    session.set_rules(replace(session.rules, superko=text.lower()))  # type: ignore[arg-type]


def _set_lag(session: Session, text: str) -> None:
    seconds = arguments.decimal(text)
    _within(seconds, 0, MOST_SECONDS)
    session.clock.lag_seconds = seconds


def _set_ponder(session: Session, text: str) -> None:
    session.options = replace(session.options, ponder=_truth(text))


SETTINGS = (
    Setting(
        "playouts",
        ("maxPlayouts", "maxVisits"),
        "string",
        "a whole number, 0 for as many as the time allows",
        lambda session: session.options.player.playouts or 0,
        _set_playouts,
    ),
    Setting(
        "level",
        (),
        "string",
        f"a level from 20k to 1k or 1d to 5d, or {FULL_STRENGTH}",
        lambda session: session.level,
        lambda session, text: session.set_level(text),
    ),
    Setting(
        "time",
        ("maxTime",),
        "string",
        "a number of seconds",
        lambda session: session.options.player.seconds,
        _set_seconds,
    ),
    Setting(
        "threads",
        ("numSearchThreads",),
        "string",
        f"a whole number from 1 to {MOST_THREADS}",
        lambda session: session.options.player.thread_count,
        _set_threads,
    ),
    Setting(
        "memory",
        (),
        "string",
        f"a whole number of MiB from {LEAST_MEMORY} to {MOST_MEMORY}",
        lambda session: session.options.player.memory_mib,
        _set_memory,
    ),
    Setting("resign", (), "string", "a percentage or never", _resign, _set_resign),
    Setting(
        "rules",
        (),
        f"list/{'/'.join(RULESETS)}",
        f"one of {', '.join(RULESETS)}",
        lambda session: session.rules.name,
        _set_rules,
    ),
    Setting(
        "superko",
        (),
        f"list/{'/'.join(SUPERKO)}",
        f"one of {', '.join(SUPERKO)}",
        lambda session: session.rules.superko,
        _set_superko,
    ),
    Setting(
        "capture_dead",
        (),
        "bool",
        "true or false",
        lambda session: session.options.player.capture_dead,
        lambda session, text: session.capture_dead(_truth(text)),
    ),
    Setting(
        "lag",
        ("lagBuffer",),
        "string",
        "a number of seconds",
        lambda session: session.clock.lag_seconds,
        _set_lag,
    ),
    Setting(
        "ponder",
        ("ponderingEnabled",),
        "bool",
        "true or false",
        lambda session: session.options.ponder,
        _set_ponder,
    ),
)


def change(session: Session, setting: Setting, text: str) -> None:
    """Change a setting. Raises GtpError, and leaves it as it was."""
    try:
        setting.set(session, text)
    except (GtpError, YomiError):
        raise GtpError(f"{setting.name} takes {setting.takes}") from None


def _shown(value: Value, truths: tuple[str, str]) -> str:
    if isinstance(value, bool):
        return truths[value]
    return value if isinstance(value, str) else f"{value:.12g}"


# -- GoGui ----------------------------------------------------------------------------------------


def gogui_settings(session: Session, command: Command) -> str:
    """List all settings, or change one: ``NAME VALUE``."""
    if not command.arguments:
        lines = [
            f"[{setting.kind}] {setting.name} {_shown(setting.get(session), ('0', '1'))}"
            for setting in SETTINGS
        ]
        return "\n".join(lines)
    name, text = arguments.words(command, 2)
    for setting in SETTINGS:
        if setting.name == name.lower():
            change(session, setting, text)
            return ""
    raise GtpError("unknown setting")


# -- KataGo ---------------------------------------------------------------------------------------

_BY_KATA = {name: setting for setting in SETTINGS for name in (*setting.kata, setting.name)}


def _parameter(name: str) -> Setting:
    if name not in _BY_KATA:
        raise GtpError("unknown parameter")
    return _BY_KATA[name]


def kata_list_params(session: Session, command: Command) -> str:
    """List the names that kata-get-param knows."""
    arguments.words(command, 0)
    return " ".join(name for s in SETTINGS for name in s.kata or (s.name,))


def kata_get_param(session: Session, command: Command) -> str:
    """Answer a setting's value."""
    return _shown(_parameter(arguments.word(command)).get(session), ("false", "true"))


def kata_set_param(session: Session, command: Command) -> str:
    """Change a setting."""
    name, text = arguments.words(command, 2)
    change(session, _parameter(name), text)
    return ""


# -- Leela Zero -----------------------------------------------------------------------------------


class _Option(NamedTuple):
    """One of Leela Zero's options: its type, the setting that it is, and both ways to convert."""

    type: str
    setting: str
    from_value: Callable[[Value], str]
    to_text: Callable[[str], str]


def _as_said(text: str) -> str:
    return text


def _percent_of_option(text: str) -> str:
    # -1 is the program's own choice there, 0 is never.
    return {"-1": DEFAULT_RESIGN, "0": "never"}.get(text, text)


_OPTIONS = {
    "Maximum Memory Use (MiB)": _Option(
        f"spin default {{}} min {LEAST_MEMORY} max {MOST_MEMORY}", "memory", str, _as_said
    ),
    "Visits": _Option("spin default {} min 0 max 1000000000", "playouts", str, _as_said),
    "Playouts": _Option("spin default {} min 0 max 1000000000", "playouts", str, _as_said),
    "Lagbuffer": _Option(
        "spin default {} min 0 max 3000",
        "lag",
        lambda value: str(round(float(value) * 100)),
        lambda text: str(arguments.integer(text) / 100),
    ),
    "Resign Percentage": _Option(
        "spin default {} min -1 max 30",
        "resign",
        lambda value: "0" if value == "never" else str(value),
        _percent_of_option,
    ),
    "Pondering": _Option(
        "check default {}", "ponder", lambda value: ("false", "true")[bool(value)], _as_said
    ),
}


def lz_setoption(session: Session, command: Command) -> str:
    """List Leela Zero's options, or change one: ``name NAME value VALUE``."""
    by_name = {setting.name: setting for setting in SETTINGS}
    if not command.arguments:
        lines = [
            f"option name {name} type "
            + option.type.format(option.from_value(by_name[option.setting].get(session)))
            for name, option in _OPTIONS.items()
        ]
        return "\n".join(["", *lines])
    first, *words = command.arguments
    if first.lower() != "name" or "value" not in words:
        raise GtpError("incorrect syntax for lz-setoption")
    at = words.index("value")
    name, text = " ".join(words[:at]).lower(), " ".join(words[at + 1 :])
    for label, option in _OPTIONS.items():
        if label.lower() == name:
            change(session, by_name[option.setting], option.to_text(text))
            return ""
    raise GtpError("unknown option")


CHANGES: dict[str, SessionHandler] = {
    "yomi-settings": gogui_settings,
    "kata-list-params": kata_list_params,
    "kata-get-param": kata_get_param,
    "kata-set-param": kata_set_param,
    "lz-setoption": lz_setoption,
}
