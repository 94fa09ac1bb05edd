"""Players by name and constants, and the baselines as GTP programs: plain UCT and UCT-RAVE.

    python -m scripts.play.baselines rave:b2=0.001 --playouts 1000 --plain

"yomi:exploration=0.4", "uct:c=0.5" and "rave:b2=0.001" are searches with other constants: those of
``SearchModel``, and of ``UctModel`` for a baseline. "tactics=1" reads out chains. "10k" is a level
of yomi. Searches differ in nothing else: board, roll-outs, prior moves, passing and the protocol
are the same, and nobody solves sums of fights.
"""

import argparse
import io
import sys
from collections.abc import Sequence
from functools import cache, partial

from engine import BadSetup, Knowledge, PlayerOptions, SearchThinker, YomiError, level_options
from engine.belief.searcher import Searcher
from engine.player.levels import LEVELS
from engine.search.model import SearchModel
from gtp.handlers.table import handlers
from gtp.protocol import Command, Protocol
from gtp.session import Session, SessionOptions
from patterns_db.shipped import load_knowledge
from scripts.play.uct import UctModel, UctSearcher

# The best constants of a grid with 1,000 uniform roll-outs on 9x9.
BASELINES = {"uct": UctModel(c=0.4, b2=-1.0), "rave": UctModel(c=0.0, b2=0.0001)}
SEARCHES = ("yomi", *BASELINES)
MEMORY_MIB = 64

load = cache(load_knowledge)


def tables(plain: bool) -> Knowledge:
    """Return the shipped tables; ``plain``: none, for uniform roll-outs without priors."""
    return Knowledge() if plain else load()


def is_player(text: str) -> bool:
    """Return whether a text names a level or a search, not a program."""
    return text in LEVELS or (text.partition(":")[0] in SEARCHES and " " not in text)


def parse_contestant(text: str, playouts: int, seed: int, plain: bool = False) -> PlayerOptions:
    """Return the options of the player that a text like "rave:b2=0.001,c=0" or "10k" describes.

    Raises BadSetup for an unknown name or constant, or a value that is no number.
    """
    if text in LEVELS:
        return PlayerOptions(level=level_options(text), seed=seed)
    name, _, constants = text.partition(":")
    if name not in SEARCHES:
        raise BadSetup(f"unknown search {name}: the searches are {', '.join(SEARCHES)}")
    uct = BASELINES.get(name)
    model = SearchModel(guided=not plain, informed=not plain)
    tactics = False
    for item in filter(None, constants.split(",")):
        key, _, word = item.partition("=")
        try:
            value = float(word)
        except ValueError:
            raise BadSetup(f"{text}: {word} is not a number") from None
        if uct is not None and key in UctModel._fields:
            uct = uct._replace(**{key: value})
        elif key == "tactics":
            tactics = bool(value)
        elif key in SearchModel._fields:
            model = model._replace(**{key: type(getattr(model, key))(value)})
        else:
            raise BadSetup(f"{text}: no such constant: {key}")
    if uct is not None and tactics:
        raise BadSetup(f"{text}: a baseline has no prior steps for proofs")
    searcher = Searcher if uct is None else partial(UctSearcher, uct)
    return PlayerOptions(
        playouts=playouts, threads=1, memory_mib=MEMORY_MIB, model=model, seed=seed, sums=False,
        tactics=tactics, thinker=partial(SearchThinker, new_searcher=searcher),
    )  # fmt: skip


def build_protocol(text: str, playouts: int, seed: int, plain: bool) -> Protocol:
    """Return the protocol of a player. Raises BadSetup, ModelFormatError."""
    player = parse_contestant(text, playouts, seed, plain)
    session = Session(SessionOptions(player, tables(plain)))

    def name(command: Command) -> str:
        return f"yomi's {text.partition(':')[0]}"

    return Protocol({**handlers(session), "name": name})


def main(arguments: Sequence[str] | None = None) -> int:
    """Speak GTP on the standard streams."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("search", metavar="SEARCH", help="yomi, uct or rave, with constants")
    parser.add_argument("--playouts", type=int, default=1000, help="new roll-outs a move")
    parser.add_argument("--plain", action="store_true", help="uniform roll-outs, no prior moves")
    parser.add_argument("--seed", type=int)
    options = parser.parse_args(arguments)
    try:
        protocol = build_protocol(options.search, options.playouts, options.seed, options.plain)
    except YomiError as error:
        print(f"baselines: {error}", file=sys.stderr)
        return 1
    protocol.run(io.FileIO(0, closefd=False), sys.stdout.buffer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
