r"""Check, with Sabaki's own code, that its numbers are those of the engine's best move.

    NODE_PATH=FOLDER/node_modules python -m scripts.check.sabaki_shows \
        --parser SABAKI/src/modules/analysis.js --games train-9x9.tar.gz --positions 100

Needs Node, the packages @sabaki/gtp and @sabaki/go-board where Node finds them, and Sabaki's
``src/modules/analysis.js`` (of 0.60.2, for instance). Without them the script says what is missing
and does nothing. The library starts the engine, sends a game's moves and asks as Sabaki does; the
parser reads every ``info`` line. Sabaki shows the largest win rate and lead of all moves as the
position's (its enginesyncer.js). The script compares them with those of the line's first move.
"""

import argparse
import json
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from tqdm import tqdm

from engine import COLOR_NAMES, Game, YomiError, format_vertex
from patterns_db.records.games import GameReader
from scripts.check.shown_values import SHARES, position_of
from scripts.tables import TableRow, print_table

ENGINE = f"{shlex.quote(sys.executable)} -m gtp gtp --threads 1 --playouts 400 --seed 1"
COMMANDS = ("kata-analyze", "lz-analyze", "kata-genmove_analyze")
INTERVAL = 20  # centiseconds between two lines
LINES = 3  # of an analysis, after which it is stopped as in Sabaki
HEADER = (
    "command", "positions", "lines", "moves", "dropped", "best is a pass", "higher win rate",
    "higher lead",
)  # fmt: skip

ShownRow = dict[str, Any]

# A line of its input is a position: {size, komi, moves: [[color, vertex]], color}. Its answers:
# {command: [{line, shown: [{move, winrate, scoreLead}], winrate, scoreLead}]}.
SCRIPT = """
const readline = require("readline")
const {Controller} = require('@sabaki/gtp')
const {fromDimensions} = require('@sabaki/go-board')
const [parser, engine, commands, interval, most] = JSON.parse(process.argv[1])

const largest = (found, name) => Math.max(...found.map((x) => x[name] == null ? NaN : x[name]))

;(async () => {
  const {parseAnalysis} = await import(parser)
  const controller = new Controller(engine[0], engine.slice(1))
  controller.start()
  const ask = async (name, args, subscriber) => {
    const {error, content} = await controller.sendCommand({name, args}, subscriber)
    if (error) throw new Error(`${name}: ${content}`)
  }
  for await (const text of readline.createInterface({input: process.stdin})) {
    const {size, komi, moves, color} = JSON.parse(text)
    const board = fromDimensions(size, size), answer = {}
    await ask('komi', [`${komi}`])
    await ask('boardsize', [`${size}`])
    await ask('clear_board', [])
    await Promise.all(moves.map((move) => ask('play', move)))
    for (const command of commands) {
      const kept = []
      let stopped
      await ask(command, [color, `${interval}`], ({line}) => {
        if (!line.startsWith('info ')) return
        const found = parseAnalysis(line, board, command.startsWith('kata') ? 'float' : 'integer')
        kept.push({
          line,
          shown: found.map((x) => ({...x, move: board.stringifyVertex(x.vertex)})),
          winrate: largest(found, 'winrate'), scoreLead: largest(found, 'scoreLead')
        })
        if (kept.length === most && !command.includes('genmove'))
          stopped = controller.sendCommand({name: 'protocol_version', args: []})
      })
      await stopped
      answer[command] = kept
    }
    console.log(JSON.stringify(answer))
  }
  await controller.stop(3000)
})().catch((error) => { console.error(error.message); process.exit(1) })
"""


def missing(parser: Path) -> str:
    """Return a message about a missing requirement, "" if nothing is missing."""
    node = shutil.which("node")
    if node is None:
        return "node is missing"
    for package in ("@sabaki/gtp", "@sabaki/go-board"):
        asked = [node, "-e", f"require({package!r})"]
        if subprocess.run(asked, capture_output=True).returncode:
            return f"node does not find {package} (npm install it; NODE_PATH says where)"
    return "" if parser.is_file() else f"{parser} is missing: analysis.js of Sabaki's sources"


