"""Commands of GoGui and KataGo that change settings during a session.

They use the table in gtp/settings.py. Sources: GoGui's documentation of analyze commands
(``param``), KataGo's GTP_Extensions.md (``kata-set-param``).
"""

from engine import YomiError
from gtp import arguments, settings
from gtp.protocol import Command, GtpError
from gtp.session import Session, SessionHandler
from gtp.settings import Setting


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


CHANGES: dict[str, SessionHandler] = {
    "yomi-settings": gogui_settings,
    "kata-list-params": kata_list_params,
    "kata-get-param": kata_get_param,
    "kata-set-param": kata_set_param,
}
