"""An independent record of a GTP session: the expected board after each answer.

The rules come from sgfmill's board, and the protocol from the GTP 2 draft. Nothing of engine or gtp
is used, so that a mistake there cannot hide here.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

from sgfmill.boards import Board

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
COLORS = {"b": "b", "black": "b", "w": "w", "white": "w"}
StoneColors = dict[tuple[int, int], str]  # (row, column) from the lower left corner, from 0


@dataclass
class RecordedPosition:
    """One position: sgfmill's board, and the point that simple ko forbids with its color."""

    board: Board
    ko: tuple[str, tuple[int, int]] | None = None

    def stones(self) -> StoneColors:
        """Return the color of every occupied point."""
        return {point: color for color, point in self.board.list_occupied_points()}

    def after(self, color: str, place: tuple[int, int] | None) -> "RecordedPosition | None":
        """Return the position after a move, None if it is not legal (suicide is not)."""
        # A pass lifts the ko ban.
        if place is None:
            return RecordedPosition(self.board)
        if self.board.get(*place) is not None or self.ko == (color, place):
            return None
        board = self.board.copy()
        ko = board.play(*place, color)
        # sgfmill's board plays a suicide and removes the stones; here suicide is forbidden.
        if board.get(*place) is None:
            return None
        return RecordedPosition(board, ("w" if color == "b" else "b", ko) if ko else None)


@dataclass
class SessionRecord:
    """The expected state of yomi's session after each command."""

    size: int = 19
    komi: float = 7.5
    handicap: bool = False
    history: list[RecordedPosition] = field(default_factory=lambda: [RecordedPosition(Board(19))])
    wrong: list[str] = field(default_factory=list)
    checked: int = 0
    accepted: Counter[str] = field(default_factory=Counter)

    @property
    def now(self) -> RecordedPosition:
        """The current position."""
        return self.history[-1]

    def begin(self, size: int) -> None:
        """Begin a game on an empty board."""
        self.size, self.handicap, self.history = size, False, [RecordedPosition(Board(size))]

    def place(self, text: str) -> tuple[int, int] | None:
        """Return (row, column) of a vertex, None for pass. Raises ValueError."""
        if text.upper() == "PASS":
            return None
        if not re.fullmatch(r"[A-HJ-Za-hj-z][0-9]{1,3}", text, re.ASCII):
            raise ValueError(text)
        row, column = int(text[1:]) - 1, LETTERS.index(text[0].upper())
        if not (0 <= row < self.size and column < self.size):
            raise ValueError(text)
        return row, column

    def moves(self, words: list[str]) -> list[tuple[str, tuple[int, int] | None]]:
        """Return color and place for every pair of words. Raises ValueError."""
        if len(words) % 2 or any(color.lower() not in COLORS for color in words[::2]):
            raise ValueError(words)
        pairs = zip(words[::2], words[1::2], strict=True)
        return [(COLORS[color.lower()], self.place(text)) for color, text in pairs]

    def expect(self, what: str, wanted: object, got: object) -> None:
        """Note a difference."""
        self.checked += 1
        if wanted != got:
            self.wrong.append(f"{what[:80]}: wanted {wanted}, got {got}")

    def follow(self, words: list[str], succeeded: bool, text: str) -> None:
        """Apply a command's effect, and check its answer."""
        self.accepted[words[0]] += succeeded
        # The record has no method for commands such as showboard, whose answers it cannot know.
        handler = getattr(self, "_" + words[0].replace("-", "_"), None)
        if handler is not None:
            handler(words[1:], succeeded, text)

    def _boardsize(self, words: list[str], succeeded: bool, text: str) -> None:
        if succeeded:
            self.begin(int(words[0]))

    def _clear_board(self, words: list[str], succeeded: bool, text: str) -> None:
        self.begin(self.size)

    def _komi(self, words: list[str], succeeded: bool, text: str) -> None:
        if succeeded:
            self.komi = float(words[0])

    def _get_komi(self, words: list[str], succeeded: bool, text: str) -> None:
        self.expect("get_komi", round(self.komi, 6), round(float(text), 6))

    def _play_all(self, words: list[str]) -> list[RecordedPosition] | None:
        """Return the positions of a sequence of moves, None if it cannot be played."""
        found = []
        try:
            for color, place in self.moves(words):
                position = (found or self.history)[-1].after(color, place)
                if position is None:
                    return None
                found.append(position)
        except ValueError:
            return None
        return found

    def _play(self, words: list[str], succeeded: bool, text: str) -> None:
        positions = self._play_all(words) if len(words) == 2 else None
        self.expect(f"play {words}", positions is not None, succeeded)
        self.history += positions or []

    def _gogui_play_sequence(self, words: list[str], succeeded: bool, text: str) -> None:
        positions = self._play_all(words)
        self.expect(f"gogui-play_sequence {words}", positions is not None, succeeded)
        self.history += positions or []

    def _genmove(self, words: list[str], succeeded: bool, text: str) -> None:
        if not succeeded or text == "resign":
            return
        position = self.now.after(COLORS[words[0].lower()], self.place(text))
        self.expect(f"genmove {words} {text} is legal", True, position is not None)
        if position is not None:
            self.history.append(position)

    def _is_legal(self, words: list[str], succeeded: bool, text: str) -> None:
        if succeeded:
            self.expect(f"is_legal {words}", "01"[self._play_all(words) is not None], text)

    def _undo(self, words: list[str], succeeded: bool, text: str) -> None:
        self.expect(f"undo {words}", not words and len(self.history) > 1, succeeded)
        if succeeded:
            self.history.pop()

    def _gg_undo(self, words: list[str], succeeded: bool, text: str) -> None:
        count = int(words[0]) if words and succeeded else 1
        if succeeded:
            self.expect(
                f"gg-undo {count} of {len(self.history) - 1}", True, 0 <= count < len(self.history)
            )
            del self.history[len(self.history) - count :]

    def _set_up(self, stones: StoneColors, handicap: bool = False) -> None:
        # Handicap stones and set-ups must be refused on any other board.
        self.expect("set-up on an empty board", {}, self.now.stones())
        board = Board(self.size)
        board.apply_setup(
            [p for p, c in stones.items() if c == "b"],
            [p for p, c in stones.items() if c == "w"],
            [],
        )
        self.handicap, self.history = handicap, [RecordedPosition(board)]

    def _handicap(self, names: list[str], succeeded: bool) -> None:
        if succeeded:
            self._set_up(dict.fromkeys([self.place(name) for name in names], "b"), True)  # type: ignore[arg-type]

    def _fixed_handicap(self, words: list[str], succeeded: bool, text: str) -> None:
        self._handicap(text.split(), succeeded)

    _place_free_handicap = _fixed_handicap

    def _set_free_handicap(self, words: list[str], succeeded: bool, text: str) -> None:
        self._handicap(words, succeeded)

    def _gogui_setup(self, words: list[str], succeeded: bool, text: str) -> None:
        if succeeded:
            self._set_up({place: color for color, place in self.moves(words) if place})

    def _set_position(self, words: list[str], succeeded: bool, text: str) -> None:
        if succeeded:
            self.begin(self.size)
            self._gogui_setup(words, succeeded, text)

    def _loadsgf(self, words: list[str], succeeded: bool, text: str) -> None:
        if succeeded:  # there is only one file that can be loaded
            count = int(words[1]) if len(words) > 1 else 3
            self.begin(5)
            self.komi = 0.5
            self._set_up({(4, 0): "b", (3, 1): "b"})
            for color, place in [("w", (2, 2)), ("b", (1, 3))][: count - 1]:
                position = self.now.after(color, place)
                assert position is not None
                self.history.append(position)

    def _list_stones(self, words: list[str], succeeded: bool, text: str) -> None:
        if succeeded:
            color = COLORS[words[0].lower()]
            wanted = sorted(p for p, c in self.now.stones().items() if c == color)
            got = sorted(self.place(name) or (-1, -1) for name in text.split())
            self.expect(f"list_stones {color}", wanted, got)

    def _name(self, words: list[str], succeeded: bool, text: str) -> None:
        self.expect("name", "yomi", text)


