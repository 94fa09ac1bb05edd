"""Reviews: which positions are thought about, what a move lost, what the record then says."""

import pytest

from engine import (
    BLACK,
    RULESETS,
    WHITE,
    Candidate,
    Decision,
    Knowledge,
    Player,
    PlayerOptions,
    SgfError,
    parse_vertex,
)
from engine.jit import JIT_ENABLED
from engine.patterns.valuing import no_patterns
from patterns_db.annotations import Note, annotate
from patterns_db.records import read_main_line, read_record
from patterns_db.review import (
    Thought,
    describe_move,
    judge_moves,
    positions_of,
    review_game,
    write_notes,
)

CHINESE = RULESETS["chinese"]
RECORD = (
    b"(;GM[1]SZ[5:5]KM[0.5]PB[S\xc3\xb3ng]AB[aa]PL[W]LB[bb:x];W[cc]C[mine]TR[dd]"
    b";C[no move here];B[dc](;W[]TE[1])(;W[cd];B[bd]))"
)


@pytest.fixture(autouse=True)
def _cheap_judgement_without_jit(monkeypatch):
    if not JIT_ENABLED:
        monkeypatch.setattr("engine.fates.ROLLOUTS", 10)


def point(vertex):
    return parse_vertex(vertex, 5)


def thoughts_of(data, knowledge=None, playouts=8):
    line = read_main_line(data)
    player = Player(PlayerOptions(playouts=playouts, threads=1, seed=1), knowledge or Knowledge())
    return line, review_game(line, positions_of(line, CHINESE, 0.5), player)


def test_each_position_of_the_main_line_is_thought_about():
    line, thoughts = thoughts_of(RECORD, Knowledge(patterns=no_patterns()))
    assert len(line.nodes) == 5
    assert [(t.node, t.number, t.color) for t in thoughts] == [
        (0, 0, WHITE), (1, 1, BLACK), (3, 2, WHITE), (4, 3, BLACK)
    ]  # fmt: skip
    assert [t.play and t.play.color for t in thoughts] == [None, WHITE, BLACK, WHITE]
    for thought in thoughts:
        assert sum(thought.chances.values()) == pytest.approx(1.0)
        assert 0.0 <= thought.black_win_rate <= 1.0
    judged = judge_moves(thoughts)
    assert [j.after.number for j in judged] == [1, 2, 3]
    assert judged[2].chance is None  # a pass is no candidate of the ranking model
    assert all(1 <= j.rank <= 25 for j in judged[:2])


def test_the_next_move_says_whose_turn_it_is():
    line = read_main_line(b"(;SZ[5];B[aa];B[bb];AW[cc];W[dd])")
    games = positions_of(line, CHINESE, 0.5)
    assert [game.to_play for game in games] == [BLACK, BLACK, WHITE, WHITE, BLACK]
    assert [len(game.moves) for game in games] == [0, 1, 2, 0, 1]


def test_an_illegal_move_is_named():
    line = read_main_line(b"(;SZ[5];B[aa];W[bb];B[aa])")
    with pytest.raises(SgfError, match="after 2 moves: illegal move: black A5"):
        positions_of(line, CHINESE, 0.5)


def thought(number, color, rate, best="C3", play=None):
    candidates = (Candidate(point(best), 9, rate, 2.0, rate, 0.1, 2.0, 0.5, "", (point(best),)),)
    chances = {point("C3"): 0.5, point("B2"): 0.3, point("A1"): 0.2}
    decision = Decision(point(best), False, "", rate, 9, candidates)
    return Thought(number, number, play, color, decision, chances)


def test_losses_are_the_movers():
    line = read_main_line(b"(;SZ[5];B[bd];W[cc])")  # B2, C3
    plays = [node[0] for node in line.nodes[1:]]
    thoughts = [
        thought(0, BLACK, 0.6),
        thought(1, WHITE, 0.7, play=plays[0]),
        thought(2, BLACK, 0.2, play=plays[1]),
    ]
    black, white = judge_moves(thoughts)
    assert black.loss == pytest.approx(0.3)  # from 60 % to 30 %
    assert white.loss == pytest.approx(-0.1)  # Black's from 30 % to 20 %
    assert (black.chance, black.rank, white.chance, white.rank) == (0.3, 2, 0.5, 1)
    assert describe_move(black) == (
        "1 B B2: Black 30.0% (lost +30.0) expert's with 30.0% (number 2) instead C3 60.0%"
    )
    assert describe_move(white) == "2 W C3: Black 20.0% (best) expert's with 50.0% (number 1)"
    assert judge_moves([thoughts[0], thoughts[2]]) == []
    notes = write_notes(thoughts, 3)
    assert notes[1].win_rate == pytest.approx(0.3)
    assert notes[1].margin == -2.0
    assert notes[1].labels == ((point("C3"), "A"),)
    assert notes[1].triangle == point("C3")
    assert describe_move(black) in notes[1].comment


def test_what_the_record_had_stays():
    line = read_main_line(RECORD)
    labels = ((point("B4"), "A"), (point("C3"), "B"), (0, "C"))
    note = Note(0.123, -2.5, labels, point("D2"), "text ] here")
    data = annotate(line, [note, note, None, None, note])
    assert read_record(data) == read_record(RECORD)
    again = read_main_line(data).file
    nodes = again.get_main_sequence()
    assert nodes[0].get("PB") == "Sóng"
    assert nodes[0].get_raw("SBKV") == b"12.30"
    assert nodes[0].get_raw("SBKS") == b"-2.50"
    assert sorted(nodes[0].get("LB")) == [((2, 2), "B"), ((3, 1), "x")]
    assert nodes[0].get("TR") == {(1, 3)}
    assert nodes[1].get("C") == "mine\n\ntext ] here"
    assert nodes[1].get("TR") == {(1, 3)}
    assert not nodes[2].has_property("SBKV")
    assert len(nodes[3]) == 2  # the variation is still there
    assert nodes[4].has_property("TE")


def test_notes_of_a_real_review_can_be_read_again():
    line, thoughts = thoughts_of(RECORD)
    data = annotate(line, write_notes(thoughts, len(line.nodes)))
    assert read_record(data) == read_record(RECORD)
    assert data.count(b"SBKV[") == 4
    assert b"Most probable" not in data  # no ranking model
