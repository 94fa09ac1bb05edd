"""The searcher: it grows a tree and reports what is believed about the root."""

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from engine.arrays import ROOT
from engine.belief.best_move import chances_to_be_best, choice_features, exponents_of
from engine.belief.calibration import factor, no_calibration
from engine.belief.knowledge import Knowledge
from engine.belief.memory import Place
from engine.belief.posterior import Evidence, owners_evidence, posterior_of
from engine.belief.report import SearchReport, margin_deviation, mean_owners, owners_by_move
from engine.belief.root_moves import (
    Opinions,
    RootBelief,
    Scales,
    move_beliefs,
    occupied_share,
    opinions_of,
    rollouts_to_overtake,
    root_belief,
)
from engine.go.board import SIZE, Ownership
from engine.patterns.position import Position
from engine.patterns.predictor import Predictor
from engine.search.grower import Root, TreeGrower
from engine.search.model import SearchModel
from engine.search.work import SUM_OF_LENGTHS


class Searcher(TreeGrower):
    """A search whose findings become beliefs; arguments as for ``TreeGrower``."""

    def __init__(
        self, model: SearchModel, knowledge: Knowledge, threads: int, memory: int, seed: int
    ) -> None:
        super().__init__(model, knowledge.policy, knowledge.patterns, threads, memory, seed)
        self.calibration = knowledge.calibration or no_calibration()
        # Among the positions of games that are remembered; None: the beliefs stand alone.
        self.place: Place | None = None
        self.predictor = Predictor(self.patterns)

    def set_root(self, root: Root, played: tuple[int, ...] | None) -> None:
        """Start the search of a position, which has no place yet."""
        super().set_root(root, played)
        self.place = None

    def current_opinions(self) -> Opinions:
        """Return the beliefs about the root's moves, in the order of ``root_moves``."""
        assert self._root is not None, "set_root comes first"
        return opinions_of(self._tree, self._root.position, self.model)

    def _mean_length(self) -> float:
        """Return the mean number of moves of a roll-out from the root; 0 before the first."""
        lengths = sum(float(work.sums[SUM_OF_LENGTHS]) for work in self._works)
        return lengths / max(self._fresh, 1)

    def rollouts_to_overtake(self) -> int:
        """Return ``root_moves.rollouts_to_overtake``; 0 where there is no move."""
        if not self.root_moves():
            return 0
        opinions = self.current_opinions()
        return rollouts_to_overtake(opinions.visits, opinions.merits)

    def report(self) -> SearchReport:
        """Return the findings about the root."""
        assert self._root is not None, "set_root comes first"
        position, tree = self._root.position, self._tree
        opinions, root = self.current_opinions(), root_belief(tree, self.model)
        owned = mean_owners(self._works, self._fresh)
        spread = margin_deviation(self._works, self._fresh, float(owned.sum()) - position.komi)
        evidence = self._evidence(self._root, root, owned, spread)
        situation = evidence.known()
        scales = Scales(
            self._mean_length(),
            factor(self.calibration.sharpness, situation),
            factor(self.calibration.gap, situation) * spread,
        )
        priors = self._priors_of(position, tree.move[opinions.nodes].tolist())
        choices = choice_features(opinions.means, opinions.deviations, opinions.visits, priors)
        best = chances_to_be_best(choices, exponents_of(self.calibration.choice, situation))
        posterior = posterior_of(evidence, self.calibration)
        if self.place is not None:
            posterior = self.place.informed(posterior, evidence.rollouts)
        return SearchReport(
            moves=move_beliefs(tree, opinions, (priors, best), posterior, root, scales),
            playouts=max(evidence.rollouts, 1),
            posterior=posterior,
            margin=root.margin,
            margin_deviation=spread,
            ownership=owned,
            moves_ownership=owners_by_move(tree, self._works),
            evidence=evidence,
        )

    def _evidence(
        self, root: Root, belief: RootBelief, owned: Ownership, scatter: float
    ) -> Evidence:
        """Return the evidence for the posterior of the root, given the roll-outs' mean owners."""
        position, size = root.position, int(root.position.board[SIZE])
        stones, ground, open_share, kinds, balance = owners_evidence(position.board, owned)
        return Evidence(
            size=size,
            occupied=occupied_share(position.board),
            komi=position.komi,
            rollouts=int(self._tree.visits[ROOT]),
            value=belief.mean,
            variance=belief.variance,
            # Roll-outs of a tree that was kept had about this length.
            length=self._mean_length() if self._fresh else float(size * size),
            margin=belief.margin,
            seen=self._fresh,
            stones=stones,
            ground=ground,
            open=open_share,
            kinds=kinds,
            handicap=root.handicap,
            scatter=scatter,
            balance=balance,
        )

    def _priors_of(self, position: Position, points: Collection[int]) -> npt.NDArray[np.float64]:
        """Return the ranking model's probability of each move; all are equal without a model."""
        if not self.model.informed:
            return np.full(len(points), 1.0 / max(len(points), 1))
        priors = self.predictor.probabilities(position, self.tallies)
        return np.array([priors.get(point, 0.0) for point in points])
