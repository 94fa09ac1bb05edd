"""What a session remembers between commands: game, komi, rules, clock, player."""

import logging
import math
import threading
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from engine import (
    RULESETS,
    BadSetup,
    Clock,
    Decision,
    Game,
    IllegalMove,
    Knowledge,
    Player,
    PlayerOptions,
    Rules,
    SearchReport,
    format_vertex,
    level_options,
)
from engine.thinkers.levels import LevelOptions
from gtp.protocol import Answer, Command, GtpError

logger = logging.getLogger(__name__)

DEFAULT_SIZE = 19
DEFAULT_KOMI = 7.5
FULL_STRENGTH = "full"  # what stands where a level would
# How long a search may go on when the input has ended: nobody may be there any more. A fixed
# number of roll-outs gets longer, because cutting it makes the game irreproducible.
PATIENCE_SECONDS = 1.0
PATIENCE_SECONDS_FIXED_PLAYOUTS = 5.0

SuperkoRule = Literal["none", "positional", "situational"]


@dataclass(frozen=True)
class SessionOptions:
    """How a session plays, as the command line says.

    knowledge  what the player has learned
    superko  what ``genmove`` avoids instead of what the rules say; None: as the rules say
    lag      seconds a move costs beyond its thinking
    chat     whether to answer what is said on a server
    ogs_chat  whether to write what gtp2ogs shows of each generated move
    ponder   whether to think on while the opponent does
    """

    player: PlayerOptions = field(default_factory=PlayerOptions)
    knowledge: Knowledge = field(default_factory=Knowledge)
    rules: str = "chinese"
    superko: SuperkoRule | None = None
    lag: float = 0.2
    chat: bool = False
    ponder: bool = False
    ogs_chat: bool = False


def read_level(name: str) -> LevelOptions | None:
    """Return how a level plays, None for FULL_STRENGTH; any case will do. Raises BadSetup."""
    if name.lower() == FULL_STRENGTH:
        return None
    try:
        return level_options(name)
    except BadSetup:
        raise BadSetup(
            f"no such level: {name[:40]} (levels are 20k to 1k, 1d to 5d and {FULL_STRENGTH})"
        ) from None


class GeneratedMove(NamedTuple):
    """A move that was asked for: its number in the game, its color, how it was decided.

    position  hash of the position before it
    """

    number: int
    color: int
    decision: Decision
    position: int


def _ready(stop: threading.Event | None = None) -> bool:
    return True


def _knows_no_dead(rules: Rules) -> bool:
    """Return whether all that is left on the board lives, so that dead stones are captured."""
    return rules.name == "tromp-taylor"


