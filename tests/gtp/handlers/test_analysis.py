"""Analysis: output for Sabaki, Lizzie and the CGOS client, and when it ends."""

import io
import re
import threading

import numpy as np
import pytest

from engine import BLACK, WHITE, Game, MoveBelief, PlayerOptions, SearchReport, parse_vertex
from engine.belief.posterior import Posterior
from engine.jit import JIT_ENABLED
from engine.search import grower
from gtp import warming
from gtp.handlers.analysis import SWITCHES, AnalyzeArguments, kata_line, lz_line
from gtp.handlers.table import handlers
from gtp.protocol import Protocol
from gtp.session import Session, SessionOptions
from tests.belief.test_posterior import evidence
from tests.gtp.conftest import QUICK, Talk

VERTEX = re.compile(r"[A-HJ-Z][0-9]+|pass", re.IGNORECASE)
SETTLED = (
    "gogui-setup b b1 b b2 b b3 b b4 b b5 b a2 b a4"
    " w c1 w c2 w c3 w c4 w c5 w d2 w d4 w e1 w e2 w e3 w e4 w e5"
)


def read_as_sabaki(line):
    """Return {move: values} as Sabaki 0.60 reads a line; parts that break its rules are missing."""
    assert line.startswith("info ")
    found = {}
    for segment in re.split(r"(?:^| )info (?=\S)", line)[1:]:
        words = segment.split(" ")
        start = len(words)
        while start > 0 and VERTEX.fullmatch(words[start - 1]):
            start -= 1
        if start == len(words):
            continue
        pairs = words[: start - 1]
        values = dict(zip(pairs[::2], pairs[1::2], strict=True))
        if values["move"].lower() != "pass":
            found[values["move"]] = {**values, "pv": words[start:]}
    return found


def analysis(talk, *commands):
    """Send commands, the last of them an analysis, and return its lines."""
    return talk(*commands).split("\n")


# -- the text ---------------------------------------------------------------------------------


def belief(line, playouts, win_rate, margin):
    points = tuple(parse_vertex(vertex, 2) for vertex in line.split())
    return MoveBelief(
        points[0], playouts, 0.9, 9.0, win_rate, 0.01, 0.0, 1.0, margin, prior=0.25, line=points,
        line_visits=tuple(range(playouts, playouts - len(points), -1)),
    )  # fmt: skip


GAME = Game(2)
REPORT = SearchReport(
    (belief("B2 A1 pass", 30, 0.61, 1.5), belief("pass", 8, 0.5, -2), belief("A1", 0, 0.5, 0)),
    38,
    Posterior(1.5, 5.4, 9.0),
    1.25,
    3.5,
    np.zeros(2000),
)
REPORT.ownership[[parse_vertex("A2", 2), parse_vertex("B1", 2)]] = [1.0, -0.5]
REPORT = REPORT._replace(moves_ownership={parse_vertex("B2", 2): -REPORT.ownership})


def request(color=BLACK, least=0, most=50, **others):
    return AnalyzeArguments(color, 1.0, least, most, frozenset(), **others)


def test_lz_line():
    assert lz_line(GAME, request(), REPORT) == (
        "info move B2 visits 30 winrate 6100 prior 2500 lcb 5936 order 0 pv B2 A1 pass"
        " info move pass visits 8 winrate 5000 prior 2500 lcb 4836 order 1 pv pass"
    )


def test_kata_line():
    wanted = request(most=1, extras=frozenset(["ownership", "rootInfo"]))
    assert kata_line(GAME, wanted, REPORT) == (
        "info move B2 visits 30 winrate 0.610000 utility 0.220000 scoreLead 1.5000"
        " scoreMean 1.5000 prior 0.250000 lcb 0.593551 weight 30 order 0 pv B2 A1 pass"
        " rootInfo visits 38 winrate 0.610000 utility 0.220000 scoreLead 1.5000"
        " scoreMean 1.5000 scoreStdev 5.4000 weight 38"
        " ownership 1.0000 0.0000 0.0000 -0.5000"
    )


