"""Games through everything that stores them and back: SGF, archives, packed moves, notes.

Legal games come from the rules (tests.diagrams). The reader's games are replayed and compared
position by position.
"""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf

from engine import BLACK, RULESETS, WHITE, Game, board_points, to_column_row
from engine.errors import MoveCode
from engine.go.board import legality
from engine.go.geometry import PASS
from patterns_db.records.annotations import JUDGEMENTS, Note, Variation, annotate
from patterns_db.records.archive import (
    POINT_BITS,
    SETUP_BIT,
    WHITE_BIT,
    join_archives,
    load_archive,
    pack_game,
    pack_games,
    save_archive,
)
from patterns_db.records.games import to_game
from patterns_db.records.replay import record_of, replay_record, terms_of
from patterns_db.records.sgf import Play, SetupStones, read_main_line, read_record, write_record
from tests.diagrams import picture_of, random_games

NAMED = st.sampled_from(sorted(RULESETS))


def situation(game):
    """All information that a record has to preserve."""
    return (
        picture_of(game), game.to_play, game.komi, game.rules, game.handicap, game.moves,
        game.captures(BLACK), game.captures(WHITE), game.passes, game.position_hash,
    )  # fmt: skip


def loaded(data):
    record = read_record(data)
    terms = terms_of(record)
    return replay_record(record, terms.rules, terms.komi)


@st.composite
def started_games(draw):
    """Return legal games that may begin with handicap stones or a set-up position."""
    played = draw(random_games(largest=7, most_moves=40))
    komi = draw(st.integers(-8, 8)) / 2  # the reader limits komi by the board
    game = Game(played.size, RULESETS[draw(NAMED)], komi)
    points = board_points(game.size)
    start = draw(st.sampled_from(["empty", "handicap", "set up"]))
    if start == "handicap":
        game.place_handicap(draw(st.permutations(points))[: draw(st.integers(2, 3))])
    elif start == "set up":
        game.setup(played.stones(BLACK), played.stones(WHITE), draw(st.sampled_from([1, 2])))
    for color, point in played.moves:
        if game.legality(color, point) == 0:
            game.play(color, point)
    return game


@settings(max_examples=40)
@given(started_games())
def test_a_game_written_and_read_is_the_same_game(game):
    back = loaded(write_record(record_of(game)))
    assert situation(back) == situation(game)
    while game.moves:
        game.undo()
        back.undo()
        assert picture_of(back) == picture_of(game)
        assert back.to_play == game.to_play


@settings(max_examples=30)
@given(started_games(), st.integers(0, 60))
def test_a_record_stops_before_any_move(game, moves):
    back = replay_record(record_of(game), game.rules, game.komi, moves)
    assert back.moves == game.moves[:moves]
    if moves < len(game.moves):
        assert back.to_play == game.moves[moves].color
        while len(game.moves) > moves:
            game.undo()
    assert picture_of(back) == picture_of(game)


@settings(max_examples=30)
@given(started_games())
def test_sgfmill_reads_the_same_moves(game):
    """Another program's reader on our writing."""
    file = sgf.Sgf_game.from_bytes(write_record(record_of(game)))
    assert file.get_size() == game.size
    assert file.get_komi() == game.komi
    names = {"b": BLACK, "w": WHITE}
    found = [
        (names[color], place)
        for color, place in (node.get_move() for node in file.get_main_sequence())
        if color is not None
    ]
    places = [
        (
            color,
            None if point == PASS else (to_column_row(point)[1] - 1, to_column_row(point)[0] - 1),
        )
        for color, point in game.moves
    ]
    assert found == places


@settings(max_examples=30)
@given(started_games())
def test_packed_moves_are_the_record(game):
    packed = pack_game(to_game(record_of(game), "a/b.sgf"))
    legal = sum(not move & SETUP_BIT for move in packed.tolist())
    if len(game.moves) > legal:  # cut at a suicide, which training takes for illegal
        color, point = game.moves[legal]
        while len(game.moves) > legal:
            game.undo()
        assert legality(game.board, point, color, False) == MoveCode.SUICIDE
    assert packed.dtype == np.uint16
    setup = [int(move) for move in packed if move & SETUP_BIT]
    played = [int(move) for move in packed if not move & SETUP_BIT]
    assert packed.tolist() == setup + played  # set-up stones come first
    colors = [WHITE if move & WHITE_BIT else BLACK for move in played]
    assert list(zip(colors, (move & POINT_BITS for move in played), strict=True)) == [
        tuple(move) for move in game.moves
    ]
    start = game.copy()
    while start.moves:
        start.undo()
    for color, bit in ((BLACK, 0), (WHITE, WHITE_BIT)):
        stones = [move & POINT_BITS for move in setup if move & WHITE_BIT == bit]
        assert stones == start.stones(color)


