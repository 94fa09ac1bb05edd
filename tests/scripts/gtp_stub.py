"""A GTP program for tests: answers genmove with given moves, and misbehaves on demand.

    python gtp_stub.py SCORE MOVE ... [--OPTION ...]

A MOVE may also be "fail", "die" or "hang"; options and their values are ignored.
"""

import sys
import time

words = [*sys.argv[1:], "--"]
score, *moves = words[: next(i for i, word in enumerate(words) if word.startswith("--"))]
for line in sys.stdin:
    name = line.split()[0]
    answer = "= "
    if name == "genmove":
        move = moves.pop(0) if moves else "pass"
        if move == "die":
            sys.exit(3)
        if move == "hang":
            time.sleep(60)
        answer = "? cannot" if move == "fail" else f"= {move}"
    elif name == "final_score":
        answer = f"= {score}"
    elif name == "list_commands":
        answer = "= name\nplay\n genmove"
    elif name in ("attack", "defend", "owl_attack", "owl_defend", "cputime"):
        answer = "= 0"
    elif name == "dragon_status":
        answer = "= alive"
    sys.stderr.write(line)
    if name == "genmove":
        sys.stderr.write("genmove in 1.0s, mcts 1.0s (100 games/s, 100 games/s/thread)\n")
    print(answer + "\n", flush=True)
    if name == "quit":
        break
