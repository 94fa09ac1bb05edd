"""The analysis engine: queries in, answers out, with one position per worker at a time.

    reader (this thread) ──► queue by priority ──► workers (threads) ──► writer (a lock)

The turns of one query inform each other, so they are answered together, unless they have
priorities of their own. A query is also informed by earlier ones about the same game. With
``independent`` each position is searched from nothing, and its answer depends on query and seed
alone. Source: docs/Analysis_Engine.md of KataGo.
"""

import heapq
import itertools
import json
import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, NamedTuple

from engine import Knowledge, PlayerOptions, Predictor, SearchReport
from gtp.katago.fields import QueryError
from gtp.katago.players import QueryPlayers
from gtp.katago.query import AnalysisRequest, Defaults, read_query
from gtp.katago.report import no_results, response
from gtp.katago.turns import JointTurns
from gtp.protocol import InputStream, OutputStream
from gtp.version import program_version

logger = logging.getLogger(__name__)

MOST_WAITING = 2_000  # positions; each holds its game, 1 KB a move
ACTIONS = ("query_version", "query_models", "clear_cache", "terminate", "terminate_all")
_SHOWN = 200  # characters of a line that could not be read
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
    """Settings for answering queries.

    player     how each position is searched; the number of roll-outs is each query's own
    knowledge  what was learned
    at_once    how many positions are searched side by side
    finish     whether to finish at the end of the input what was read
    independent  whether an answer depends on nothing but its query and the seed
    """

    player: PlayerOptions = field(default_factory=PlayerOptions)
    knowledge: Knowledge = field(default_factory=Knowledge)
    defaults: Defaults = field(default_factory=Defaults)
    at_once: int = 1
    finish: bool = True
    independent: bool = False


class Finding(NamedTuple):
    """A finished search that waits for the other turns of its query.

    policy  the ranking model's probability of each legal move, if that is wanted
    """

    task: AnalysisRequest
    report: SearchReport
    policy: dict[int, float]


