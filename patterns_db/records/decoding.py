"""Decoding of a record's character set to UTF-8, with a note where the set is a guess.

A record names its set in CA, but many name none or a wrong one. In the East Asian double-byte sets
a second byte can look like a backslash or a bracket. Read in the wrong set, such a record loses
moves. The guess is therefore the set in which the record has the fewest faults and most moves.
"""

import codecs
import math
import re
from typing import NamedTuple

from engine.errors import SgfError
from patterns_db.printing import printable
from patterns_db.records.sgf_syntax import parse_game

# The raw bytes are searched, because no text can be parsed before the set is known.
_CHARSET = re.compile(rb"\b(?:CA|ChAracter)\s*\[\s*([^\]\r\n]{0,60}?)\s*\]")
# Python's codec for each name that records use, in lower case without punctuation. Only character
# sets are listed: Python also has codecs for archives, escapes and host names, some of them very
# slow.
_CODECS = {
    "utf-8": "utf8 unicode unicode11utf8 utf8sig usascii ascii ansix341968 iso646us",
    "cp932": "shiftjis sjis xsjis mskanji windows31j cp932 ms932 ibm943 cp943 windows932"
    " csshiftjis cswindows31j japanese",
    "euc_jp": "eucjp xeucjp ujis eucjpms",
    "iso2022_jp_2": "iso2022jp iso2022jp1 iso2022jp2 csiso2022jp jis",
    "iso2022_kr": "iso2022kr",
    "gb18030": "gb18030 gbk gb2312 gb231280 euccn xgbk cp936 ms936 windows936 csgb2312 gb chinese",
    "cp950": "big5 cp950 ms950 windows950 xxbig5 csbig5 big5eten",
    "big5hkscs": "big5hkscs",
    "cp949": "euckr ksc5601 ksc56011987 cp949 uhc ms949 windows949 korean ksx1001 cseuckr",
    "johab": "johab cp1361",
    "cp1252": "windows1252 cp1252 iso88591 latin1 l1 iso8859 ansi iso885915 latin9",
    "koi8_r": "koi8r",
    "koi8_u": "koi8u",
    "mac_roman": "macintosh macroman mac",
    "tis_620": "tis620",
}
_CODECS |= {f"iso8859_{n}": f"iso8859{n}" for n in (2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 16)}
_CODECS |= {f"cp{n}": f"cp{n} windows{n} win{n}" for n in (1250, 1251, 1253, 1254, 1255, 1257)}
_CODECS |= {f"cp{n}": f"cp{n} ibm{n}" for n in (437, 850, 852, 866)}
_CODEC_OF = {name: codec for codec, names in _CODECS.items() for name in names.split()}
_DOUBLE_BYTE = ("gb18030", "cp932", "cp950", "cp949", "euc_jp")
_SHOWN = {
    "utf-8": "UTF-8", "utf-16": "UTF-16", "gb18030": "GB18030 (Chinese)",
    "cp932": "Shift-JIS (Japanese)", "cp950": "Big5 (Chinese)", "cp949": "EUC-KR (Korean)",
    "euc_jp": "EUC-JP (Japanese)", "iso2022_jp_2": "ISO-2022-JP", "latin-1": "Latin-1",
}  # fmt: skip
# Characters that are frequent in records: ranks, results, colors, common names.
_FREQUENT = {
    "gb18030": "段级胜黑白中盘目子局对棋围李王张刘陈杨赵周吴柯时朴申职业",
    "cp932": "段級勝黒白中押半目局対戦碁田中本山小林井坂藤木石第期名人",
    "cp950": "段級勝黑白中盤目子局對棋圍李王張劉陳楊趙周吳柯時朴申職業",
    "cp949": "바둑단급승흑백불계반집국대제기전김이박최정강조윤장임한오서신권황안송류홍원수성",
    "euc_jp": "段級勝黒白中押半目局対戦碁田中本山小林井坂藤木石第期名人",
}
_ESCAPING = re.compile(rb"[\x80-\xff]\\")  # a second byte that looks like a backslash


class DecodingLimits(NamedTuple):
    """The guess of a record's character set."""

    unreadable: int = 1000  # faults of a record that cannot be parsed
    sample: int = 2000  # most characters beyond ASCII that a guess uses
    # Smallest mean weight of a character at which a double-byte set is accepted
    plausible: float = 0.5
    # Damaged characters that a text may have, as a share of the good ones. In UTF-8 good ones are
    # rarely there by chance.
    damaged: float = 0.05
    damaged_utf8: float = 0.25


DECODING = DecodingLimits()


class Decoded(NamedTuple):
    """A record in UTF-8, and notes about its character set."""

    text: bytes
    notes: tuple[str, ...] = ()


def decode(data: bytes) -> Decoded:
    """Return a record in UTF-8. It never fails. Time is linear in the length."""
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
        if (text := _converted(data, "utf-8")) is not None:
            return Decoded(text)
    if (wide := _wide_codec(data)) is not None:
        return Decoded(data.decode(wide, "replace").lstrip("\ufeff").encode())
    # In ISO-2022 an escape byte switches the set. Other plain ASCII needs no decoding.
    if data.isascii() and b"\x1b" not in data:
        return Decoded(data)
    charset = _CHARSET.search(data)
    named = charset[1].decode("ascii", "replace") if charset else ""
    codec = _CODEC_OF.get(re.sub(r"[^a-z0-9]", "", named.lower()))
    guess = _declared(data, codec) or _guess(data)
    if guess == codec and (text := _converted(data, codec)) is not None:
        return Decoded(text)
    text = _converted(data, guess)
    assert text is not None  # Latin-1, the last guess, accepts anything
    if guess == "utf-8" and not named:
        return Decoded(text)
    shown = printable(named)
    reason = f"its text is not in its CA[{shown}]" if codec else f"CA[{shown}] is no known set"
    return Decoded(
        text, (f"the record is read as {_SHOWN[guess]}: {reason if named else 'it names no set'}",)
    )


