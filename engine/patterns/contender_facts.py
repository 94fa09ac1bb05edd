"""The facts about the contenders of a position, which ``contenders`` lists, and the trees' values.

Twin: tests/reference/trees.py.
"""

import numpy as np

from engine.arrays import Floats, Int16s, Ints
from engine.go.board import COLOR, EMPTY, EMPTY_COUNT, HEAD, SIZE, STONES, WALL, Board
from engine.go.geometry import AREA, PASS, STRIDE
from engine.jit import kernel
from engine.patterns.choice import MEAN, VARIANCE
from engine.patterns.contenders import (
    CHAIN_FACTS,
    CLASS_FACTS,
    CLASSES,
    CONTEXT_FACTS,
    CONTEXT_GROUPS,
    EVIDENCE_FACTS,
    FACT_STEPS,
    LANES,
    MOVE_EFFECTS,
    MOVE_FACTS,
    NO_OFFSET,
    ORDER_FACTS,
    PATTERN_FACTS,
    PLACE_FACTS,
    POSITION_FACTS,
    STONE_BITS,
    STONE_FACTS,
    STONE_REACH,
    choose_contenders,
)
from engine.patterns.context import last_fight, write_context
from engine.patterns.evidence import EVIDENCE_GROUPS, LAST_MOVE, MOVE_BEFORE, THIRD_LAST
from engine.patterns.features import LIST_SIZE, ChainLiberties, list_liberties, study_move
from engine.patterns.matching import Candidates, Matcher, match_moves_into
from engine.patterns.position import Position
from engine.patterns.responses import add_responses, find_responses, write_keys
from engine.patterns.trees import Trees, sum_leaves
from engine.patterns.valuing import PatternKnowledge, class_slot, evidence_row, value_moves


@kernel(inlined=True)
def in_steps(value: float) -> int:
    """Return a value in steps of 1 / FACT_STEPS, cut to int16."""
    return np.int64(min(max(np.rint(value * FACT_STEPS), -32767.0), 32767.0))


