"""Settings changed while a session runs: one table, used by four kinds of clients."""

import argparse
import re

import pytest

from engine import PlayerOptions, Rules
from gtp import settings
from gtp.cli.gtp import add_options
from gtp.kinds import ValueKind
from gtp.session import SessionOptions
from gtp.settings import SETTINGS
from tests.gtp.conftest import Talk

NAMES = [setting.name for setting in SETTINGS if setting.change is not None]

NAMES_OF_ALL = [setting.name for setting in SETTINGS]


def shown(talk):
    """Return {name: (kind, value)} as GoGui reads them."""
    found = {}
    for line in talk("yomi-settings").split("\n"):
        kind, name, value = re.fullmatch(r"\[([^]]+)\] (\S+) (.*)", line).groups()
        found[name] = (kind, value)
    return found


def test_gogui_lists_all_in_its_form(talk):
    found = shown(talk)
    assert list(found) == NAMES
    for kind, value in found.values():
        if kind.startswith("list/"):
            assert value in kind.split("/")[1:]
        else:
            assert kind in ("string", "bool")
        assert kind != "bool" or value in ("0", "1")
    assert "param/Settings/yomi-settings" in talk("gogui-analyze_commands").split("\n")


@pytest.mark.parametrize("name", NAMES)
def test_shown_values_can_be_set(talk, name):
    before, values = talk.state, shown(talk)
    assert talk(f"yomi-settings {name} {values[name][1]}") == ""
    assert (talk.state, shown(talk)) == (before, values)


VALUES = [
    ("playouts", "25", "playouts", 25),
    ("playouts", "0", "playouts", None),
    ("time", "1.5", "seconds", 1.5),
    ("threads", "2", "threads", 2),
    ("memory", "64", "memory_mib", 64),
    ("resign", "never", "resign_percent", None),
    ("resign", "12.5", "resign_percent", 12.5),
]


@pytest.mark.parametrize(("name", "text", "option", "value"), VALUES)
def test_effects_on_the_player(talk, name, text, option, value):
    talk("boardsize 5", f"yomi-settings {name} {text}")
    for options in (talk.session.options.player, talk.session.player.options):
        assert getattr(options, option) == value
    # The game goes on, and a new player has the settings as well.
    assert not talk("genmove b").startswith("?")
    talk("set_random_seed 3")
    assert getattr(talk.session.player.options, option) == value


def test_effects_on_the_session(talk):
    talk("boardsize 5", "play b c3")
    talk("yomi-settings rules JAPANESE", "yomi-settings superko situational")
    talk("yomi-settings lag 0.75", "yomi-settings ponder 1")
    rules = Rules("japanese", "territory", "situational")
    assert talk.session.game.rules == talk.session.rules == rules
    assert talk.session.clock.lag_seconds == 0.75
    assert talk.session.options.ponder
    assert talk("list_stones b") == "C3"
    talk("clear_board")
    assert talk.session.game.rules == rules


def test_limits_change_and_the_tree_is_kept():
    talk = Talk(SessionOptions(player=PlayerOptions(playouts=8, threads=1, seed=1)))
    talk("boardsize 5", "reg_genmove b", "yomi-settings playouts 6")
    talk("yomi-settings time 2", "reg_genmove b")
    assert talk.session.generated.decision.playouts == 14
    talk("yomi-settings threads 2", "reg_genmove b")
    assert talk.session.generated.decision.playouts == 6


def test_an_unrelated_setting_keeps_the_tree_of_a_chosen_seed():
    talk = Talk(SessionOptions(player=PlayerOptions(playouts=8, threads=1)))
    talk("boardsize 5", "set_random_seed 3", "reg_genmove b", "yomi-settings resign never")
    assert talk.session.player.seed == 3
    talk("reg_genmove b")
    assert talk.session.generated.decision.playouts == 16


