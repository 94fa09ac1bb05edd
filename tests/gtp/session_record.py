"""An independent record of a GTP session: the board that each answer should leave.

The rules come from sgfmill's board, and the protocol from the GTP 2 draft. Nothing of engine or gtp
is used, so that a mistake there cannot hide here.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

from sgfmill.boards import Board

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
COLORS = {"b": "b", "black": "b", "w": "w", "white": "w"}


@dataclass
class RecordedPosition:
    """One position: sgfmill's board, and the color and point that simple ko forbids."""

    board: Board
    ko: tuple[str, tuple[int, int]] | None = None

    def stones(self):
        """Return the color of every occupied point."""
        return {point: color for color, point in self.board.list_occupied_points()}

    def after(self, color, place):
        """Return the position after a move, None if it is not legal (suicide is not)."""
        if place is None:  # a pass lifts the ko ban
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
    """The expected state of a session after each command."""

    size: int = 19
    komi: float = 7.5
    history: list[RecordedPosition] = field(default_factory=lambda: [RecordedPosition(Board(19))])
    wrong: list[str] = field(default_factory=list)
    checked: int = 0
    accepted: Counter[str] = field(default_factory=Counter)

    def place(self, text):
        """Return (row, column) of a vertex, None for pass. Raises ValueError."""
        if text.upper() == "PASS":
            return None
        if not re.fullmatch(r"[A-HJ-Za-hj-z][0-9]{1,3}", text, re.ASCII):
            raise ValueError(text)
        row, column = int(text[1:]) - 1, LETTERS.index(text[0].upper())
        if not (0 <= row < self.size and column < self.size):
            raise ValueError(text)
        return row, column

    def played(self, words):
        """Return the positions of a sequence of moves, None if it cannot be played."""
        found = []
        try:
            if len(words) % 2:
                return None
            for color, vertex in zip(words[::2], words[1::2], strict=True):
                last = (found or self.history)[-1]
                found.append(last.after(COLORS[color.lower()], self.place(vertex)))
                if found[-1] is None:
                    return None
        except (ValueError, KeyError):
            return None
        return found

    def set_up(self, stones):
        """Begin with some stones; that must be refused where there are some already."""
        self.expect("set-up on an empty board", {}, self.history[-1].stones())
        board = Board(self.size)
        black, white = ([p for p, c in stones.items() if c == color] for color in "bw")
        board.apply_setup(black, white, [])
        self.history = [RecordedPosition(board)]

    def expect(self, what, wanted, got):
        """Note a difference."""
        self.checked += 1
        if wanted != got:
            self.wrong.append(f"{what[:80]}: wanted {wanted}, got {got}")

    def follow(self, name, words, good, text):
        """Apply a command's effect, and check its answer."""
        self.accepted[name] += good
        match name:
            case "play" | "gogui-play_sequence":
                found = self.played(words) if name != "play" or len(words) == 2 else None
                self.expect(f"{name} {words}", found is not None, good)
                self.history += found or []
            case "undo":
                self.expect(f"undo {words}", not words and len(self.history) > 1, good)
                self.history = self.history[:-1] if good else self.history
            case "is_legal" if good:
                self.expect(f"is_legal {words}", "01"[self.played(words) is not None], text)
            case "genmove" if good and text != "resign":
                found = self.played([words[0], text])
                self.expect(f"genmove {words} {text} is legal", True, found is not None)
                self.history += found or []
            case "boardsize" | "clear_board" if good:
                self.size = int(words[0]) if name == "boardsize" else self.size
                self.history = [RecordedPosition(Board(self.size))]
            case "komi" if good:
                self.komi = float(words[0])
            case "get_komi":
                self.expect("get_komi", round(self.komi, 6), round(float(text), 6))
            case "gg-undo" if good:
                count = int(words[0]) if words else 1
                self.expect(f"gg-undo {count}", True, 0 <= count < len(self.history))
                del self.history[len(self.history) - count :]
            case "set_free_handicap" | "place_free_handicap" | "fixed_handicap" if good:
                vertices = words if name == "set_free_handicap" else text.split()
                self.set_up({self.place(vertex): "b" for vertex in vertices})
            case "gogui-setup" | "set_position" if good:
                if name == "set_position":
                    self.history = [RecordedPosition(Board(self.size))]
                pairs = zip(words[::2], words[1::2], strict=True)
                self.set_up({self.place(vertex): COLORS[color.lower()] for color, vertex in pairs})
            case "list_stones" if good:
                color, stones = COLORS[words[0].lower()], self.history[-1].stones()
                wanted = sorted(point for point, c in stones.items() if c == color)
                got = sorted(self.place(vertex) or (-1, -1) for vertex in text.split())
                self.expect(f"list_stones {color}", wanted, got)
            case "name":
                self.expect("name", "yomi", text)


def clean(line):
    """Return (id, words) of a command line by the draft's section 2.2, None if it is empty."""
    shown = bytes(byte for byte in line if byte == 9 or (byte >= 32 and byte != 127))
    words = shown.split(b"#")[0].replace(b"\t", b" ").split(b" ")
    texts = [word.decode("utf-8", "surrogateescape") for word in words if word]
    if not texts:
        return None
    # An id is an int; a larger number is the name of a command that does not exist.
    if re.fullmatch("[0-9]{1,10}", texts[0], re.ASCII) and int(texts[0]) < 2**31:
        return texts[0], texts[1:] or [""]
    return "", texts


def check(lines, output):
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
        record.follow(words[0], words[1:], found[1] == "=", found[3] or "")
    return record
