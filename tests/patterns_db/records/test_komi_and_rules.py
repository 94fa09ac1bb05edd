"""Komi and rules of records, as servers and programs write them."""

import json

import pytest

from engine import RULESETS
from patterns_db.records.komi_and_rules import read_komi, read_record_rules, record_name, usual_komi
from patterns_db.records.replay import terms_of
from patterns_db.records.sgf import read_record


@pytest.mark.parametrize(
    ("text", "fox", "area", "komi"),
    [
        ("6.5", False, True, 6.5),
        ("7,5", False, True, 7.5),
        ("6.5 points", False, True, 6.5),
        ("6½", False, True, 6.5),
        ("-5.5", False, True, -5.5),
        ("0", False, True, 0.0),
        ("650", True, False, 6.5),
        ("650", False, False, 6.5),
        ("750", True, True, 7.5),
        # Stones, of which one is two points.
        ("375", True, True, 7.5),
        ("325", False, False, 6.5),
        ("275", True, True, 5.5),
        ("350", True, True, 7.0),
        ("3.75", False, True, 7.5),
        ("3 3/4", False, True, 7.5),
        ("3又3/4子", False, True, 7.5),
        ("黑贴3子3/4", False, True, 7.5),
        ("350", False, True, 7.0),
        ("350", False, False, 3.5),
        ("六目半", False, False, 6.5),
        ("7目半", False, False, 7.5),
        ("半目", False, False, 0.5),
        ("\uff16\uff0e\uff15", False, True, 6.5),
        ("6.5e0", False, True, 6.5),
        ("3.5", False, True, 3.5),
        ("0", True, False, None),
        ("", False, True, None),
        ("-100", False, True, -100.0),
    ],
)
def test_komi(text, fox, area, komi):
    assert read_komi(text, 19, fox, area) == (komi, ())


@pytest.mark.parametrize("text", ["nan", "x", "1e400", "9999", "6.5.1", "1/2", "6 or 7"])
def test_an_invalid_komi_is_reported(text):
    komi, notes = read_komi(text, 19, False, True)
    assert komi is None
    assert text in notes[0]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Chinese", "chinese"),
        ("chinese (area)", "chinese"),
        ("Chinese-OGS", "chinese"),
        ("中国", "chinese"),
        ("中國規則", "chinese"),
        ("JP", "japanese"),
        ("Japanese, 6.5 komi", "japanese"),
        ("日本ルール", "japanese"),
        ("korean", "japanese"),
        ("AGA rules", "aga"),
        ("NZ", "new-zealand"),
        ("New Zealand", "new-zealand"),
        ("Tromp-Taylor", "tromp-taylor"),
        ("GOE", "goe"),
        ("Ing Goe", "goe"),
        ("Ing's", "goe"),
        ("area", "chinese"),
        ("Territory", "japanese"),
        ("AGA, area", "aga"),
        ("KGS japanese", "japanese"),
        ("cn", "chinese"),
        ("tromp_taylor", "tromp-taylor"),
        ("koSIMPLEscoreTERRITORYtaxSEKIsui0whb0", "japanese"),
        ("koSITUATIONALscoringAREAtaxNONEsui0whbN-1fpok1", "aga"),
        ('{"ko":"SIMPLE","scoring":"TERRITORY","suicide":false}', "japanese"),
    ],
)
def test_rules(text, name):
    found = read_record_rules(text)
    assert found.rules.name == name
    assert found.notes == ()


@pytest.mark.parametrize(
    "text", ["chess", "{bad", "koSIMPLEscoreNOTHING", '{"ko":[]}', "", "[" * 9999]
)
def test_rules_that_are_not_understood(text):
    assert read_record_rules(text) is None


@pytest.mark.parametrize(
    ("text", "komi"),
    [
        ("Japanese, 5.5 komi", 5.5),
        ("GOE, komi 8", 8.0),
        ("Chinese (7 komi)", 7.0),
        ("Japanese 1989", None),
        ("koSIMPLEscoreAREAtaxNONEsui0komi5.5", 5.5),
        ('{"scoring":"TERRITORY","komi":5}', 5.0),
    ],
)
def test_rules_may_name_the_komi(text, komi):
    found = read_record_rules(text)
    assert found.komi == komi
    assert found.notes == ()


