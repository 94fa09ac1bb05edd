r"""Replay written proofs against every legal reply, with independent rules.

    yomi solve --problems FILE.jsonl --proof proofs.jsonl
    python -m scripts.check.proofs proofs.jsonl

Shares no code with the solvers: its board is plain Python. ``life_proofs`` replays proofs of life
and death, of ``yomi solve --life``. A proof of a capture answers the replies that it lists. Any
other reply is *foreign*: the attack that follows a pass answers it, on the board as it then is. For
each proof, the script walks all lines with at most ``--foreign`` foreign replies, then ``--random``
lines with any number of them. A proof is refuted when its attack is illegal (occupied, suicide,
ko), when the goal chain reaches the liberty limit, when a position repeats, or when an answer is
missing.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from scripts.check.life_proofs import LifeReplay
from scripts.check.plain_rules import PASS, Colors, PlainRules, RefutedError


class WorkSpentError(Exception):
    """The proof needs more positions than the limit allows."""


class Replay:
    """One written proof and the walk through it."""

    def __init__(self, proof: dict[str, Any], most_positions: int) -> None:
        self.rules = PlainRules(proof["size"])
        rows = proof["board"].split("/")
        self.start: Colors = tuple(".XO".index(character) for row in rows for character in row)
        self.attacker = 1 if proof["attacker"] == "black" else 2
        self.goal = self.rules.point(proof["goal"])
        self.limit = int(proof["liberty_limit"])
        self.nodes = proof["nodes"]
        for node in self.nodes:
            if "replies" in node:
                node["replies"] = {self.rules.point(v): n for v, n in node["replies"].items()}
        self.positions = 0
        self.most_positions = most_positions
        self.done: set[tuple[int, Colors, int, int]] = set()
        self.attacker_moves = proof["to_move"] == proof["attacker"]

    def check(self, lines: int, foreign: int, rng: random.Random) -> None:
        """Follow random lines, then walk all with at most some foreign replies.

        Raises RefutedError, WorkSpentError.
        """
        # First, because they go deeper than the walk may get within its limit of work.
        for _ in range(lines):
            self.random_line(rng)
        if self.attacker_moves:
            self.attack(0, self.start, PASS, foreign, frozenset())
        else:
            first = frozenset({(self.start, 3 - self.attacker)})
            self.answer_all(0, self.start, foreign, first)

    def _attack(self, node: int, stones: Colors, ban: int) -> Colors | None:
        """Make the attack of a node; return the stones after it, None once the goal is taken."""
        self.positions += 1
        # Foreign replies multiply: 84 of 246 proofs go on beyond 30,000 positions.
        if self.positions > self.most_positions:
            raise WorkSpentError
        record = self.nodes[node]
        text = record.get("attack") or record.get("take")
        if text is None:
            raise RefutedError(f"node {node}: no attack where the attacker is to move")
        self._look(node, stones)
        move = self.rules.point(text)
        played = None if move == ban else self.rules.play(stones, move, self.attacker)
        if played is None:
            raise RefutedError(f"node {node}: the attack {text} is illegal")
        if played[0][self.goal] == 0:
            return None
        if "take" in record:
            raise RefutedError(f"node {node}: {text} does not take the goal")
        self._look(node, played[0])
        return played[0]

    def _look(self, node: int, stones: Colors) -> None:
        if len(self.rules.chain(stones, self.goal)[1]) >= self.limit:
            raise RefutedError(f"node {node}: the goal chain has {self.limit} liberties")

    def answer_all(
        self, node: int, stones: Colors, foreign: int, seen: frozenset[tuple[Colors, int]]
    ) -> None:
        """Check a node with the defender to move against every legal reply."""
        replies: dict[int, int] = self.nodes[node].get("replies", {})
        if PASS not in replies:
            raise RefutedError(f"node {node}: no answer to a pass")
        self._look(node, stones)
        defender = 3 - self.attacker
        # A pass is always tried: foreign replies are answered by the attack after it.
        moves = [(PASS, stones, PASS)]
        if foreign > 0:
            moves += self.rules.replies(stones, defender)
        else:
            for point in replies:
                played = None if point == PASS else self.rules.play(stones, point, defender)
                if played is not None:
                    moves.append((point, *played))
        for point, after, ban in moves:
            listed = point in replies
            # A zone promises that the attack after a pass answers a foreign reply.
            follow = replies[point if listed else PASS]
            self.attack(follow, after, ban, foreign - (not listed), seen)

    def attack(
        self, node: int, stones: Colors, ban: int, foreign: int, seen: frozenset[tuple[Colors, int]]
    ) -> None:
        """Check a node with the attacker to move."""
        # The path is not part of the key, or no node would be met twice. A repetition that only
        # another path to this node shows is left to the random lines.
        key = (node, stones, ban, foreign)
        if key in self.done:
            return
        if (stones, self.attacker) in seen:
            raise RefutedError(f"node {node}: a position repeats")
        after = self._attack(node, stones, ban)
        if after is not None:
            if (after, 3 - self.attacker) in seen:
                raise RefutedError(f"node {node}: a position repeats")
            path = seen | {(stones, self.attacker), (after, 3 - self.attacker)}
            self.answer_all(self.nodes[node]["then"], after, foreign, path)
        self.done.add(key)

    def random_line(self, rng: random.Random) -> None:
        """Follow one line in which the defender plays anything."""
        stones, ban, node, attacker_moves = self.start, PASS, 0, self.attacker_moves
        seen = {(stones, self.attacker if attacker_moves else 3 - self.attacker)}
        while True:
            if attacker_moves:
                after = self._attack(node, stones, ban)
                if after is None:
                    return
                stones, node = after, self.nodes[node]["then"]
                if (stones, 3 - self.attacker) in seen:
                    raise RefutedError(f"node {node}: a position repeats")
                seen.add((stones, 3 - self.attacker))
            attacker_moves = True
            replies = self.nodes[node]["replies"]
            moves = self.rules.replies(stones, 3 - self.attacker)
            listed = [move for move in moves if move[0] in replies]
            # Otherwise nearly all replies would be foreign, and lines would leave the proof.
            if listed and rng.random() < 0.5:
                moves = listed
            point, stones, ban = rng.choice([*moves, (PASS, stones, PASS)])
            node = replies[point if point in replies else PASS]
            if (stones, self.attacker) in seen:
                raise RefutedError(f"node {node}: a position repeats")
            seen.add((stones, self.attacker))


def check(proof: dict[str, Any], options: argparse.Namespace) -> tuple[str, str]:
    """Return ("holds" | "refuted" | "too large", details) of one written proof."""
    replay = LifeReplay(proof) if "aim" in proof else Replay(proof, options.positions)
    try:
        if isinstance(replay, LifeReplay):
            replay.check()
        else:
            replay.check(options.random, options.foreign, random.Random(options.seed))
    # A malformed proof proves nothing.
    except (RefutedError, KeyError, IndexError, ValueError) as error:
        return "refuted", repr(error)
    except WorkSpentError:
        return "too large", ""
    return "holds", f"{replay.positions} positions"


def main(arguments: Sequence[str] | None = None) -> int:
    """Check all proofs of a file and print what was found; the exit status is 1 if any fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("proofs", type=Path, help="the file of yomi solve --proof")
    parser.add_argument("--foreign", type=int, default=1, help="foreign replies in a line")
    parser.add_argument("--random", type=int, default=200, help="random lines for each proof")
    parser.add_argument("--positions", type=int, default=200_000, help="work for each proof")
    parser.add_argument("--most", type=int, help="number of proofs to check, from the first")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    # attack and answer_all call each other: two frames for each move of a line.
    sys.setrecursionlimit(20_000)
    counts: Counter[str] = Counter()
    start = time.process_time()
    lines = options.proofs.read_text(encoding="utf-8").splitlines()[: options.most]
    for line in tqdm(lines, file=sys.stderr):
        proof = json.loads(line)
        state, details = check(proof, options)
        counts[state] += 1
        if state == "refuted":
            print(f"{proof['id']}: refuted: {details}", flush=True)
    print(
        f"{sum(counts.values())} proofs: {counts['holds']} hold, {counts['too large']} hold as far "
        f"as {options.positions} positions go, {counts['refuted']} refuted "
        f"({time.process_time() - start:.0f} s)"
    )
    return 1 if counts["refuted"] else 0


if __name__ == "__main__":
    sys.exit(main())
