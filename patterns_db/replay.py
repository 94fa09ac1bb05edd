"""From a game record to a Game, and back."""

from collections.abc import Iterator

from engine import BLACK, WHITE, Game, IllegalMove, Rules, SgfError, YomiError
from patterns_db.games import DecodedGame
from patterns_db.records import GameRecord, Play, Setup, Turn

_RULES_BY_WORD = {  # what servers and programs write in RU, lower case, first word
    "chinese": "chinese",
    "japanese": "japanese",
    "korean": "japanese",
    "aga": "aga",
    "nz": "new-zealand",
    "new": "new-zealand",
    "tromp-taylor": "tromp-taylor",
    "tromp": "tromp-taylor",
}
_RULES_WORDS = {
    "chinese": "Chinese",
    "japanese": "Japanese",
    "aga": "AGA",
    "new-zealand": "NZ",
    "tromp-taylor": "Tromp-Taylor",
}


def rules_of(record: GameRecord) -> str | None:
    """Return the name of the record's rule set, None if it names none that we know."""
    words = (record.rules or "").lower().replace("_", " ").split()
    return _RULES_BY_WORD.get(words[0]) if words else None


def replay_record(record: GameRecord, rules: Rules, komi: float, moves: int | None = None) -> Game:
    """Return the game of a record after a number of moves, passes included (None: all).

    The record's next move says whose turn it is then.
    Set-up stones in the middle of a game are the beginning of a new one as far as undo goes.
    Raises SgfError naming the first thing that the rules forbid.
    """
    game = Game(record.size, rules, komi)
    played = 0
    for event in record.events:
        if isinstance(event, Play) and moves is not None and played >= moves:
            game.set_to_play(event.color)
            break
        try:
            apply_event(game, event, record.handicap)
        except YomiError as error:
            raise SgfError(f"after {played} moves: {error}") from None
        played += isinstance(event, Play)
    return game


def replay_moves(record: DecodedGame, rules: Rules, komi: float) -> Iterator[Game]:
    """Yield the game before its first move and after every move; what is illegal ends it.

    It is the same Game each time: copy what is to be kept. The next position is reached when it is
    asked for, so the number of positions is one more than that of the moves made.
    """
    game = Game(record.size, rules, komi)
    if len(record.black) + len(record.white) > 0:
        game.edit(record.black.tolist(), record.white.tolist(), ())
    yield game
    for color, point in zip(record.colors.tolist(), record.moves.tolist(), strict=True):
        try:
            game.play(color, point)
        except IllegalMove:
            return
        yield game


def apply_event(game: Game, event: Play | Setup | Turn, handicap: int) -> None:
    """Do what one event of a record says; ``handicap`` is the record's.

    Raises YomiError when the rules forbid it.
    """
    if isinstance(event, Play):
        game.play(event.color, event.point)
    elif isinstance(event, Turn):
        game.set_to_play(event.color)
    elif _is_handicap(game, event, handicap):
        game.place_handicap(event.black)
    else:
        game.edit(event.black, event.white, event.empty)


def _is_handicap(game: Game, event: Setup, handicap: int) -> bool:
    fresh = not game.moves and not game.handicap and not game.chains()
    # HA alone is not enough: some programs write it and set up a position as well.
    return fresh and len(event.black) == handicap and not event.white


def record_of(game: Game) -> GameRecord:
    """Return the record of a game from its set-up on."""
    # The set-up is what is there before the first move, handicap stones included.
    start = game.copy()
    while start.moves:
        start.undo()
    events: list[Play | Setup | Turn] = []
    black, white = start.stones(BLACK), start.stones(WHITE)
    if black or white:
        events.append(Setup(tuple(black), tuple(white), ()))
    # Said only where it is not what any reader expects.
    if start.to_play != (WHITE if game.handicap else BLACK):
        events.append(Turn(start.to_play))
    events += [Play(color, point) for color, point in game.moves]
    return GameRecord(
        size=game.size,
        komi=game.komi,
        rules=_RULES_WORDS.get(game.rules.name, game.rules.name),
        handicap=game.handicap,
        events=tuple(events),
    )
