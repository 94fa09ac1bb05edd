import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.captures.expansion import new_scratch
from engine.captures.priors import even_priors
from engine.captures.search import update
from engine.proof.beliefs import ALL_OTHERS, propagate_numbers, propagate_probability, set_belief
from engine.proof.descent import settle_belief
from engine.proof.graph import (
    BELIEF_DISPROOF_NUMBER,
    BELIEF_LOG_ODDS,
    BELIEF_PROOF_NUMBER,
    BY_PROBABILITY,
    BY_PROOF_NUMBERS,
    DEFENDER_MOVES,
    EXPANDED,
    FALSE,
    META_ATTACKER,
    META_METHOD,
    TRUE,
    add_edge,
    add_node,
    cell_of,
    proof_tree,
)
from tests.reference.tactics import tree_numbers, tree_probability

AND, OR = True, False


def log_odds_of(is_and, children):
    """Lay out a node with its leaves in the arena and return its log-odds; infinite: decided."""
    tree = proof_tree(300, 2)
    for number, child in enumerate([0.0, *children]):
        key = np.uint64(number + 1)
        node = int(add_node(tree, key, cell_of(tree, key), -1, 1))
        if math.isinf(child):
            tree.values[node] = TRUE if child > 0 else FALSE
        else:
            set_belief(tree, node, float(child))
        if number > 0:
            add_edge(tree, 0, node, 1)
    tree.flags[0] = DEFENDER_MOVES if is_and else 0
    return float(propagate_probability(tree, 0))


@pytest.mark.parametrize(
    ("is_and", "children", "expected"),
    [
        (AND, [0, 0, 0], -1.945910149055),
        (OR, [0, 0, 0], 1.945910149055),
        (AND, [math.log(9), math.log(1 / 4), math.log(7 / 3)], -1.936798468704),
        (OR, [math.log(9), math.log(1 / 4), math.log(7 / 3)], 3.705408756065),
        (AND, [40, 50], 39.999954601101),
        (AND, [800, 801], 799.686738312482),
        (AND, [-800, 3], -800.048587351574),
        (OR, [-800, -801], -799.686738312482),
        (OR, [-5] * 250, 1.472316107609),
        (AND, [math.inf, 1], 1),  # a decided child that does not decide the node says nothing
        (OR, [-math.inf, -3], -3),
    ],
)
def test_worked_numbers(is_and, children, expected):
    assert log_odds_of(is_and, children) == pytest.approx(expected, rel=1e-9)


@given(st.lists(st.floats(-900, 900), min_size=1, max_size=12))
def test_an_open_node_never_becomes_certain_and_negation_swaps(children):
    found = log_odds_of(AND, children)
    assert math.isfinite(found)
    assert log_odds_of(OR, [-child for child in children]) == pytest.approx(-found, rel=1e-12)


@given(
    st.booleans(),
    st.lists(st.floats(-30, 30), min_size=1, max_size=6),
    st.integers(0, 5),
    st.floats(0, 5),
)
def test_more_hope_below_is_more_hope_above(is_and, children, which, more):
    better = list(children)
    better[which % len(children)] += more
    assert log_odds_of(is_and, better) >= log_odds_of(is_and, children) - 1e-9


@given(st.lists(st.floats(-700, 700), min_size=1, max_size=8), st.floats(-700, 700))
def test_one_child_more_makes_and_less_and_or_more_likely(children, child):
    for is_and, sign in ((AND, 1.0), (OR, -1.0)):
        before, after = log_odds_of(is_and, children), log_odds_of(is_and, [*children, child])
        assert sign * after <= sign * before + 1e-9 * abs(before)


leaf = st.sampled_from([0.0, 1.0, 0.2, 0.5, 0.9])
trees = st.recursive(leaf, lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=12)


