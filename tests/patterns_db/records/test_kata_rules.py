"""Rules in KataGo's terms: its published table, objects, and rules that yomi does not support."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import RULESETS
from engine.errors import BadSetup
from patterns_db.records.kata_rules import (
    read_rules,
    rule_fields,
    rules_of_fields,
    with_bonus,
    with_rule,
)

# From docs/GTP_Extensions.md; hasButton false and tax NONE or, of territory, SEKI.
PUBLISHED = {
    "tromp-taylor": ("POSITIONAL", "AREA", True, "0", False),
    "chinese": ("SIMPLE", "AREA", False, "N", True),
    "chinese-ogs": ("POSITIONAL", "AREA", False, "N", True),
    "chinese-kgs": ("POSITIONAL", "AREA", False, "N", True),
    "japanese": ("SIMPLE", "TERRITORY", False, "0", True),
    "korean": ("SIMPLE", "TERRITORY", False, "0", True),
    "aga": ("SITUATIONAL", "AREA", False, "N-1", True),
    "bga": ("SITUATIONAL", "AREA", False, "N-1", True),
    "new-zealand": ("SITUATIONAL", "AREA", True, "0", True),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_shorthands(name):
    found = read_rules(name)
    fields = rule_fields(found.rules, found.friendly_pass)
    names = ("ko", "scoring", "suicide", "whiteHandicapBonus", "friendlyPassOk")
    assert tuple(fields[field] for field in names) == PUBLISHED[name]
    assert fields["hasButton"] is False
    assert fields["tax"] == ("SEKI" if fields["scoring"] == "TERRITORY" else "NONE")
    assert found.replaced == ""
    # The same rules as an object, and the name in other spellings.
    assert read_rules(json.dumps(fields)) == found
    assert read_rules(name.replace("-", "_").upper()) == read_rules(name.replace("-", " ")) == found


@pytest.mark.parametrize("name", ["chinese-ogs", "japanese", "aga", "tromp-taylor", "new-zealand"])
def test_equivalent_rules_are_the_same_set(name):
    assert read_rules(name).rules == RULESETS[name.removesuffix("-ogs")]


@pytest.mark.parametrize(
    ("name", "replaced", "komi"),
    [
        ("stone-scoring", "tax ALL", 7.5),
        ("ancient-territory", "tax ALL", 6.5),
        ("aga-button", "hasButton true", 7.0),
        ('{"scoring": "TERRITORY", "tax": "NONE"}', "tax NONE", 6.5),
        ('{"ko": "SPIGHT", "hasButton": true}', "ko SPIGHT, hasButton true", 7.0),
        ("{}", "", 7.5),
    ],
)
def test_unsupported_rules_are_named(name, replaced, komi):
    found = read_rules(name)
    assert (found.replaced, found.komi) == (replaced, komi)


def test_missing_fields_of_an_object_are_tromp_taylor():
    assert read_rules("{}") == read_rules("tromp-taylor")
    fields = {"score": "TERRITORY", "suicide": False, "ko": "SIMPLE"}
    assert rules_of_fields(fields).rules == RULESETS["japanese"]


@given(
    st.fixed_dictionaries(
        {
            "ko": st.sampled_from(["SIMPLE", "POSITIONAL", "SITUATIONAL"]),
            "scoring": st.sampled_from(["AREA", "TERRITORY"]),
            "suicide": st.booleans(),
            "whiteHandicapBonus": st.sampled_from(["0", "N", "N-1"]),
            "friendlyPassOk": st.booleans(),
        }
    )
)
def test_written_rules_are_read_back(fields):
    found = rules_of_fields(fields)
    assert fields.items() <= rule_fields(found.rules, found.friendly_pass).items()
    assert found.rules.name in RULESETS


@pytest.mark.parametrize(
    "text",
    [
        "",
        "chess",
        "{",
        "{]",
        "[" * 100_000,
        '{"ko": "perhaps"}',
        '{"ko": 1}',
        '{"suicide": "true"}',
        '{"tax": "HALF"}',
        '{"tax": []}',
        '{"komi": 7.5}',
    ],
)
def test_unreadable_rules_are_refused(text):
    with pytest.raises(BadSetup):
        read_rules(text)


def test_bonus():
    assert with_bonus(RULESETS["japanese"], "N").handicap_compensation == "each"
    with pytest.raises(BadSetup):
        with_bonus(RULESETS["japanese"], 1)


@pytest.mark.parametrize(
    "text", ["koSIMPLEscoreTERRITORYtaxSEKIsui0whb0", "scoringTERRITORYkoSIMPLEsui0"]
)
def test_a_string_is_read(text):
    assert read_rules(text).rules == RULESETS["japanese"]
    with pytest.raises(BadSetup):  # the komi is not a rule here
        read_rules(text + "komi6.5")


def test_one_rule_changes_alone():
    for rules in RULESETS.values():
        before = rule_fields(rules, friendly_pass=True)
        for name, value in {
            "ko": "SITUATIONAL",
            "suicide": not rules.suicide,
            "whiteHandicapBonus": "N",
            "scoring": "AREA" if rules.scoring == "territory" else "TERRITORY",
        }.items():
            changed = with_rule(rules, True, name, value)
            after = rule_fields(changed.rules, changed.friendly_pass)
            # yomi has one tax for each way of counting.
            other = {"tax": after["tax"]} if name == "scoring" else {}
            assert after == {**before, **other, name: value}
            assert changed.replaced == ""
    for name, value in (("tax", "ALL"), ("hasButton", True)):
        assert name in with_rule(RULESETS["chinese"], True, name, value).replaced
