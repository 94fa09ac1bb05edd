"""The late endings of the measurement: their promises, and what is counted."""

from engine import BLACK, PASS, Player, PlayerOptions
from scripts.play.endings import ask, read_endings, row_of


def test_a_move_in_a_room_wins():
    for ending in read_endings():
        game = ending.game()
        inside = {point for room in ending.rooms for point in room}
        assert ending.right <= inside
        assert 0 < 2 * len(ending.right) <= ending.choices
        assert all(game.color_at(point) == 0 for point in ending.right)
        assert (game.to_play, game.komi) == (ending.to_play, ending.komi)
        assert game.komi % 1 == 0.5
    assert len(read_endings()) == 260


def test_answers_are_counted(monkeypatch):
    ending = next(each for each in read_endings() if each.to_play == BLACK)
    players = {name: Player(PlayerOptions(playouts=1, threads=1, seed=1)) for name in "ab"}
    moves = {"a": min(ending.right), "b": PASS}
    for name, player in players.items():
        decision = player.choose(ending.game(), BLACK)._replace(point=moves[name])
        monkeypatch.setattr(player, "choose", lambda game, color, decision=decision: decision)
    found = ask(players, ending)
    assert (found["a"], found["b"]) == (True, False)
    row = {"set": "x", "chance": 0.25, "with": True, "without": False, "with_reason": "one fight"}
    name, count, solved, with_, _, without, _, chance = row_of("x", [row, row])
    assert (name, count, solved, with_, without, chance) == ("x", 2, 2, 2, 0, 0.25)