def clean(line: bytes) -> tuple[str, list[str]] | None:
    """Return (id, words) of a command line by the draft's section 2.2, None if it is empty."""
    # The draft's 2.2: remove control characters, turn tabs into spaces, and let # begin a comment.
    kept = bytes(byte for byte in line if byte == 9 or (byte >= 32 and byte != 127))
    words = kept.split(b"#")[0].replace(b"\t", b" ").split(b" ")
    texts = [word.decode("utf-8", "surrogateescape") for word in words if word]
    if not texts:
        return None
    # An id is an int; a larger number is the name of a command that does not exist.
    if re.fullmatch("[0-9]{1,10}", texts[0], re.ASCII) and int(texts[0]) < 2**31:
        return texts[0], texts[1:] or [""]
    return "", texts


def check(lines: list[bytes], output: bytes) -> SessionRecord:
    """Compare all answers with the record; ``wrong`` of the result lists the differences."""
    record = SessionRecord()
    commands = [command for line in lines if (command := clean(line)) is not None]
    # Two line feeds end an answer, so no answer holds an empty line.
    answers = output.decode("ascii").split("\n\n")
    record.expect("the stream ends with an empty line", "", answers.pop())
    record.expect("number of answers", len(commands), len(answers))
    for (command_id, words), answer in zip(commands, answers, strict=False):
        found = re.fullmatch(r"([=?])(\d*)(?: (.*))?", answer, re.DOTALL)
        what = " ".join(words)[:60]
        if found is None or any(not line.strip() for line in answer.split("\n")):
            record.wrong.append(f"malformed answer to {what!r}: {answer[:80]!r}")
            continue
        record.expect(f"id of {what!r}", command_id, found[2])
        if found[1] == "?" and found[3] in (None, "internal error"):
            record.wrong.append(f"failure of {what!r}: {answer[:80]!r}")
        record.follow(words, found[1] == "=", found[3] or "")
    return record
