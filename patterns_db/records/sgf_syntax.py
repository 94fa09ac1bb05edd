"""A parser for SGF, as tolerant as other readers: bytes to the tree of one game.

Source: FF[4], https://www.red-bean.com/sgf/sgf4.html. Real records break it in a few ways that
other readers accept: no semicolon after "(", no ")" at the end, text around the game, properties in
lower case, unclosed values, stray characters. Each is read and noted. A record whose moves would be
a guess is rejected. The tree is sgfmill's, which also writes it and reads well-formed records.
"""

import re
from typing import Any, NamedTuple

from sgfmill import sgf_grammar

from engine.errors import SgfError
from patterns_db.printing import printable

# The beginning of a game. Text before it may hold parentheses of its own.
GAME_START = re.compile(rb"\(\s*(?:;|\(\s*;|[A-Z]{1,2}\s*\[)")
_BARE_START = re.compile(rb"\s*;\s*[A-Z]{1,2}\s*\[")  # of a record without any parentheses
# A root node names the game. A variation never begins like this.
ROOT_START = re.compile(rb"\(\s*;\s*(?:GM|FF|SZ|CA|AP)\s*\[")
# The pattern is possessive: an unclosed value must not be tried again from each of its bytes.
_TOKEN = re.compile(
    rb"\s*+(?:\[(?P<value>(?:[^\\\]]++|\\.)*+)\]|(?P<name>[A-Za-z]{1,64}+)|(?P<sign>[;()])"
    rb"|(?P<open>\[)|(?P<junk>[^\s;()\[A-Za-z]++))",
    re.DOTALL,
)
_LOWER = bytes(range(ord("a"), ord("z") + 1))
# Names that are written out in lower case.
_WORDS = {
    "BLACK": "B", "WHITE": "W", "GAME": "GM", "SIZE": "SZ", "KOMI": "KM", "RULES": "RU",
    "HANDICAP": "HA", "RESULT": "RE", "ADDBLACK": "AB", "ADDWHITE": "AW", "ADDEMPTY": "AE",
    "PLAYER": "PL", "COMMENT": "C",
}  # fmt: skip
_MOVES = ("B", "W")
_EVENTS = (*_MOVES, "AB", "AW", "AE")
_OTHER = {"B": "W", "W": "B"}
_MOVE = re.compile(rb";\s*[BW]\s*\[")
# The beginning of a move or game, up to its bracket.
_SWALLOWED = re.compile(rb"(?:;\s*(?P<move>[BW])|\(\s*;\s*(?:GM|FF|SZ|CA|AP))\s*\Z")
_SWALLOWED_BYTES = 40  # that are searched before the bracket
_CONTINUATION = re.compile(rb"\s*(?:[;()]|[A-Z]{1,2}\s*\[|\Z)")


class ParsedGame(NamedTuple):
    """One game of a file."""

    tree: Any  # sgfmill's Coarse_game_tree; names are upper case, values as in the file
    end: int  # place from which the next game may begin, in bytes
    notes: tuple[str, ...]  # corrections, one line each


def parse_game(text: bytes) -> ParsedGame:
    """Return the first game of a text in UTF-8 or ASCII.

    Raises SgfError when there is none, and when its moves would be a guess.
    """
    start = GAME_START.search(text)
    if start is not None:
        return _SgfParser(text, start.start()).run()
    if _BARE_START.match(text):
        parser = _SgfParser(text, 0)
        parser.open_tree()
        parser.note("the parentheses around the game are missing")
        return parser.run()
    raise SgfError("not a readable SGF record: no SGF data found")


def notes_after(text: bytes, end: int) -> tuple[str, ...]:
    """Return notes on games and moves after the end of a game."""
    following = GAME_START.search(text, end)
    notes: tuple[str, ...] = ()
    if _MOVE.search(text, end, len(text) if following is None else following.start()):
        notes += ("moves after the end of the game are not read",)
    if following is not None:
        notes += ("the file holds several games: only the first is read",)
    return notes