class Session:
    """The state behind the commands. A command that fails leaves it as it was.

    wait_for_kernels  called before anything that would otherwise compile for long, maybe with an
                      event that ends the waiting; returns False if that was set
    generated         the last move that was asked for
    rules             of this game and the next ones
    always_captures   whether the command line asks for dead stones to be captured
    """

    def __init__(
        self,
        options: SessionOptions | None = None,
        wait_for_kernels: Callable[..., bool] = _ready,
    ) -> None:
        self.options = options or SessionOptions()
        self.rules = self.rules_named(self.options.rules)
        self.always_captures = self.options.player.capture_dead
        self.komi = DEFAULT_KOMI
        self.clock = Clock(self.options.lag)
        self.player = Player(self.options.player, self.options.knowledge)
        self.wait_for_kernels = wait_for_kernels
        self.generated: GeneratedMove | None = None
        # Clients ask for name, version and commands first, and these are answered before any kernel
        # is compiled.
        self._game: Game | None = None
        self._heed_rules()

    @property
    def game(self) -> Game:
        """The game; made when first asked for, since it needs the board's kernels."""
        if self._game is None:
            self._game = Game(DEFAULT_SIZE, self.rules, self.komi)
        return self._game

    def replace_game(self, game: Game) -> None:
        """Go on with another game, or with other moves of this one; clocks run on."""
        self._game = game

    def new_game(self, size: int) -> None:
        """Begin a game: komi and time settings stay, the clocks are full again."""
        self._game = Game(size, self.rules, self.komi)
        # CGOS's client sends komi and time settings before clear_board, twogtp sends komi only
        # once.
        self.clock.restart()
        # Beliefs are of positions: Sabaki clears the board to jump to another one of the same game.
        beliefs = self.player.beliefs
        self.player.new_game()
        self.player.beliefs = beliefs
        self.generated = None

    def rules_named(self, name: str) -> Rules:
        """Return a rule set, with the superko rule that the command line asked for."""
        return self.with_superko(RULESETS[name])

    def with_superko(self, rules: Rules) -> Rules:
        """Return rules with the superko rule that the command line asked for, if it did."""
        if self.options.superko is None:
            return rules
        return replace(rules, superko=self.options.superko)

    @property
    def rules_in_force(self) -> Rules:
        """The rules of the game, which a loaded record may have brought along."""
        return self.rules if self._game is None else self._game.rules

    @property
    def captures_dead(self) -> bool:
        """Whether dead stones are captured before passing, by choice or by the game's rules."""
        # A record that was loaded goes by its own rules; the session's were heeded when set.
        brought = self.rules_in_force != self.rules and _knows_no_dead(self.rules_in_force)
        return self.options.player.capture_dead or brought

    def set_rules(self, rules: Rules) -> None:
        """Set the rules of this game and the next ones."""
        # Of the next ones, too: kgs-rules may come before boardsize or after it.
        self.rules = rules
        # Not self.game, which would make one, and so wait for the board's kernels.
        if self._game is not None:
            self._game.rules = rules
        self._heed_rules()

    def _heed_rules(self) -> None:
        """Capture dead stones where the session's rules know none."""
        if _knows_no_dead(self.rules):
            self.capture_dead()

    def set_player(self, **changes: Any) -> None:
        """Change some of the player's options. Raises YomiError, and leaves them as they were."""
        options = replace(self.options.player, **changes)
        self.player.set_options(options)
        # In the session's options, too, from which set_random_seed makes a new player.
        self.options = replace(self.options, player=options)

    def capture_dead(self, wanted: bool = True) -> None:
        """From now on, capture dead stones before passing, or do not."""
        self.set_player(capture_dead=wanted)

    def set_komi(self, komi: float) -> None:
        """Set the komi of this game and the next ones."""
        self.komi = komi
        # Sabaki sends the komi first of all, before there is a board.
        if self._game is not None:
            self._game.komi = komi

    def set_seed(self, seed: int) -> None:
        """Begin the player's random numbers anew."""
        options = replace(self.options.player, seed=seed)
        self.player = Player(options, self.options.knowledge)

    @property
    def level(self) -> str:
        """The level at which moves are played, or FULL_STRENGTH."""
        level = self.options.player.level
        return FULL_STRENGTH if level is None else level.name

    def set_level(self, name: str) -> None:
        """Play at a level from now on, or at FULL_STRENGTH. Raises BadSetup if there is none such.

        The random numbers begin anew, so that a seed and a level fix what is played.
        """
        self.set_player(level=read_level(name))

    def play(self, color: int, point: int) -> None:
        """Play a move; superko repetitions are accepted, since most GUIs know only simple ko."""
        try:
            self.game.play(color, point)
        except IllegalMove as reason:
            raise GtpError("illegal move") from reason

    def place_handicap(self, points: list[int], otherwise: str) -> None:
        """Place handicap stones; ``otherwise`` is the failure text for points that cannot be."""
        self.require_empty_board()
        try:
            self.game.place_handicap(points)
        except BadSetup:
            raise GtpError(otherwise) from None

    def require_empty_board(self) -> None:
        """Raise GtpError unless nothing was set up or played."""
        if self.game.moves or self.game.handicap or self.game.chains():
            raise GtpError("board not empty")

    def think(self, color: int, command: Command, charge: bool = True) -> Decision:
        """Return the player's move for a color; nothing is played.

        The clock runs from the moment the command is taken up; ``charge`` False: as if it had not.
        """
        for _ in self.thoughts(color, command, charge=charge):
            pass
        assert self.generated is not None
        return self.generated.decision

    def wait_before_clock(self) -> None:
        """Wait for the kernels where a clock was set: compiled on it, a minute or the game is lost.

        Controllers start it later. GoGui asks after 15 seconds whether to wait on.
        """
        if self.clock.is_limited:
            self.wait_for_kernels()

    def thoughts(
        self,
        color: int,
        command: Command,
        *,
        charge: bool = True,
        interval: float = math.inf,
        avoid: Set[int] = frozenset(),
        capture_dead: bool = False,
        stop: threading.Event | None = None,
    ) -> Iterator[SearchReport]:
        """Do as ``think``, and report on the way; the decision is in ``generated`` at the end.

        See Player.deliberate for the arguments.
        stop  what ends it early; None: the command's own
        """
        game = self.game
        capture_dead |= self.captures_dead
        # Before the kernels are there: a server's clock does not wait for our compiler.
        self.clock.start(color)
        try:
            self.wait_for_kernels()
            # From here on the end of the input presses: waiting for the compiler was not thinking.
            options = self.options.player
            fixed = options.playouts is not None or options.level is not None
            command.begin_search(PATIENCE_SECONDS_FIXED_PLAYOUTS if fixed else PATIENCE_SECONDS)
            allotment = self.clock.allot(color, game.size, len(game.moves))
            if allotment is not None:
                self.clock.expect(allotment.longest(options.patient))
            deliberation = self.player.deliberate(
                game,
                color,
                allotment,
                stop or command.stop,
                interval=interval,
                avoid=avoid,
                capture_dead=capture_dead,
            )
            yield from deliberation
            decision = deliberation.decision
        # Also when the reader has gone and the generator is closed: the next game's clock must not
        # run.
        finally:
            spent = self.clock.stop(charge)
        # Counted before it is played, if it is: reg_genmove and a resignation leave the game as it
        # is.
        self.generated = GeneratedMove(len(game.moves) + 1, color, decision, game.position_hash)
        logger.debug(
            "%s%s: %s; win rate %.3f, %d playouts, %.2f s of %s",
            format_vertex(decision.point),
            " (resign)" if decision.resign else "",
            decision.reason,
            decision.win_rate,
            decision.playouts,
            spent,
            "no limit" if allotment is None else f"{allotment.share:.2f}",
        )

    def play_generated(self) -> str:
        """Play the move that was asked for last and return it as text; to resign plays nothing."""
        assert self.generated is not None
        _, color, decision, _ = self.generated
        # Sabaki records a resignation by itself; a move on our board would put its undo off by one.
        if decision.resign:
            return "resign"
        self.play(color, decision.point)
        return format_vertex(decision.point)

    def ponder(self, command: Command) -> None:
        """After a command was answered: think on for the opponent until any input comes.

        Only after a move that was asked for, and while the game goes on.
        """
        # Only for an opponent we play against: a processor that is busy at a prompt surprises
        # people.
        asked = self.generated is not None and self.generated.number == len(self.game.moves)
        if not (self.options.ponder and asked) or self.game.passes > 0:
            return
        for _ in self.player.analyze(self.game, self.game.to_play, math.inf, command.input_came):
            pass

    def analyze(
        self, color: int, command: Command, interval: float, avoid: Set[int]
    ) -> Iterator[SearchReport]:
        """Report what the player finds for a color until any input comes; see Player.analyze."""
        # Input may end an analysis before the first line; Sabaki sends a command before each step.
        if self.wait_for_kernels(command.input_came):
            yield from self.player.analyze(self.game, color, interval, command.input_came, avoid)


SessionHandler = Callable[[Session, Command], Answer]