def question(game: Game) -> str:
    """Return a position in the form of the script's input."""
    moves = [[COLOR_NAMES[move.color], format_vertex(move.point)] for move in game.moves]
    color = COLOR_NAMES[game.to_play].upper()
    return json.dumps({"size": game.size, "komi": game.komi, "moves": moves, "color": color})


def judge(command: str, kept: Sequence[ShownRow]) -> Counter[str]:
    """Count the cases in some lines of a command, under HEADER's names.

    kept  SCRIPT's output about the lines
    A number is higher if the first segment's own, read by the parser too, is below what is shown;
    where that move is a pass, which Sabaki drops, the line's own words are read.
    """
    found: Counter[str] = Counter(positions=1)
    for said in kept:
        first, *_ = said["line"].removeprefix("info ").split(" info ")
        words = first.split(" pv ")[0].split()
        best = dict(zip(words[::2], words[1::2], strict=True))
        passes = best["move"].lower() == "pass"
        win_rate = float(best["winrate"]) * (100.0 if command.startswith("kata") else 0.01)
        lead = float(best["scoreLead"]) if "scoreLead" in best else None
        moves = said["line"].count("info move ") - said["line"].count("info move pass ")
        found["lines"] += 1
        found["moves"] += len(said["shown"])
        found["dropped"] += moves - len(said["shown"])
        found["best is a pass"] += passes
        if not passes and (not said["shown"] or said["shown"][0]["move"] != best["move"]):
            raise YomiError(f"the parser's first move is another one: {first}")
        if said["shown"]:
            # The parser multiplies fractions by 100; except for rounding, these are the same
            # numbers.
            found["higher win rate"] += said["winrate"] > win_rate + 1e-9
            found["higher lead"] += lead is not None and said["scoreLead"] > lead + 1e-9
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask at every position and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--parser", type=Path, required=True, metavar="FILE")
    parser.add_argument("--games", nargs="+", required=True, metavar="PATH")
    parser.add_argument("--positions", type=int, default=100, help="one a game")
    parser.add_argument("--skip", type=int, default=0, help="games to skip first")
    parser.add_argument("--engine", default=ENGINE, metavar="COMMAND")
    options = parser.parse_args(arguments)
    if lacking := missing(options.parser):
        print(f"sabaki_shows: nothing was checked: {lacking}", file=sys.stderr)
        return 2
    try:
        records = list(
            islice(GameReader(options.games), options.skip, options.skip + options.positions)
        )
        totals = {command: Counter[str]() for command in COMMANDS}
        with tempfile.TemporaryDirectory() as folder:
            # Sabaki's bundler reads it as a module, but Node decides by the file's name.
            module = Path(folder, "analysis.mjs")
            shutil.copyfile(options.parser, module)
            setting = [module.as_uri(), shlex.split(options.engine), COMMANDS, INTERVAL, LINES]
            with subprocess.Popen(
                ["node", "-e", SCRIPT, json.dumps(setting)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            ) as node:  # fmt: skip
                assert node.stdin is not None
                assert node.stdout is not None
                for number, record in enumerate(tqdm(records, unit="position")):
                    game = position_of(record, SHARES[number % len(SHARES)])
                    node.stdin.write(question(game) + "\n")
                    node.stdin.flush()
                    answer = node.stdout.readline()
                    if not answer:
                        raise YomiError(f"node ended at position {number + 1}")
                    for command, kept in json.loads(answer).items():
                        totals[command] += judge(command, kept)
                node.stdin.close()
    except (YomiError, OSError) as error:
        print(f"sabaki_shows: {error}", file=sys.stderr)
        return 2
    rows: list[TableRow] = [
        [command, *(found[name] for name in HEADER[1:])] for command, found in totals.items()
    ]
    print_table(HEADER, rows)
    return int(any(found["higher win rate"] + found["higher lead"] for found in totals.values()))


if __name__ == "__main__":
    sys.exit(main())