def _wide_codec(data: bytes) -> str | None:
    """Return the codec of a text whose characters have two or four bytes each, or None."""
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    # Without a byte order mark, ASCII characters have a zero byte each.
    if re.match(rb"\s*\x00?\((?:\x00[\s;(])", data):
        return "utf-16-be" if data[:1] == b"\x00" else "utf-16-le"
    return None


def _declared(data: bytes, codec: str | None) -> str | None:
    """Return the set that the record names if its text fits, else None."""
    if codec is None or (text := _converted(data, codec)) is None:
        return None
    if b"\x1b$" in data:  # only ISO-2022 has these bytes
        return codec if codec.startswith("iso2022") else None
    if codec == "utf-8":
        return codec
    # Many programs always write CA[GB2312] or CA[ISO-8859-1], even for UTF-8. Text of another set
    # is rarely valid UTF-8 by chance.
    if not data.isascii() and _converted(data, "utf-8") is not None:
        if codec not in _DOUBLE_BYTE or re.search(rb"[\xe0-\xef]", data):
            return None
        letters = text.decode()
        # In a wrong set a letter with an accent becomes a character between letters.
        if (
            re.search(r"[A-Za-z][^\x00-\x7f][a-z]", letters)
            or _plausibility(letters, codec) < DECODING.plausible
        ):
            return None
    best = _soundness(text)
    # A single-byte set and Latin-1 have the same bytes, and so the same brackets. The double-byte
    # sets are compared only if there is a sign of them, as that takes long.
    signs = best[0] < 0 or (codec not in _DOUBLE_BYTE and _ESCAPING.search(data))
    for other in ("latin-1", *_DOUBLE_BYTE) if signs else ("latin-1",):
        if (text := _converted(data, other)) is not None and _soundness(text) > best:
            return None
    return codec


def _guess(data: bytes) -> str:
    """Return the codec in which a record is soundest and looks most like text."""
    if b"\x1b$" in data and _converted(data, "iso2022_jp_2") is not None:
        return "iso2022_jp_2"
    if _converted(data, "utf-8") is not None:
        return "utf-8"
    # Single accented letters are Latin-1. Other scripts have several bytes in a row, or bytes that
    # are not letters there.
    foreign = re.search(rb"[\x80-\xff]{2}|[\x80-\xbf]", data)
    least = DECODING.plausible if foreign else math.inf
    best = (_soundness(data.decode("latin-1").encode()), least, "latin-1")
    for codec in _DOUBLE_BYTE:
        text = _converted(data, codec)
        if text is not None:
            rating = (_soundness(text), _plausibility(text.decode(), codec))
            # Among equals the first is taken, which is the set of most records.
            if rating > best[:2]:
                best = (*rating, codec)
    return best[2]


def _converted(data: bytes, codec: str) -> bytes | None:
    """Return a text in UTF-8, or None if too little of it fits the codec."""
    text = data.decode(codec, "replace")
    bad = text.count("\ufffd")
    if bad:
        good = sum(c > "\x7f" for c in text) - bad
        if bad > good * (DECODING.damaged_utf8 if codec == "utf-8" else DECODING.damaged):
            return None
    return text.encode("utf-8", "replace")


def _soundness(text: bytes) -> tuple[int, int, bool]:
    """Return a rating of a record as read in a set. Larger is better.

    It compares the faults of the syntax (as a negative number), then the number of moves, then
    whether the record has a board size.
    """
    try:
        tree, _, notes = parse_game(text)
    except SgfError:
        return -DECODING.unreadable, 0, False
    count = wrong = 0
    # Without its size every move would be a different one.
    sized = "SZ" in tree.sequence[0]
    waiting = [tree]
    while waiting:
        tree = waiting.pop()
        waiting += tree.children
        for node in tree.sequence:
            moves = [len(v.strip()) <= 2 for name in "BW" for v in node.get(name, ())]
            count += sum(moves)
            wrong += len(moves) - sum(moves)
    return -len(notes) - wrong, count, sized


def _plausibility(text: str, codec: str) -> float:
    """Return how plausible a text is in its language: the mean weight of a character."""
    sample = [c for c in text if c > "\x7f"][: DECODING.sample]
    return sum(_weight(c, codec) for c in sample) / max(len(sample), 1)


def _weight(char: str, codec: str) -> float:
    """Return 2 for a frequent character of a language, 1 for a common one, 0 for a rare one."""
    if char in _FREQUENT[codec]:
        return 2.0
    if "\u3000" <= char <= "\u3002" or "\uff01" <= char <= "\uff5e":
        return 1.0  # punctuation and wide letters, which are in all sets
    # The sets put common characters before rare ones.
    narrow = {"gb18030": "gb2312", "cp949": "euc_kr", "cp950": "big5"}.get(codec, codec)
    try:
        lead = char.encode(narrow)[0]
    except UnicodeError:
        return 0.0
    if codec in ("cp932", "euc_jp"):
        kana = "\u3041" <= char <= "\u30fe"
        level = 0x88 <= lead <= 0x97 if codec == "cp932" else 0xB0 <= lead <= 0xCF
        return 1.0 if kana or level else 0.3 if "\u4e00" <= char <= "\u9fff" else 0.0
    first, last = {"gb18030": (0xB0, 0xD7), "cp950": (0xA4, 0xC6), "cp949": (0xB0, 0xC8)}[codec]
    return 1.0 if first <= lead <= last else 0.3 if "\u4e00" <= char <= "\u9fff" else 0.0
