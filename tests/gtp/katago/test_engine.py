"""The analysis engine on streams in memory, and on a pipe where order and time matter."""

import io
import json
import os
import threading
import time
import tracemalloc
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import RULESETS, Game, Knowledge, Player, PlayerOptions, parse_vertex
from engine.jit import JIT_ENABLED
from engine.patterns.valuing import no_patterns
from gtp.inbox import read_lines
from gtp.katago import engine
from gtp.katago.engine import AnalysisEngine, AnalysisOptions
from gtp.katago.query import Defaults
from gtp.protocol import NO_MEMORY

VISITS = 20 if JIT_ENABLED else 4
OPTIONS = AnalysisOptions(
    PlayerOptions(threads=1, seed=1, memory_mib=16), defaults=Defaults(visits=VISITS), at_once=2
)
PLAIN = {"id": "q", "rules": "tromp-taylor", "boardXSize": 5, "boardYSize": 5, "moves": []}


def query(name="q", **fields):
    return {**PLAIN, "id": name, **fields}


class Sink(io.BytesIO):
    """Lets a test wait for lines."""

    def __init__(self):
        super().__init__()
        self.changed = threading.Condition()

    def write(self, data):
        with self.changed:
            super().write(data)
            self.changed.notify_all()

    @property
    def answers(self):
        return [json.loads(line) for line in self.getvalue().splitlines()]

    def wait_for(self, condition):
        with self.changed:
            assert self.changed.wait_for(lambda: condition(self.answers), 60)


def as_bytes(line):
    return line if isinstance(line, bytes) else json.dumps(line).encode()


def answers_to(*lines, options=OPTIONS, sink=None):
    sink = sink or Sink()
    AnalysisEngine(options, sink).run(io.BytesIO(b"\n".join(as_bytes(line) for line in lines)))
    return sink.answers


def results(answers):
    return {(a["id"], a["turnNumber"]): a for a in answers if a.get("isDuringSearch") is False}


@pytest.mark.parametrize("reports", [True, False])
def test_the_ranking_models_report_comes_while_the_search_is_compiled(reports):
    """It comes to clients that ask for reports during the search."""
    knowledge, sink = Knowledge(patterns=no_patterns()), Sink()
    every = {"reportDuringSearchEvery": 60} if reports else {}
    compiling = AnalysisEngine(
        replace(OPTIONS, knowledge=knowledge), sink, wait_for_first_move=lambda stop: True
    )
    compiling.run(io.BytesIO(as_bytes(query(includePolicy=True, **every))))
    *before, last = sink.answers
    assert last["rootInfo"]["visits"] == VISITS
    assert [answer["isDuringSearch"] for answer in before] == [True] * reports
    for answer in before:
        assert answer["rootInfo"]["visits"] == 0
        assert len(answer["moveInfos"]) > 1
        assert answer["moveInfos"][0]["prior"] == max(answer["policy"]) > 0
        assert sum(answer["policy"]) == pytest.approx(1.0, abs=1e-4)


def test_an_answer():
    moves = [["B", "C3"], ["W", "B2"]]
    answers = answers_to(query(moves=moves, includeOwnership=True, includePVVisits=True))
    (found,) = answers
    assert (found["id"], found["turnNumber"], found["rootInfo"]["visits"]) == ("q", 2, VISITS)
    assert found["rootInfo"]["currentPlayer"] == "B"
    assert len(found["ownership"]) == 25
    infos = found["moveInfos"]
    assert sum(info["visits"] for info in infos) == VISITS
    assert [info["order"] for info in infos] == list(range(len(infos)))
    for info in infos:
        assert len(info["pv"]) == len(info["pvVisits"])
        assert (info["pv"][0], info["pvVisits"][0]) == (info["move"], info["visits"])


def test_an_independent_query_has_the_same_answer_whatever_else_is_asked():
    one = query("x", moves=[["B", "C3"]], maxVisits=VISITS)
    options = replace(OPTIONS, independent=True)
    alone = answers_to(one, options=options)[0]
    others = [query(str(n), moves=[["B", "C3"], ["W", "B2"]][: n + 1]) for n in range(2)]
    assert results(answers_to(*others, one, *others, options=options))["x", 1] == alone
    assert results(answers_to(one, one, one, options=options))["x", 1] == alone
    turns = query("x", moves=[["B", "C3"], ["W", "B2"]], analyzeTurns=[0, 1, 2], maxVisits=VISITS)
    assert results(answers_to(turns, options=options))["x", 1] == alone


