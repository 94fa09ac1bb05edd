"""The rules and the komi of a record: the meaning of RU and KM from various programs."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

from engine.errors import BadSetup
from engine.go.rules import RULESETS, Rules
from patterns_db.printing import printable
from patterns_db.records.kata_rules import (
    NAMED,
    read_object,
    read_string,
    rule_string,
    rules_of_fields,
)

# Names that servers, programs and people write in RU, in lower case without blanks and punctuation.
_WORDS = {
    "chinese": "chinese china chineseogs chinesekgs cn chn zh prc cga areascoring area 中国 中國 中"
    " 数子 數子 chinesisch chinois chinese2002",
    "japanese": "japanese japan jp jpn ja nihon nihonkiin territory territoryscoring 日本 日韩 日"
    " 韩国 韓国 韓國 한국 일본 数目 數目 korean korea kr kor kba japanisch japonais nihonkiin1989",
    "aga": "aga bga french ffg american us usa",
    "new-zealand": "nz newzealand nzgs",
    "tromp-taylor": "tromptaylor tt tromp trompandtaylor logical",
    "goe": "goe ing ings sst 应氏 應氏 计点 計點",
    "agabutton": "agabutton",
    "stonescoring": "stonescoring ancientarea ancientchinese",
    "ancientterritory": "ancientterritory",
}
_RULES_OF_WORD = {word: name for name, words in _WORDS.items() for word in words.split()}
# Words for a way of counting. Beside the name of a rule set they are a remark.
_COUNTING = {"area", "areascoring", "territory", "territoryscoring"}
_KOMI_IN_RULES = re.compile(
    r"(?<![0-9.])([0-9]{1,2}(?:\.[05])?)\s*komi\b|\bkomi\W{0,3}([0-9]{1,2}(?:\.[05])?)(?![0-9.])"
)


_RECORD_NAMES = {
    "chinese": "Chinese",
    "japanese": "Japanese",
    "aga": "AGA",
    "new-zealand": "NZ",
    "tromp-taylor": "Tromp-Taylor",
    "goe": "GOE",
}
# Ing's rules, called GOE in FF[4], as KataGo plays them.
_GOE = replace(RULESETS["new-zealand"], name="goe", superko="positional")
_USUAL_KOMI = {"japanese": 6.5, "new-zealand": 7.0}


class RecordRules(NamedTuple):
    """The rules that a record names."""

    rules: Rules
    komi: float | None = None  # the komi in the name [points], or None
    notes: tuple[str, ...] = ()  # parts that were not understood, one line each


@lru_cache(maxsize=1000)  # hundred thousands of records have a dozen values
def read_record_rules(text: str) -> RecordRules | None:
    """Return the rules that a record's RU means, or None if it is not understood.

    RU is a word in one of several languages, perhaps with more text ("Chinese (area)", "Japanese,
    6.5 komi"), or KataGo's string or object.
    """
    text = unicodedata.normalize("NFKC", text).strip()
    try:
        if text.startswith("{"):
            fields = read_object(text)
            return _record_rules(fields, fields.pop("komi", None))
        if (rules_and_komi := read_string(text)) is not None:
            return _record_rules(*rules_and_komi)
    except BadSetup:
        return None
    names = _names_in(text.lower())
    if not names:
        return None
    name = names[0]
    rules = _GOE if name == "goe" else RULESETS.get(name)
    record = _record_rules(NAMED[name], None) if rules is None else RecordRules(rules)
    if len(names) > 1:
        note = f"several rules are named: RU[{printable(text[:20])}]; {name} rules are used"
        record = record._replace(notes=(*record.notes, note))
    komi = _KOMI_IN_RULES.search(text.lower())
    return record._replace(komi=float(komi[1] or komi[2])) if komi else record


def record_name(rules: Rules) -> str:
    """Return the text for a record's RU: a name, or KataGo's string where none fits."""
    standard = _GOE if rules.name == "goe" else RULESETS.get(rules.name, rules)
    if rules == standard:
        return _RECORD_NAMES.get(rules.name, rules.name)
    return rule_string(rules)


def usual_komi(rules: Rules, handicap: int) -> float:
    """Return the komi of a game whose record names none [points]."""
    if handicap > 1:
        return 0.5
    return _USUAL_KOMI.get(rules.name, 6.5 if rules.scoring == "territory" else 7.5)


def _names_in(text: str) -> list[str]:
    """Return the names of the rule sets in a text, the one that it means first."""
    # "Chinese (area)", "Japanese, 6.5 komi", "AGA rules", "日本ルール", "Rules: Chinese".
    for part in (text, re.split(r"[,(;/|]", text)[0]):
        if (name := _RULES_OF_WORD.get(_bare(part))) is not None:
            return list(dict.fromkeys([name, *(_words_in(text) if part != text else ())]))
    names = _words_in(text)
    # Scripts without blanks between words.
    return (
        names
        or [
            name
            for word, name in _RULES_OF_WORD.items()
            if len(word) > 1 and word in text and not word.isascii()
        ][:1]
    )


def _words_in(text: str) -> list[str]:
    """Return the rule sets that single words name. A way of counting counts only alone."""
    words = [_bare(word) for word in re.split(r"[\s,;:/|()]+", text)]
    names = [_RULES_OF_WORD[word] for word in words if word in _RULES_OF_WORD]
    clear = [_RULES_OF_WORD[word] for word in words if word in _RULES_OF_WORD.keys() - _COUNTING]
    return list(dict.fromkeys(clear or names))


def _bare(text: str) -> str:
    """Return a text without the word for rules, blanks and punctuation."""
    words = r"\b(the|rules?|ruleset|regeln|règles)\b|ルール|规则|規則|棋|규칙|룰"
    return re.sub(r"[\W_]", "", re.sub(words, "", text))


def _record_rules(fields: Mapping[str, object], komi: object) -> RecordRules:
    terms = rules_of_fields(fields)
    notes = (f"rules not supported: {terms.replaced}; played without",) if terms.replaced else ()
    if komi is None:
        return RecordRules(terms.rules, None, notes)
    # In Python, True is an int. The largest komi of KataGo is 150.
    if isinstance(komi, bool) or not isinstance(komi, int | float) or not abs(komi) <= 150:
        return RecordRules(terms.rules, None, (*notes, "the komi in the rules is not understood"))
    return RecordRules(terms.rules, float(komi), notes)


class Komi(NamedTuple):
    """The komi of a record [points], or None without one, and notes on corrections."""

    points: float | None = None
    notes: tuple[str, ...] = ()


# "6.5", "6,5 points", "6 1/2", "3又3/4子", "3子3/4", "7目半", "半目".
_STONES = "子"
_UNIT = "(?:子|目|점|집|points?|moku|pts?)"
_NUMBER = re.compile(
    rf"([-+]?)\s*([0-9]{{1,6}}(?:[.,][0-9]{{0,6}})?|[.,][0-9]{{1,6}}|(?=[0-9]/|半))\s*{_UNIT}?"
    rf"\s*(?:又|と|and)?\s*(?:([0-9])/([1-9])|(半|반)|e[-+]?0)?\s*{_UNIT}?"
)
_FRACTIONS = str.maketrans(
    {"½": " 1/2", "¼": " 1/4", "¾": " 3/4"}
    | {digit: str(number) for number, digit in enumerate("〇一二三四五六七八九")}
)


def read_komi(text: str, size: int, fox: bool, area: bool) -> Komi:
    """Return the komi that a record's KM means.

    The Fox server writes hundredths of points, or under Chinese rules hundredths of stones. One
    stone is two points, and 0 stands for the default. Quarters are always stones.
    Source: KataGo, src/dataio/sgf.cpp, getKomiOrDefault.
    text  the value of KM; fox  whether the server wrote it; area  whether area is counted
    """
    amount = unicodedata.normalize("NFKC", text.translate(_FRACTIONS)).strip().lower()
    if not amount:
        return Komi()
    number = _number_in(amount)
    if number is None:
        return Komi(None, (f"the komi is not understood: KM[{printable(text[:20])}]",))
    komi = Fraction(number[2].replace(",", ".") or 0)
    if number[3]:
        komi += Fraction(int(number[3]), int(number[4]))
    elif number[5]:
        komi += Fraction(1, 2)
    if number[1] == "-":
        komi = -komi
    if fox and komi == 0:
        return Komi()
    # Whole numbers from here on, multiples of 25, are hundredths of points.
    if komi % 25 == 0 and (200 <= abs(komi) <= 1000 or (fox and abs(komi) >= 25)):
        komi /= 100
        # 3 1/2 stones are 7 points, while the server never uses a komi of 3 1/2 points.
        stones = area and abs(komi) == Fraction(7, 2)
    else:
        stones = _STONES in number[0]
    if stones or ((komi * 4).denominator == 1 and (komi * 2).denominator != 1):
        komi *= 2
    points = float(komi)
    if not isfinite(points) or abs(points) > size * size:
        return Komi(None, (f"the komi is too large for the board: KM[{printable(text[:20])}]",))
    return Komi(points)


def _number_in(text: str) -> re.Match[str] | None:
    """Return the only number in a text, with its fraction, or None."""
    first = re.search(r"[-+]?\s*(?:[0-9]|[.,][0-9]|半)", text)
    number = _NUMBER.match(text, first.start()) if first else None
    # Another number beside it would make the first one a guess.
    return None if number is None or re.search("[0-9半반]", text[number.end() :]) else number
