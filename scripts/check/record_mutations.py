"""Game records and their mutations, for ``fuzz_records``."""

import random
from collections.abc import Callable

NAMES = (
    "Lee",
    "\u674e\u660c\u9396",
    "\u30a4\u30fb\u30bb\u30c9\u30eb",
    "\uc774\uc138\ub3cc",
    "a]b\\c",
    "$x^2$",
    "\u8868",
)
ENCODINGS = ("utf-8", "utf-8", "shift_jis", "gb18030", "big5", "euc_kr", "latin-1", "utf-16")
VALUES = (
    "", "zz", "tt", "aa", "dd", "dd:A", "tt:A", "aa:cc", "cc:aa", "aa:zz", ":", "dd:", "7.5", "-1",
    "1e400", "nan", "375", "650", "19:19", "9:7", "0", "99999999999999999999", "Black", "1", "2",
    "\\", "\\\\", "a\\]b", "a:b:c", "\n", "\r\n", "\u674e", "\x00", "x" * 300, "A1", "jj", " dd ",
)  # fmt: skip
PROPERTIES = (
    "B W AB AW AE PL C N LB TR SQ CR MA SL TW TB DD VW KO MN BM DO TE IT SBKV SBKS GB GW UC V HO LN"
    " AR FG PM ST KM HA RU RE SZ GM FF CA AP DT PB PW BR WR TM OT CP EV RO YOMI foo addBlack X"
).split()
RULES = (
    "Japanese", "Chinese", "AGA", "GOE", "JP", "koSIMPLEscoreTERRITORY", "{}", "chess", "",
    "Japanese, 5.5 komi", "AGA/NZ", '{"komi":1e999}',
)  # fmt: skip
KOMI = ("6.5", "0", "7.5", "3.75", "375", "350", "6,5", "", "3\u53c83/4\u5b50", "6.5.1")


class Mutations:
    """Makes records from a random generator, most of them damaged in one to four places."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self._kinds: tuple[Callable[[bytes], bytes], ...] = (
            self.flip, self.cut, self.drop, self.repeat, self.insert_property, self.insert_property,
            self.insert_property, self.insert_bracket, self.insert_junk, self.join, self.value,
            self.value, self.swap,
        )  # fmt: skip

    def record(self) -> bytes:
        """Return one record."""
        data = self.whole()
        for _ in range(self.chance.choice((0, 1, 1, 1, 2, 3, 4))):
            data = self.chance.choice(self._kinds)(data)
        return data

    def whole(self) -> bytes:
        """Return a record as a program might write it, in some encoding."""
        r = self.chance
        size = r.choice((5, 7, 9, 9, 13, 19))
        encoding = r.choice(ENCODINGS)
        root = [f"SZ[{size}]"]
        if r.random() < 0.5:
            # Every fourth name is that of another set, or of the right one by chance.
            root.append(f"CA[{r.choice(ENCODINGS) if r.random() < 0.25 else encoding}]")
        for name, values in (("KM", KOMI), ("RU", RULES), ("HA", "0234"), ("AP", ("foxwq", "x"))):
            if r.random() < 0.4:
                root.append(f"{name}[{r.choice(values)}]")
        for name in ("PB", "PW", "C"):
            if r.random() < 0.5:
                root.append(f"{name}[{_escaped(r.choice(NAMES))}]")
        text = f"(;GM[1]FF[4]{''.join(root)}{self.moves(size)})"
        return text.encode(encoding, "replace")

    def moves(self, size: int) -> str:
        """Return nodes with moves on different points, perhaps with variations."""
        r = self.chance
        letters = "abcdefghijklmnopqrs"[:size]
        points = [x + y for x in letters for y in letters]
        nodes = []
        for number, point in enumerate(r.sample(points, min(len(points) // 3, r.randint(0, 12)))):
            node = f";{'BW'[number % 2]}[{r.choice(('', point)) if r.random() < 0.1 else point}]"
            if r.random() < 0.2:
                node += f"C[{_escaped(r.choice(NAMES))}]"
            if r.random() < 0.1:
                node += f"LB[{point}:A]TR[{r.choice(points)}]"
            if r.random() < 0.1:
                node += f"(;{'BW'[(number + 1) % 2]}[{r.choice(points)}])"
                node = node if r.random() < 0.1 else node.partition("(")[0]
            nodes.append(node)
        return "".join(nodes)

    def flip(self, data: bytes) -> bytes:
        """Change a byte."""
        if not data:
            return data
        at = self.chance.randrange(len(data))
        return data[:at] + bytes([self.chance.randrange(256)]) + data[at + 1 :]

    def cut(self, data: bytes) -> bytes:
        """Cut the end off, or the beginning."""
        at = self.chance.randint(0, len(data))
        return data[:at] if self.chance.random() < 0.8 else data[at:]

    def drop(self, data: bytes) -> bytes:
        """Leave out a piece."""
        at = self.chance.randint(0, len(data))
        return data[:at] + data[at + self.chance.randint(1, 6) :]

    def repeat(self, data: bytes) -> bytes:
        """Write a piece twice."""
        at = self.chance.randint(0, len(data))
        piece = data[at : at + self.chance.randint(1, 30)]
        return data[:at] + piece + data[at:]

    def insert_property(self, data: bytes) -> bytes:
        """Add a property, with one value or two, to some node."""
        r = self.chance
        places = [at + 1 for at, byte in enumerate(data) if byte in b"];"] or [0]
        values = "".join(f"[{r.choice(VALUES)}]" for _ in range(r.choice((0, 1, 1, 1, 2))))
        text = (r.choice(PROPERTIES) + values).encode("utf-8", "replace")
        at = r.choice(places)
        return data[:at] + text + data[at:]

    def insert_bracket(self, data: bytes) -> bytes:
        """Add a character of the syntax somewhere."""
        at = self.chance.randint(0, len(data))
        return data[:at] + self.chance.choice((b"(", b")", b"[", b"]", b";", b"\\")) + data[at:]

    def insert_junk(self, data: bytes) -> bytes:
        """Add meaningless bytes somewhere."""
        at = self.chance.choice((0, len(data), self.chance.randint(0, len(data))))
        return data[:at] + self.chance.randbytes(self.chance.randint(1, 20)) + data[at:]

    def join(self, data: bytes) -> bytes:
        """Append another game."""
        return data + self.chance.choice((b"", b"\n", b"junk ")) + self.whole()

    def value(self, data: bytes) -> bytes:
        """Replace the contents of a pair of brackets."""
        opened = [at for at, byte in enumerate(data) if byte == ord("[")]
        if not opened:
            return data
        at = self.chance.choice(opened)
        end = data.find(b"]", at)
        text = self.chance.choice(VALUES).encode("utf-8", "replace")
        return data[: at + 1] + text + data[end:] if end > 0 else data

    def swap(self, data: bytes) -> bytes:
        """Exchange two pieces."""
        first, second = sorted(self.chance.randint(0, len(data)) for _ in range(2))
        n = self.chance.randint(1, 10)
        middle = data[first + n : second]
        return (
            data[:first]
            + data[second : second + n]
            + middle
            + data[first : first + n]
            + data[second + n :]
        )


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