@settings(max_examples=15)
@given(st.lists(started_games(), max_size=4), st.integers(0, 5))
def test_archives_can_be_cut_joined_and_stored(tmp_path_factory, games, most):
    decoded = [to_game(record_of(game), f"{'ab'[i % 2]}/{i}.sgf") for i, game in enumerate(games)]
    whole = pack_games(decoded)._replace(damaged=2)
    assert whole.games == len(games)
    for number, game in enumerate(decoded):
        own = whole.moves[whole.starts[number] : whole.starts[number + 1]]
        assert own.tolist() == pack_game(game).tolist()
        assert whole.names[whole.sources[number]] == game.source[0]
    file = tmp_path_factory.mktemp("archive") / "games.npz"
    save_archive(whole, file)
    parts = [pack_games(decoded[:1]), pack_games([]), pack_games(decoded[1:])._replace(damaged=2)]
    for other in (load_archive(file), join_archives(parts)):
        for name, value in whole._asdict().items():
            assert np.array_equal(getattr(other, name), value), name
    cut = join_archives([whole], most)
    assert cut.games == min(most, whole.games)
    assert cut.moves.tolist() == whole.moves[: whole.starts[cut.games]].tolist()


NOTES = st.builds(
    Note,
    win_rate=st.floats(0, 1),
    margin=st.one_of(st.none(), st.floats(-99, 99)),
    labels=st.just(()),
    triangle=st.none(),
    judgement=st.sampled_from([None, *JUDGEMENTS]),
    instead=st.just(()),
    comment=st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=30),
)


@settings(max_examples=30)
@given(started_games(), st.data())
def test_notes_can_be_read_again_and_change_no_move(game, data):
    line = read_main_line(write_record(record_of(game)))
    points = st.lists(st.sampled_from([*board_points(game.size), PASS]), max_size=4, unique=True)
    notes = []
    last = len(line.nodes) - 1
    for number in range(last + 1):
        note = data.draw(st.one_of(st.none(), NOTES))
        if note is not None:
            labels = tuple((p, "ABCD"[i]) for i, p in enumerate(data.draw(points)))
            # A better line belongs to a move, so the record needs a move.
            lines = data.draw(st.lists(points.filter(bool), max_size=2)) if number < last else []
            instead = tuple(Variation(1 + number % 2, tuple(line), "better") for line in lines)
            note = note._replace(labels=labels, instead=instead)
        notes.append(note)
    written = annotate(line, notes)
    assert situation(loaded(written)) == situation(game)
    nodes = read_main_line(written).file.get_main_sequence()
    for node, note in zip(nodes, notes, strict=True):
        assert node.has_property("SBKV") == (note is not None)
        if note is None:
            continue
        assert float(node.get_raw("SBKV")) == pytest.approx(100 * note.win_rate, abs=0.0051)
        assert node.has_property("SBKS") == (note.margin is not None)
        marked = {place: text for place, text in node.get("LB")} if node.has_property("LB") else {}
        assert sorted(marked.values()) == [text for point, text in note.labels if point != PASS]
        if note.comment.strip():
            assert "".join(node.get("C").split()) == "".join(note.comment.split())


@pytest.mark.parametrize("cut", range(1, 60))
def test_a_cut_off_record_is_read_as_far_as_it_goes(cut):
    game = Game(5, RULESETS["japanese"], 6.5)
    for point in board_points(5)[:6]:
        game.play(game.to_play, point)
    data = write_record(record_of(game)).strip()
    assert len(data) > 60
    kept = data[:-cut]
    record = read_record(kept)
    assert any("not closed" in note for note in record.notes)
    whole = kept.rstrip().endswith((b"]", b";"))
    assert whole or any("left out" in note for note in record.notes)
    moves = len(re.findall(rb"[BW]\[..\]", kept))
    assert record.moves == read_record(data).moves[:moves]


def test_set_up_in_the_middle_is_a_new_beginning():
    points = board_points(5)
    events = (
        Play(BLACK, points[0]),
        SetupStones((points[6],), (), (points[0],)),
        Play(WHITE, points[8]),
    )
    record = read_record(b"(;SZ[5])")
    game = replay_record(type(record)(size=5, events=events), RULESETS["chinese"], 0.5)
    assert game.stones(BLACK) == [points[6]]
    assert [move.point for move in game.moves] == [points[8]]
    back = loaded(write_record(record_of(game)))
    assert situation(back) == situation(game)
