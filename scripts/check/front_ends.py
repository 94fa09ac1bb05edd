r"""Play and analyze in the windows of GoGui and KaTrain, and take pictures for users.

    python -m scripts.check.front_ends --out FOLDER --gogui lib/gogui.jar --katrain venv/bin/katrain

Needs Xvfb, openbox, xdotool and ImageMagick. GoGui needs Java and gogui.jar (Remi-Coulom/gogui).
KaTrain needs its program (``pip install katrain`` into an environment of its own). The script skips
a front end whose programs are missing, and prints the reason. It clicks four moves on 9x9, lets
yomi answer, and asks for analyses. It fails if yomi failed a command or a click did not arrive. The
pictures are for people: the script does not judge them.
"""

import argparse
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from engine import YomiError
from scripts.check.screen import Screen, missing_programs, wait_for_text, wait_until_quiet

START_SECONDS = 400.0  # limit while yomi is compiled
ANSWER_SECONDS = 60.0
CLICKS = 4  # moves of the person, on the first free ones of these points
POINTS = ("E5", "G7", "C6", "G3", "C3", "F8", "H5", "D8")
GOGUI_OPTIONS = "--playouts 400 --threads 1 --seed 1"
GOGUI_VIEWS = (
    "Reason of Last Move", "Win Rates", "Ownership", "Principal Variation", "Move Probabilities",
    "Status of Chains", "Tactics of Chains",
)  # fmt: skip
GOGUI_SCREEN, KATRAIN_SCREEN = (1280, 780), (1180, 820)
KATRAIN_VISITS = 2000


def place_of(vertex: str, corner: tuple[int, int], spacing: float) -> tuple[int, int]:
    """Return the place of a point on the screen.

    corner   the place of A9; spacing  pixels from point to point
    """
    column, row = "ABCDEFGHJ".index(vertex[0]), int(vertex[1:])
    return round(corner[0] + spacing * column), round(corner[1] + spacing * (9 - row))


def free_point(taken: Collection[str]) -> str:
    """Return the first of POINTS where neither side has played."""
    return next(vertex for vertex in POINTS if vertex not in taken)


def drive_gogui(jar: Path, folder: Path) -> list[str]:
    """Play and analyze in GoGui; return the failures."""
    yomi = f"{sys.executable} -m gtp gtp {GOGUI_OPTIONS}"
    preferences = folder / "gogui-preferences"  # GoGui's preferences, separate from the user's
    with Screen(GOGUI_SCREEN, folder) as screen:
        log = screen.run(
            ["java", f"-Djava.util.prefs.userRoot={preferences}", "-jar", str(jar), "-verbose",
             "-program", yomi, "-size", "9", "-komi", "6.5", "-computer-white"],
            "gogui",
        )  # fmt: skip
        wait_for_text(log, "<< = yomi: 9x9", most=ANSWER_SECONDS)
        window = screen.window("yomi: 9x9")
        screen.do("windowsize", "--sync", window, "1000", "760")
        screen.do("windowactivate", "--sync", window, "key", "F8")
        analyze = screen.window("Analyze")
        screen.do("windowmove", "--sync", analyze, "1005", "30")
        taken: set[str] = set()
        for _ in range(CLICKS):
            vertex, begin = free_point(taken), log.stat().st_size
            screen.do("windowactivate", "--sync", window)
            # Measured on a picture: the window's size determines the board's place.
            screen.click(*place_of(vertex, (110, 134), 71))
            play = f">> play B {vertex}\n"
            wait_for_text(log, play, ">> genmove w\n", "<< = ", most=START_SECONDS, after=begin)
            wait_until_quiet(log, 1.0, ANSWER_SECONDS)
            taken |= {vertex, *re.findall(r"<< = (\w+)", log.read_bytes()[begin:].decode())}
        for number, view in enumerate(GOGUI_VIEWS):
            begin = log.stat().st_size
            screen.click(1060, 60 + 17 * number, times=2)
            wait_for_text(log, "<< \n", most=ANSWER_SECONDS, after=begin)
            wait_until_quiet(log, 1.0, ANSWER_SECONDS)
            screen.picture(f"gogui-{view.lower().replace(' ', '-')}")
            if number == 0:  # a window of text, over the board
                screen.do("search", "--name", f"^{view}$", "windowclose")
    return [line for line in log.read_text("utf-8", "replace").splitlines() if "<< ?" in line]


