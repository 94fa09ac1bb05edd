"""The analysis engine: queries in, answers out, with one position per worker at a time.

    reader (this thread) ──► queue by priority ──► workers (threads) ──► writer (a lock)

A waiting query holds its moves, and no game. The reader therefore goes on while ten thousand
queries wait, and notices ``terminate`` and the end of the input.

The turns of one query inform each other, so they are answered together, unless they have
priorities of their own. A query is also informed by earlier ones about the same game. With
``independent`` each position is searched from nothing, and its answer depends on query and seed
alone. Source: docs/Analysis_Engine.md of KataGo.
"""

import heapq
import itertools
import json
import logging
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, NamedTuple

from engine import Knowledge, PlayerOptions, Predictor, SearchReport
from gtp.inbox import read_lines
from gtp.katago.fields import QueryError
from gtp.katago.players import QueryPlayers
from gtp.katago.query import AnalysisRequest, Defaults, Query, read_query
from gtp.katago.report import no_results, response
from gtp.protocol import NO_MEMORY, BinaryStream
from patterns_db.printing import program_version

logger = logging.getLogger(__name__)


class QueryLimits(NamedTuple):
    """Sizes of what an analysis client sends [bytes]."""

    max_query_bytes: int = 1 << 22  # of a line: 300,000 moves
    # Beyond this, a client has to wait. A waiting query takes about as much memory as its line, and
    # the overhead.
    most_waiting_bytes: int = 1 << 27
    query_bytes: int = 2_000
    turn_bytes: int = 100
    poll_seconds: float = 0.1
    shown: int = 200  # characters of a line that could not be read


QUERIES = QueryLimits()

ACTIONS = ("query_version", "query_models", "clear_cache", "terminate", "terminate_all")
# An entry of KataGo's list of networks. Clients look there for one that imitates people.
_MODEL = {
    "name": "yomi-patterns",
    "internalName": "yomi-patterns",
    "maxBatchSize": 1,
    "usesHumanSLProfile": False,
    "version": 1,
    "usingFP16": "false",
}


@dataclass(frozen=True)
class AnalysisOptions:
    """Settings for answering queries."""

    # How each position is searched; the number of roll-outs is each query's own
    player: PlayerOptions = field(default_factory=PlayerOptions)
    knowledge: Knowledge = field(default_factory=Knowledge)  # what was learned
    defaults: Defaults = field(default_factory=Defaults)
    at_once: int = 1  # how many positions are searched side by side
    finish: bool = True  # whether to finish at the end of the input what was read
    independent: bool = False  # whether an answer depends on nothing but its query and the seed


class Waiting(NamedTuple):
    """The turns of a query that have one priority and are not searched yet."""

    # Minus the priority, and the place of arrival; the least is searched first
    order: tuple[int, int]
    query: Query
    turns: deque[int]
    size: int  # of each turn: its part of the query's memory [bytes]


class Finding(NamedTuple):
    """A finished search that waits for the other turns of its query."""

    turn: int
    report: SearchReport
    # The ranking model's probability of each legal move, if that is wanted
    policy: dict[int, float]


