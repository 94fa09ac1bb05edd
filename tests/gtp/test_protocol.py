"""The protocol without Go: clean-up, ids, answers, failures, reading ahead."""

import io
import threading
import time
import tracemalloc

import pytest

from gtp import inbox
from gtp.protocol import NO_MEMORY, Command, GtpError, Protocol, format_answer, parse_line
from tests.gtp.conftest import answers_of, split_answers


@pytest.mark.parametrize(
    ("line", "command_id", "name", "text"),
    [
        (b"name", "", "name", ""),
        (b"42 name", "42", "name", ""),
        (b"007 name", "007", "name", ""),
        (b"2147483647 name", "2147483647", "name", ""),
        (b"2147483648 name", "", "2147483648", "name"),
        (b"-1 name", "", "-1", "name"),
        (b"42", "42", "", ""),
        (b"  play\tb   D4  \r", "", "play", "b D4"),
        (b"play b D4 # the star point", "", "play", "b D4"),
        (b"pl\x00ay\x07 b\x7f D4", "", "play", "b D4"),
        (b"echo \xc2\xa0 a\xc2\x85b", "", "echo", "\xa0 a\x85b"),
        (b"echo \xff\xfe", "", "echo", "\udcff\udcfe"),
    ],
)
def test_clean_up(line, command_id, name, text):
    command = parse_line(line)
    assert (command.id, command.name, command.text) == (command_id, name, text)


@pytest.mark.parametrize("line", [b"", b" \t ", b"\r", b"# name", b"  # interrupt", b"\x00\x01"])
def test_no_command(line):
    assert parse_line(line) is None


@pytest.mark.parametrize(
    ("command_id", "text", "success", "expected"),
    [
        ("", "", True, b"=\n\n"),
        ("3", "", True, b"=3\n\n"),
        ("", "yomi", True, b"= yomi\n\n"),
        ("43", "unknown command", False, b"?43 unknown command\n\n"),
        ("", "a\n\n b \n  \nc\n", True, b"= a\n b\nc\n\n"),
        ("", "\u4e2d\x07", True, b"= ??\n\n"),
    ],
)
def test_answers(command_id, text, success, expected):
    assert format_answer(command_id, text, success) == expected


def boom(command):
    raise ZeroDivisionError


def refuse(command):
    raise GtpError("no")


@pytest.fixture
def protocol():
    return Protocol({"echo": lambda command: command.text, "boom": boom, "refuse": refuse})


def test_a_lack_of_memory_is_one_answer(caplog):
    def greedy(command):
        raise MemoryError

    def greedy_analysis(command):
        yield "info"
        raise MemoryError

    protocol = Protocol({"greedy": greedy, "analyze": greedy_analysis})
    answers = answers_of(protocol, b"greedy\nanalyze\ngreedy\n")
    assert answers[0] == answers[2] == f"? {NO_MEMORY}"
    assert caplog.messages == [NO_MEMORY]
    assert caplog.records[0].exc_info is None


def test_one_answer_for_each_command_in_order(protocol):
    data = b"\n1 echo a\r\n\n# comment\n2 refuse\n\t3\tboom\n4 what\n5 echo b # c\n6 echo end"
    assert answers_of(protocol, data) == [
        "=1 a",
        "?2 no",
        "?3 internal error",
        "?4 unknown command",
        "=5 b",
        "=6 end",
    ]


def test_own_commands(protocol):
    answers = answers_of(
        protocol,
        b"protocol_version\nknown_command echo\nknown_command nothing\nlist_commands\n"
        b"known_command\nquit\necho unheard\n",
    )
    assert answers == [
        "= 2",
        "= true",
        "= false",
        "= protocol_version\nlist_commands\nknown_command\nquit\necho\nboom\nrefuse",
        "? syntax error; usage: known_command COMMAND",
        "=",
    ]


