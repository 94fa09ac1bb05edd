"""The state of a session between commands: game, komi, rules, clock and player."""

import logging
import math
import threading
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from engine import (
    BLACK,
    RULESETS,
    WHITE,
    Allotment,
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
)
from engine.explain.kinds import Kind
from engine.picture.picture import picture_of
from gtp.protocol import Answer, Command, GtpError

logger = logging.getLogger(__name__)


class SessionDefaults(NamedTuple):
    """A session at the beginning."""

    size: int = 19
    komi: float = 7.5
    # Time that a search may continue after the end of the input, when nobody may be listening any
    # more. A fixed number of roll-outs gets longer, because cutting it makes the game
    # irreproducible.
    patience_seconds: float = 1.0
    patience_seconds_fixed_playouts: float = 5.0


DEFAULTS = SessionDefaults()

SuperkoRule = Literal["none", "positional", "situational"]


@dataclass(frozen=True)
class SessionOptions:
    """The settings of a session, from the command line."""

    player: PlayerOptions = field(default_factory=PlayerOptions)
    knowledge: Knowledge = field(default_factory=Knowledge)  # the learned tables of the player
    rules: str = "chinese"
    # The repetitions that ``genmove`` avoids; None: those of the rules
    superko: SuperkoRule | None = None
    # Whether dead stones are captured before passing, whatever the rules say
    capture_dead: bool = False
    lag: float = 0.2  # seconds that a move costs in addition to its thinking time
    chat: bool = False  # whether to answer chat messages on a server
    ponder: bool = False  # whether to think during the opponent's time
    ogs_chat: bool = False  # whether to write for gtp2ogs about each generated move


class GeneratedMove(NamedTuple):
    """A generated move: its number in the game, its color and its decision."""

    number: int
    color: int
    decision: Decision
    position: int  # hash of the position before it


def _ready(stop: threading.Event | None = None) -> bool:
    return True


