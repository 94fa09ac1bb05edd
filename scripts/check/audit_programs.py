"""Programs of the audit of 27 November. Each ends with an error if its fault is there.

The checkout's own interpreter runs them in an empty folder. ``audit`` says how.
"""

_BOOTSTRAP = """
import os, subprocess, sys
from pathlib import Path
sys.path.insert(0, os.environ["ROOT"])
from scripts import bootstrap
bootstrap.ENVIRONMENT = Path(".venv").absolute()
bootstrap.STAMP = bootstrap.ENVIRONMENT / "yomi-installed"
def set_up(run_pip):
    bootstrap.run_pip = run_pip
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", ".venv"], check=True)
    (bootstrap.ENVIRONMENT / "bin" / "pip").touch()
    try: bootstrap.install("play")
    except bootstrap.SetupFailed: pass
"""

_OUTPUT = """
import os
from pathlib import Path
from patterns_db.outputs import check_outputs
from patterns_db.store.whole_files import write_whole
def write(name):
    check_outputs([Path(name).absolute()], [])
    write_whole(Path(name).absolute(), b"new")
    assert Path(name).read_bytes() == b"new"
"""

_WORK = """
from pathlib import Path
from engine.errors import YomiError
from patterns_db.store.work_folder import MARK, open_work
other, work = Path("other.work"), Path("a.work")
"""

_TABLES = """
import hashlib, json, struct
from pathlib import Path
from engine.errors import ModelFormatError
from patterns_db import shipped
from patterns_db.patterns.added_tables import read_context
from patterns_db.people.table import read_people
from patterns_db.search_tables.calibration_table import read_calibration
from patterns_db.solvers.life_weights import read_life_weights
from patterns_db.solvers.odds_table import read_odds
from patterns_db.solvers.solver_priors import read_prior_table
from patterns_db.store.table_files import read_patterns
READERS = {
    shipped.ROLLOUT_TABLE: shipped.read_rollout_beliefs, shipped.PATTERN_TABLE: read_patterns,
    shipped.CONTEXT_TABLE: read_context, shipped.SOLVER_TABLE: read_prior_table,
    shipped.LIFE_TABLE: read_life_weights, shipped.ODDS_TABLE: read_odds,
    shipped.CALIBRATION_TABLE: read_calibration, shipped.PEOPLE_TABLE: read_people,
}
for table, read in READERS.items():
    data = table.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    header = json.loads(data[48 : 48 + length])
    next(iter(header["arrays"].values()))["shape"] = [0, 2**70]
    text = json.dumps(header).encode()
    text += b" " * (-(48 + len(text)) % 64)
    start = data[:12] + struct.pack("<I32s", len(text), hashlib.sha256(text).digest())
    Path("copy.table").write_bytes(start + text + data[48 + length :])
    try: read(Path("copy.table"))
    except ModelFormatError: pass
"""

