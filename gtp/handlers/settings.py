"""Commands of GoGui, KataGo and Leela Zero that change settings during a session.

All of them use the table in gtp/settings.py. Sources: GoGui's documentation of analyze commands
(``param``), KataGo's GTP_Extensions.md (``kata-set-param``), Leela Zero's ``lz-setoption``.
"""

from collections.abc import Callable
from typing import NamedTuple

from engine import YomiError
from gtp import arguments, settings
from gtp.protocol import Command, FormError, GtpError
from gtp.session import Session, SessionHandler
from gtp.settings import BOUNDS, Setting


def _changeable() -> dict[str, Setting]:
    """Return the settings that a session can change, by name."""
    return {setting.name: setting for setting in settings.SETTINGS if setting.change is not None}


def _change(session: Session, setting: Setting, text: str, name: str = "") -> None:
    """Change a setting. Raises GtpError and then leaves the setting unchanged.

    name  its name in the error, if it is not yomi's
    """
    assert setting.change is not None
    try:
        setting.change.set(session, setting.read(text))
    except (GtpError, YomiError):
        raise GtpError(f"{name or setting.name} takes {setting.takes}") from None


def _shown(session: Session, setting: Setting, truths: tuple[str, str] = ("false", "true")) -> str:
    """Return a setting's value as a text that would set it."""
    assert setting.change is not None
    value = setting.change.get(session)
    if value is None:
        return setting.nothing
    if isinstance(value, bool):
        return truths[value]
    return f"{value:.12g}" if isinstance(value, float) else str(value)


# -- GoGui ----------------------------------------------------------------------------------------


def gogui_settings(session: Session, command: Command) -> str:
    """List all settings, or change one."""
    settings = _changeable()
    if not command.arguments:
        return "\n".join(
            f"[{setting.kind.gogui}] {name} {_shown(session, setting, ('0', '1'))}"
            for name, setting in settings.items()
        )
    name, text = arguments.words(command, 2)
    if name.lower() not in settings:
        raise GtpError(f"unknown setting {name[:40]}; yomi-settings lists all")
    _change(session, settings[name.lower()], text)
    return ""


# -- KataGo ---------------------------------------------------------------------------------------


def _parameter(name: str) -> Setting:
    """Return a setting by yomi's name or one of KataGo's."""
    for setting in _changeable().values():
        if name in (setting.name, *setting.kata):
            return setting
    raise GtpError(f"unknown parameter {name[:40]}; kata-list-params lists all")


def kata_list_params(session: Session, command: Command) -> str:
    """List the names that kata-get-param accepts."""
    arguments.words(command, 0)
    return " ".join(name for s in _changeable().values() for name in s.kata or (s.name,))


def kata_get_param(session: Session, command: Command) -> str:
    """Return a setting's value."""
    return _shown(session, _parameter(arguments.word(command)))


def kata_set_param(session: Session, command: Command) -> str:
    """Change a setting."""
    name, text = arguments.words(command, 2)
    _change(session, _parameter(name), text, name)
    return ""


# -- Leela Zero -----------------------------------------------------------------------------------


class _Option(NamedTuple):
    """One of Leela Zero's options.

    type      its type as lz-setoption lists it, with a placeholder for the value
    setting   the name of the setting behind it
    shown     converts the setting's text to the option's
    to_text   converts the option's text to the setting's
    """

    type: str
    setting: str
    shown: Callable[[str], str] = str
    to_text: Callable[[str], str] = str


def _percent_of_option(text: str) -> str:
    # In Leela Zero, -1 leaves the choice to the program and 0 means never.
    own_choice = f"{_changeable()['resign'].default:g}"
    return {"-1": own_choice, "0": "never"}.get(text, text)


_OPTIONS = {
    "Maximum Memory Use (MiB)": _Option(
        f"spin default {{}} min {BOUNDS.least_memory} max {BOUNDS.most_memory}", "memory"
    ),
    "Visits": _Option("spin default {} min 0 max 1000000000", "playouts"),
    "Playouts": _Option("spin default {} min 0 max 1000000000", "playouts"),
    "Lagbuffer": _Option(
        "spin default {} min 0 max 3000",
        "lag",
        lambda text: str(round(float(text) * 100)),
        lambda text: str(arguments.integer(text) / 100),
    ),
    "Resign Percentage": _Option(
        "spin default {} min -1 max 30",
        "resign",
        lambda text: "0" if text == "never" else text,
        _percent_of_option,
    ),
    "Pondering": _Option("check default {}", "ponder"),
}


def lz_setoption(session: Session, command: Command) -> str:
    """List Leela Zero's options, or change one."""
    settings = _changeable()
    if not command.arguments:
        lines = [
            f"option name {name} type "
            + option.type.format(option.shown(_shown(session, settings[option.setting])))
            for name, option in _OPTIONS.items()
        ]
        return "\n".join(["", *lines])
    first, *words = command.arguments
    if first.lower() != "name" or "value" not in words:
        raise FormError
    at = words.index("value")
    name, text = " ".join(words[:at]), " ".join(words[at + 1 :])
    for label, option in _OPTIONS.items():
        if label.lower() == name.lower():
            _change(session, settings[option.setting], option.to_text(text))
            return ""
    raise GtpError(f"unknown option {name[:40]}; lz-setoption lists all")


CHANGES: dict[str, SessionHandler] = {
    "yomi-settings": gogui_settings,
    "kata-list-params": kata_list_params,
    "kata-get-param": kata_get_param,
    "kata-set-param": kata_set_param,
    "lz-setoption": lz_setoption,
}