def test_the_same_queries_in_the_same_order_have_the_same_answers():
    moves = [["B", "C3"], ["W", "B2"], ["B", "D4"]]
    queries = [query(str(n), moves=moves[:n]) for n in (0, 1, 3, 2, 1)]
    options = replace(OPTIONS, at_once=1)
    found = answers_to(*queries, options=options)
    assert found == answers_to(*queries, options=options)
    # Another query about the same position adds no roll-outs.
    assert found[4]["rootInfo"]["visits"] == found[1]["rootInfo"]["visits"]


def test_a_query_goes_on_from_the_tree_of_an_earlier_one():
    # Nothing is symmetric after A2, so that no move stands for others.
    first = query("a", moves=[["B", "A2"]], maxVisits=VISITS)
    options = replace(OPTIONS, at_once=1)
    again = query("b", moves=[["B", "A2"]], maxVisits=3 * VISITS)
    found = answers_to(first, again, options=options)
    assert [answer["rootInfo"]["visits"] for answer in found] == [VISITS, 3 * VISITS]
    best = found[0]["moveInfos"][0]
    after = query("c", moves=[["B", "A2"], ["W", best["move"]]], maxVisits=VISITS)
    (_, reused) = answers_to(first, after, options=options)
    assert reused["rootInfo"]["visits"] == VISITS + best["visits"]


def test_turns_of_one_query_inform_each_other_in_both_directions():
    moves = [["B", "C3"], ["W", "B2"], ["B", "D4"], ["W", "B4"]]
    together = query("x", moves=moves, analyzeTurns=[4, 2, 0])
    options = replace(OPTIONS, at_once=1)
    found = answers_to(together, options=options)
    assert [answer["turnNumber"] for answer in found] == [0, 2, 4]
    # With priorities each turn is answered at once, and knows nothing of later ones.
    apart = answers_to({**together, "priorities": [1, 2, 3]}, options=options)
    assert [answer["turnNumber"] for answer in apart] == [0, 2, 4]
    first, last = (
        [answer["rootInfo"]["scoreLead"] for answer in answers] for answers in (found, apart)
    )
    assert first[0] != last[0]
    assert first[2] == pytest.approx(last[2])


def test_turns_that_wait_for_each_other_keep_the_owners_after_each_move():
    asked = query(moves=[["B", "C3"]], analyzeTurns=[0, 1], includeMovesOwnership=True)
    found = results(answers_to(asked))
    assert [len(answer["moveInfos"][0]["ownership"]) for answer in found.values()] == [25, 25]


# Two groups that live, and a dead white stone. With it alive White wins.
FINISHED = [["B", f"{x}{y}"] for x in "AC" for y in range(1, 6)] + [["B", "B3"]]
FINISHED += [["W", f"D{y}"] for y in range(1, 6)] + [["W", "E2"], ["W", "E4"], ["W", "B5"]]


@pytest.mark.parametrize(
    ("rules", "komi", "lead"),
    [("chinese", 4.5, 0.5), ("japanese", 0.5, 1.5), ("tromp-taylor", 4.5, -2.5)],
)
def test_a_finished_game_is_counted(rules, komi, lead):
    passes = [["B", "pass"], ["W", "pass"]]
    (found,) = answers_to(query(rules=rules, komi=komi, initialStones=FINISHED, moves=passes))
    assert found["rootInfo"]["scoreLead"] == found["moveInfos"][0]["scoreLead"] == lead
    assert found["rootInfo"]["winrate"] == (lead > 0)


def test_a_game_in_doubt_is_counted_after_two_passes_as_final_score_counts_it():
    game = Game(5, RULESETS["chinese"], 0.5)
    moves = [["B", "C3"], ["W", "C2"], ["B", "pass"], ["W", "pass"]]
    for color, vertex in moves:
        game.play("BW".index(color) + 1, parse_vertex(vertex, 5))
    player = Player(PlayerOptions(threads=1, seed=1))
    assert not player.status(game).clear
    (found,) = answers_to(query(rules="chinese", komi=0.5, moves=moves))
    assert found["rootInfo"]["scoreLead"] == player.final_score(game)
    assert 0.0 < found["rootInfo"]["winrate"] < 1.0
    assert (found["rootInfo"]["winrate"] > 0.5) == (player.final_score(game) > 0)


def test_a_pass_alone_is_searched():
    limit = {"player": "B", "moves": ["pass"], "untilDepth": 1}
    (found,) = answers_to(query(allowMoves=[limit]))
    assert [info["move"] for info in found["moveInfos"]] == ["pass"]
    assert 0.0 < found["rootInfo"]["winrate"] < 1.0


