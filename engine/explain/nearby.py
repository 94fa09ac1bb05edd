"""The shapes of a move that follow from liberties, ladders, connections and eyes beside it.

Ladders are read to their end; nets and stones that take an eye within a bound of nodes.
"""

from collections.abc import Iterator
from itertools import combinations

from engine.explain.kinds import Effect, Kind
from engine.explain.scene import SHAPES, Scene
from engine.facts.chain_facts import CHAINS
from engine.facts.position_facts import Facts
from engine.go.board import EMPTY, KO, KO_COLOR, WALL
from engine.go.geometry import diagonals, neighbors
from engine.go.ladders import is_captured_in_ladder, ladder_work
from engine.picture.picture import Chain, Picture, picture_of

_LADDERS = SHAPES.ladder_nodes, ladder_work()


def tactics(scene: Scene, facts: Facts) -> Iterator[Effect]:
    """Yield these shapes of a move."""
    yield from _captures(scene)
    if scene.chain is None:
        return
    if scene.is_safe:
        yield from _ataris(scene)
        yield from _links(scene, facts)
        if not scene.own:
            yield from _nets(scene, facts)
        yield from _broken_ladders(scene)
    elif not scene.taken:
        yield from _sacrifices(scene, scene.chain)
    yield from _eyes(scene, facts)


def _captures(scene: Scene) -> Iterator[Effect]:
    if scene.taken:
        is_ko = scene.later.board[KO] != EMPTY
        yield scene.effect(Kind.TAKES_KO if is_ko else Kind.CAPTURES, *scene.taken)
    board, rescued = scene.later.board, [chain for chain in scene.own if chain.in_atari]
    if rescued and scene.is_safe and not is_captured_in_ladder(board, scene.move, True, *_LADDERS):
        yield scene.effect(Kind.RESCUES, *rescued)


def _ataris(scene: Scene) -> Iterator[Effect]:
    """Yield atari and double atari, with the ladder, the ko threat, or the squeeze that it is."""
    chains = [chain for chain in scene.rivals if len(chain.liberties) == 2]
    if chains:
        yield scene.effect(Kind.ATARI if len(chains) == 1 else Kind.DOUBLE_ATARI, *chains)
        if scene.game.board[KO] != EMPTY and scene.game.board[KO_COLOR] == scene.color:
            yield scene.effect(Kind.KO_THREAT, *chains)
    for chain in chains:
        stone, (reply,) = chain.first, scene.after.chain_at(chain.first).liberties
        answered, is_at_edge = scene.after_reply(reply), scene.before.around([reply], WALL)
        if answered is None:
            continue
        taken = any(answered.color_at(p) == EMPTY for p in scene.later.stones(scene.color))
        breaths = len(picture_of(answered.board).chain_at(stone).liberties)
        if taken and breaths == 1 and len(chain.stones) > 1:
            yield scene.effect(Kind.SQUEEZE, chain)
        elif not taken and breaths == 2 and not is_at_edge:
            if is_captured_in_ladder(scene.later.board, stone, False, *_LADDERS):
                yield scene.effect(Kind.LADDER, chain)


def _broken_ladders(scene: Scene) -> Iterator[Effect]:
    """Yield own chains elsewhere that a ladder captures before the move, and not after it."""
    for chain in scene.before.chains if not scene.rivals else ():
        if chain.color == scene.color and len(chain.liberties) == 2 and scene.distance(chain) > 2:
            boards = scene.game.board, scene.later.board
            first = chain.first
            before, after = (is_captured_in_ladder(b, first, True, *_LADDERS) for b in boards)
            if before and not after:
                yield scene.effect(Kind.LADDER_BREAKER, chain)


def _nets(scene: Scene, facts: Facts) -> Iterator[Effect]:
    """Yield chains that the move encloses from a distance, so that they cannot escape."""
    for chain in scene.after.chains:
        is_free = chain.color != scene.color and chain in scene.before.chains
        if is_free and scene.distance(chain) <= 2 <= len(chain.liberties) <= 3:
            later, before = (
                facts.read_chain(game.board, chain.first, False, SHAPES.net_nodes).value
                for game in (scene.later, scene.game)
            )
            if later == "captured" != before:
                yield scene.effect(Kind.NET, chain)