class Session:
    """The state behind the commands. A failing command leaves it unchanged.

    wait_for_kernels  called before anything that would otherwise compile for long; takes an
                      optional event that ends the waiting, and returns False if it was set
    wait_for_first_move  called before a move that needs no search, with an event as above; returns
                      whether a search would have to wait for the compiler
    generations       the generated moves that were not taken back
    rules             of this game and later ones, unless a record brings its own
    """

    def __init__(
        self,
        options: SessionOptions | None = None,
        wait_for_kernels: Callable[..., bool] = _ready,
        wait_for_first_move: Callable[..., bool] = lambda stop=None: False,
    ) -> None:
        self.options = options or SessionOptions()
        self.rules = self.rules_named(self.options.rules)
        if self.options.capture_dead:
            self.rules = replace(self.rules, capture_dead=True)
        self.komi = DEFAULTS.komi
        self.clock = Clock(self.options.lag)
        self.player = Player(self.options.player, self.options.knowledge)
        self.wait_for_kernels = wait_for_kernels
        self.wait_for_first_move = wait_for_first_move
        self.generations: list[GeneratedMove] = []
        # Clients ask for name, version and commands first. These are answered before any kernel is
        # compiled.
        self._game: Game | None = None

    @property
    def generated(self) -> GeneratedMove | None:
        """The last generated move."""
        return self.generations[-1] if self.generations else None

    def _keep(self, *moves: GeneratedMove) -> None:
        """Keep the generated moves up to the game's last one, and some others."""
        standing = (move for move in self.generations if move.number <= len(self.game.moves))
        self.generations = [*standing, *moves]

    def undo(self) -> None:
        """Take back the last move. Raises YomiError if there is none."""
        self.game.undo()
        self._keep()

    @property
    def game(self) -> Game:
        """The game. It is created on first use, since it needs the board's kernels."""
        if self._game is None:
            self._game = Game(DEFAULTS.size, self.rules, self.komi)
        return self._game

    def replace_game(self, game: Game) -> None:
        """Continue with another game, or other moves of this one. The clocks keep running.

        Dead stones are captured if the session's rules or those of the game demand it.
        """
        game.rules = self._with_capturing(game.rules)
        self._game = game

    def new_game(self, size: int) -> None:
        """Start a game. Rules, komi and time settings stay; the clocks are reset."""
        # A loaded record's rules stay as its komi does. They are no default for the next record.
        self._game = Game(size, self.rules_in_force, self.komi)
        # CGOS's client sends komi and time settings before clear_board, and twogtp sends komi only
        # once.
        self.clock.restart()
        # Beliefs are of positions: Sabaki clears the board to jump to another one of the same game.
        beliefs = self.player.beliefs
        self.player.new_game()
        self.player.beliefs = beliefs
        self.generations = []

    def rules_named(self, name: str) -> Rules:
        """Return a rule set, with the superko rule of the command line."""
        return self.with_superko(RULESETS[name])

    def with_superko(self, rules: Rules) -> Rules:
        """Return rules with the superko rule of the command line, if it has one."""
        if self.options.superko is None:
            return rules
        return replace(rules, superko=self.options.superko)

    @property
    def level(self) -> str | None:
        """The name of the level of play; None: full strength."""
        return None if self.options.player.level is None else self.options.player.level.name

    @property
    def rules_in_force(self) -> Rules:
        """The rules of the game, which may come from a loaded record."""
        return self.rules if self._game is None else self._game.rules

    def set_rules(self, rules: Rules) -> None:
        """Set the rules of this game and later ones; capturing of dead stones stays switched on."""
        # Later games are included, since kgs-rules may come before boardsize or after it.
        self.rules = self._with_capturing(rules)
        # self.game is not used: it would create a game and wait for the board's kernels.
        if self._game is not None:
            self._game.rules = self.rules

    def _with_capturing(self, rules: Rules) -> Rules:
        return replace(rules, capture_dead=rules.capture_dead or self.rules.capture_dead)

    def set_player(self, **changes: Any) -> None:
        """Change some options of the player. Raises YomiError, and then leaves them unchanged."""
        options = replace(self.options.player, **changes)
        self.player.set_options(options)
        self.options = replace(self.options, player=options)

    def capture_dead(self, wanted: bool = True) -> None:
        """Set whether dead stones are captured before passing, in this game and later ones."""
        self.rules = replace(self.rules, capture_dead=wanted)
        if self._game is not None:
            self._game.rules = replace(self._game.rules, capture_dead=wanted)

    def set_komi(self, komi: float) -> None:
        """Set the komi of this game and later ones."""
        self.komi = komi
        # Sabaki sends the komi first, before there is a board.
        if self._game is not None:
            self._game.komi = komi

    def play(self, color: int, point: int) -> None:
        """Play a move. Superko repetitions are accepted, since most GUIs know only simple ko."""
        try:
            self.game.play(color, point)
        except IllegalMove as reason:
            raise GtpError("illegal move") from reason

    def place_handicap(self, points: list[int], otherwise: str) -> None:
        """Place handicap stones on an empty board. ``otherwise`` is the failure text."""
        try:
            self.game.place_handicap(points)
        except BadSetup:
            raise GtpError(otherwise) from None

    def require_empty_board(self) -> None:
        """Raise GtpError unless nothing was set up or played."""
        if self.game.moves or self.game.handicap or picture_of(self.game.board).chains:
            raise GtpError("board not empty")

    def think(self, color: int, command: Command, charge: bool = True) -> Decision:
        """Return the player's move for a color without playing it.

        The clock runs from the start of the command, unless ``charge`` is False.
        """
        for _ in self.thoughts(color, command, charge=charge):
            pass
        assert self.generated is not None
        return self.generated.decision

    def wait_before_clock(self) -> None:
        """Wait for the kernels of a move when a clock was set: compiling could cost much of it.

        Controllers start their clocks later. GoGui asks after 15 seconds whether to keep waiting.
        """
        if self.clock.is_limited and not self._moves_at_once():
            self.wait_for_kernels()

    def _moves_at_once(self) -> bool:
        """Wait for the kernels of a first move; return whether to move without all others."""
        return self.player.moves_at_once and self.wait_for_first_move()

    def thoughts(
        self,
        color: int,
        command: Command,
        *,
        charge: bool = True,
        interval: float = math.inf,
        avoid: Set[int] = frozenset(),
    ) -> Iterator[SearchReport]:
        """Do as ``think`` with reports on the way. At the end, ``generated`` holds the decision.

        See Player.deliberate for the arguments.
        """
        game = self.game
        # The clock starts before the kernels are ready, since a server's clock does not wait for
        # them.
        self.clock.start(color, command.waited)
        try:
            at_once = self._moves_at_once()
            if not at_once:
                self.wait_for_kernels()
            # The end of the input sets a deadline from here on. Waiting for the compiler does not
            # count.
            options = self.options.player
            fixed = options.playouts is not None or options.level is not None
            command.begin_search(
                DEFAULTS.patience_seconds_fixed_playouts if fixed else DEFAULTS.patience_seconds
            )
            # Stones that were set up stand for moves: a position of a problem is no opening.
            stones = len(game.stones(BLACK)) + len(game.stones(WHITE))
            allotment = self.clock.allot(color, game.size, max(len(game.moves), stones))
            if at_once:  # not measured: it has waited for the compiler
                allotment = Allotment(0.0, 0.0, Kind.COMPILING)
            elif allotment is not None:
                self.clock.expect(allotment.share)
            deliberation = self.player.deliberate(
                game, color, allotment, command.stop, interval=interval, avoid=avoid
            )
            yield from deliberation
            decision = deliberation.decision
        # The clock also stops when the reader has gone and the generator is closed. Otherwise it
        # would run on into the next game.
        finally:
            spent = self.clock.stop(charge)
        # The number is that of the move once played. reg_genmove and a resignation play nothing.
        self._keep(GeneratedMove(len(game.moves) + 1, color, decision, game.position_hash))
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
        """Play the last generated move and return it as text. A resignation plays nothing."""
        assert self.generated is not None
        _, color, decision, _ = self.generated
        # Sabaki records a resignation by itself. A move on our board would shift its undo by one.
        if decision.resign:
            return "resign"
        self.play(color, decision.point)
        return format_vertex(decision.point)

    def ponder(self, command: Command) -> None:
        """After an answer, think on the opponent's time until any input comes.

        Pondering happens only after a generated move with a search, and while the game goes on.
        """
        # Pondering needs an opponent: a busy processor at an idle prompt would surprise users.
        has_moved = self.generated is not None and self.generated.number == len(self.game.moves)
        if not (self.options.ponder and has_moved) or self.game.passes > 0:
            return
        assert self.generated is not None
        # Without time for a search there is none to stop pondering, which takes some ms.
        if not self.generated.decision.candidates:
            return
        for _ in self.player.analyze(self.game, self.game.to_play, math.inf, command.input_came):
            pass

    def analyze(
        self, color: int, command: Command, interval: float, avoid: Set[int]
    ) -> Iterator[SearchReport]:
        """Report the player's findings for a color until any input comes. See Player.analyze.

        While the search is being compiled, the first report is the ranking model's.
        """
        # Input may end an analysis before its first line, since Sabaki sends a command before each
        # step.
        if self.wait_for_first_move(command.input_came):
            expected = self.player.expect(self.game, color, avoid)
            if expected is not None:
                yield expected
        if self.wait_for_kernels(command.input_came):
            yield from self.player.analyze(self.game, color, interval, command.input_came, avoid)


SessionHandler = Callable[[Session, Command], Answer]
