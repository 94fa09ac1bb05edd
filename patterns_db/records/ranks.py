"""The ranks of players as records write them: "12k", "3k?", "5 dan", "9p", "18级", "初段"."""

import re
import unicodedata

WEAKEST_COUNTED = 30  # "12k" counted up is the twelfth rank above 30k: 18k
PROFESSIONAL = -8  # 9d
_NUMERALS = str.maketrans("初一二三四五六七八九", "1123456789")
_RANK = re.compile(r"([0-9]{1,2})\s*(?:(?P<kyu>[k级級급])|(?P<dan>[d段단])|p)")


def kyu_of(rank: str | None, counted_up: bool = False) -> int | None:
    """Return a rank in kyu: "12k" 12, "1k" 1, "1d" 0, "3d" -2; None if it is not a rank.

    A professional counts as 9d. Marks of uncertainty, as in "12k?", are ignored.
    counted_up  "12k" is the twelfth of thirty kyu ranks from below: 18
    """
    text = unicodedata.normalize("NFKC", rank or "").strip().lower().translate(_NUMERALS)
    match = _RANK.match(text)
    if match is None or int(match[1]) == 0:
        return None
    number = int(match[1])
    if match["kyu"]:
        return WEAKEST_COUNTED - number if counted_up else number
    return 1 - number if match["dan"] else PROFESSIONAL