def _links(scene: Scene, facts: Facts) -> Iterator[Effect]:
    """Yield chains that the move connects, or cuts: no reply joins their groups or takes it."""
    rivals = [chain for chain in scene.rivals if chain not in scene.taken]
    # Where a cutting stone would be captured at once, there is nothing to connect.
    cut = scene.as_rival
    cut_lives = cut is not None and not cut.chain_at(scene.move).in_atari
    for kind, color, chains in (
        (Kind.CONNECTS, 3 - scene.color, scene.own if cut_lives else []),
        (Kind.SEPARATES, scene.color, rivals),
    ):
        for one, other in combinations(chains, 2):
            is_cut = color != scene.color or not scene.rejoins(one, other)
            is_new = is_cut and scene.splits(color, [scene.move], one.stones | other.stones)
            if is_new and (color != scene.color or _attacked(scene, facts) != "captured"):
                yield scene.effect(kind, one, other)
                break


def _sacrifices(scene: Scene, chain: Chain) -> Iterator[Effect]:
    """Yield what a move into atari is for: a snapback, a throw-in, or stones to be captured."""
    (reply,) = chain.liberties
    answered = scene.after_reply(reply)
    if answered is None or answered.color_at(scene.move) != EMPTY:
        return
    capturing = picture_of(answered.board).chain_at(reply)
    caught = [c for c in scene.rivals if c.stones <= capturing.stones]
    is_back = capturing.liberties == (scene.move,) and len(capturing.stones) > 1
    if is_back and caught and answered.board[KO] == EMPTY:
        yield scene.effect(Kind.SNAPBACK, *caught)
    elif len(chain.stones) > 1:
        yield scene.effect(Kind.SACRIFICE, chain)
    elif len(scene.before.around([scene.move], 3 - scene.color)) > 1:
        yield scene.effect(Kind.THROW_IN, *scene.rivals)


def _attacked(scene: Scene, facts: Facts) -> str:
    """Return the value of an attack on the move's chain: "captured", "safe" or another."""
    if scene.chain is not None and len(scene.chain.liberties) > CHAINS.most_liberties:
        return "safe"
    return facts.read_chain(scene.later.board, scene.move, True, SHAPES.net_nodes).value


# -- eyes -------------------------------------------------------------------------------------


def _eyes(scene: Scene, facts: Facts) -> Iterator[Effect]:
    """Yield eyes that the move makes or takes: beside it, and diagonally as half eyes."""
    for eye in diagonals(scene.move):
        if _spared_corners(scene.before, eye, scene.color) == (0, 1):
            yield scene.effect(Kind.HALF_EYE, places=(eye,))
    if eyes := _new_eyes(scene.move, scene.after, scene.color):
        yield scene.effect(Kind.MAKES_EYE, places=eyes)
    rival, other = 3 - scene.color, scene.as_rival
    spoiled = [p for p in diagonals(scene.move) if not _spared_corners(scene.before, p, rival)[0]]
    effects = [scene.effect(Kind.FALSE_EYE, places=(eye,)) for eye in spoiled]
    if scene.rivals and other is not None and _new_eyes(scene.move, other, rival):
        effects.append(scene.effect(Kind.TAKES_EYE, *scene.rivals))
    # A move takes an eye only if it cannot be captured, as is proved.
    if effects and _attacked(scene, facts) == "safe":
        yield from effects


def _new_eyes(move: int, after: Picture, color: int) -> tuple[int, ...]:
    """Return the points beside a move that stay eyes even if the opponent takes a corner next."""
    corners = {point: _spared_corners(after, point, color) for point in neighbors(move)}
    return tuple(p for p, (spared, empty) in corners.items() if empty <= 2 * spared)


def _spared_corners(picture: Picture, eye: int, color: int) -> tuple[int, int]:
    """Return how many corners a color's eye can lose (-1: there is none), and the empty ones."""
    colors = picture.colors
    if colors[eye] != EMPTY or any(colors[p] not in (color, WALL) for p in neighbors(eye)):
        return -1, 0
    corners = [colors[p] for p in diagonals(eye)]
    # An eye may lose one corner of four, and none at the edge.
    return (WALL not in corners) - corners.count(3 - color), corners.count(EMPTY)