class AnalysisEngine:
    """Answers the lines of one stream on another.

    wait_for_kernels  called before a search, with an event that ends the waiting
    """

    def __init__(
        self,
        options: AnalysisOptions,
        sink: OutputStream,
        wait_for_kernels: Callable[[threading.Event], bool] = lambda stop: True,
    ) -> None:
        self.options = options
        self._sink = sink
        self._wait_for_kernels = wait_for_kernels
        self._writing = threading.Lock()
        self._listening = True
        self._changed = threading.Condition()
        self._queue: list[tuple[int, int, AnalysisRequest]] = []  # a heap: the first is the next
        self._running: list[AnalysisRequest] = []
        self._ended = False
        self._numbers = itertools.count()
        self._players = QueryPlayers(options.player, options.knowledge, options.independent)

    def run(self, source: InputStream) -> None:
        """Answer all lines of the input, and return when the last search has ended."""
        workers = [
            threading.Thread(target=self._work, name=f"analysis-{number}", daemon=True)
            for number in range(self.options.at_once)
        ]
        for worker in workers:
            worker.start()
        for line in _lines(source):
            self._take(line)
        with self._changed:
            self._ended = True
            dropped = [] if self.options.finish else list(self._queue)
            if not self.options.finish:
                self._stop(dropped)
            self._changed.notify_all()
        for _, _, task in dropped:
            self._end_turn(task)
        for worker in workers:
            worker.join()

    # -- reading ------------------------------------------------------------------------------

    def _take(self, line: bytes) -> None:
        """Parse one line and execute it."""
        try:
            query = json.loads(line, parse_constant=_refuse, parse_float=_finite)
        except (ValueError, RecursionError) as error:
            shown = line.decode("utf-8", "replace").strip()[:_SHOWN]
            self._send({"error": f"{error} - could not parse input line as json request: {shown}"})
            return
        if not isinstance(query, dict):
            self._send({"error": "Request line was valid json but was not an object, ignoring"})
        elif not isinstance(query.get("id"), str):
            self._send({"error": 'Request must have a string "id" field'})
        else:
            self._try(query)

    def _try(self, query: Mapping[str, Any]) -> None:
        """Execute a query. Errors are reported with its id."""
        try:
            if isinstance(query.get("action"), str):
                self._act(query)
            else:
                self._enqueue(query)
        except QueryError as error:
            self._send({"error": str(error), "field": error.field, "id": query["id"]})
        except Exception:
            logger.exception("internal error in the query %s", ascii(query["id"][:100]))
            self._send({"error": "internal error", "id": query["id"]})

    def _enqueue(self, query: Mapping[str, Any]) -> None:
        tasks, warnings = read_query(query, self.options.defaults)
        for warning in warnings:
            self._send({"warning": warning.message, "field": warning.field, "id": query["id"]})
        with self._changed:
            # A client that sends faster than the answers has to wait. Otherwise memory would fill
            # up.
            self._changed.wait_for(lambda: len(self._queue) < MOST_WAITING)
            for task in tasks:
                # Queries of equal priority are answered in order of arrival.
                heapq.heappush(self._queue, (-task.priority, next(self._numbers), task))
            self._changed.notify_all()

    def _act(self, query: Mapping[str, Any]) -> None:
        """Execute an action other than an analysis. The answer repeats the query."""
        action = query["action"]
        if action not in ACTIONS:
            raise QueryError("action", f"Must be one of {', '.join(ACTIONS)}")
        found: dict[str, Any] = {}
        if action == "query_version":
            # Clients ask for KataGo's version. This is not KataGo, but a number is required.
            found = {"version": program_version(), "git_hash": "<omitted>", "engine": "yomi"}
        elif action == "query_models":
            found = {"models": [_MODEL]}
        elif action == "clear_cache":
            self._players.forget()
        else:
            self._terminate(query)
        self._send({**query, **found})

    def _terminate(self, query: Mapping[str, Any]) -> None:
        """Stop searches, and drop waiting ones."""
        wanted = query.get("terminateId")
        if query["action"] == "terminate" and not isinstance(wanted, str):
            raise QueryError("terminateId", 'Must be a string: the "id" of the query to terminate')
        turns = query.get("turnNumbers")
        if turns is not None and not (
            isinstance(turns, list) and all(type(turn) is int for turn in turns)
        ):
            raise QueryError("turnNumbers", "If provided, must be an array of integers")

        def meant(task: AnalysisRequest) -> bool:
            by_id = query["action"] == "terminate_all" or task.id == wanted
            return by_id and (turns is None or task.turn in turns)

        with self._changed:
            waiting = [entry for entry in self._queue if meant(entry[2])]
            self._stop(waiting, meant)
        for _, _, task in sorted(waiting, key=lambda entry: entry[:2]):
            self._give_up(task)

    def _stop(
        self,
        waiting: list[tuple[int, int, AnalysisRequest]],
        meant: Callable[[AnalysisRequest], bool] = lambda task: True,
    ) -> None:
        """Remove the matching entries from the queue and stop the matching running tasks."""
        gone = {number for _, number, _ in waiting}
        self._queue = [entry for entry in self._queue if entry[1] not in gone]
        heapq.heapify(self._queue)
        self._changed.notify_all()
        for task in self._running:
            if meant(task):
                task.stop.set()

    # -- searching ----------------------------------------------------------------------------

    def _work(self) -> None:
        while (task := self._next()) is not None:
            try:
                self._analyze(task)
            except Exception:
                logger.exception("internal error in the query %s", ascii(task.id[:100]))
                self._send({"error": "internal error", "id": task.id})
                self._end_turn(task)
            finally:
                with self._changed:
                    self._running.remove(task)

    def _next(self) -> AnalysisRequest | None:
        """Wait for a task. Return None when no more can come."""
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._ended)
            if not self._queue:
                return None
            task = heapq.heappop(self._queue)[2]
            self._running.append(task)
            self._changed.notify_all()  # the reader may wait for room
            return task

    def _analyze(self, task: AnalysisRequest) -> None:
        """Search a position, reporting as it was asked for, and answer."""
        if not self._wait_for_kernels(task.stop) or task.stop.is_set():
            self._give_up(task)
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
        if self._joint(task) is None:
            self._send(response(task, report, policy, during=False))
        else:
            if not (task.wanted.moves_ownership or task.wanted.moves_ownership_deviation):
                # Owners for each move are large, and may have to wait for hundreds of turns.
                report = report._replace(moves_ownership={})
            self._end_turn(task, Finding(task, report, policy))

    def _joint(self, task: AnalysisRequest) -> JointTurns[Any] | None:
        """Return the turns with which a task is answered together, if any."""
        return None if self.options.independent else task.joint

    def _give_up(self, task: AnalysisRequest) -> None:
        """Answer a task that is not searched."""
        self._send(no_results(task))
        self._end_turn(task)

    def _end_turn(self, task: AnalysisRequest, finding: Finding | None = None) -> None:
        """Note that a task is over; after the last one of its query, answer all that were found."""
        if (joint := self._joint(task)) is None:
            return
        for found in sorted(joint.over(finding), key=lambda found: found.task.turn):
            report = self._players.again(found.task, found.report)
            self._send(response(found.task, report, found.policy, during=False))

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
        with self._changed:
            self._stop(list(self._queue))


def _lines(source: InputStream) -> Iterable[bytes]:
    """Yield the non-blank lines of a stream as soon as they arrive."""
    tail: list[bytes] = []
    while chunk := _read(source):
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            # The pieces of a long line are joined once. Joining them earlier would take quadratic
            # time.
            whole = b"".join([*tail, line])
            tail = []
            if whole.strip():
                yield whole
        tail.append(rest)
    if (whole := b"".join(tail)).strip():
        yield whole


def _read(source: InputStream) -> bytes:
    try:
        return source.read(1 << 16) or b""
    except (OSError, ValueError):  # the other end has gone, or the stream was closed here
        return b""


def _refuse(constant: str) -> float:
    """Reject NaN and infinities: they are not JSON, and answers repeat the query."""
    raise ValueError(f"{constant} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _refuse(text)