class AnalysisEngine:
    """Answers the lines of one stream on another.

    wait_for_kernels  called before a search, with an event that ends the waiting
    wait_for_first_move  called before a report without a search, with such an event; returns
                      whether a search would have to wait for the compiler
    """

    def __init__(
        self,
        options: AnalysisOptions,
        sink: BinaryStream,
        wait_for_kernels: Callable[[threading.Event], bool] = lambda stop: True,
        wait_for_first_move: Callable[[threading.Event], bool] = lambda stop: False,
    ) -> None:
        self.options = options
        self._sink = sink
        self._wait_for_kernels = wait_for_kernels
        self._wait_for_first_move = wait_for_first_move
        self._writing = threading.Lock()
        self._listening = True
        self._changed = threading.Condition()
        self._queue: list[Waiting] = []  # a heap: the first is the next
        self._waiting_bytes = 0
        self._running: list[tuple[Query, AnalysisRequest]] = []
        self._findings: dict[int, list[Finding | None]] = {}  # of joint turns, by id of the query
        self._ended = False
        self._numbers = itertools.count()
        self._players = QueryPlayers(options.player, options.knowledge, options.independent)

    def run(self, source: BinaryStream) -> None:
        """Answer all lines of the input, and return when the last search has ended."""
        workers = [
            threading.Thread(target=self._work, name=f"analysis-{number}", daemon=True)
            for number in range(self.options.at_once)
        ]
        for worker in workers:
            worker.start()
        for line in read_lines(source, QUERIES.max_query_bytes):
            if line.strip():
                self._take(line)
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        if not self.options.finish:
            for query, _ in self._stop():
                self._end_turn(query)
        for worker in workers:
            while worker.is_alive():
                worker.join(QUERIES.poll_seconds)
                self._stop_if_unheard()

    # -- reading ------------------------------------------------------------------------------

    def _take(self, line: bytes) -> None:
        """Parse one line and execute it."""
        try:
            if len(line) > QUERIES.max_query_bytes:
                raise ValueError(f"line too long, at most {QUERIES.max_query_bytes >> 20} MiB")
            query = json.loads(line, parse_constant=_refuse, parse_float=_finite)
        except (ValueError, RecursionError) as error:
            shown = line.decode("utf-8", "replace").strip()[: QUERIES.shown]
            self._send({"error": f"{error} - could not parse input line as json request: {shown}"})
            return
        if not isinstance(query, dict):
            self._send({"error": "Request line was valid json but was not an object, ignoring"})
        elif not isinstance(query.get("id"), str):
            self._send({"error": 'Request must have a string "id" field'})
        else:
            self._try(query, len(line))

    def _try(self, query: Mapping[str, Any], size: int) -> None:
        """Execute a query of ``size`` bytes. Errors are reported with its id."""
        try:
            if isinstance(query.get("action"), str):
                self._act(query)
            else:
                self._enqueue(query, size)
        except QueryError as error:
            self._send({"error": str(error), "field": error.field, "id": query["id"]})
        except Exception:
            logger.exception("internal error in the query %s", ascii(query["id"][:100]))
            self._send({"error": "internal error", "id": query["id"]})

    def _enqueue(self, entries: Mapping[str, Any], size: int) -> None:
        query, warnings = read_query(entries, self.options.defaults)
        for warning in warnings:
            self._send({"warning": warning.message, "field": warning.field, "id": query.id})
        turns: dict[int, deque[int]] = {}
        for turn, priority in query.turns.items():
            turns.setdefault(priority, deque()).append(turn)
        each = (size + QUERIES.query_bytes) // len(query.turns) + QUERIES.turn_bytes
        with self._changed:
            while self._waiting_bytes >= QUERIES.most_waiting_bytes:
                self._changed.wait(QUERIES.poll_seconds)
                self._stop_if_unheard()
            for priority, those in turns.items():
                # Queries of equal priority are answered in order of arrival.
                order = -priority, next(self._numbers)
                heapq.heappush(self._queue, Waiting(order, query, those, each))
            self._waiting_bytes += each * len(query.turns)
            self._changed.notify_all()

    def _act(self, query: Mapping[str, Any]) -> None:
        """Execute an action other than an analysis. The answer repeats the query."""
        action = query["action"]
        if action not in ACTIONS:
            raise QueryError("action", f"Must be one of {', '.join(ACTIONS)}")
        answer: dict[str, Any] = {}
        if action == "query_version":
            # Clients ask for KataGo's version. This is not KataGo, but a number is required.
            answer = {"version": program_version(), "git_hash": "<omitted>", "engine": "yomi"}
        elif action == "query_models":
            answer = {"models": [_MODEL]}
        elif action == "clear_cache":
            self._players.forget()
        else:
            self._terminate(query)
        self._send({**query, **answer})

    def _terminate(self, query: Mapping[str, Any]) -> None:
        """Stop searches, and drop waiting ones."""
        wanted = query.get("terminateId")
        if query["action"] == "terminate" and not isinstance(wanted, str):
            raise QueryError("terminateId", 'Must be a string: the "id" of the query to terminate')
        listed = query.get("turnNumbers")
        if listed is not None and not (
            isinstance(listed, list) and all(type(turn) is int for turn in listed)
        ):
            raise QueryError("turnNumbers", "If provided, must be an array of integers")
        name = None if query["action"] == "terminate_all" else wanted
        for query_of_turn, turn in self._stop(name, None if listed is None else set(listed)):
            self._give_up(query_of_turn, turn)

    def _stop(
        self, name: str | None = None, turns: Collection[int] | None = None
    ) -> list[tuple[Query, int]]:
        """Stop the searches of some turns, and return those that were still waiting, in order.

        name   of the query; None: all queries
        turns  None: all of them
        """
        dropped, waiting = [], []
        with self._changed:
            for entry in sorted(self._queue):
                if name is None or entry.query.id == name:
                    gone = [turn for turn in entry.turns if turns is None or turn in turns]
                    dropped += [(entry.query, turn) for turn in gone]
                    self._waiting_bytes -= entry.size * len(gone)
                    entry = entry._replace(turns=deque(sorted({*entry.turns} - {*gone})))
                if entry.turns:
                    waiting.append(entry)
            self._queue = waiting  # sorted, and so a heap
            self._changed.notify_all()
            for _, task in self._running:
                if (name is None or task.id == name) and (turns is None or task.turn in turns):
                    task.stop.set()
        return dropped

    def _stop_if_unheard(self) -> None:
        """Stop everything when nobody can read the answers any more."""
        # More queries may have been read since the last answer that could not be written.
        if not self._listening or _is_unheard(self._sink):
            self._listening = False
            self._stop()

    # -- searching ----------------------------------------------------------------------------

    def _work(self) -> None:
        while (begun := self._next()) is not None:
            query, task = begun
            try:
                self._analyze(query, task)
            except Exception as error:
                message = "internal error"
                if isinstance(error, MemoryError):
                    message = NO_MEMORY
                else:
                    logger.exception("internal error in the query %s", ascii(task.id[:100]))
                self._send({"error": message, "id": task.id})
                self._end_turn(query)
            finally:
                with self._changed:
                    self._running.remove(begun)

    def _next(self) -> tuple[Query, AnalysisRequest] | None:
        """Wait for a task. Return None when no more can come."""
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._ended)
            if not self._queue:
                return None
            entry = self._queue[0]
            turn = entry.turns.popleft()
            if not entry.turns:
                heapq.heappop(self._queue)
            self._waiting_bytes -= entry.size
            begun = entry.query, next(entry.query.requests([turn]))
            self._running.append(begun)
            self._changed.notify_all()  # the reader may wait for room
            return begun

    def _analyze(self, query: Query, task: AnalysisRequest) -> None:
        """Search a position, reporting as it was asked for, and answer."""
        # A client that shows reports shows the ranking model's while the search is being compiled.
        if isfinite(task.wanted.first) and self._wait_for_first_move(task.stop):
            expected = self._players.expect(task)
            if expected is not None:
                policy = {move.point: move.prior for move in expected.moves}
                self._send(response(task, expected, policy, during=True))
        if not self._wait_for_kernels(task.stop) or task.stop.is_set():
            self._give_up(query, task.turn)
            return
        policy = {}
        patterns = self.options.knowledge.patterns
        if task.wanted.policy and patterns is not None:
            policy = Predictor(patterns).of_game(task.game, task.color)
        began = time.monotonic()
        due = began + task.wanted.first
        for report in self._players.reports(task):
            now = time.monotonic()
            # The last report is sent as the answer, below.
            over = report.playouts >= task.visits or now >= began + task.seconds
            if now >= due and not over and not task.stop.is_set():
                self._send(response(task, report, policy, during=True))
                due = now + task.wanted.every
        if not self._is_joint(query):
            self._send(response(task, report, policy, during=False))
        else:
            if not (task.wanted.moves_ownership or task.wanted.moves_ownership_deviation):
                # Owners for each move are large, and may have to wait for hundreds of turns.
                report = report._replace(moves_ownership={})
            self._end_turn(query, Finding(task.turn, report, policy))

    def _is_joint(self, query: Query) -> bool:
        return query.joint and not self.options.independent

    def _give_up(self, query: Query, turn: int) -> None:
        """Answer a turn that is not searched."""
        self._send(no_results(query.id, turn))
        self._end_turn(query)

    def _end_turn(self, query: Query, finding: Finding | None = None) -> None:
        """Note that a turn is over; after the last one of its query, answer all that were found."""
        if not self._is_joint(query):
            return
        with self._changed:
            over = self._findings.setdefault(id(query), [])
            over.append(finding)
            if len(over) < len(query.turns):
                return
            del self._findings[id(query)]
        findings = sorted(filter(None, over), key=lambda one: one.turn)
        tasks = query.requests(one.turn for one in findings)
        for one, task in zip(findings, tasks, strict=True):
            report = self._players.again(task, one.report)
            self._send(response(task, report, one.policy, during=False))

    # -- writing ------------------------------------------------------------------------------

    def _send(self, answer: Mapping[str, Any]) -> None:
        """Write one line. When the reader has gone, all searches are stopped."""
        data = json.dumps(answer, separators=(",", ":")).encode("ascii") + b"\n"
        with self._writing:
            if not self._listening:
                return
            try:
                self._sink.write(data)
                self._sink.flush()
                return
            except (OSError, ValueError):
                self._listening = False
        self._stop()


def _is_unheard(sink: BinaryStream) -> bool:
    """Return whether a pipe has lost its reader. Other streams show it when they are written."""
    try:
        watch = select.poll()
        watch.register(sink.fileno(), 0)  # type: ignore[attr-defined]
        return any(events & select.POLLERR for _, events in watch.poll(0))
    except (AttributeError, OSError, ValueError):  # not a pipe, or Windows
        return False


def _refuse(constant: str) -> float:
    """Reject NaN and infinities: they are not JSON, and answers repeat the query."""
    raise ValueError(f"{constant} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _refuse(text)
