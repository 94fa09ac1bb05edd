"""Constants of the playing search."""

from typing import NamedTuple

MAX_PLIES = 512  # of a descent


class SearchModel(NamedTuple):
    """Constants of the model; the unit of scores is one step of a roll-out."""

    root_variance: float = 25.0  # prior of the root's value
    step_variance: float = 2.0  # prior of a step of an unknown move
    bias_variance: float = 0.2  # how far all-moves-as-first evidence may be off
    rollout_bias_variance: float = 0.1  # how far a move's own roll-outs may be off
    exploration: float = 0.3  # deviations of the sampled values, 1 = Thompson's own
    guided: bool = True  # roll-outs by the learned policy; else uniform
    informed: bool = True  # prior steps by the ranking model; else all moves alike
    owners: bool = True  # at roots of longer searches, with owners by roll-outs
    expand_visits: int = 2  # roll-outs through a node before its children are added
    informed_variance: float = 1.0  # prior of a step from the ranking model
    prior_scale: float = 0.5  # roll-out steps for one unit of the ranking model's value
    refine_visits: int = 200  # roll-outs through a node before all trees judge its moves
    prior_window: float = 5.0  # moves further behind the best are no children
    pass_behind: float = 5.0  # the same for a pass behind the best move, before any pass
    lateral: bool = True  # all-moves-as-first evidence
    alone: bool = False  # whether one thread alone grows the tree
    prior_vote: float = 0.55  # a move's prior step beside the log of its visits, see merits
    value_vote: float = 1.0  # its value beside that log
    opening_vote: float = 2.0  # added to prior_vote in openings, see opening_share


def by_visits(model: SearchModel) -> SearchModel:
    """Return a copy that plays the most visited move, as most programs do."""
    return model._replace(prior_vote=0.0, value_vote=0.0, opening_vote=0.0)
