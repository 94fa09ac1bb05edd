"""Training of the values of proofs about chains, with all other beliefs of the ranking model fixed.

As in ``added_training``, but a move at a time: the solver's reading takes much longer than the
update. Source of the update: Stern, Herbrich & Graepel (2006), section 3.1.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from engine.arrays import Floats
from engine.go.board import SIZE
from engine.patterns.choice import CHOICE_LEAVES, MEAN, NO_SUMMAND, VARIANCE, group_candidates
from engine.patterns.matching import Matchers
from engine.patterns.position import Position
from engine.patterns.predictor import GRID_POINTS, new_prediction_work, predict, predict_moves
from engine.patterns.ranking import learn_from_messages, settle_messages, weigh_groups
from engine.patterns.trees import no_trees
from engine.patterns.valuing import CONTEXT_SUMMANDS, EVIDENCE_ROWS, PatternKnowledge, load_leaves
from engine.player.prior_steps import CHAIN_CLASSES, CHAIN_GROUPS
from patterns_db.patterns.training import TOLERANCE

PRIOR_VARIANCE = 1.0  # of a class
_ROWS = CHAIN_GROUPS * CHAIN_CLASSES


class ChainValueLearner:
    """Learns the values of classes of moves beside a ranking model with context.

    knowledge  the model; its beliefs do not change
    values     float64[CHAIN_GROUPS, CHAIN_CLASSES], known for certain; None: to be learned
    """

    def __init__(self, knowledge: PatternKnowledge, values: Floats | None = None) -> None:
        prior = np.zeros((_ROWS, 2))
        if values is None:
            prior[:, VARIANCE] = PRIOR_VARIANCE
        else:
            prior[:, MEAN] = values.ravel()
        # The classes' rows follow those of the context.
        context = np.concatenate([knowledge.context, prior])
        self._knowledge = knowledge._replace(context=context, trees=no_trees())
        self._first = len(knowledge.keys) + EVIDENCE_ROWS + len(knowledge.context)
        self._work = new_prediction_work(CONTEXT_SUMMANDS + CHAIN_GROUPS)
        self._work.summands[:] = NO_SUMMAND
        self._matchers = Matchers()

    @property
    def beliefs(self) -> Floats:
        """float64[CHAIN_GROUPS, CHAIN_CLASSES, 2], means and variances."""
        return self._knowledge.context[-_ROWS:].reshape(CHAIN_GROUPS, CHAIN_CLASSES, 2)

    def probabilities(
        self, position: Position, classes: Mapping[int, Sequence[int]]
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Return the probability of each legal move by its point, without and with the classes.

        classes  by point, see ``prior_steps.chain_classes``
        """
        work, knowledge = self._work, self._knowledge
        matcher = self._matchers[int(position.board[SIZE])]
        own = work.summands[:, CONTEXT_SUMMANDS:]
        own[:] = NO_SUMMAND
        count = int(predict_moves(knowledge, matcher, position, work))
        points = work.candidates.points[:count].tolist()
        without = dict(zip(points, work.probability.tolist(), strict=False))
        for i, point in enumerate(points):
            for group, class_number in enumerate(classes.get(point, ())):
                if class_number > 0:
                    own[i, group] = self._first + group * CHAIN_CLASSES + class_number - 1
        group_candidates(work.choice, work.summands, np.int64(count))
        load_leaves(work.choice, knowledge, work.candidates.contenders.sums)
        beta_squared = knowledge.beta_squared
        predict(work.choice, np.int64(count), beta_squared, GRID_POINTS, work.probability)
        return without, dict(zip(points, work.probability.tolist(), strict=False))

    def learn(self, point: int) -> None:
        """Learn from the move that an expert played in the position of the last prediction."""
        choice = self._work.choice
        candidate = self._work.candidates.points.tolist().index(point)
        weigh_groups(choice, self._knowledge.beta_squared)
        settle_messages(choice, choice.group_of[candidate], TOLERANCE)
        learn_from_messages(choice)
        leaves = choice.meta[CHOICE_LEAVES]
        rows = choice.summand[:leaves]
        ours = rows >= self._first
        beliefs = self.beliefs.reshape(_ROWS, 2)
        beliefs[rows[ours] - self._first] = choice.leaves[:leaves][ours, MEAN : VARIANCE + 1]
