"""Chain reading: ``attack`` and ``defend`` with GNU Go 3.8's answers, and a view for GoGui."""

from collections.abc import Sequence

from engine import COLOR_NAMES, PASS, format_vertex
from engine.captures.reader import CaptureReading
from engine.explain.words import percent
from engine.facts.chain_facts import OpenChain
from engine.facts.group_prover import ReadingBudget
from gtp import arguments
from gtp.answers import vertices
from gtp.protocol import Command, GtpError
from gtp.session import Session, SessionHandler

READING_SECONDS = 2.0
READING_NODES = 200_000  # about 40 MB
LIKELY = 0.5  # probability of a capture from which on a chain is in doubt, or probably dead


FAILS, WORKS, KO = 0, 1, 2  # GNU Go's codes; its 3 is a less favorable ko
SIGNS = {"dead": "MARK", "attackable": "SQUARE", "critical": "TRIANGLE", "safe": "CIRCLE"}


def attack(session: Session, command: Command) -> str:
    """Return whether and how a chain can be captured if its opponent moves first.

    "1 D4": D4 captures it. "2 D4": D4 captures it if the attacker wins the ko. "0": it cannot be
    captured before it has six liberties.
    """
    reading = _read(session, arguments.stone(command, session.game), attacker_first=True)
    return _answer(reading, "captured")


def defend(session: Session, command: Command) -> str:
    """Return whether and how a chain can be saved if its owner moves first. Codes as ``attack``.

    "1 PASS": it is safe without a move.
    """
    chain = arguments.stone(command, session.game)
    # The attack is read first: without a threat there is no move to name.
    if _read(session, chain, attacker_first=True).value == "safe":
        return f"{WORKS} PASS"
    return _answer(_read(session, chain, attacker_first=False), "safe")


def _read(session: Session, chain: int, attacker_first: bool) -> CaptureReading:
    session.wait_for_kernels()
    return session.player.facts.read_chain(
        session.game.board, chain, attacker_first, READING_NODES, READING_SECONDS
    )


def _answer(reading: CaptureReading, wanted: str) -> str:
    """Return a code and a move. ``wanted`` is the aim of the side to move."""
    if reading.value == "unknown":
        raise GtpError("no result within the node limit")
    code = WORKS if reading.value == wanted else KO if reading.value == "ko" else FAILS
    if code == FAILS:
        return str(code)
    move = PASS if reading.move is None else reading.move
    # GNU Go writes PASS.
    return f"{code} {format_vertex(move).upper()}"


def tactics(session: Session, command: Command) -> str:
    """Mark what is proved about the chains with few liberties, and the deciding moves.

    A cross marks a dead chain, and a triangle one whose status depends on the side to move. A
    square marks a chain that can be attacked, a circle a safe one. Chains without a proof that
    are probably captured are named with the probability.
    """
    arguments.words(command, 0)
    session.wait_for_kernels()
    budget = ReadingBudget(stopped=command.stop.is_set)
    facts = session.player.facts.chains(session.game.board, budget)
    open_chains = session.player.facts.open_chains(session.game.board, budget)
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
    # GoGui prints "Tactics of Chains: " before it.
    words = [f"{n} {status}" for status in SIGNS if (n := sum(c.status == status for c in facts))]
    text = ", ".join([*words, *estimates(open_chains)]) or "no chain has few liberties"
    return "\n".join([*lines, f"TEXT {text}"])


def estimates(chains: Sequence[OpenChain]) -> list[str]:
    """Return the estimates about open chains in words, as "D4 (3 stones) probably dead (85 %)".

    Chains that are probably safe are counted, not named.
    """
    safe = sum(chain.attacked < LIKELY for chain in chains)
    texts = [f"{safe} probably safe"] if safe else []
    for chain in (chain for chain in chains if chain.attacked >= LIKELY):
        attacked, defended = percent(chain.attacked), percent(chain.defended)
        first, owner = COLOR_NAMES[3 - chain.color], COLOR_NAMES[chain.color]
        fate = f"captured with {attacked} if {first} begins and {defended} if {owner} does"
        if chain.defended >= LIKELY:
            fate = f"probably dead ({defended})"
        number = f"{len(chain.stones)} stone{'s' if len(chain.stones) != 1 else ''}"
        texts.append(f"{format_vertex(min(chain.stones))} ({number}) {fate}")
    return texts


TACTICS: dict[str, SessionHandler] = {"attack": attack, "defend": defend, "yomi-tactics": tactics}
