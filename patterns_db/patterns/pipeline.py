"""From game collections to a pattern model: read, harvest, learn, export; can be resumed.

Everything that is finished is kept in a folder beside the result, ``OUT.work``: the games of each
path, the harvest, and the newest checkpoint of the learning, each written whole or not at all. So
a process killed at any moment loses the work since the last checkpoint; and since every stage is
a function of its inputs alone, what comes out in the end is the same.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from tqdm import tqdm

from engine.errors import YomiError
from engine.patterns.hashing import PATTERN_KEY_VERSION
from patterns_db.patterns.backend import (
    SERIAL_PATTERNS,
    HarvestTask,
    LearningTask,
    PatternBackend,
)
from patterns_db.patterns.checkpoints import export, gather, scatter
from patterns_db.patterns.harvest import Harvest
from patterns_db.patterns.sightings import ranges_for
from patterns_db.patterns.training import (
    GAMES_DONE,
    MOVES_DONE,
    TOLERANCE,
    TROUBLE,
    Learned,
    new_learned,
    place_classes,
)
from patterns_db.records.archive import (
    GameArchive,
    decode_paths,
    join_archives,
    load_archive,
    undecoded,
)
from patterns_db.records.digests import describe
from patterns_db.records.games import GameReader
from patterns_db.store.checkpointing import load_arrays, save_arrays, take_steps
from patterns_db.store.model_names import MODELS
from patterns_db.store.table_files import VALUE_VERSION, Manifest
from patterns_db.store.work_folder import begun_setting, open_work

# beta^2 = 2, with which the shipped table was trained.
DEFAULT_BETA = 2.0**0.5
CHECKPOINT_SECONDS = 180.0  # what a kill may cost at most, beside the block under way


@dataclass(frozen=True)
class TrainingSettings:
    """What decides the result.

    paths         game collections, see GameReader
    min_count     how often experts must have played a class
    max_patterns  keep only the commonest so many classes; None for all
    beta          deviation of a move's value around its class's, prior deviation = 1
    models        which to train: "evidence", "paper" (with the Bernoulli counts)
    max_games     only the first so many games; None for all
    shards        learned side by side, see ``rounds``; None: as the backend would have it
    """

    paths: tuple[str, ...]
    min_count: int = 2
    max_patterns: int | None = None
    beta: float = DEFAULT_BETA
    models: tuple[str, ...] = MODELS
    max_games: int | None = None
    shards: int | None = None


def train_patterns(
    settings: TrainingSettings,
    out: Path,
    threads: int = 2,
    resume: bool = False,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    say: Callable[[str], object] = print,
    backend: PatternBackend = SERIAL_PATTERNS,
    anew: bool = False,
) -> None:
    """Train a pattern model and write its tables, see checkpoints.export.

    resume   go on with what an earlier run with the same settings and games has left
    anew     delete what an earlier run has left
    say      told what has been done, a line at a time
    backend  harvests and learns; it chooses the number of shards where the settings and the run
             that is resumed do not
    Raises SgfError for a path that does not exist, YomiError when there is nothing to learn from,
    and where ``open_work`` does.
    """
    work = out.with_name(out.name + ".work")
    # All that can be wrong with the games before anything of an earlier run is deleted.
    if not GameReader(settings.paths).files:
        raise YomiError("no moves to learn from: no game files")
    collections = [describe(Path(path)) for path in settings.paths]
    begun = begun_setting(work, "shards") if resume else None
    settings = replace(settings, shards=backend.shards(settings.shards or begun))
    # With the versions: other keys, or values of another meaning, are another training.
    versions = {"key_version": PATTERN_KEY_VERSION, "value_version": VALUE_VERSION}
    decisive = {**asdict(settings), **versions}
    with open_work(work, decisive, collections, resume=resume, anew=anew):
        _train(settings, collections, out, work, threads, checkpoint_seconds, say, backend)


def _train(
    settings: TrainingSettings,
    collections: Sequence[Manifest],
    out: Path,
    work: Path,
    threads: int,
    checkpoint_seconds: float,
    say: Callable[[str], object],
    backend: PatternBackend,
) -> None:
    if waiting := undecoded(settings.paths, work):
        count = GameReader(waiting).count()
        say(f"about {count} games to read; then harvest patterns, learn their values, write tables")
    say("1 of 4: reading the games")
    games = _read_games(settings, work, threads)
    say(f"{games.games} games, {len(games.moves)} moves, {games.damaged} damaged games skipped")
    if len(games.moves) == 0:
        raise YomiError("no moves to learn from")
    say(f"2 of 4: harvesting the patterns that were played at least {settings.min_count} times")
    found = _harvest(settings, games, work, checkpoint_seconds, backend)
    say(f"{len(found.keys)} pattern classes; of template 1, 2, ...: {_by_template(found)}")
    say("3 of 4: learning their values from every move, which takes longest")
    learned = _learn(settings, games, found, work, checkpoint_seconds, backend)
    for i, name in enumerate(MODELS):
        if name in settings.models:
            unsettled, rejected = learned.tally[TROUBLE + 2 * i : TROUBLE + 2 * i + 2]
            say(f"{name}: {unsettled} moves did not settle, {rejected} beliefs were rejected")
    say("4 of 4: writing the tables")
    # By class, in the harvest's order, as export wants it; memory has it by slot.
    arrays = load_arrays(work / "learned.npz")
    manifest = _manifest(settings, collections, games, learned)
    export(out, found, arrays, manifest, settings.beta**2, settings.models)
    say(f"wrote {out}")


def _read_games(settings: TrainingSettings, work: Path, threads: int) -> GameArchive:
    files = decode_paths(settings.paths, work, threads)
    return join_archives([load_archive(file) for file in files], settings.max_games)


def _harvest(
    settings: TrainingSettings,
    games: GameArchive,
    work: Path,
    checkpoint_seconds: float,
    backend: PatternBackend,
) -> Harvest:
    file = work / "harvest.npz"
    # Written whole or not at all, so a file that is there is a harvest that is through.
    if not file.exists():
        kept = settings.min_count, settings.max_patterns, work, checkpoint_seconds
        passes = 2 * ranges_for(len(games.moves))
        with tqdm(total=passes * games.games, desc="harvesting", unit="game") as bar:
            found = backend.harvest(HarvestTask(games, *kept), bar.update)
        save_arrays(file, found._asdict())
    for part in (*work.glob("sighted-*.npz"), *work.glob("counted-*.npz")):
        part.unlink()
    return Harvest(**load_arrays(file))


def _by_template(found: Harvest) -> list[int]:
    counts: list[int] = np.bincount(found.templates, minlength=15)[1:].tolist()
    return counts


def _learn(
    settings: TrainingSettings,
    games: GameArchive,
    found: Harvest,
    work: Path,
    checkpoint_seconds: float,
    backend: PatternBackend,
) -> Learned:
    """Learn from all games, from the newest checkpoint on; the last one is the result."""
    # The table is made anew each run: checkpoints are by class and do not depend on it.
    classes = place_classes(found)
    file = work / "learned.npz"
    if file.exists():
        learned = scatter(load_arrays(file), classes)
    else:
        learned = new_learned(len(classes.keys))
    # Moves that were learned from, fewer than there are: passes and games that were cut.
    done = int(learned.tally[MOVES_DONE])
    how = settings.beta**2, settings.models, settings.shards
    task = LearningTask(games, found, classes, learned, *how)

    def save() -> None:
        save_arrays(file, gather(learned, classes))

    with tqdm(total=len(games.moves), initial=done, desc="learning", unit="move") as bar:
        take_steps(backend.learning_steps(task), save, checkpoint_seconds, bar.update)
    # Resumed after the last checkpoint: it is the result, do not write hundreds of megabytes again.
    if not (file.exists() and saved_games(file) == games.games):
        save()
    return learned


def saved_games(file: Path) -> int:
    """Return the number of games that a checkpoint has learned from."""
    return int(load_arrays(file)["tally"][GAMES_DONE])


def _manifest(
    settings: TrainingSettings,
    collections: Sequence[Manifest],
    games: GameArchive,
    learned: Learned,
) -> Manifest:
    try:
        program = version("yomi-go")
    # Run from a checkout that was never installed.
    except PackageNotFoundError:
        program = "not installed"
    return {
        "yomi": program,
        "games": games.games,
        "moves": int(learned.tally[MOVES_DONE]),
        "min_count": settings.min_count,
        "tolerance": TOLERANCE,
        "collections": list(collections),
    }
