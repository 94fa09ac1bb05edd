"""Messages on stderr: yomi does not depend on a reader, and a reader gets all in order."""

import os
import subprocess
import sys
import threading

import pytest

from gtp.messages import Messages


@pytest.fixture
def pipe():
    reader, writer = os.pipe()
    yield reader, writer
    for end in (reader, writer):
        os.close(end)


def test_a_reader_gets_all_lines_in_order(pipe):
    reader, writer = pipe
    messages = Messages(writer)
    for number in range(100):
        print(f"line {number} \u4e2d\udcff", file=messages)
    messages.drain(20)
    expected = "".join(f"line {number} \u4e2d\\udcff\n" for number in range(100))
    assert os.read(reader, 1 << 16).decode() == expected
    assert not messages.isatty()


def test_messages_without_a_reader(pipe):
    reader, writer = pipe
    messages = Messages(writer)
    line = "x" * 999
    for _ in range(1000):  # four times the limit
        print(line, file=messages)
    received = bytearray()

    def read():
        while b"dropped" not in received:
            received.extend(os.read(reader, 1 << 16))

    # A late reader gets a notice about missing messages.
    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(20)
    *lines, last = received.decode().splitlines()
    assert set(lines) == {line}
    assert last == f"({1000 - len(lines)} messages were dropped)"


def test_a_closed_descriptor_takes_everything(pipe):
    reader, writer = os.pipe()
    os.close(reader)
    broken = Messages(writer)
    os.close(writer)
    for messages in (broken, Messages(9999)):
        print("unheard", file=messages)
        messages.drain(20)


@pytest.mark.parametrize(
    ("count", "length"), [(400, 1000), pytest.param(10_000, 20, marks=pytest.mark.slow)]
)
def test_a_client_that_never_reads_stderr_gets_all_answers(count, length):
    """Each message is longer than the file's name; a pipe holds 65,536 bytes."""
    commands = b"".join(b"loadsgf /nowhere/%d/%s\n" % (n, b"x" * length) for n in range(count))
    process = subprocess.Popen(
        [sys.executable, "-m", "gtp", "--playouts", "8", "--threads", "1"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip

    def feed():
        process.stdin.write(commands + b"quit\n")
        process.stdin.close()

    threading.Thread(target=feed, daemon=True).start()
    try:
        assert process.stdout.read().count(b"? cannot load file") == count
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()
