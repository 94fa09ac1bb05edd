"""KataGo's formats for rules: a shorthand, an object with single rules, or one string.

Rules that yomi lacks (a button, a tax on groups, territory in seki) are replaced by the nearest
ones, and named.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from engine.errors import BadSetup
from engine.go.rules import RULESETS, Rules
from patterns_db.printing import printable

_KO_RULES = {"SIMPLE": "none", "POSITIONAL": "positional", "SITUATIONAL": "situational"}
_SCORING = {"AREA": "area", "TERRITORY": "territory"}
_BONUS = {"0": "none", "N": "each", "N-1": "all but one"}
_TAX = ("NONE", "SEKI", "ALL")

# GTP_Extensions.md, kata-set-rules: ko, scoring, tax, suicide, bonus, friendly pass, button. Keys
# are shorthands without blanks and hyphens, which KataGo also omits or writes as underscores.
_SHORTHANDS = {
    ("tromptaylor",): ("POSITIONAL", "AREA", "NONE", True, "0", False, False),
    ("chinese",): ("SIMPLE", "AREA", "NONE", False, "N", True, False),
    ("chineseogs", "chinesekgs"): ("POSITIONAL", "AREA", "NONE", False, "N", True, False),
    ("japanese", "korean"): ("SIMPLE", "TERRITORY", "SEKI", False, "0", True, False),
    ("stonescoring", "ancientarea"): ("SIMPLE", "AREA", "ALL", False, "0", True, False),
    ("ancientterritory",): ("SIMPLE", "TERRITORY", "ALL", False, "0", True, False),
    ("aga", "bga", "french"): ("SITUATIONAL", "AREA", "NONE", False, "N-1", True, False),
    ("newzealand", "nz"): ("SITUATIONAL", "AREA", "NONE", True, "0", True, False),
    ("agabutton",): ("SITUATIONAL", "AREA", "NONE", False, "N-1", True, True),
    ("goe", "ing"): ("POSITIONAL", "AREA", "NONE", True, "0", True, False),
}
_FIELDS = ("ko", "scoring", "tax", "suicide", "whiteHandicapBonus", "friendlyPassOk", "hasButton")
NAMED = {
    name: dict(zip(_FIELDS, values, strict=True))
    for names, values in _SHORTHANDS.items()
    for name in names
}
# A rule set in one string: src/game/rules.cpp of KataGo, operator<<.
_STRING_PART = re.compile(
    r"\s*(?:(komi)([-+0-9.]+)|(ko)(SIMPLE|POSITIONAL|SITUATIONAL|SPIGHT)|scor(?:ing|e)(AREA|TERRITORY)"
    r"|(tax)(NONE|SEKI|ALL)|(sui)([01])|(button)([01])|(whb)(0|N-1|N)|(fpok)([01]))"
)
_STRING_FIELDS = {
    "ko": "ko", "tax": "tax", "sui": "suicide", "button": "hasButton",
    "whb": "whiteHandicapBonus", "fpok": "friendlyPassOk",
}  # fmt: skip


class KataRules(NamedTuple):
    """Requested rules, and the nearest ones that exist."""

    rules: Rules  # the nearest that yomi has
    friendly_pass: bool  # whether a pass is answered by one: dead stones need not be captured first
    replaced: str  # the requested rules that were replaced, in KataGo's words; "" if none
    komi: float  # KataGo's default komi for these rules [points]


def read_rules(text: str) -> KataRules:
    """Read a shorthand of KataGo's, its string, or the text of an object. Raises BadSetup."""
    if text.startswith("{"):
        return rules_of_fields(read_object(text))
    if (fields := NAMED.get(re.sub("[-_ ]", "", text.lower()))) is not None:
        return rules_of_fields(fields)
    rules_and_komi = read_string(text)
    if rules_and_komi is None or rules_and_komi[1] is not None:  # the komi is another command's
        raise BadSetup(f"unknown rules: {text[:60]} (known: {', '.join(NAMED)}, and JSON objects)")
    return rules_of_fields(rules_and_komi[0])