def test_all_optional_fields():
    """In KataGo's order; a move without roll-outs since the last move has no owners."""
    line = kata_line(GAME, request(WHITE, extras=frozenset(SWITCHES.values())), REPORT)
    first, second, rest = re.split(" info | rootInfo ", line)
    assert first.endswith(
        " pv B2 A1 pass pvVisits 30 29 28 pvEdgeVisits 30 29 28"
        " movesOwnership 1.0000 0.0000 0.0000 -0.5000"
        " movesOwnershipStdev 0.0000 1.0000 1.0000 0.8660"
    )
    assert second.endswith(" pv pass pvVisits 8 pvEdgeVisits 8")
    assert rest.endswith(
        " ownership -1.0000 -0.0000 -0.0000 0.5000 ownershipStdev 0.0000 1.0000 1.0000 0.8660"
    )


def test_the_sum_of_owners_is_the_lead():
    """Roll-outs see 0.5 points where the posterior sees a lead of 1.5 and komi of 0.5."""
    wanted = request(most=1, extras=frozenset(["ownership", "movesOwnership"]))
    line = kata_line(GAME, wanted, REPORT._replace(evidence=evidence(size=2, komi=0.5)))
    assert sums_of_owners(line) == pytest.approx([2.0, 2.0], 1e-3)
    line = kata_line(
        GAME, wanted._replace(color=WHITE), REPORT._replace(evidence=evidence(size=2, komi=0.5))
    )
    # The move's lead of 1.5 is White's here; the position's is Black's.
    assert sums_of_owners(line) == pytest.approx([1.0, -2.0], 1e-3)


def sums_of_owners(line):
    found = re.findall(r"wnership((?: -?[0-9.]+){4})", line)
    return [sum(map(float, owners.split())) for owners in found]


def test_deviations_of_owners_are_told_alone():
    line = kata_line(GAME, request(most=1, extras=frozenset(["movesOwnershipStdev"])), REPORT)
    assert line.endswith(" movesOwnershipStdev 0.0000 1.0000 1.0000 0.8660")


@pytest.mark.parametrize(("least", "most", "count"), [(0, 50, 2), (3, 50, 3), (0, 1, 1), (9, 2, 2)])
def test_how_many_candidates(least, most, count):
    assert lz_line(GAME, request(least=least, most=most), REPORT).count("info move") == count


@pytest.mark.parametrize("games", range(5))
def test_sabaki_never_shows_more_than_the_best_move_has(talk, games):
    """Sabaki takes the largest win rate and lead of all moves for the position's, at any visits."""
    talk("boardsize 7", f"set_random_seed {games}")
    for _ in range(20 if JIT_ENABLED else 2):
        line = analysis(talk, "kata-genmove_analyze maxmoves 50")[0]
        moves = read_as_sabaki(line)
        if not moves or "pass" in line.split(" pv ")[0]:
            continue  # a pass is no segment for Sabaki
        best = next(values for values in moves.values() if values["order"] == "0")
        for name in ("winrate", "scoreLead"):
            assert max(float(values[name]) for values in moves.values()) == float(best[name])
        assert all(0.0 < float(v["winrate"]) < 1.0 for v in moves.values() if v["visits"] != "400")


# -- the commands -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lz-analyze", "kata-analyze"])
@pytest.mark.parametrize(
    "form",
    [
        "",
        "B 50",
        "10",
        "w 10",
        "white interval 10",
        "interval 0.5 minmoves 2 maxmoves 3",
        "b avoid b A1,A2 1 avoid w pass 3 10",
        "allow b C3,C4 1 maxmoves 1",
    ],
)
def test_argument_forms(talk, name, form):
    (line,) = analysis(talk, "boardsize 5", f"{name} {form}")
    moves = read_as_sabaki(line)
    assert 1 <= len(moves) <= (3 if "maxmoves" in form else 50)
    assert [int(values["order"]) for values in moves.values()] == list(range(len(moves)))
    for move, values in moves.items():
        assert values["pv"][0] == move
        if name == "kata-analyze":
            assert "." in values["winrate"]
            assert 0 <= float(values["winrate"]) <= 1
            float(values["scoreLead"])
        else:
            assert 0 <= int(values["winrate"]) <= 10000
    assert "rootInfo" not in line
    assert "ownership" not in line