def test_the_reason_of_a_refusal_is_there_for_a_prompt():
    def fails(command):
        raise GtpError("no") from ValueError("because")

    protocol = Protocol({"fails": fails, "crashes": lambda command: 1 / 0})
    refusal = protocol.answer_to(parse_line(b"fails"))
    assert (str(refusal), str(refusal.__cause__)) == ("no", "because")
    assert str(protocol.answer_to(parse_line(b"crashes"))) == "internal error"
    assert protocol.answer_to(parse_line(b"protocol_version")) == "2"


def test_an_internal_error_is_explained_to_the_log(protocol, caplog):
    answers_of(protocol, b"boom\n")
    assert "ZeroDivisionError" in caplog.text


def test_long_lines(protocol):
    word = b"x" * 3_000_000
    assert answers_of(protocol, b"echo " + word + b"\necho a\n") == [f"= {word.decode()}", "= a"]


def test_a_line_without_end_is_refused_and_not_kept(protocol, monkeypatch):
    named = inbox.INBOX._replace(max_line_bytes=1 << 20)  # what the message names
    monkeypatch.setattr("gtp.protocol.INBOX", named)
    monkeypatch.setattr(inbox, "INBOX", inbox.INBOX._replace(max_line_bytes=100_000))
    source = io.BytesIO(b"7 echo " + b"x" * 10_000_000 + b"\necho a\n")
    sink = io.BytesIO()
    tracemalloc.start()
    protocol.run(source, sink)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert split_answers(sink.getvalue()) == ["?7 line too long: at most 1 MiB", "= a"]
    assert most < 3_000_000


def test_a_flood_waits_in_the_pipe(protocol, pipe, monkeypatch):
    """Nothing is read beyond a limit; all is answered, and an interrupt within it is obeyed."""
    monkeypatch.setattr(inbox, "INBOX", inbox.INBOX._replace(max_waiting_bytes=100_000))
    started = threading.Event()

    def search(command):
        started.set()
        return "stopped" if command.stop.wait(20) else "never stopped"

    protocol.handlers["search"] = search
    sink = io.BytesIO()
    thread = run_in_thread(protocol, pipe.source, sink)
    pipe.send(b"search\n")
    assert started.wait(20)
    pipe.send(b"echo a\n# interrupt\n" + b"echo b\n" * 5_000 + b"search\n")
    # It is seen only when there is room; a search that began by then stops nevertheless.
    pipe.send(b"echo c\n# interrupt\nquit\n")
    thread.join(20)
    assert split_answers(sink.getvalue()) == [
        *("= stopped", "= a"), *["= b"] * 5_000, *("= stopped", "= c", "=")
    ]  # fmt: skip


def test_the_waiting_input_is_limited(protocol, pipe, monkeypatch):
    monkeypatch.setattr(inbox, "INBOX", inbox.INBOX._replace(max_waiting_bytes=10_000))
    box = inbox.Inbox(pipe.source)
    pipe.send(b"echo a\n" * 8_000)  # less than the pipe and one chunk hold
    for _ in range(8_000):
        assert box.next().text == "a"
        assert box._waiting_bytes < 10_000 + 210
    box.close()


class Drops(io.RawIOBase):
    """Gives its bytes one at a time."""

    def __init__(self, data):
        self._data = list(data)

    def read(self, size=-1):
        return bytes([self._data.pop(0)]) if self._data else b""


def test_lines_in_several_pieces(protocol):
    sink = io.BytesIO()
    protocol.run(Drops(b"1 echo a b\n2 echo c"), sink)
    assert split_answers(sink.getvalue()) == ["=1 a b", "=2 c"]


class Gone(io.BytesIO):
    """A reader that has gone."""

    def flush(self):
        raise BrokenPipeError


def test_a_reader_who_has_gone_ends_the_session(protocol):
    served = []
    protocol.handlers["count"] = lambda command: served.append(1) or ""
    protocol.run(io.BytesIO(b"count\ncount\n"), Gone())
    assert len(served) == 1


def wait_for_stop(patience_seconds=60):
    def handler(command: Command):
        command.begin_search(patience_seconds)
        return "stopped" if command.stop.wait(20) else "never stopped"

    return handler


def run_in_thread(protocol, source, sink):
    thread = threading.Thread(target=protocol.run, args=(source, sink), daemon=True)
    thread.start()
    return thread


