"""Rules as KataGo writes them: a shorthand, or an object that says each rule.

What yomi's rule sets cannot say (a button, a tax on groups, territory in seki) is replaced by the
nearest that they can, and named.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from engine import RULESETS, Rules
from gtp.protocol import GtpError

_KO = {"SIMPLE": "none", "POSITIONAL": "positional", "SITUATIONAL": "situational"}
_SCORING = {"AREA": "area", "TERRITORY": "territory"}
_BONUS = {"0": "none", "N": "each", "N-1": "all but one"}
_TAX = ("NONE", "SEKI", "ALL")

# GTP_Extensions.md, kata-set-rules: ko, scoring, tax, suicide, bonus, friendly pass, button. By the
# shorthand without blanks and hyphens, which KataGo leaves out or writes as underscores as well.
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
_NAMED = {
    name: dict(zip(_FIELDS, values, strict=True))
    for names, values in _SHORTHANDS.items()
    for name in names
}


class KataRules(NamedTuple):
    """Rules that were asked for.

    rules          the nearest that yomi has
    friendly_pass  whether a pass is answered by one: dead stones need not be captured first
    replaced       what was asked for otherwise, as KataGo writes it; "" if nothing
    komi           what KataGo takes if no komi is said
    """

    rules: Rules
    friendly_pass: bool
    replaced: str
    komi: float


def read_rules(text: str) -> KataRules:
    """Read a shorthand, or the text of an object. Raises GtpError."""
    if not text.startswith("{"):
        name = re.sub("[-_ ]", "", text.lower())
        if name not in _NAMED:
            raise GtpError(f"unknown rules: {text[:60]}")
        return rules_of(_NAMED[name])
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        raise GtpError("the rules are no JSON object") from None
    if not isinstance(fields, dict):
        raise GtpError("the rules are no JSON object")
    return rules_of(fields)


def rules_of(fields: Mapping[str, object]) -> KataRules:
    """Read an object; what it does not say is as in Tromp-Taylor rules. Raises GtpError."""
    said = dict(fields)
    # An older name.
    if "score" in said:
        said["scoring"] = said.pop("score")
    if unknown := said.keys() - set(_FIELDS):
        raise GtpError(f"unknown rule: {min(unknown)[:60]}")
    # KataGo taxes the eyes in seki under territory scoring if it is not told otherwise.
    territory = {"tax": "SEKI"} if said.get("scoring") == "TERRITORY" else {}
    full = {**_NAMED["tromptaylor"], **territory, **said}
    superko, replaced = _ko(full)
    scoring = _choice(full, "scoring", _SCORING)
    bonus = _choice(full, "whiteHandicapBonus", _BONUS)
    suicide = _truth(full, "suicide")
    wanted_tax = "SEKI" if scoring == "territory" else "NONE"
    tax = full["tax"]
    if tax not in _TAX:
        raise GtpError(f"tax is none of {', '.join(_TAX)}")
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


def with_bonus(rules: Rules, bonus: str) -> Rules:
    """Return rules with another compensation for handicap stones: 0, N or N-1."""
    compensation = _choice({"whiteHandicapBonus": bonus}, "whiteHandicapBonus", _BONUS)
    return replace(rules, handicap_compensation=compensation)  # type: ignore[arg-type]


def rule_fields(rules: Rules, friendly_pass: bool) -> dict[str, str | bool]:
    """Return rules as an object of KataGo's."""
    return {
        "ko": _name_of(rules.superko, _KO),
        "scoring": _name_of(rules.scoring, _SCORING),
        "tax": "SEKI" if rules.scoring == "territory" else "NONE",
        "suicide": rules.suicide,
        "whiteHandicapBonus": _name_of(rules.handicap_compensation, _BONUS),
        "friendlyPassOk": friendly_pass,
        "hasButton": False,
    }


def _base(scoring: str, superko: str, bonus: str, suicide: bool) -> str:
    """Return the rule set whose name fits best: records and titles tell it."""
    if scoring == "territory":
        return "japanese"
    if suicide:
        return "new-zealand" if superko == "situational" else "tromp-taylor"
    return "aga" if bonus == "all but one" else "chinese"


def _ko(fields: Mapping[str, object]) -> tuple[str, list[str]]:
    # Spight's rule, which KataGo reads but does not document, forbids the same repetitions and some
    # passes.
    if fields["ko"] == "SPIGHT":
        return "situational", ["ko SPIGHT"]
    return _choice(fields, "ko", _KO), []


def _choice(fields: Mapping[str, object], field: str, choices: Mapping[str, str]) -> str:
    value = fields[field]
    if not isinstance(value, str) or value not in choices:
        raise GtpError(f"{field} is none of {', '.join(choices)}")
    return choices[value]


def _truth(fields: Mapping[str, object], field: str) -> bool:
    value = fields[field]
    if not isinstance(value, bool):
        raise GtpError(f"{field} is neither true nor false")
    return value


def _name_of(value: str, choices: Mapping[str, str]) -> str:
    return next(name for name, meant in choices.items() if meant == value)
