"""The baselines as GTP programs, for measuring: plain UCT and UCT-RAVE.

python -m scripts.play.baselines --search rave --b2 0.001 --playouts 1000 --rollouts uniform

They differ from yomi only in the search. Board, roll-outs, prior moves, passing, resigning, reuse
of the tree and the protocol are the same.
"""

import argparse
import io
import sys
from collections.abc import Sequence
from functools import partial

from engine import PlayerOptions, SearchThinker, YomiError
from engine.search.model import SearchModel
from gtp.handlers.table import handlers
from gtp.protocol import Command, Protocol
from gtp.session import Session, SessionOptions
from scripts.play.contestants import BASELINES, knowledge_for
from scripts.play.uct import UctSearcher


def build_protocol(options: argparse.Namespace) -> Protocol:
    """Return the protocol of a baseline. Raises ModelFormatError when a table is missing."""
    uct = BASELINES[options.search]
    given = {"c": options.c, "b2": options.b2, "prior_visits": options.prior_visits}
    uct = uct._replace(**{name: value for name, value in given.items() if value is not None})
    model = SearchModel(guided=options.rollouts == "guided", informed=options.priors)
    player = PlayerOptions(
        options.playouts,
        threads=options.threads,
        seed=options.seed,
        model=model,
        tactics=False,  # its index reads no prior steps
        thinker=partial(SearchThinker, new_searcher=partial(UctSearcher, uct)),
    )
    knowledge = knowledge_for(options.rollouts, options.priors)
    table = handlers(Session(SessionOptions(player, knowledge)))

    def name(command: Command) -> str:
        return f"yomi's {options.search}"

    return Protocol({**table, "name": name})


def main(arguments: Sequence[str] | None = None) -> int:
    """Speak GTP on the standard streams."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--search", choices=sorted(BASELINES), required=True)
    parser.add_argument("--c", type=float, help="exploration")
    parser.add_argument("--b2", type=float, help="squared bias of all-moves-as-first win rates")
    parser.add_argument("--prior-visits", type=float, help="virtual visits of a new child")
    parser.add_argument("--playouts", type=int, default=1000, help="new roll-outs a move")
    parser.add_argument("--rollouts", choices=("uniform", "guided"), default="uniform")
    parser.add_argument("--priors", action="store_true", help="moves ordered by the ranking model")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int)
    options = parser.parse_args(arguments)
    try:
        protocol = build_protocol(options)
    except YomiError as error:
        print(f"baselines: {error}", file=sys.stderr)
        return 1
    protocol.run(io.FileIO(0, closefd=False), sys.stdout.buffer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