@pytest.mark.parametrize("komi", ["NaN", "1e999", "1e99", "true", '"x"', "[]"])
def test_an_invalid_komi_among_rules_is_reported(komi):
    found = read_record_rules('{"komi":' + komi + "}")
    assert found.komi is None
    assert "komi" in found.notes[0]


def test_several_rules_are_reported():
    for text, name in (("Japanese/Chinese", "japanese"), ("Chinese Japanese", "chinese")):
        found = read_record_rules(text)
        assert found.rules.name == name
        assert "several rules" in found.notes[0]
    # A way of counting is a remark beside a name.
    assert read_record_rules("AGA (area)").notes == ()
    assert read_record_rules("Japanese, territory scoring").notes == ()


def test_suicide_is_legal_where_the_rules_say_so():
    for text in (
        "GOE",
        "ing",
        "koPOSITIONALscoreAREAtaxNONEsui1",
        "NZ",
        json.dumps({"suicide": True}),
    ):
        assert read_record_rules(text).rules.suicide


def test_omitted_rules_are_named():
    assert "tax ALL" in read_record_rules("stone scoring").notes[0]


def test_names_are_read_back():
    for rules in RULESETS.values():
        assert read_record_rules(record_name(rules)).rules == rules
    for text in ("GOE", "koSITUATIONALscoreTERRITORYtaxSEKIsui1whbN"):
        rules = read_record_rules(text).rules
        assert read_record_rules(record_name(rules)).rules == rules


def test_usual_komi():
    komi = {name: usual_komi(rules, 0) for name, rules in RULESETS.items()}
    assert komi == {
        "japanese": 6.5, "chinese": 7.5, "aga": 7.5, "new-zealand": 7.0, "tromp-taylor": 7.5,
    }  # fmt: skip
    assert usual_komi(RULESETS["chinese"], 2) == 0.5


@pytest.mark.parametrize(
    ("data", "name", "komi"),
    [
        (b"(;RU[Japanese])", "japanese", 6.5),
        (b"(;RU[AGA]HA[2])", "aga", 0.5),
        (b"(;AB[dd][pp];W[dp])", "chinese", 0.5),
        (b"(;B[dd];B[pp];W[dp])", "chinese", 0.5),
        (b"(;AB[dd]AW[pp])", "chinese", 7.5),
        (b"(;KO[5.5]RU[JP])", "japanese", 5.5),
        (b"(;RU[koSIMPLEscoreAREAtaxNONEsui0whbNkomi5])", "chinese", 5.0),
        (b"(;AP[foxwq]KM[0]HA[0]RU[Japanese])", "japanese", 6.5),
    ],
)
def test_terms_of_a_record(data, name, komi):
    terms = terms_of(read_record(data))
    assert (terms.rules.name, terms.komi) == (name, komi)


@pytest.mark.parametrize(
    ("data", "assumed"),
    [
        (b"(;RU[AGA]KM[7.5])", []),
        (b"(;RU[koSIMPLEscoreAREAtaxNONEsui0whbNkomi5])", []),
        (b"(;HA[2])", ["no rules: Chinese rules are used", "no komi is known: the usual 0.5"]),
        (b"(;RU[JP]KM[much])", ["no komi is known: the usual 6.5 is used"]),
        (b"(;RU[JP]RE[W+0.5])", ["no komi is known: the usual 6.5 is used"]),
        (b"(;RU[JP]RE[W+1])", ["no komi is known: the result W+1 excludes the usual 6.5; 0 is"]),
        (b"(;RU[NZ]RE[W+1])", ["no komi is known: the usual 7 is used"]),
    ],
)
def test_what_a_record_does_not_say_is_assumed_aloud(data, assumed):
    said = terms_of(read_record(data)).assumed
    assert len(said) == len(assumed)
    assert all(part in line for part, line in zip(assumed, said, strict=True))


def test_unknown_rules_are_reported_and_the_others_used():
    terms = terms_of(read_record(b"(;RU[moon])"), RULESETS["japanese"])
    assert (terms.rules.name, terms.komi) == ("japanese", 6.5)
    assert "RU[moon]" in terms.notes[0]


@pytest.mark.parametrize("name", ["RU", "KM", "HA"])
def test_a_note_shows_control_characters_as_codes(name):
    record = read_record(f"(;{name}[moon\033\u202e{'x' * 99}];B[aa])".encode())
    (note,) = record.notes or terms_of(record).notes
    assert "[moon\\x1b\\u202exx" in note
    assert len(note) < 120