def build(nested, is_and, method):
    """Lay out a nested list in the arena; return it with its node numbers, leaves last."""
    tree = proof_tree(2000, 2)
    tree.meta[META_METHOD] = method
    tree.meta[META_ATTACKER] = 1
    order = []

    def lay(part, defender_moves):
        key = np.uint64(len(order) + 1)
        node = int(add_node(tree, key, cell_of(tree, key), -1, 1))
        order.append(node)
        tree.flags[node] = DEFENDER_MOVES if defender_moves else 0
        if isinstance(part, list):
            tree.flags[node] |= EXPANDED
            set_belief(tree, node, 0.0)
            for child in part:
                add_edge(tree, node, lay(child, not defender_moves), 1)
        elif part in (0.0, 1.0):
            tree.values[node] = TRUE if part else FALSE
        elif method == BY_PROBABILITY:
            set_belief(tree, node, math.log(part / (1 - part)))
        else:
            tree.beliefs[node] = 1.0
        return node

    lay(nested, is_and)
    return tree, order


@pytest.mark.parametrize("method", [BY_PROBABILITY, BY_PROOF_NUMBERS])
@given(nested=st.lists(trees, min_size=1, max_size=4))
def test_undecided_trees_agree_with_enumeration(method, nested):
    # Proofs need a board, so decided children are removed first: they change nothing.
    def prune(part, is_and):
        if not isinstance(part, list):
            return part
        below = [prune(child, not is_and) for child in part]
        deciding = 0.0 if is_and else 1.0
        if deciding in below:
            return deciding
        below = [child for child in below if child != 1.0 - deciding]
        return below or 1.0 - deciding

    nested = prune(nested, False)
    if not isinstance(nested, list):
        return
    tree, order = build(nested, False, method)
    work, priors = new_scratch(), even_priors()
    for node in reversed(order):
        if tree.flags[node] & EXPANDED:
            update(tree, work, priors, node)
    if method == BY_PROBABILITY:
        expected = tree_probability(nested, False)
        found = 1 / (1 + math.exp(-tree.beliefs[0, BELIEF_LOG_ODDS]))
        assert found == pytest.approx(expected, rel=1e-2)  # parents ignore changes below 1e-3
    else:
        found = tree.beliefs[0, [BELIEF_PROOF_NUMBER, BELIEF_DISPROOF_NUMBER]]
        assert tuple(found) == tree_numbers(nested, False)


@given(
    st.booleans(),
    st.floats(0.0, 1.0),
    st.lists(st.tuples(st.floats(0.1, 50), st.floats(0.1, 50)), min_size=1),
)
def test_a_sum_may_be_the_largest_and_a_share_of_the_others(is_and, share, children):
    tree = proof_tree(200, 2)
    for number, numbers in enumerate([(1.0, 1.0), *children]):
        key = np.uint64(number + 1)
        node = int(add_node(tree, key, cell_of(tree, key), -1, 1))
        tree.beliefs[node, [BELIEF_PROOF_NUMBER, BELIEF_DISPROOF_NUMBER]] = numbers
        if number > 0:
            add_edge(tree, 0, node, 1)
    tree.flags[0] = DEFENDER_MOVES if is_and else 0
    proofs, disproofs = zip(*children, strict=True)
    summed, least = (proofs, disproofs) if is_and else (disproofs, proofs)
    *others, largest = sorted(summed)
    expected = (largest + share * sum(others), min(least))
    found = propagate_numbers(tree, 0, share)
    assert found == pytest.approx(expected if is_and else expected[::-1])


@pytest.mark.parametrize("least_change", [0.0, 0.05])
def test_small_changes_add_up_before_they_are_told(least_change):
    tree, _ = build([0.5, 0.5], False, BY_PROOF_NUMBERS)
    settle_belief(tree, 0, ALL_OTHERS, least_change)
    told = tree.beliefs[0].copy()
    step = 1 + 0.05 * 0.7
    for child in (1, 2):
        tree.beliefs[child] *= step
    ignored = least_change > 0.0
    assert settle_belief(tree, 0, ALL_OTHERS, least_change) != ignored
    assert (tree.beliefs[0] == told).all() == ignored
    for child in (1, 2):
        tree.beliefs[child] *= step
    assert settle_belief(tree, 0, ALL_OTHERS, least_change)
    assert tree.beliefs[0, BELIEF_PROOF_NUMBER] == pytest.approx(step**2)