def drive_katrain(program: Path, folder: Path) -> list[str]:
    """Play and analyze in KaTrain; return the failures."""
    [package] = program.parent.parent.glob("lib/python*/site-packages/katrain/config.json")
    home = folder / "katrain-home"
    queries, answers = (folder / f"katrain-{name}.jsonl" for name in ("queries", "answers"))
    yomi = f"{shlex.quote(sys.executable)} -m gtp analysis --concurrency 1"
    config = json.loads(package.read_text("utf-8"))
    config["engine"].update(
        backend="custom", max_visits=KATRAIN_VISITS, fast_visits=KATRAIN_VISITS // 4,
        # KaTrain gives this to a shell.
        altcommand=f"tee {shlex.quote(str(queries))} | {yomi} | tee {shlex.quote(str(answers))}",
    )  # fmt: skip
    config["game"]["size"] = "9"
    config["ui_state"] = {"size": KATRAIN_SCREEN, "top": 0, "left": 0}
    (home / ".katrain").mkdir(parents=True, exist_ok=True)
    (home / ".katrain" / "config.json").write_text(json.dumps(config))
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    # Without a frame the window has the size of the screen.
    with Screen(KATRAIN_SCREEN, folder, managed=False) as screen:
        log = screen.run(
            [str(program)], "katrain", HOME=str(home), XDG_CACHE_HOME=cache, KIVY_NO_ARGS="1",
            LIBGL_ALWAYS_SOFTWARE="1",
        )  # fmt: skip
        wait_for_text(log, "Started, ready to begin handling requests", most=START_SECONDS)
        wait_until_quiet(answers, 3.0, ANSWER_SECONDS)
        screen.click(1072, 36)  # Analysis
        for _ in range(CLICKS):
            vertex = free_point([vertex for _, vertex in moves_asked(queries)])
            screen.click(*place_of(vertex, (183, 116), 67))
            wait_until_quiet(answers, 3.0, ANSWER_SECONDS)
            if moves_asked(queries)[-1:] != [["B", vertex]]:
                raise YomiError(f"the click on {vertex} did not arrive")
            screen.do("key", "Return")  # yomi's move
            wait_until_quiet(answers, 3.0, ANSWER_SECONDS)
        for key in "wet":  # dots, top moves, territory
            screen.do("key", key)
        screen.do("mousemove", "0", "0", "sleep", "3")
        screen.picture("katrain-analysis")
        screen.do("key", "F3", "sleep", "4")
        screen.picture("katrain-report")
    said = answers.read_text("utf-8", "replace")
    return [line for line in said.splitlines() if '"error"' in line]


def moves_asked(queries: Path) -> list[list[str]]:
    """Return the moves of the last position in a file of queries: a color and a vertex each."""
    asked = [json.loads(line) for line in queries.read_text("utf-8").splitlines()]
    return next((query["moves"] for query in reversed(asked) if "moves" in query), [])


def main(arguments: Sequence[str] | None = None) -> int:
    """Drive the front ends that are installed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--gogui", type=Path, metavar="JAR")
    parser.add_argument("--katrain", type=Path, metavar="PROGRAM")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    front_ends: list[tuple[str, Path | None, tuple[str, ...], Callable[[Path, Path], list[str]]]]
    front_ends = [
        ("gogui", options.gogui, ("java",), drive_gogui),
        ("katrain", options.katrain, (), drive_katrain),
    ]
    bad = driven = 0
    for name, program, needed, drive in front_ends:
        lacking = missing_programs(*needed)
        if not lacking and (program is None or not program.is_file()):
            lacking = f"--{name} {program or ''} names no file".replace("  ", " ")
        if lacking:
            print(f"front_ends: {name} is skipped: {lacking}", file=sys.stderr)
            continue
        assert program is not None
        driven += 1
        try:
            wrong = drive(program.absolute(), options.out.absolute())
        except (YomiError, OSError) as error:
            wrong = [str(error)]
        bad += len(wrong)
        print(f"{name}: {'; '.join(wrong) or 'nothing wrong'}; pictures in {options.out}")
    return 2 if not driven else int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