class _SgfParser:
    """Builds the tree of one game, token by token."""

    def __init__(self, text: bytes, start: int) -> None:
        self._text = text
        self._place = start
        self._open: list[Any] = []  # trees that are not closed yet, the outermost first
        self._game: Any = None
        self._node: dict[str, list[bytes]] | None = None
        self._values: list[bytes] | None = None  # of the last named property
        self._name = ""
        self._lower = False  # whether the name was written in lower case
        self._stray = False  # whether this node had stray characters
        self._eventful = False  # whether the game has a move or a set-up stone
        self._notes: dict[str, None] = {}

    def note(self, text: str) -> None:
        self._notes.setdefault(text)

    def run(self) -> ParsedGame:
        """Read tokens up to the end of the game."""
        text = self._text
        while match := _TOKEN.match(text, self._place):
            kind = match.lastgroup
            token = match[kind] if kind else b""
            if kind == "value":
                end = swallowed_at(token)
                if end is not None and continues(text, match.end()):
                    self._take_value(token[:end])
                    self.note("a value is not closed; it ends before the next move or game")
                    self._place = match.start("value") + end
                    continue
                self._take_value(token)
            elif kind == "name":
                self._begin_property(token)
            elif kind == "sign":
                if token == b"(" and self._open and ROOT_START.match(text, match.end() - 1):
                    self._end_property()
                    if self._eventful:
                        break  # the next game begins inside this one, which was never closed
                    if self._game is not None:
                        self.note("an unclosed game without moves is passed over")
                    self._open.clear()
                    self._game = None
                self._take_sign(token)
            elif kind == "open":
                self._end_inside(text[match.end() :])
                break
            else:
                self._pass_over()
            self._place = match.end()
            if kind == "sign" and not self._open:
                break
        return self._finish()

    def _finish(self) -> ParsedGame:
        if self._values == []:
            self.note(f"the record ends after {self._name}, which is left out")
            self._values = None
        self._end_property()
        if self._open:
            self.note("the record is not closed: the last ) is missing")
        while self._open:
            self._close_tree()
        if self._game is None or not self._game.sequence:
            raise SgfError("not a readable SGF record: a game without nodes")
        return ParsedGame(self._game, self._place, tuple(self._notes))

    def open_tree(self) -> None:
        """Begin a game or a variation."""
        tree = sgf_grammar.Coarse_game_tree()
        if self._open:
            self._open[-1].children.append(tree)
        self._open.append(tree)
        self._node = None

    def _close_tree(self) -> None:
        tree = self._open.pop()
        self._node = None
        if not self._open:
            # These parentheses enclose the whole game.
            while not tree.sequence and len(tree.children) == 1:
                tree = tree.children[0]
            self._game = tree
        elif not tree.sequence:
            # "()" is not a variation, and "((;B[aa]))" is one.
            self._open[-1].children[-1:] = tree.children

    def _take_sign(self, token: bytes) -> None:
        self._end_property()
        if token == b"(":
            self.open_tree()
        elif token == b")":
            self._close_tree()
        else:
            self._begin_node()

    def _begin_node(self) -> None:
        tree = self._open[-1]
        if tree.children:
            raise SgfError("not a readable SGF record: a node after a variation")
        self._node = {}
        self._stray = False
        tree.sequence.append(self._node)
        self._game = self._game or self._open[0]

    def _begin_property(self, token: bytes) -> None:
        self._end_property()
        self._name = _name_of(token)
        self._lower = token.islower()
        self._values = []

    def _take_value(self, value: bytes) -> None:
        if self._values is None:
            self._pass_over()
            return
        self._values.append(value)

    def _end_inside(self, rest: bytes) -> None:
        """End the record inside a value; ``rest`` is its text."""
        if self._values is None:
            self._pass_over()
            return
        shown = printable(rest[:10].decode("utf-8", "replace"))
        self.note(f"the record ends inside of {self._name}[{shown}, which is left out")
        if not self._values:
            self._values = None

    def _end_property(self) -> None:
        if self._values is None:
            return
        name, values, self._values = self._name, self._values, None
        if not values:
            # A lone "b" or "w" is a word after a comment with an unescaped bracket.
            if name in _MOVES and not self._stray and not self._lower:
                raise SgfError(f"not a readable SGF record: a move {name} without a point")
            self._pass_over()
            return
        if self._node is None:
            self._begin_node()
            self.note("a semicolon is missing")
        assert self._node is not None
        # Without this, the order of such moves would be lost.
        if name in _MOVES and name in self._node and _OTHER[name] in self._node:
            self._begin_node()
            self.note("a semicolon is missing")
        self._node.setdefault(name, []).extend(values)
        self._eventful = self._eventful or name in _EVENTS

    def _pass_over(self) -> None:
        self._stray = True
        self.note("characters outside of properties are ignored")


def _name_of(token: bytes) -> str:
    """Return a property's name in upper case."""
    # Older versions of SGF write "GaMe" for "GM". Some programs write "gm" or "Gm".
    capitals = token.translate(None, _LOWER).decode("ascii")
    whole = token.decode("ascii").upper()
    if not capitals or (len(token) == 2 and capitals not in _MOVES):
        return _WORDS.get(whole, whole)
    return capitals


def swallowed_at(value: bytes) -> int | None:
    """Return the place of a move or game at the end of a value that lacks its bracket, or None.

    ``;B[aa]C[good move;W[bb]`` is a comment that ends at the second semicolon. Otherwise White's
    move would vanish. A comment that quotes a record looks alike, but more words follow.
    """
    bracket = value.rfind(b"[")
    if bracket < 0:
        return None
    beginning = _SWALLOWED.search(value, max(0, bracket - _SWALLOWED_BYTES), bracket)
    # A quotation has its own closing brackets, escaped.
    quoted = b"\\]" in value[bracket:]
    if beginning is None or quoted or (beginning["move"] and len(value) - bracket > 3):
        return None
    return beginning.start()


def continues(text: bytes, end: int) -> bool:
    """Return whether a record goes on in a text after the end of a value."""
    return _CONTINUATION.match(text, end) is not None


def sealed(value: bytes) -> bytes:
    """Return an equal value that no reader takes for an unclosed one."""
    if swallowed_at(value) is None:
        return value
    head, _, tail = value.rpartition(b"[")
    return head + b"\\[" + tail