def rules_of_fields(fields: Mapping[str, object]) -> KataRules:
    """Read an object. Missing rules are those of Tromp-Taylor. Raises BadSetup."""
    entries = dict(fields)
    # This name is older.
    if "score" in entries:
        entries["scoring"] = entries.pop("score")
    if unknown := entries.keys() - set(_FIELDS):
        first = printable(min(unknown)[:60])
        raise BadSetup(f"unknown rule: {first} (known: {', '.join(_FIELDS)})")
    # KataGo by default taxes the eyes in seki under territory scoring.
    territory = {"tax": "SEKI"} if entries.get("scoring") == "TERRITORY" else {}
    full = {**NAMED["tromptaylor"], **territory, **entries}
    superko, replaced = _ko(full)
    scoring = _choice(full, "scoring", _SCORING)
    bonus = _choice(full, "whiteHandicapBonus", _BONUS)
    suicide = _truth(full, "suicide")
    wanted_tax = "SEKI" if scoring == "territory" else "NONE"
    tax = full["tax"]
    if tax not in _TAX:
        raise BadSetup(f"tax must be one of {', '.join(_TAX)}")
    if tax != wanted_tax:
        replaced.append(f"tax {tax}")
    if _truth(full, "hasButton"):
        replaced.append("hasButton true")
    base = RULESETS[_base(scoring, superko, bonus, suicide)]
    rules = replace(
        base,
        scoring=scoring,  # type: ignore[arg-type]
        superko=superko,  # type: ignore[arg-type]
        suicide=suicide,
        handicap_compensation=bonus,  # type: ignore[arg-type]
    )
    komi = 6.5 if scoring == "territory" else 7.0 if full["hasButton"] else 7.5
    return KataRules(rules, _truth(full, "friendlyPassOk"), ", ".join(replaced), komi)


def with_rule(rules: Rules, friendly_pass: bool, name: str, value: object) -> KataRules:
    """Return rules with one rule changed. Raises BadSetup."""
    fields = rule_fields(rules, friendly_pass)
    if name in ("scoring", "score"):
        # The tax follows, since yomi has one for each way of counting.
        del fields["tax"], fields["scoring"]
    return rules_of_fields({**fields, name: value})


def with_bonus(rules: Rules, bonus: str) -> Rules:
    """Return rules with another compensation for handicap stones: 0, N or N-1."""
    compensation = _choice({"whiteHandicapBonus": bonus}, "whiteHandicapBonus", _BONUS)
    return replace(rules, handicap_compensation=compensation)  # type: ignore[arg-type]


def rule_fields(rules: Rules, friendly_pass: bool) -> dict[str, str | bool]:
    """Return rules as a JSON object of KataGo's."""
    return {
        "ko": _name_of(rules.superko, _KO_RULES),
        "scoring": _name_of(rules.scoring, _SCORING),
        "tax": "SEKI" if rules.scoring == "territory" else "NONE",
        "suicide": rules.suicide,
        "whiteHandicapBonus": _name_of(rules.handicap_compensation, _BONUS),
        "friendlyPassOk": friendly_pass,
        "hasButton": False,
    }


def read_object(text: str) -> dict[str, object]:
    """Read the text of an object. Raises BadSetup."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        raise BadSetup("the rules are not a JSON object") from None
    if not isinstance(fields, dict):
        raise BadSetup("the rules are not a JSON object")
    return fields


def read_string(text: str) -> tuple[dict[str, object], float | None] | None:
    """Return fields and komi of KataGo's string, or None if the text is not one."""
    fields: dict[str, object] = {}
    komi = None
    place = 0
    while place < len(text):
        match = _STRING_PART.match(text, place)
        if match is None:
            return None
        place = match.end()
        name, *rest = (group for group in match.groups() if group is not None)
        if name == "komi":
            komi = _number(rest[0])
        elif not rest:
            fields["scoring"] = name
        else:
            value = rest[0]
            switch = name in ("sui", "button", "fpok")
            fields[_STRING_FIELDS[name]] = value == "1" if switch else value
    return (fields, komi) if fields else None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def rule_string(rules: Rules) -> str:
    """Return rules as KataGo's string."""
    fields = rule_fields(rules, friendly_pass=False)
    parts = [f"{name}{fields[field]}" for name, field in (("ko", "ko"), ("score", "scoring"))]
    parts += [f"tax{fields['tax']}", f"sui{int(rules.suicide)}"]
    return "".join([*parts, f"whb{fields['whiteHandicapBonus']}"])


def _base(scoring: str, superko: str, bonus: str, suicide: bool) -> str:
    """Return the name of the best-fitting rule set, for records and titles."""
    if scoring == "territory":
        return "japanese"
    if suicide:
        return "new-zealand" if superko == "situational" else "tromp-taylor"
    return "aga" if bonus == "all but one" else "chinese"


def _ko(fields: Mapping[str, object]) -> tuple[str, list[str]]:
    # KataGo reads Spight's rule but does not document it. It forbids the same repetitions and some
    # passes.
    if fields["ko"] == "SPIGHT":
        return "situational", ["ko SPIGHT"]
    return _choice(fields, "ko", _KO_RULES), []


def _choice(fields: Mapping[str, object], field: str, choices: Mapping[str, str]) -> str:
    value = fields[field]
    if not isinstance(value, str) or value not in choices:
        raise BadSetup(f"{field} must be one of {', '.join(choices)}")
    return choices[value]


def _truth(fields: Mapping[str, object], field: str) -> bool:
    value = fields[field]
    if not isinstance(value, bool):
        raise BadSetup(f"{field} must be true or false")
    return value


def _name_of(value: str, choices: Mapping[str, str]) -> str:
    return next(name for name, meant in choices.items() if meant == value)
