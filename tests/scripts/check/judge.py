"""A GTP program that judges positions by a simple rule, for tests of scripts that ask a judge.

The lead is the sum of the columns in which a color has played, A 1 point and B 2, less the other
color's.
"""

import sys

played = []
for line in sys.stdin:
    name, *rest = line.split()
    answer = ""
    if name == "clear_board":
        played = []
    elif name == "play":
        column = "ABCDEFGHJKLMNOPQRST".find(rest[1][0]) + 1 if rest[1] != "pass" else 0
        played.append((rest[0].lower(), column))
    elif name == "undo":
        played.pop()
    elif name == "kata-search_analyze":
        lead = sum(p if c[0] == rest[0][0].lower() else -p for c, p in played)
        answer = f"info move A1 scoreLead 99 rootInfo visits 9 winrate 0.5 scoreLead {lead}"
    print("= " + answer + "\n", flush=True)
    if name == "quit":
        break
