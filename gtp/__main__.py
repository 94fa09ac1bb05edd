"""The ``yomi`` command. Alone it speaks GTP; subcommands do the rest."""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from engine.errors import YomiError

USAGE_ERROR = 2
FAILED = 1
INTERRUPTED = 130  # what a shell expects after Ctrl-C


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE_ERROR, f"yomi: {message} (see: {self.prog} --help)\n")


def _number(
    kind: Callable[[str], float], least: float, what: str, most: float = float("inf")
) -> Callable[[str], float]:
    """Return a reader of option values with a range and a name for the complaint."""

    def read(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most or value == float("inf"):
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is not {what}")
        return value

    return read


_count = _number(int, 1, "a whole number above zero")
_whole = _number(int, 0, "a whole number", 2**63 - 1)
_seconds = _number(float, 0, "a number of seconds")


def _resign_percent(text: str) -> float | None:
    if text == "never":
        return None
    return _number(float, 0, "a percentage or never", 100)(text)


def _parser() -> _Parser:
    parser = _Parser(
        prog="yomi",
        description="A Go engine. Without a command it speaks GTP: point your Go program at it.",
        epilog="yomi COMMAND --help tells more about a command.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", required=True)
    _add_gtp(commands)
    _add_train(commands)
    _add_evaluate(commands)
    _add_solve(commands)
    _add_analyze(commands)
    warmup = commands.add_parser(
        "warmup",
        help="get everything compiled, so that the first game starts at once",
        description="Compile everything once; it is kept in a cache for all later starts.",
        allow_abbrev=False,
    )
    warmup.add_argument("--prune", action="store_true", help="delete what older versions left")
    warmup.set_defaults(run=_run_warmup)
    bench = commands.add_parser(
        "bench",
        help="measure how fast this machine plays",
        description="Measure what one thread does a second, and print a signature that changes"
        " only when the engine's behavior does.",
        allow_abbrev=False,
    )
    bench.add_argument("--json", action="store_true", help="for programs: one JSON object")
    bench.set_defaults(run=_run_bench)
    return parser


def _add_gtp(commands: "argparse._SubParsersAction[_Parser]") -> None:
    gtp = commands.add_parser(
        "gtp",
        help="play over the Go Text Protocol (the default)",
        description="Speak GTP on standard input and output, for Sabaki, GoGui, KGS or CGOS.",
        epilog="A clock that the Go program sets governs the time. Without one, and without"
        " --playouts and --time, a move takes 5 seconds.",
        allow_abbrev=False,
    )
    strength = gtp.add_argument_group("how long to think")
    strength.add_argument(
        "--playouts", type=_count, metavar="N", help="random games a move (strength, not time)"
    )
    strength.add_argument("--time", type=_seconds, metavar="SECONDS", help="time a move")
    strength.add_argument(
        "--threads", type=_count, metavar="T", help="processor cores to use (all, at most 4)"
    )
    strength.add_argument(
        "--ponder", action="store_true", help="go on thinking while the opponent does"
    )
    strength.add_argument(
        "--lag", type=_seconds, default=0.2, metavar="SECONDS",
        help="time lost on the way for each move, kept in reserve (0.2)",
    )  # fmt: skip
    rules = gtp.add_argument_group("rules")
    rules.add_argument(
        "--rules", default="chinese", metavar="NAME",
        choices=("chinese", "japanese", "aga", "tromp-taylor", "new-zealand"),
        help="chinese (default), japanese, aga, tromp-taylor or new-zealand",
    )  # fmt: skip
    rules.add_argument(
        "--superko", metavar="KIND", choices=("none", "positional", "situational"),
        help="repetitions to avoid: none, positional or situational (as the rules say)",
    )  # fmt: skip
    rules.add_argument(
        "--capture-dead", action="store_true",
        help="capture dead stones before passing, where they would be counted as alive (CGOS)",
    )  # fmt: skip
    rules.add_argument(
        "--resign", type=_resign_percent, default=4.0, metavar="PERCENT|never",
        help="resign when the chance to win stays below this (4)",
    )  # fmt: skip
    measuring = gtp.add_argument_group("for measuring: leave something out")
    measuring.add_argument(
        "--player", default="search", metavar="KIND", choices=("search", "patterns"),
        help="search (default), or patterns: the most probable move by the learned patterns",
    )  # fmt: skip
    measuring.add_argument(
        "--rollouts", default="guided", metavar="KIND", choices=("guided", "uniform"),
        help="random games by the learned policy (guided, default) or uniform",
    )  # fmt: skip
    measuring.add_argument(
        "--policy", default="thompson", choices=("thompson", "optimistic", "relevance"),
        metavar="KIND",
        help="where to search next: thompson (sampled values, default), optimistic (mean and"
        " deviation) or relevance (Baum's, at the root)",
    )  # fmt: skip
    measuring.add_argument(
        "--clock", default="share", choices=("utility", "share"), metavar="KIND",
        help="a clock's time goes in equal shares (default) or by Baum's utility",
    )  # fmt: skip
    measuring.add_argument(
        "--no-patterns", action="store_true", help="search without the learned pattern values"
    )
    measuring.add_argument(
        "--no-sums", action="store_true", help="search late positions without solving their fights"
    )
    measuring.add_argument(
        "--no-amaf", action="store_true", help="search without all-moves-as-first evidence"
    )
    measuring.add_argument(
        "--no-tactics", action="store_true", help="search without chains read out beforehand"
    )
    other = gtp.add_argument_group("other")
    other.add_argument(
        "--patterns", metavar="FILE", help="another table of patterns than the one that comes along"
    )
    other.add_argument(
        "--seed", type=_whole, metavar="S", help="repeat the same random numbers (random)"
    )
    other.add_argument(
        "--memory", type=_number(int, 16, "a whole number from 16 to 65536", 65536), default=512,
        metavar="MIB", help="memory for the search trees (512)",
    )  # fmt: skip
    other.add_argument(
        "--kgs-chat", action="store_true", help="answer what is said on KGS (new kgsGtp: trouble)"
    )
    other.add_argument("--log", metavar="FILE", help="write everything said to a file")
    gtp.set_defaults(run=_run_gtp)


def _add_train(commands: "argparse._SubParsersAction[_Parser]") -> None:
    train = commands.add_parser(
        "train",
        help="learn move prediction from game records, or the solver's priors from problems",
        description="Harvest the patterns of expert games and learn their values; with --solver,"
        " learn from solving capture problems what a move is worth before it is read out.",
        epilog="What is finished is kept in FILE.work; --resume goes on from there, after a kill"
        " too. Beside FILE stand the paper's model, FILE-paper, and FILE-bernoulli.",
        allow_abbrev=False,
    )
    train.add_argument("--out", required=True, metavar="FILE", help="the table to write")
    train.add_argument("--resume", action="store_true", help="go on with an earlier run")
    train.add_argument(
        "--checkpoint", type=_seconds, default=180.0, metavar="SECONDS",
        help="save what was learned so often (180)",
    )  # fmt: skip
    _add_pattern_training(train.add_argument_group("move prediction"))
    _add_solver_training(train.add_argument_group("the solver's priors"))
    train.set_defaults(run=_run_train)


def _add_pattern_training(train: "argparse._ArgumentGroup") -> None:
    train.add_argument(
        "--games", nargs="+", metavar="PATH",
        help="directories, .sgf files, .zip or .tar archives",
    )  # fmt: skip
    train.add_argument(
        "--min-count", type=_number(int, 2, "a whole number above one"), default=2, metavar="N",
        help="keep patterns that experts played at least so often (2)",
    )  # fmt: skip
    train.add_argument(
        "--max-patterns", type=_count, metavar="N", help="keep only the commonest so many (all)"
    )
    train.add_argument(
        "--beta", type=_number(float, 1e-3, "a number above zero", 1e3), default=2.0**0.5,
        metavar="B", help="how much a move's value varies around its pattern's (1.41)",
    )  # fmt: skip
    train.add_argument(
        "--models", default="evidence,paper", choices=("evidence,paper", "evidence", "paper"),
        help="which models to train (evidence,paper)",
    )  # fmt: skip
    train.add_argument("--max-games", type=_count, metavar="N", help="only the first so many")
    train.add_argument(
        "--threads", type=_count, default=2, metavar="T",
        help="processes that read games (2); learning runs in three threads",
    )  # fmt: skip


def _add_solver_training(train: "argparse._ArgumentGroup") -> None:
    train.add_argument("--solver", action="store_true", help="learn the solver's priors")
    train.add_argument("--problems", metavar="FILE.jsonl", help="a set of capture problems")
    train.add_argument(
        "--model", default="gaussian", choices=("gaussian", "beta"),
        help="hierarchical Gaussian (default) or Beta model",
    )  # fmt: skip
    train.add_argument(
        "--prior-observations", default=0.0, metavar="N",
        type=_number(float, 0, "a number of observations", 1e6),
        help="start every pattern as if it had seen so many even nodes (0)",
    )  # fmt: skip
    train.add_argument(
        "--max-nodes", default=20_000, metavar="N", help="positions a problem (20000)",
        type=_number(int, 1, "a whole number from 1 to 10000000", 10**7),
    )  # fmt: skip
    train.add_argument(
        "--seconds", type=_seconds, metavar="S",
        help="processor time a problem, too (no limit: the same table every time)",
    )  # fmt: skip
    train.add_argument(
        "--passes", type=_count, default=8, metavar="N", help="passes over the problems (8)"
    )


def _add_evaluate(commands: "argparse._SubParsersAction[_Parser]") -> None:
    evaluate = commands.add_parser(
        "evaluate",
        help="measure move prediction on game records",
        description="Predict every move of some games and report how well that went.",
        allow_abbrev=False,
    )
    evaluate.add_argument(
        "--games", nargs="+", required=True, metavar="PATH",
        help="directories, .sgf files, .zip or .tar archives",
    )  # fmt: skip
    evaluate.add_argument("--max-games", type=_count, metavar="N", help="only the first so many")
    evaluate.add_argument(
        "--model", default="evidence", choices=("evidence", "paper", "bernoulli"),
        help="evidence: with the added evidence (default); paper: the 2006 model alone",
    )  # fmt: skip
    evaluate.add_argument("--patterns", metavar="FILE", help="the table (the one that comes along)")
    evaluate.add_argument(
        "--plot", metavar="FILE.png|svg|pdf", help="draw the figures of the paper"
    )
    evaluate.add_argument("--json", action="store_true", help="print JSON")
    evaluate.set_defaults(run=_run_evaluate)


def _add_solve(commands: "argparse._SubParsersAction[_Parser]") -> None:
    solve = commands.add_parser(
        "solve",
        help="read out whether chains can be captured",
        description="Read whether a chain can be captured, for one position or a set of problems.",
        epilog="captured: by force, even if the defender wins every ko. safe: not before it has L"
        " liberties, even if the attacker wins every ko. ko: it depends.",
        allow_abbrev=False,
    )
    solve.add_argument("sgf", nargs="?", metavar="FILE.sgf", help="a set-up position")
    solve.add_argument("--goal", metavar="VERTEX", help="a stone of the chain to read")
    solve.add_argument("--problems", metavar="FILE.jsonl", help="a set of problems")
    solve.add_argument(
        "--solver", default="pns", choices=("pp", "pns"),
        help="proof-number search (pns, default) or probability propagation (pp)",
    )  # fmt: skip
    solve.add_argument(
        "--priors", metavar="FILE|none",
        help="learned priors (those that come along); none: every leaf is even",
    )  # fmt: skip
    solve.add_argument(
        "--max-liberties", type=_number(int, 2, "a whole number from 2 to 12", 12), default=6,
        metavar="L", help="a chain with so many liberties is safe (6)",
    )  # fmt: skip
    solve.add_argument(
        "--max-nodes", default=2_000_000, metavar="N", help="positions a problem (2000000)",
        type=_number(int, 1, "a whole number from 1 to 10000000", 10**7),
    )  # fmt: skip
    solve.add_argument(
        "--seconds", type=_seconds, default=20.0, metavar="S",
        help="processor time a problem (20)",
    )  # fmt: skip
    solve.add_argument("--proof", metavar="FILE", help="write how the captures are forced")
    solve.add_argument("--json", action="store_true", help="print a JSON line for each problem")
    solve.set_defaults(run=_run_solve)


def _add_analyze(commands: "argparse._SubParsersAction[_Parser]") -> None:
    analyze = commands.add_parser(
        "analyze",
        help="review a game record",
        description="Say of every move what it lost, how probable it was, what was better.",
        epilog="--out writes all of it into a copy of the record, as Sabaki shows it: win rates,"
        " the best moves as letters, the most probable one as a triangle, comments.",
        allow_abbrev=False,
    )
    analyze.add_argument("sgf", metavar="GAME.sgf", help="the record; its main line is reviewed")
    analyze.add_argument("--out", metavar="FILE.sgf", help="write the record with notes")
    analyze.add_argument("--plot", metavar="FILE.png|svg|pdf", help="draw Black's win rate")
    analyze.add_argument(
        "--playouts", type=_count, default=1000, metavar="N", help="random games a move (1000)"
    )
    analyze.add_argument("--threads", type=_count, metavar="T", help="processor cores (all)")
    analyze.add_argument(
        "--seed", type=_whole, default=1, metavar="S", help="of the random numbers (1)"
    )
    analyze.add_argument("--patterns", metavar="FILE", help="the table (the one that comes along)")
    analyze.set_defaults(run=_run_analyze)


def _run_train(options: argparse.Namespace) -> int:
    from gtp.learning import run_train

    return run_train(options)


def _run_evaluate(options: argparse.Namespace) -> int:
    from gtp.learning import run_evaluate

    return run_evaluate(options)


def _run_solve(options: argparse.Namespace) -> int:
    from gtp.solve_command import run

    return run(options)


def _run_analyze(options: argparse.Namespace) -> int:
    from gtp.review_command import run

    return run(options)


def _run_gtp(options: argparse.Namespace) -> int:
    from gtp.serve import serve  # the engine is loaded only where it is needed

    return serve(options)


def _run_warmup(options: argparse.Namespace) -> int:
    from tqdm import tqdm

    from engine import jit
    from patterns_db.warm_ups import GROUPS

    with tqdm(total=len(GROUPS), desc="compiling", unit="group", file=sys.stderr) as bar:
        for name, seconds in jit.compile_all(GROUPS):
            bar.write(f"{name}: {seconds:.1f} s", file=sys.stderr)
            bar.update()
    if options.prune:
        count = jit.prune_cache()
        print(f"deleted the caches of {count} older versions", file=sys.stderr)
    return 0


def _run_bench(options: argparse.Namespace) -> int:
    import json

    from engine.bench import measure
    from patterns_db.shipped import load_knowledge

    found = measure(load_knowledge())
    if options.json:
        print(json.dumps(found))
        return 0
    for name, value in found.items():
        values = value if isinstance(value, dict) else {"": value}
        numbers = ", ".join(f"{size} {v:,.0f}" if size else f"{v}" for size, v in values.items())
        print(f"{name.replace('_', ' '):32} {numbers}")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["--version"]:
        from gtp.commands import program_version

        print(f"yomi {program_version()}")
        return 0
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help")):
        words.insert(0, "gtp")
    options = _parser().parse_args(words)
    try:
        status: int = options.run(options)
    except KeyboardInterrupt:
        return INTERRUPTED
    except YomiError as error:
        print(f"yomi: {error}", file=sys.stderr)
        return FAILED
    return status


if __name__ == "__main__":
    sys.exit(main())
