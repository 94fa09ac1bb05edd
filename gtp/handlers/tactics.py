"""Chains read out: ``attack`` and ``defend`` as GNU Go 3.8 answers them, and a view for GoGui."""

from engine import PASS, format_vertex
from engine.captures.reader import CaptureReading
from engine.facts.chain_facts import ChainFacts
from gtp import arguments
from gtp.answers import vertices
from gtp.protocol import Command, GtpError
from gtp.session import Session, SessionHandler

READING_SECONDS = 2.0
READING_NODES = 200_000  # some 40 MB
FAILS, WORKS, KO = 0, 1, 2  # GNU Go's codes; its 3 is a ko, too, a worse one
SIGNS = {"dead": "MARK", "attackable": "SQUARE", "critical": "TRIANGLE", "safe": "CIRCLE"}


def attack(session: Session, command: Command) -> str:
    """Answer whether a chain can be captured if its opponent moves first, and how.

    "1 D4": D4 captures it; "2 D4": it does for who wins the ko; "0": it cannot be captured before
    it has six liberties.
    """
    reading = _read(session, arguments.stone(command, session.game), attacker_first=True)
    return _answer(reading, "captured")


def defend(session: Session, command: Command) -> str:
    """Answer whether a chain can be saved if its owner moves first, and how; codes as ``attack``.

    "1 PASS": it is safe without a move.
    """
    chain = arguments.stone(command, session.game)
    # Asked first: where nothing threatens there is no move to name.
    if _read(session, chain, attacker_first=True).value == "safe":
        return f"{WORKS} PASS"
    return _answer(_read(session, chain, attacker_first=False), "safe")


def _read(session: Session, chain: int, attacker_first: bool) -> CaptureReading:
    session.wait_for_kernels()
    return session.player.read_chain(
        session.game, chain, attacker_first, READING_NODES, READING_SECONDS
    )


def _answer(reading: CaptureReading, wanted: str) -> str:
    """Return a code and a move; ``wanted`` is what the side to move is after."""
    if reading.value == "unknown":
        raise GtpError("the reading came to no end")
    code = WORKS if reading.value == wanted else KO if reading.value == "ko" else FAILS
    if code == FAILS:
        return str(code)
    move = PASS if reading.move is None else reading.move
    # GNU Go writes PASS.
    return f"{code} {format_vertex(move).upper()}"


def tactics(session: Session, command: Command) -> str:
    """Mark what is proved of the chains with few liberties, and the moves that decide.

    A cross: dead; a triangle: who moves first decides; a square: can be attacked; a circle: safe.
    """
    arguments.words(command, 0)
    session.wait_for_kernels()
    facts = session.player.chain_facts(session.game, command.stop.is_set)
    lines = [
        f"{sign} {vertices(stone for chain in chains for stone in chain.stones)}"
        for status, sign in SIGNS.items()
        if (chains := [chain for chain in facts if chain.status == status])
    ]
    attacks = {point for chain in facts for point in chain.attacks}
    defenses = {point for chain in facts for point in chain.defenses}
    labels = [
        f"{format_vertex(point)} {'a' * (point in attacks)}{'d' * (point in defenses)}"
        for point in sorted(attacks | defenses)
    ]
    if labels:
        lines.append(f"LABEL {' '.join(labels)}")
    return "\n".join([*lines, f"TEXT {_in_words(facts)}"])


def _in_words(facts: list[ChainFacts]) -> str:
    # GoGui writes "Tactics of Chains: " before it.
    counts = [f"{n} {status}" for status in SIGNS if (n := sum(c.status == status for c in facts))]
    return ", ".join(counts) or "no chain has few liberties"


TACTICS: dict[str, SessionHandler] = {
    "attack": attack,
    "defend": defend,
    "yomi-tactics": tactics,
}