def test_avoided_moves_are_not_there():
    limit = {"player": "B", "moves": ["C3"], "untilDepth": 1}
    (found,) = answers_to(query(allowMoves=[limit], includeMovesOwnership=True))
    assert [info["move"] for info in found["moveInfos"]] == ["C3"]
    assert found["moveInfos"][0]["ownership"] == pytest.approx(
        answers_to(query(allowMoves=[limit], includeOwnership=True))[0]["ownership"]
    )


def test_actions():
    version, models, cache, stop, everything = answers_to(
        {"id": "1", "action": "query_version", "more": [1.5, None]},
        {"id": "2", "action": "query_models"},
        {"id": "3", "action": "clear_cache"},
        {"id": "4", "action": "terminate", "terminateId": "x", "turnNumbers": [1]},
        {"id": "5", "action": "terminate_all"},
    )
    assert version["more"] == [1.5, None]
    assert version["git_hash"] == "<omitted>"
    assert isinstance(version["version"], str)
    assert not models["models"][0]["usesHumanSLProfile"]
    assert cache == {"id": "3", "action": "clear_cache"}
    assert stop == {"id": "4", "action": "terminate", "terminateId": "x", "turnNumbers": [1]}
    assert everything == {"id": "5", "action": "terminate_all"}


@pytest.mark.parametrize(
    ("line", "known"),
    [
        (b"{", {}),
        (b"\xff", {}),
        (b"[]", {}),
        (b"3", {}),
        (b'{"id": NaN}', {}),
        (b'{"id": "x", "komi": 1e999}', {}),
        (b"[" * 100_000, {}),
        (b"{}", {}),
        (b'{"id": 3}', {}),
        (b'{"id": "x", "action": "dance"}', {"id": "x", "field": "action"}),
        (b'{"id": "x", "action": "terminate"}', {"id": "x", "field": "terminateId"}),
        (
            b'{"id": "x", "action": "terminate_all", "turnNumbers": 3}',
            {"id": "x", "field": "turnNumbers"},
        ),
        (b'{"id": "x", "action": 3}', {"id": "x", "field": "boardXSize"}),
        (b'{"id": "\\ud800"}', {"id": "\ud800", "field": "boardXSize"}),
    ],
)
def test_bad_lines(line, known):
    error, after = answers_to(line, {"id": "1", "action": "clear_cache"})
    assert error.pop("error")
    assert error == known
    assert after["id"] == "1"


def test_warnings_come_before_the_answer():
    first, second, answer = answers_to(query(frobnicate=1, rootPolicyTemperature=2))
    assert (first["id"], first["field"]) == ("q", "frobnicate")
    assert (second["field"], "warning" in second) == ("rootPolicyTemperature", True)
    assert answer["isDuringSearch"] is False


def test_blank_lines_and_a_last_line_without_end():
    text = b"\r\n\n  \n" + as_bytes(query("a")) + b"\r\n" + as_bytes(query("b"))
    assert results(answers_to(text)).keys() == {("a", 0), ("b", 0)}


class Talking:
    """An engine on a pipe, in a thread of its own."""

    def __init__(self, pipe, **options):
        self.sink = Sink()
        self._send = pipe.send
        engine = AnalysisEngine(replace(OPTIONS, **{"at_once": 1, **options}), self.sink)
        self.thread = threading.Thread(target=engine.run, args=(pipe.source,))
        self.thread.start()

    def __call__(self, *lines):
        for line in lines:
            self._send(as_bytes(line) + b"\n")


@pytest.fixture
def talking(pipe):
    """Return a function that starts an engine on a pipe; it must end with its input."""
    started = []

    def start(**options):
        started.append(Talking(pipe, **options))
        return started[-1]

    yield start
    pipe.close()
    for talk in started:
        talk.thread.join(60)
        assert not talk.thread.is_alive()


FOR_EVER = {"maxVisits": 10**12, "reportDuringSearchEvery": 0.01}


def test_turns_that_were_found_are_answered_where_others_are_terminated(talking):
    talk = talking()
    talk(query("x", moves=[["B", "C3"], ["W", "B2"]], analyzeTurns=[0, 1, 2], **FOR_EVER))
    talk.sink.wait_for(lambda answers: any(a.get("isDuringSearch") for a in answers))
    talk({"id": "t", "action": "terminate", "terminateId": "x", "turnNumbers": [1, 2]})
    talk({"id": "u", "action": "terminate", "terminateId": "x"})
    talk.sink.wait_for(lambda answers: len(results(answers)) == 3)
    found = results(talk.sink.answers)
    assert [bool(found["x", turn].get("noResults")) for turn in (0, 1, 2)] == [False, True, True]