def test_fields_on_request_only(talk):
    options = " ".join(f"{word} true" for word in [*SWITCHES.values(), "noResultValue"])
    (line,) = analysis(talk, "boardsize 5", f"kata-analyze b 10 {options}")
    infos, root, owners, deviations = re.split(" rootInfo | ownership | ownershipStdev ", line)
    assert len(root.split()) % 2 == 0
    for info in infos.split("info ")[1:]:
        values, pv, visits, edges, moves, move_deviations = re.split(
            " (?:pv|pvVisits|pvEdgeVisits|movesOwnership|movesOwnershipStdev) ", info
        )
        assert visits == edges
        assert len(pv.split()) == len(visits.split())
        assert f" visits {visits.split()[0]} " in values
        assert len(moves.split()) == len(move_deviations.split()) == 25
    assert len(owners.split()) == len(deviations.split()) == 25
    assert all(-1 <= float(owner) <= 1 for owner in owners.split())
    assert all(0 <= float(deviation) <= 1 for deviation in deviations.split())
    (line,) = analysis(talk, "kata-analyze b 10 " + options.replace("true", "false"))
    assert not any(f" {word} " in line for word in SWITCHES.values())


@pytest.mark.parametrize(
    "options",
    [
        "noResultValue true",
        "noResultValue true maxmoves 1",
        "frobnicate wildly",
        "no-such_option 3.5 frobnicate perhaps",
    ],
)
@pytest.mark.parametrize("name", ["lz-analyze", "kata-analyze", "kata-genmove_analyze"])
def test_unknown_options_are_left_out_with_their_values(talk, name, options):
    line, *_ = analysis(talk, "boardsize 5", f"{name} b {options} interval 5")
    moves = read_as_sabaki(line)
    assert len(moves) == 1 if "maxmoves" in options else len(moves) > 1


def test_lz_analyze_knows_no_owners(talk):
    (line,) = analysis(talk, "boardsize 5", "lz-analyze ownership true rootInfo true")
    assert "ownership" not in line
    assert "rootInfo" not in line
    assert read_as_sabaki(line)


def test_the_requested_color_is_to_move(talk):
    """Black owns the board; the position stays as it is."""
    talk("boardsize 5", "komi 0.5", "play b b3", "play b c3", "play b d3", "play b c2", "play b c4")
    before = talk.state
    best = {
        color: next(
            iter(read_as_sabaki(analysis(talk, f"kata-analyze {color} ownership true")[0]).values())
        )
        for color in "bw"
    }
    assert float(best["b"]["winrate"]) > 0.5 > float(best["w"]["winrate"])
    assert talk.state == before


def test_avoided_moves_come_back(talk):
    def moves(words):
        (line,) = analysis(talk, f"lz-analyze b 5 minmoves 25 {words}")
        return set(read_as_sabaki(line))

    talk("boardsize 5")
    assert len(moves("")) == 6  # mirror images are one move
    talk("play w a2")  # nothing is symmetric
    everything = moves("")
    assert len(everything) == 24
    assert moves("avoid b C3,D4 9 avoid b A1 1") == everything - {"C3", "D4", "A1"}
    assert moves("avoid w C3 1") == everything
    assert moves("allow b C3,D3,pass 1") == {"C3", "D3"}
    assert moves("allow b C3,pass 1 allow b D3,E3 1 avoid b E3 1") == {"C3", "D3"}
    assert moves("") == everything


def test_positions_without_a_search_have_a_line(talk):
    talk("boardsize 5", "komi 0.5", SETTLED, "play w pass")
    (line,) = analysis(talk, "kata-analyze b avoid b A1,A3,A5,D1,D3,D5 1")
    assert re.match(r"info move pass visits [1-9]\d* winrate 0.0+ .* pv pass$", line)
    line, move = analysis(talk, "lz-genmove_analyze b")
    assert line.startswith("info move pass ")
    assert move == "play pass"


@pytest.mark.parametrize("name", ["lz-genmove_analyze", "kata-genmove_analyze"])
def test_genmove_analyze_plays(talk, name):
    *lines, last = analysis(talk, "boardsize 5", f"{name} b 100 minmoves 25 avoid b C3 1")
    moves = read_as_sabaki(lines[-1])
    best = next(iter(moves))
    assert last == f"play {best}"
    assert "C3" not in moves
    assert talk("list_stones b") == best
    # Input does not stop it, because the input has ended: the whole budget was used.
    assert sum(int(values["visits"]) for values in moves.values()) == QUICK.playouts


