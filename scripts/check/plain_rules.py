"""The rules of Go in plain Python, which share no code with the engine: they judge its proofs."""

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
PASS = -1
Colors = tuple[int, ...]  # one color a point, row by row from the top; 0 empty, 1 black, 2 white


class RefutedError(Exception):
    """The proof fails; the text says where."""


class PlainRules:
    """Legal moves and captures on one size of board."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.near: list[list[int]] = []
        for point in range(size * size):
            row, column = divmod(point, size)
            steps = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
            self.near.append([r * size + c for r, c in steps if 0 <= r < size and 0 <= c < size])

    def point(self, vertex: str) -> int:
        """Return the point of a GTP vertex; PASS for "pass"."""
        if vertex == "pass":
            return PASS
        return (self.size - int(vertex[1:])) * self.size + COLUMNS.index(vertex[0])

    def chain(self, stones: Colors, point: int) -> tuple[set[int], set[int]]:
        """Return the chain at a point and its liberties."""
        color = stones[point]
        chain, liberties, waiting = {point}, set(), [point]
        while waiting:
            for near in self.near[waiting.pop()]:
                if stones[near] == 0:
                    liberties.add(near)
                elif stones[near] == color and near not in chain:
                    chain.add(near)
                    waiting.append(near)
        return chain, liberties

    def play(self, stones: Colors, point: int, color: int) -> tuple[Colors, int] | None:
        """Return the stones after a move and the point of a simple ko or PASS; None: illegal."""
        if stones[point] != 0:
            return None
        board = list(stones)
        board[point] = color
        captured: set[int] = set()
        for near in self.near[point]:
            if board[near] == 3 - color and near not in captured:
                chain, liberties = self.chain(tuple(board), near)
                if not liberties:
                    captured |= chain
        for stone in captured:
            board[stone] = 0
        # Captures first: a move that takes something is no suicide.
        after = tuple(board)
        chain, liberties = self.chain(after, point)
        if not liberties:
            return None
        ko = PASS
        # Simple ko: one stone took one stone and could be taken back at once.
        if len(captured) == 1 and len(chain) == 1 and len(liberties) == 1:
            ko = next(iter(captured))
        return after, ko

    def replies(self, stones: Colors, color: int) -> list[tuple[int, Colors, int]]:
        """Return all legal moves of a color as (point, stones after it, ko point)."""
        moves = []
        for point, stone in enumerate(stones):
            if stone == 0:
                played = self.play(stones, point, color)
                if played is not None:
                    moves.append((point, *played))
        return moves