def test_terminate(talking):
    """A running query is stopped and answered; a waiting one is not answered; both are reported."""
    talk = talking()
    talk(query("long", **FOR_EVER))
    talk.sink.wait_for(lambda answers: any(a.get("isDuringSearch") for a in answers))
    talk(query("waiting"), query("other"), {"id": "t", "action": "terminate", "terminateId": "q"})
    talk({"id": "u", "action": "terminate", "terminateId": "waiting", "turnNumbers": [1]})
    talk({"id": "v", "action": "terminate", "terminateId": "waiting", "turnNumbers": [0]})
    talk.sink.wait_for(lambda answers: any(a["id"] == "v" for a in answers))
    nothing = {"id": "waiting", "isDuringSearch": False, "noResults": True, "turnNumber": 0}
    assert list(results(talk.sink.answers).values()) == [nothing]
    talk({"id": "w", "action": "terminate", "terminateId": "long"})
    talk.sink.wait_for(lambda answers: len(results(answers)) == 3)
    long = results(talk.sink.answers)["long", 0]
    assert long["rootInfo"]["visits"] > 0
    assert all("moveInfos" in a for a in talk.sink.answers if a.get("isDuringSearch"))


def test_terminate_all(talking):
    talk = talking(at_once=2)
    talk(*(query(name, **FOR_EVER) for name in "abcd"))
    talk.sink.wait_for(
        lambda answers: {a["id"] for a in answers if a.get("isDuringSearch")} == {"a", "b"}
    )
    talk({"id": "t", "action": "terminate_all"})
    talk.sink.wait_for(lambda answers: len(results(answers)) == 4)
    without = {name for (name, _), a in results(talk.sink.answers).items() if a.get("noResults")}
    assert without == {"c", "d"}


def test_priority(talking):
    talk = talking()
    talk(query("first", **FOR_EVER))
    talk.sink.wait_for(lambda answers: bool(answers))
    talk(query("low", maxVisits=1, priority=-1), query("a", maxVisits=1))
    talk(query("high", maxVisits=1, priority=9), query("b", maxVisits=1))
    talk({"id": "t", "action": "terminate", "terminateId": "first"})
    talk.sink.wait_for(lambda answers: len(results(answers)) == 5)
    assert [name for name, _ in results(talk.sink.answers)] == ["first", "high", "a", "b", "low"]


def test_the_end_does_not_wait_where_that_is_wanted(pipe, talking):
    talk = talking(finish=False)
    talk(query("a", **FOR_EVER), query("b"))
    talk.sink.wait_for(lambda answers: bool(answers))
    pipe.close()
    talk.thread.join(60)
    assert not talk.thread.is_alive()
    assert ("b", 0) not in results(talk.sink.answers)


def test_a_failure_inside_is_an_answer(monkeypatch, caplog):
    def fail(*arguments, **options):
        raise ZeroDivisionError

    monkeypatch.setattr(Player, "analyze", fail)
    error, cache = sorted(
        answers_to(query("x"), {"id": "c", "action": "clear_cache"}), key=lambda a: "error" not in a
    )
    assert error == {"error": "internal error", "id": "x"}
    assert cache["id"] == "c"
    assert "ZeroDivisionError" in caplog.text