def test_to_resign_plays_nothing(talk_with):
    talk = talk_with(player=PlayerOptions(playouts=8, threads=1, seed=1, resign_percent=101.0))
    talk("boardsize 9", *["lz-genmove_analyze b", "undo"] * 2)
    assert analysis(talk, "lz-genmove_analyze b")[-1] == "play resign"
    assert talk.session.game.moves == []


# -- when it ends -----------------------------------------------------------------------------


class Screen(io.BytesIO):
    """Output that reports when a number of lines have come."""

    def __init__(self, lines):
        super().__init__()
        self._awaited = lines
        self.filled = threading.Event()

    def flush(self):
        if self.getvalue().count(b"\n") >= self._awaited:
            self.filled.set()


def run_until(session, pipe, command, lines, ending):
    """Send a command, wait for lines of output, send the ending and return all output."""
    screen = Screen(lines)
    protocol = Protocol(handlers(session))
    thread = threading.Thread(target=protocol.run, args=(pipe.source, screen), daemon=True)
    thread.start()
    pipe.send(command)
    assert screen.filled.wait(60)
    pipe.send(ending)
    pipe.close()
    thread.join(60)
    return screen.getvalue().decode()


@pytest.mark.parametrize("ending", [b"\n", b"name\n", b"\t \r\n", b"# interrupt\n"])
def test_any_input_ends_it_and_is_answered_after_it(talk, pipe, ending):
    talk("boardsize 5")
    said = run_until(talk.session, pipe, b"7 lz-analyze b 5\n", 3, ending)
    lines, rest = said.split("\n\n", 1)
    assert rest == ("= yomi\n\n" if b"name" in ending else "")
    first, *lines = lines.split("\n")
    assert first == "=7"
    assert len(lines) >= 2
    visits = [
        sum(int(values["visits"]) for values in read_as_sabaki(line).values()) for line in lines
    ]
    assert visits == sorted(visits)


def test_the_search_goes_on_where_it_was(talk):
    def visits():
        (line,) = analysis(talk, "kata-analyze b rootInfo true")
        return int(re.search("rootInfo visits ([0-9]+)", line)[1])

    talk("boardsize 5")
    first = visits()
    assert visits() >= 2 * first
    assert talk("clear_board") == ""
    assert visits() < 2 * first + 16


def test_not_one_batch_more_after_the_input(talk, monkeypatch):
    """A batch of roll-outs runs to its end: none begins when input has come during the last one."""
    calls = []
    stop = threading.Event()
    original = grower.search

    def search(*arguments):
        descents = arguments[2]
        if descents > 0:  # not merely the root's children
            calls.append(int(descents))
        original(*arguments)
        if len(calls) == 3:
            stop.set()

    monkeypatch.setattr(grower, "search", search)
    session = Talk().session
    session.new_game(5)
    reports = list(session.player.analyze(session.game, BLACK, 60.0, stop))
    assert len(calls) == 3
    assert len(reports) == 1
    assert reports[0].playouts == sum(calls)


def test_an_analysis_without_end_stays_within_its_memory_and_its_counters(monkeypatch):
    monkeypatch.setattr(grower, "GROWTH", grower.GROWTH._replace(max_visits=300))
    options = PlayerOptions(threads=1, seed=1, memory_mib=0)
    session = Session(SessionOptions(player=options))
    session.new_game(9)
    *_, report = session.player.analyze(session.game, BLACK, 60.0, threading.Event())
    assert report.playouts == 300
    assert len(session.player.thinker.search.searcher._tree.move) == 2000


def test_while_kernels_are_compiled_it_is_acknowledged_and_can_be_ended(talk, pipe):
    talk("boardsize 5")
    talk.session.wait_for_kernels = warming.WarmUp().wait  # never started
    assert run_until(talk.session, pipe, b"lz-analyze\n", 1, b"name\n") == "=\n\n= yomi\n\n"