def test_interrupt_stops_the_running_command_only(protocol, pipe):
    started = threading.Event()
    stops = []

    def search(command):
        started.set()
        stops.append(command.stop.wait(20 if command.text else 0.05))
        return ""

    protocol.handlers["search"] = search
    sink = io.BytesIO()
    thread = run_in_thread(protocol, pipe.source, sink)
    pipe.send(b"# interrupt\nsearch long\n")
    assert started.wait(20)
    pipe.send(b"echo ahead\nprotocol_version\n")  # neither stops a search
    time.sleep(0.05)
    assert stops == []
    pipe.send(b"  # interrupt \nsearch\nquit\n")
    thread.join(20)
    assert stops == [True, False]
    assert split_answers(sink.getvalue()) == ["=", "= ahead", "= 2", "=", "="]


def test_interrupt_read_before_the_command_started_still_counts(protocol):
    protocol.handlers["search"] = wait_for_stop()
    data = b"search\n# interrupt\nquit\n"
    assert answers_of(protocol, data) == ["= stopped", "="]


def test_the_end_of_the_input_stops_a_search_soon(protocol, pipe):
    protocol.handlers["search"] = wait_for_stop(patience_seconds=0.1)
    sink = io.BytesIO()
    thread = run_in_thread(protocol, pipe.source, sink)
    pipe.send(b"search\nsearch\necho a")
    time.sleep(0.3)  # longer than the patience: it counts from the end of the input
    assert sink.getvalue() == b""
    pipe.close()
    thread.join(5)
    assert split_answers(sink.getvalue()) == ["= stopped", "= stopped", "= a"]


@pytest.mark.parametrize("ending", [b"\n", b"echo a\n", b"# interrupt\n"])
def test_an_analysis_is_acknowledged_at_once_and_ends_on_any_input(protocol, pipe, ending):
    lines = threading.Event()

    def analyze(command):
        def stream():
            while not command.input_came.wait(0.01):
                yield "info move D4"
                lines.set()

        return stream()

    protocol.handlers["analyze"] = analyze
    sink = io.BytesIO()
    thread = run_in_thread(protocol, pipe.source, sink)
    pipe.send(b"8 analyze\n")
    assert lines.wait(20)
    pipe.send(ending)
    pipe.close()
    thread.join(20)
    first, *others = sink.getvalue().decode().split("\n\n")
    assert first.startswith("=8\ninfo move D4")
    assert others == (["= a", ""] if b"echo" in ending else [""])


def test_waiting_time_is_used_until_input_comes(pipe):
    waited = []
    protocol = Protocol({}, lambda command: waited.append(command.input_came.wait(20)))
    sink = io.BytesIO()
    thread = run_in_thread(protocol, pipe.source, sink)
    pipe.send(b"protocol_version\n")
    time.sleep(0.05)
    assert waited == []
    pipe.send(b"\n")  # a bare newline is input too
    pipe.send(b"protocol_version\nquit\n")
    thread.join(20)
    assert waited == [True, True]


def test_a_failure_in_the_waiting_time_ends_nothing(caplog):
    protocol = Protocol({}, boom)
    assert answers_of(protocol, b"protocol_version\nprotocol_version\n") == ["= 2", "= 2"]
    assert "ZeroDivisionError" in caplog.text


def test_a_command_says_how_long_the_waiting_time_kept_it_waiting(pipe):
    waited = []

    def note(command):
        time.sleep(0.05)  # an answer keeps others waiting, too, and is not counted
        waited.append(command.waited)
        return ""

    def let_go_slowly(command):
        command.input_came.wait(20)
        time.sleep(0.3)

    thread = run_in_thread(Protocol({"note": note}, let_go_slowly), pipe.source, io.BytesIO())
    pipe.send(b"note\n")
    time.sleep(0.05)
    pipe.send(b"note\nnote\nquit\n")
    thread.join(20)
    # The third came while the second waited.
    assert len(waited) == 3
    assert waited[0] < 0.25 < min(waited[1:])