def test_a_lack_of_memory_is_an_answer(monkeypatch, caplog):
    def fail(*arguments, **options):
        raise MemoryError

    monkeypatch.setattr(Player, "analyze", fail)
    assert answers_to(query("x")) == [{"error": NO_MEMORY, "id": "x"}]
    assert caplog.text == ""


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5) | st.sampled_from(["B", "C3", "pass", "chinese"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)  # fmt: skip
FIELDS = (
    "action boardXSize boardYSize initialStones moves initialPlayer analyzeTurns priority"
    " priorities rules komi whiteHandicapBonus overrideSettings maxVisits analysisPVLen"
    " includeOwnership includePolicy reportDuringSearchEvery avoidMoves allowMoves nonsense"
    " rootPolicyTemperature terminateId turnNumbers"
).split()


@given(st.dictionaries(st.sampled_from(FIELDS), junk, max_size=4))
def test_every_query_gets_an_error_or_answers(fields):
    """An error, or an answer for each turn; never silence, never an internal failure."""
    given_query = {**query(), **fields}
    if isinstance(given_query.get("maxVisits"), int):
        given_query["maxVisits"] = min(given_query["maxVisits"], 3)
    answers = answers_to(given_query)
    ends = [answer for answer in answers if "warning" not in answer]
    assert ends
    assert all(answer.get("error") != "internal error" for answer in ends)


@pytest.mark.parametrize("stop", [{"action": "terminate_all"}, {"action": "terminate"}])
def test_a_terminate_behind_thousands_of_positions_is_executed_at_once(talking, stop):
    moves = [["BW"[turn % 2], "pass"] for turn in range(40)]
    asked = {"moves": moves, "analyzeTurns": list(range(41)), **FOR_EVER}
    talk = talking()
    talk(*(query("x", **asked) for _ in range(80)), {"id": "t", "terminateId": "x", **stop})
    talk.sink.wait_for(lambda answers: any(a["id"] == "t" for a in answers))
    turns = [a["turnNumber"] for a in talk.sink.answers if a.get("isDuringSearch") is False]
    assert len(turns) >= 80 * 41 - 1


def test_waiting_turns_hold_no_games(talking):
    moves = [["BW"[turn % 2], "pass"] for turn in range(3_000)]
    talk = talking()
    talk(query("first", **FOR_EVER))
    talk.sink.wait_for(bool)
    tracemalloc.start()
    try:
        talk(query("x", moves=moves, analyzeTurns=list(range(3_001))))
        talk({"id": "t", "action": "query_version"})
        talk.sink.wait_for(lambda answers: any(a["id"] == "t" for a in answers))
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 4 << 20  # a game of 3,000 moves and its copies take 70 MB
    talk({"id": "u", "action": "terminate_all"})


def test_the_end_of_both_streams_ends_the_searches(pipe):
    """A client that was killed closes both. Answers that nobody reads are not computed."""
    reader, writer = os.pipe()
    with io.FileIO(writer, "wb") as sink:
        answering = AnalysisEngine(OPTIONS, sink)
        thread = threading.Thread(target=answering.run, args=(pipe.source,))
        thread.start()
        pipe.send(as_bytes(query("x", **FOR_EVER)) + b"\n")
        assert os.read(reader, 1)
        os.close(reader)
        # These are read when the first answer has failed.
        for name in "abc":
            pipe.send(as_bytes(query(name, **FOR_EVER)) + b"\n")
            time.sleep(0.1)
        pipe.close()
        thread.join(60)
        assert not thread.is_alive()


def test_a_line_without_an_end_is_not_kept():
    lines = list(read_lines(Endless(64), 1 << 20))
    assert [len(line) > 1 << 20 for line in lines] == [True]
    assert len(lines[0]) <= (1 << 20) + (1 << 16)
    error, after = answers_to(b"[" * (5 << 20), {"id": "1", "action": "clear_cache"})
    assert "line too long" in error["error"]
    assert after["id"] == "1"


class Endless:
    """One line of some MiB."""

    def __init__(self, mib):
        self.chunks = mib << 4

    def read(self, size):
        self.chunks -= 1
        return b"x" * (1 << 16) if self.chunks >= 0 else b""


def test_a_query_has_a_bound_of_moves():
    (error,) = answers_to(query(moves=[["B", "pass"]] * 20_001))
    assert error["field"] == "moves"


def test_a_client_that_asks_too_fast_waits(monkeypatch):
    # A query takes at least 2,000.
    monkeypatch.setattr(engine, "QUERIES", engine.QUERIES._replace(most_waiting_bytes=5_000))
    asked, searching, go_on = [], threading.Event(), threading.Event()

    class Source:
        lines = iter([query(str(number), maxVisits=1) for number in range(9)])

        def read(self, _):
            line = next(self.lines, None)
            if line is None:
                return b""
            asked.append(line["id"])
            return as_bytes(line) + b"\n"

    def wait(_stop):
        searching.set()
        return go_on.wait(60)

    sink, options = Sink(), replace(OPTIONS, at_once=1)
    analysis = AnalysisEngine(options, sink, wait)
    running = threading.Thread(target=analysis.run, args=(Source(),))
    running.start()
    assert searching.wait(60)
    with analysis._changed:
        analysis._changed.wait_for(lambda: len(analysis._queue) == 3, 60)
    # One query is searched, three wait, and one more was read that has no room yet.
    assert len(asked) <= 5
    go_on.set()
    running.join(60)
    assert [answer["id"] for answer in sink.answers] == [str(number) for number in range(9)]
