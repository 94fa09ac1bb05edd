"""Searches by name and constants: "yomi:exploration=0.4", "rave:b2=0.001", "uct:c=0.5".

With "tactics=1" readings of chains advise our search, as they do in play. With "elsewhere=2" moves
away from the last one weigh twice as much in its roll-outs as in play. With "context=0" its ranking
model does without context.
"""

from typing import NamedTuple

from engine import Knowledge
from engine.errors import BadSetup
from engine.facts.position_facts import Facts
from engine.search.model import SearchModel
from engine.search.searcher import Searcher
from engine.thinkers.prior_steps import AdviceModel
from patterns_db.shipped import load_knowledge
from scripts.play.uct import UctModel, UctSearcher

# The best constants found by scripts.play.tune_searches.
BASELINES = {"uct": UctModel(c=0.4, b2=-1.0), "rave": UctModel(c=0.0, b2=0.0001)}


class Contestant(NamedTuple):
    """A search and its constants; ``uct`` None is our own search, ``advice`` None no tactics.

    learned    whether its solver reads with learned priors
    elsewhere  factor of the weight of moves elsewhere in its roll-outs
    context    whether the ranking model has its context
    """

    text: str
    model: SearchModel
    uct: UctModel | None
    advice: AdviceModel | None = None
    learned: bool = True
    elsewhere: float = 1.0
    context: bool = True

    def facts(self, knowledge: Knowledge) -> Facts:
        """Return the source of facts for a new search, if facts advise it."""
        return Facts(knowledge.solver, knowledge.life, knowledge.odds) if self.learned else Facts()

    def searcher(self, knowledge: Knowledge, memory: int, seed: int, threads: int = 1) -> Searcher:
        """Return a new searcher; it goes without the tables that the knowledge lacks."""
        policy = knowledge.policy
        if policy is not None:
            weight = (self.elsewhere * policy.elsewhere).astype(policy.elsewhere.dtype)
            knowledge = knowledge._replace(policy=policy._replace(elsewhere=weight))
        if not self.context and knowledge.patterns is not None:
            knowledge = knowledge._replace(patterns=knowledge.patterns.plain())
        if self.uct is None:
            return Searcher(self.model, knowledge, threads, memory, seed)
        return UctSearcher(self.uct, self.model, knowledge, threads, memory, seed)


def knowledge_for(rollouts: str, priors: bool) -> Knowledge:
    """Return the shipped tables that a search needs; arguments as in ``parse_contestant``.

    Raises ModelFormatError when a table is missing.
    """
    if priors:
        return load_knowledge()
    # An existing table would be used, so uniform roll-outs get none.
    return load_knowledge(patterns=None) if rollouts == "guided" else Knowledge()


def parse_contestant(text: str, rollouts: str, priors: bool) -> Contestant:
    """Return the search that a text like "rave:b2=0.001,c=0" describes.

    rollouts  "uniform" or "guided"
    priors    whether the ranking model orders the moves
    Names of constants are those of SearchModel, of AdviceModel and, for a baseline, of UctModel;
    tactics=1 reads chains, learned=0 without the solvers' priors, context=0
    without context, elsewhere=2 doubles a weight.
    Raises BadSetup for an unknown name or constant, or a value that is no number.
    """
    name, _, constants = text.partition(":")
    if name not in ("yomi", *BASELINES):
        raise BadSetup(f"unknown search: {name} (yomi, {', '.join(BASELINES)})")
    model = SearchModel(guided=rollouts == "guided", informed=priors)
    uct = BASELINES.get(name)
    advice: dict[str, float] = {}
    advised, learned, context, elsewhere = False, True, True, 1.0
    for item in filter(None, constants.split(",")):
        key, _, word = item.partition("=")
        try:
            value = float(word)
        except ValueError:
            raise BadSetup(f"{text}: {word} is not a number") from None
        if uct is not None and key in UctModel._fields:
            uct = uct._replace(**{key: value})
        elif uct is None and key == "tactics":
            advised = value != 0
        elif uct is None and key == "learned":
            learned = value != 0
        elif key == "context":
            context = value != 0
        elif key == "elsewhere":
            elsewhere = value
        elif uct is None and key in AdviceModel._fields:
            advice[key] = value
        elif key in SearchModel._fields:
            kind = type(getattr(model, key))
            model = model._replace(**{key: kind(value)})
        else:
            raise BadSetup(f"{text}: no such constant: {key}")
    weights = AdviceModel()._replace(**advice) if advised else None
    return Contestant(text, model, uct, weights, learned, elsewhere, context)
