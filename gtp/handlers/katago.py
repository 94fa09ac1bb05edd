"""KataGo's commands without analysis: rules, clocks, and what ends a search."""

import json
from collections.abc import Callable

from engine import BadSetup
from gtp import arguments
from gtp.handlers.servers import kgs_time_settings
from gtp.protocol import Command, FormError, GtpError
from gtp.session import Session, SessionHandler
from patterns_db.records.kata_rules import KataRules, read_rules, rule_fields, with_rule

TIME_SETTINGS = ("none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped")


# -- rules ----------------------------------------------------------------------------------------


def get_rules(session: Session, command: Command) -> str:
    """Return the rules as a JSON object."""
    arguments.words(command, 0)
    fields = rule_fields(session.rules_in_force, not session.rules_in_force.capture_dead)
    return json.dumps(fields, separators=(",", ":"))


def set_rules(session: Session, command: Command) -> str:
    """Set the rules of this game and later ones, by a shorthand or a JSON object."""
    _use(session, lambda: read_rules(command.text))
    return ""


def set_rule(session: Session, command: Command) -> str:
    """Set a single rule."""
    name, text = arguments.words(command, 2)
    value = {"true": True, "false": False}.get(text.lower(), text)
    rules, friendly = session.rules_in_force, not session.rules_in_force.capture_dead
    _use(session, lambda: with_rule(rules, friendly, name, value))
    return ""


def _use(session: Session, read: Callable[[], KataRules]) -> None:
    try:
        kata_rules = read()
    except BadSetup as error:
        raise GtpError(str(error)) from None
    if kata_rules.replaced:
        raise GtpError(f"not supported: {kata_rules.replaced}")
    session.set_rules(kata_rules.rules)
    session.capture_dead(not kata_rules.friendly_pass or session.options.capture_dead)


# -- clocks ---------------------------------------------------------------------------------------


def time_settings(session: Session, command: Command) -> str:
    """Set the clock: as kgs-time_settings, or fischer M I, or fischer-capped M I LIMIT LONGEST."""
    kind, *texts = arguments.words(command, 1, 5)
    if kind.lower() not in ("fischer", "fischer-capped"):
        return kgs_time_settings(session, command)
    times = arguments.amounts(texts[:2])
    limits = [arguments.decimal(text) for text in texts[2:]]
    match kind.lower(), times, limits:
        case "fischer", [main, increment], []:
            session.clock.set_fischer(main, increment)
        case "fischer-capped", [main, increment], [limit, longest]:
            # A negative number means no limit.
            named = {"most_main": limit, "longest_move": longest}
            wanted = {name: number for name, number in named.items() if number >= 0}
            session.clock.set_fischer(main, increment, **wanted)
        case _:
            raise FormError
    session.wait_before_clock()
    return ""


def list_time_settings(session: Session, command: Command) -> str:
    """List the time systems that kata-time_settings accepts."""
    return " ".join(TIME_SETTINGS)


def stop(session: Session, command: Command) -> str:
    """Do nothing. Any input ends pondering, including this command."""
    return ""


def clear_cache(session: Session, command: Command) -> str:
    """Forget the search results of this game's positions."""
    session.player.new_game()
    return ""


KATAGO: dict[str, SessionHandler] = {
    "kata-get-rules": get_rules,
    "kata-set-rules": set_rules,
    "kata-set-rule": set_rule,
    "kata-time_settings": time_settings,
    "kata-list_time_settings": list_time_settings,
    "stop": stop,
    "clear_cache": clear_cache,
}