@kernel(inlined=True)
def write_offset(one: int, other: int, facts: Int16s, first: int, lane: int) -> None:
    """Write the larger and the smaller distance of two points along the lines."""
    dx = abs(one % STRIDE - other % STRIDE)
    dy = abs(one // STRIDE - other // STRIDE)
    none = one == PASS or other == PASS
    facts[first, lane] = NO_OFFSET if none else max(dx, dy)
    facts[first + 1, lane] = NO_OFFSET if none else min(dx, dy)


@kernel
def write_order(candidates: Candidates, count: int, values: Floats) -> None:
    """Write the facts of the order of ``count`` >= 1 contenders; values float64[n] of all moves."""
    contenders = candidates.contenders
    order, facts = contenders.order, contenders.facts
    rows, columns, weights = contenders.spots[0], contenders.spots[1], contenders.spots[2]
    best = values[order[0]]
    # Whole numbers, so that their sums do not depend on the order of the candidates.
    total = np.int64(0)
    for lane in range(count):
        point = candidates.points[order[lane]]
        rows[lane], columns[lane] = point // STRIDE, point % STRIDE
        weights[lane] = in_steps(np.exp(values[order[lane]] - best))
        total += weights[lane]
    gap = in_steps(best - values[order[min(count - 1, 1)]])
    better = 0
    for lane in range(count):
        value, point = values[order[lane]], candidates.points[order[lane]]
        if lane > 0 and value < values[order[lane - 1]]:
            better = lane
        facts[ORDER_FACTS, lane] = in_steps(best - value)
        facts[ORDER_FACTS + 1, lane] = better
        facts[ORDER_FACTS + 2, lane] = gap
        facts[ORDER_FACTS + 3, lane] = total
        write_offset(point, candidates.points[order[0]], facts, ORDER_FACTS + 7, lane)
    for reach in range(1, 4):
        weigh_others(rows, columns, weights, count, reach, facts[ORDER_FACTS + 3 + reach])


@kernel
def weigh_others(
    rows: Int16s, columns: Int16s, weights: Int16s, count: int, reach: int, sums: Int16s
) -> None:
    """Add up the weights of the other contenders within some lines of each.

    rows, columns, weights  int16[LANES]
    sums                    int16[LANES], overwritten
    """
    for lane in range(LANES):
        sums[lane] = -weights[lane]
    for other in range(count):
        south, north = np.int16(rows[other] - reach), np.int16(rows[other] + reach)
        west, east = np.int16(columns[other] - reach), np.int16(columns[other] + reach)
        weight = weights[other]
        # All lanes in int16 and without branches: the compiler makes vectors of this form.
        for lane in range(LANES):
            row, column = rows[lane], columns[lane]
            near = (row >= south) & (row <= north) & (column >= west) & (column <= east)
            sums[lane] += np.int16(near) * weight


@kernel
def write_beliefs(
    knowledge: PatternKnowledge, matcher: Matcher, color: int, candidates: Candidates, count: int
) -> None:
    """Write the facts of the pattern, the evidence, the context and the classes.

    matcher  with the values of the candidates' patterns (valuing.value_moves)
    """
    contenders = candidates.contenders
    facts = contenders.facts
    for lane in range(count):
        i = contenders.order[lane]
        template = candidates.templates[i]
        vertex = (color - 1) * AREA + candidates.points[i]
        facts[PATTERN_FACTS, lane] = template
        facts[PATTERN_FACTS + 1, lane] = in_steps(matcher.values[vertex])
        facts[PATTERN_FACTS + 2, lane] = 0
        if template > 0:
            slot = class_slot(matcher, vertex, template)
            facts[PATTERN_FACTS + 2, lane] = knowledge.values[slot, VARIANCE]
        total = 0.0
        for group in range(EVIDENCE_GROUPS):
            row = evidence_row(group, candidates.evidence[i * EVIDENCE_GROUPS + group])
            mean = knowledge.evidence[row, MEAN]
            total += mean
            facts[EVIDENCE_FACTS + group, lane] = in_steps(mean)
        facts[EVIDENCE_FACTS + EVIDENCE_GROUPS, lane] = in_steps(total)
        total = 0.0
        for group in range(CONTEXT_GROUPS):
            row = candidates.context[i * CONTEXT_GROUPS + group]
            mean = 0.0 if row < 0 else knowledge.context[row, MEAN]
            total += mean
            facts[CONTEXT_FACTS + group, lane] = in_steps(mean)
        facts[CONTEXT_FACTS + CONTEXT_GROUPS, lane] = in_steps(total)
        for at in range(len(CLASSES)):
            facts[CLASS_FACTS + at, lane] = candidates.evidence[i * EVIDENCE_GROUPS + CLASSES[at]]


@kernel
def write_position(
    position: Position, matcher: Matcher, candidates: Candidates, count: int
) -> None:
    """Write the facts of the place and of the position."""
    board, memory, color = position.board, position.memory, position.color
    facts, size = candidates.contenders.facts, np.int64(board[SIZE])
    last, before, third = memory[LAST_MOVE], memory[MOVE_BEFORE], memory[THIRD_LAST]
    stones = size * size - np.int64(board[EMPTY_COUNT])
    liberties, weakest = last_fight(board, matcher.chains, last, color)
    length = np.int64(board[STONES + np.int64(board[HEAD + last])]) if liberties > 0 else 0
    for lane in range(count):
        point = candidates.points[candidates.contenders.order[lane]]
        row, column = point // STRIDE, point % STRIDE
        rows, columns = min(row, size + 1 - row), min(column, size + 1 - column)
        facts[PLACE_FACTS, lane] = min(rows, columns)
        facts[PLACE_FACTS + 1, lane] = max(rows, columns)
        write_offset(point, last, facts, PLACE_FACTS + 2, lane)
        write_offset(point, before, facts, PLACE_FACTS + 4, lane)
        write_offset(point, third, facts, PLACE_FACTS + 6, lane)
        write_offset(last, before, facts, PLACE_FACTS + 8, lane)
        facts[POSITION_FACTS, lane] = stones
        facts[POSITION_FACTS + 1, lane] = size
        facts[POSITION_FACTS + 2, lane] = liberties
        facts[POSITION_FACTS + 3, lane] = length
        facts[POSITION_FACTS + 4, lane] = weakest


@kernel
def write_chains(
    board: Board,
    chains: ChainLiberties,
    color: int,
    point: int,
    effects: Ints,
    facts: Int16s,
    lane: int,
) -> None:
    """Write the facts of the chains beside a move and of its effects on them."""
    own, own_stones = LIST_SIZE + 1, 0
    other, other_stones = LIST_SIZE + 1, 0
    for near in (point + 1, point - 1, point + STRIDE, point - STRIDE):
        stone = np.int64(board[COLOR + near])
        if stone == EMPTY or stone == WALL:
            continue
        head = np.int64(board[HEAD + near])
        count, stones = list_liberties(board, chains, head), np.int64(board[STONES + head])
        if stone == color:
            own, own_stones = min(own, count), max(own_stones, stones)
        else:
            other, other_stones = min(other, count), max(other_stones, stones)
    facts[CHAIN_FACTS, lane], facts[CHAIN_FACTS + 1, lane] = own, own_stones
    facts[CHAIN_FACTS + 2, lane], facts[CHAIN_FACTS + 3, lane] = other, other_stones
    study_move(board, chains, point, color, effects)
    for effect in range(MOVE_EFFECTS):
        facts[MOVE_FACTS + effect, lane] = effects[effect]


@kernel
def add_up_stones(board: Board, color: int, stones: Ints) -> None:
    """Count the stones in the rectangle from the lower left corner to each point.

    stones  own stones + the other's * 2**STONE_BITS; row and column 0 stay 0
    """
    size: int = np.int64(board[SIZE])
    for row in range(1, size + 1):
        line = np.int64(0)
        for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
            stone = board[COLOR + point]
            line += np.int64(stone == color) + (np.int64(stone == 3 - color) << STONE_BITS)
            stones[point] = stones[point - STRIDE] + line


@kernel
def write_stones(size: int, stones: Ints, point: int, facts: Int16s, lane: int) -> None:
    """Write the numbers of stones of either side around a move, from ``add_up_stones``."""
    row, column = point // STRIDE, point % STRIDE
    for reach in range(1, STONE_REACH + 1):
        south, north = (max(row - reach, 1) - 1) * STRIDE, min(row + reach, size) * STRIDE
        west, east = max(column - reach, 1) - 1, min(column + reach, size)
        inside = stones[north + east] - stones[north + west] - stones[south + east]
        inside += stones[south + west]
        facts[STONE_FACTS + 2 * reach - 2, lane] = inside & ((1 << STONE_BITS) - 1)
        facts[STONE_FACTS + 2 * reach - 1, lane] = inside >> STONE_BITS


@kernel
def write_facts(
    knowledge: PatternKnowledge,
    matcher: Matcher,
    position: Position,
    candidates: Candidates,
    count: int,
    values: Floats,
) -> int:
    """Choose the contenders of a position, write the facts about them, return their number.

    matcher     that has just found and valued the candidates
    candidates  with evidence and context; contenders are overwritten
    values      float64[>= count], of the candidates (valuing.value_moves)
    Twin: tests/reference/trees.py::facts
    """
    board, color, contenders = position.board, position.color, candidates.contenders
    chosen = choose_contenders(values, count, contenders.order)
    contenders.count[0] = chosen
    if chosen > 0:
        add_up_stones(board, color, contenders.stones)
        write_order(candidates, chosen, values)
        write_beliefs(knowledge, matcher, color, candidates, chosen)
        write_position(position, matcher, candidates, chosen)
    for lane in range(chosen):
        point = candidates.points[contenders.order[lane]]
        write_chains(
            board, matcher.chains, color, point, contenders.effects, contenders.facts, lane
        )
        write_stones(np.int64(board[SIZE]), contenders.stones, point, contenders.facts, lane)
    return chosen


@kernel
def rank_moves(
    knowledge: PatternKnowledge,
    trees: Trees,
    matcher: Matcher,
    position: Position,
    candidates: Candidates,
    behind: Floats,
) -> int:
    """Match the legal moves of a position and write how far the value of each is behind the best.

    trees       of the knowledge: all of them, or the quick ones
    position    superko is ignored
    candidates  overwritten, as is
    behind      float64[>= number of moves]; unit as in valuing.value_moves
    returns     int64, number of legal moves
    """
    color = position.color
    count = match_moves_into(
        matcher, knowledge.keys, position.board, position.memory, color, True, candidates
    )
    candidates.contenders.count[0] = 0
    if count == 0:
        return count
    if len(knowledge.context) > 0:
        write_context(matcher, position.board, position.memory, color, candidates, count)
    best = value_moves(knowledge, matcher, color, candidates, count, behind)
    if len(trees.questions) > 0:
        chosen = write_facts(knowledge, matcher, position, candidates, count, behind)
        contenders = candidates.contenders
        sum_leaves(trees.questions, trees.means, contenders, MEAN)
        if len(knowledge.responses.keys) > 0:
            write_keys(matcher, position, candidates)
            find_responses(knowledge.responses.keys, contenders)
            add_responses(knowledge.responses.means, contenders, MEAN)
        for lane in range(chosen):
            behind[contenders.order[lane]] += contenders.sums[lane, MEAN]
        best = -np.inf
        for i in range(count):
            best = max(best, behind[i])
    for i in range(count):
        behind[i] = best - behind[i]
    return count