# Sessions read one file of the cache, as in the test of the script.
PROGRAMS = {
    "bootstrap: pip.py of the caller's folder": _BOOTSTRAP + """
bootstrap.environment_python = lambda: sys.executable
Path("pip.py").write_text("open('ran', 'w')")
bootstrap.run_pip("--help")
assert not Path("ran").exists(), "it was executed"
""",
    "bootstrap: a stamp although nothing is installed": _BOOTSTRAP + """
set_up(lambda *words: "")
assert not bootstrap.STAMP.exists(), "it was written"
""",
    "bootstrap: no hashes without a request": _BOOTSTRAP + """
calls = []
set_up(lambda *words: calls.append(words) or bootstrap.NO_WHEEL * ("--require-hashes" in words))
assert len(calls) == 1, calls[1]
""",
    "cluster: multiprocessing.py of the caller's folder": """
import os, subprocess, sys
from pathlib import Path
Path("multiprocessing.py").write_text("open('ran', 'w')")
Path("g.sgf").write_text("(;SZ[9];B[ee])")
yomi = str(Path(sys.executable).with_name("yomi"))
train = [yomi, "train", "--games", "g.sgf", "--out", "t.table", "--cluster", "local:1"]
process = subprocess.Popen(train, stderr=subprocess.PIPE, text=True)
for line in process.stderr:
    if line.startswith("cluster:"): break  # its workers run
process.terminate()
assert not Path("ran").exists(), "it was executed"
""",
    "a user without a home": """
import os, pwd, sys
for name in ("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR"): os.environ.pop(name, None)
pwd.getpwuid = lambda number: {}[number]
from gtp.__main__ import main
assert main(["level", "missing.sgf"]) == 1
""",
    "output: hidden files beside it": _OUTPUT + """
for end in ("test", "lock"): Path(f".a.{end}").write_text("mine")
write("a")
assert sorted(os.listdir()) == [".a.lock", ".a.test", "a"], os.listdir()
""",
    "output: a fifo beside it": _OUTPUT + """
import signal; signal.alarm(10)
os.mkfifo(".a.test"); os.mkfifo(".a.lock")
write("a")
""",
    "output: a dangling link beside it": _OUTPUT + """
for end in ("test", "lock"): Path(f".a.{end}").symlink_to("target")
write("a")
assert not Path("target").exists() and len(os.listdir()) == 3, os.listdir()
""",
    "output: a name of 252 bytes": _OUTPUT + "write('n' * 252)",
    "work folder: a link": _WORK + """
with open_work(other, {}, []): (other / "learned.npz").touch()
work.symlink_to(other)
try:
    with open_work(work, {}, [], anew=True): raise SystemExit("followed")
except YomiError: pass
""",
    "work folder: an empty marker": _WORK + """
work.mkdir(); (work / MARK).touch(); (work / "thesis").touch()
try:
    with open_work(work, {}, [], anew=True): raise SystemExit("taken for ours")
except YomiError: pass
assert (work / "thesis").exists()
""",
    "tables: impossible shapes": _TABLES,
    "--memory beyond the machine's": """
import resource, subprocess, sys
limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
done = subprocess.run([sys.executable, "-P", "-m", "gtp", "--memory", "65536", "--playouts", "2"],
    input="boardsize 9\\ngenmove b\\nquit\\n", capture_output=True, text=True, preexec_fn=limit)
assert "internal error" not in done.stdout and "Traceback" not in done.stderr, done.stdout
""",
    "AB[aa:ss], 200,000 times": """
import time
from patterns_db.records.sgf import read_record
began = time.process_time()
read_record(b"(;SZ[19]AB" + b"[aa:ss]" * 200_000 + b")")
assert time.process_time() - began < 2.0, "more than 2 s"
""",
    "names with escapes": """
import logging
from engine.player.options import PlayerOptions
from gtp.review import games
from gtp.review.jobs import Job
from patterns_db.shipped import load_knowledge
lines = []
logging.getLogger("gtp").addFilter(lambda record: True)
handler = logging.Handler(); handler.emit = lambda record: lines.append(record.getMessage())
logging.getLogger().addHandler(handler)
games.Predictor = None  # the review ends here
games.review_record(Job("x\\x1b[31m.sgf", b"(;SZ[9];B[ee])"),
    games.ReviewOptions(PlayerOptions(playouts=1, threads=1)), load_knowledge())
assert lines and not any("\\x1b" in line for line in lines), lines
""",
    "._game.sgf, .gib and .ngf in a folder": """
from pathlib import Path
from patterns_db.records.games import GameReader
Path("._a.sgf").write_bytes(bytes(50))
Path("b.gib").write_text("\\\\HS\\n\\\\HE\\nSTO 0 2 1 15 3\\n")
Path("c.ngf").write_text("x\\n19\\nw\\nb\\nx\\n0\\n0\\n7\\nx\\nx\\nx\\nPMABBQE\\n")
reader = GameReader(["."])
assert [game.source for game in reader] == ["b.gib", "c.ngf"], reader.messages
""",
}  # fmt: skip
