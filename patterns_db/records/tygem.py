"""Records of the servers Tygem (.gib) and New Tygem (.ngf), rewritten as SGF.

Nobody has published these formats. The readers of Sabaki, KaTrain and xyz2sgf agree on all parts
that are used here: players, handicap, komi, result and moves.
"""

import re
from contextlib import suppress

from engine.errors import SgfError
from engine.go.geometry import fixed_handicap, to_column_row

SUFFIXES = (".gib", ".ngf")
_SIZE = 19  # of every board in a .gib
_LETTERS = "abcdefghijklmnopqrs"
# A field of a .gib, \[NAME=VALUE\]. A value that is not closed ends the match at the next field.
_FIELD = re.compile(r"\\\[([A-Z]+)=((?:[^\\\n]|\\(?![\[\]]))*+)\\\]")
_COLORS = {"1": "B", "2": "W"}
_RESULTS = {"3": "B+R", "4": "W+R", "7": "B+T", "8": "W+T"}
_MOVE = re.compile(r"PM..([BW])([A-T]{2})")
_PLAYER = re.compile(r"\s*([^\s(]*)[\s(]*([0-9]+[dkp])?", re.IGNORECASE)


def to_sgf(data: bytes, name: str) -> bytes:
    """Return the SGF of a file of Tygem, and the content of any other file as it is.

    Raises SgfError.
    """
    suffix = name.lower()[-4:]
    if suffix not in SUFFIXES or data.lstrip().startswith(b"("):
        return data
    text = _decode(data)
    try:
        return _from_gib(text) if suffix == ".gib" else _from_ngf(text)
    except (ArithmeticError, LookupError, ValueError):
        hint = "another program may convert it to SGF"
        raise SgfError(f"not a readable {suffix} record; {hint}") from None


def _decode(data: bytes) -> str:
    # Korean and Chinese bytes can seldom be told apart, and concern the names of players alone.
    for charset in ("utf-8", "cp949", "gb18030"):
        with suppress(UnicodeDecodeError):
            return data.decode(charset)
    return data.decode("latin-1")


def _from_gib(text: str) -> bytes:
    if "\\HS" not in text:
        raise ValueError("no header")
    fields = dict(_FIELD.findall(text))
    main = dict(part.partition(":")[::2] for part in fields.get("GAMEINFOMAIN", "").split(","))
    result, points = main.get("GRLT", ""), int(main.get("ZIPSU") or 0) / 10
    counted = {"0": f"B+{points:g}", "1": f"W+{points:g}"}
    handicap, moves = 0, []
    for words in map(str.split, text.splitlines()):
        if words[:1] == ["INI"]:
            handicap = int(words[3])
        elif words[:1] == ["STO"]:
            moves.append((_COLORS[words[3]], _place(int(words[4]), int(words[5]))))
        elif words[:1] == ["SKI"]:  # a pass of the side to move
            moves.append(("W" if moves and moves[-1][0] == "B" else "B", ""))
    root = {
        "RE": _RESULTS.get(result) or counted.get(result, ""),
        "KM": f"{int(main['GONGJE']) / 10:g}" if "GONGJE" in main else "",
    }
    players = fields.get("GAMEBLACKNAME", ""), fields.get("GAMEWHITENAME", "")
    return _write(_SIZE, root, players, handicap, moves)


def _from_ngf(text: str) -> bytes:
    lines = text.strip().splitlines()
    size, handicap, komi = int(lines[1]), int(lines[5]), float(lines[7])
    if handicap == 0 and komi.is_integer():
        komi += 0.5
    # Points are counted from 1, and AA is a pass.
    moves = [
        (match[1], "" if match[2] == "AA" else _place(*(ord(letter) - 66 for letter in match[2])))
        for match in map(_MOVE.match, lines)
        if match
    ]
    winner = re.search(r"(black|white) win", lines[10] if len(lines) > 10 else "", re.IGNORECASE)
    root = {"RE": f"{winner[1][0].upper()}+" if winner else "", "KM": f"{komi:g}"}
    return _write(size, root, (lines[3], lines[2]), handicap, moves)


def _place(x: int, y: int) -> str:
    """Return the SGF name of a point that is counted from 0 at the upper left corner."""
    if min(x, y) < 0:
        raise ValueError("a point beside the board")
    return _LETTERS[x] + _LETTERS[y]


def _write(
    size: int, root: dict[str, str], players: tuple[str, str], handicap: int,
    moves: list[tuple[str, str]],
) -> bytes:  # fmt: skip
    """Return a game as SGF.

    players   names of Black and White with their ranks: "name(3D)" or "name 3D"
    handicap  number of stones, which both servers place as GTP's fixed_handicap does
    """
    for color, player in zip("BW", players, strict=True):
        name, rank = _PLAYER.match(player).groups()  # type: ignore[union-attr]
        root |= {f"P{color}": name, f"{color}R": (rank or "").lower()}
    escaped = {name: re.sub(r"([]\\])", r"\\\1", value) for name, value in root.items() if value}
    text = "".join(f"{name}[{value}]" for name, value in escaped.items())
    if handicap > 1:
        stones = (to_column_row(point) for point in fixed_handicap(size, handicap))
        text += f"HA[{handicap}]AB" + "".join(f"[{_place(x - 1, size - y)}]" for x, y in stones)
    played = "".join(f";{color}[{place}]" for color, place in moves)
    return f"(;GM[1]FF[4]CA[UTF-8]SZ[{size}]{text}{played})".encode()