@pytest.mark.parametrize(("name", "text"), [("maxTime", "1e20"), ("maxVisits", str(2**50))])
def test_katago_s_largest_limits_mean_no_limit(talk, name, text):
    talk("boardsize 5", "time_settings 1 0 0")
    assert talk(f"kata-set-param {name} {text}") == ""
    assert float(talk(f"kata-get-param {name}")) == float(text)
    assert not talk("genmove b").startswith("?")


BAD = {
    "playouts": ("-1", "x", "1.5", "1e9", "9" * 17),
    "level": ("21k", "6d", "strong"),
    "time": ("-1", "nan", "inf", "x", "1e21"),
    "threads": ("0", "x", "1025"),
    "memory": ("15", "65537", "x"),
    "resign": ("-1", "101", "always", "nan"),
    "rules": ("chess",),
    "superko": ("maybe",),
    "capture_dead": ("2", "yes"),
    "lag": ("-1", "x", "nan", "1e7"),
    "ponder": ("2", "on"),
}


@pytest.mark.parametrize("name", NAMES)
def test_bad_values_are_refused(talk, name):
    talk("boardsize 5", "play b c3")
    before, values = talk.state, shown(talk)
    for text in BAD[name]:
        assert talk(f"yomi-settings {name} {text}").startswith(f"? {name} takes ")
        assert talk(f"kata-set-param {name} {text}").startswith(f"? {name} takes ")
    for line in (f"yomi-settings {name}", f"yomi-settings {name} 1 2"):
        assert talk(line).startswith("? syntax error; usage: ")
    assert (talk.state, shown(talk)) == (before, values)


def test_katago_parameters(talk):
    names = talk("kata-list-params").split(" ")
    assert {"maxVisits", "maxPlayouts", "maxTime", "numSearchThreads"} <= {*names}
    assert {"ponderingEnabled", "lagBuffer", "rules", "resign"} <= {*names}
    for name in names:
        value = talk(f"kata-get-param {name}")
        assert value
        assert talk(f"kata-set-param {name} {value}") == ""
        assert talk(f"kata-get-param {name}") == value
    assert talk("kata-set-param ponderingEnabled true", "kata-get-param ponder") == "true"
    assert talk("kata-set-param maxVisits 500", "kata-get-param maxPlayouts") == "500"
    for command in ("kata-get-param cpuct", "kata-set-param cpuct 1"):
        assert talk(command) == "? unknown parameter cpuct; kata-list-params lists all"
    for command in ("kata-get-param", "kata-set-param maxTime", "kata-list-params x"):
        assert talk(command).startswith("? syntax error; usage: ")
    assert talk("yomi-settings cpuct 1") == "? unknown setting cpuct; yomi-settings lists all"


def test_a_new_setting_is_one_row(talk, monkeypatch):
    seen = []
    change = settings.Change(lambda session: "calm", lambda session, mood: seen.append(mood))
    kind = ValueKind(str.upper, "a mood", "MOOD")
    row = settings.Setting("mood", kind, "CALM", "feelings", "the mood (calm)", change)
    monkeypatch.setattr(settings, "SETTINGS", (*SETTINGS, row))
    assert "[string] mood calm" in talk("yomi-settings").split("\n")
    assert talk("yomi-settings mood wild") == ""
    assert seen == ["WILD"]
    parser = argparse.ArgumentParser()
    add_options(parser)
    assert parser.parse_args([]).mood == "CALM"
    assert parser.parse_args(["--mood", "bad"]).mood == "BAD"


@pytest.mark.parametrize("setting", SETTINGS, ids=NAMES_OF_ALL)
def test_defaults_are_those_of_the_command_line(setting):
    parser = argparse.ArgumentParser()
    add_options(parser)
    assert getattr(parser.parse_args([]), setting.name) == setting.default


def test_the_word_for_nothing_is_an_option_only_where_it_is_no_default(capsys):
    parser = argparse.ArgumentParser()
    add_options(parser)
    assert parser.parse_args(["--resign", "NEVER"]).resign is None
    for option in (["--playouts", "0"], ["--level", "full"]):
        with pytest.raises(SystemExit):
            parser.parse_args(option)
        assert "is not a" in capsys.readouterr().err
