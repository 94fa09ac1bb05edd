"""A GTP program that judges positions by simple rules, for tests of scripts that ask a judge.

The lead is the sum of the columns in which a color has played, A 1 point and B 2, less the other
color's. The upper half of the board is the opponent's, the rest the side to move's.
"""

import sys

played, half = [], 0
for line in sys.stdin:
    name, *rest = line.split()
    answer = ""
    if name == "boardsize":
        half = int(rest[0]) ** 2 // 2
    elif name == "clear_board":
        played = []
    elif name == "play":
        played.append((rest[0].lower(), "ABCDEFGHJKLMNOPQRST".index(rest[1][0]) + 1))
    elif name == "undo":
        played.pop()
    elif name == "kata-search_analyze" and rest[1:] == ["rootInfo", "true"]:
        lead = sum(p if c[0] == rest[0][0].lower() else -p for c, p in played)
        answer = f"info move A1 scoreLead 99 rootInfo visits 9 scoreLead {lead} scoreStdev 1"
    elif name == "kata-search_analyze" and rest[1:] == ["ownership", "true"]:
        owners = ["-1"] * half + ["1.0e0"] * (half + 1)
        answer = "info move A1 visits 1 ownership " + " ".join(owners)
    print("= " + answer + "\n", flush=True)
    if name == "quit":
        break
