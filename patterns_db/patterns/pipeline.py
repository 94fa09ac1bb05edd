"""Training of a pattern model from game collections: read, harvest, learn, export.

It can be resumed. Finished work is kept in a folder next to the result, ``OUT.work``: the games of
each path, the harvest, and the newest checkpoint of the learning, each written atomically. A
process killed at any moment loses only the work since the last checkpoint. Every stage is a
function of its inputs alone, so the final result is the same.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from tqdm import tqdm

from engine.errors import YomiError
from engine.patterns.hashing import PATTERN_KEY_VERSION
from patterns_db.patterns.backend import PatternBackend
from patterns_db.patterns.checkpoints import export, gather, scatter
from patterns_db.patterns.harvest import Harvest
from patterns_db.patterns.training import (
    MOVES_DONE,
    TOLERANCE,
    TROUBLE,
    TrainingSettings,
    new_learned,
    place_classes,
)
from patterns_db.printing import program_version
from patterns_db.records.archive import GameArchive, decode_paths, join_archives, load_archive
from patterns_db.records.games import GameReader, describe
from patterns_db.store.checkpointing import load_arrays, save_arrays, take_steps
from patterns_db.store.model_names import MODELS
from patterns_db.store.table_files import VALUE_VERSION, Arrays, Manifest
from patterns_db.store.work_folder import begun_setting, open_work, remove_work


def train_patterns(
    settings: TrainingSettings,
    out: Path,
    resume: bool = False,
    checkpoint_seconds: float = 180.0,
    say: Callable[[str], object] = print,
    backend: PatternBackend | None = None,
    anew: bool = False,
) -> None:
    """Train a pattern model and write its tables. See checkpoints.export.

    resume   continue an earlier run with the same settings and games
    anew     delete an earlier run's work
    say      called with each line of progress
    backend  harvests and learns, in this process unless given; it chooses the number of shards
             where the settings and the resumed run do not
    Raises SgfError for a missing path, YomiError when there are no games or moves, and the errors
    of ``open_work``.
    """
    backend = backend or PatternBackend()
    work = out.with_name(out.name + ".work")
    # All checks of the games come before an earlier run's work is deleted.
    if not GameReader(settings.paths).files:
        raise YomiError("no moves to learn from: no game files")
    collections = [describe(Path(path)) for path in settings.paths]
    begun = begun_setting(work, "shards") if resume else None
    settings = replace(settings, shards=backend.shards(settings.shards or begun))
    # Versions are included: other keys, or values of another meaning, make another training.
    versions = {"key_version": PATTERN_KEY_VERSION, "value_version": VALUE_VERSION}
    decisive = {**asdict(settings), **versions}
    with open_work(work, decisive, collections, resume=resume, anew=anew):
        _train(settings, collections, out, work, checkpoint_seconds, say, backend)


def _train(
    settings: TrainingSettings,
    collections: Sequence[Manifest],
    out: Path,
    work: Path,
    checkpoint_seconds: float,
    say: Callable[[str], object],
    backend: PatternBackend,
) -> None:
    say("1 of 4: reading the games")
    files = decode_paths(settings.paths, work)
    games = join_archives([load_archive(file) for file in files], settings.max_games)
    say(f"{games.games} games, {len(games.moves)} moves, {games.damaged} damaged games skipped")
    if len(games.moves) == 0:
        remove_work(work)  # or it refuses the next run, which names the right games
        raise YomiError("no moves to learn from")
    say(f"2 of 4: harvesting the patterns that were played at least {settings.min_count} times")
    harvest = _harvest(settings, games, work, backend)
    by_template = np.bincount(harvest.templates, minlength=15)[1:].tolist()
    say(f"{len(harvest.keys)} pattern classes; of template 1, 2, ...: {by_template}")
    say("3 of 4: learning the patterns' values from every move (the longest step)")
    arrays = _learn(settings, games, harvest, work, checkpoint_seconds, backend)
    for i, name in enumerate(MODELS):
        unsettled, rejected = arrays["tally"][TROUBLE + 2 * i : TROUBLE + 2 * i + 2]
        say(f"{name}: {unsettled} moves did not converge, {rejected} beliefs were rejected")
    say("4 of 4: writing the tables")
    manifest = {
        "yomi": program_version(),
        "games": games.games,
        "moves": int(arrays["tally"][MOVES_DONE]),
        "min_count": settings.min_count,
        "tolerance": TOLERANCE,
        "collections": list(collections),
    }
    export(out, harvest, arrays, manifest, settings.beta**2, independent=settings.independent)
    say(f"wrote {out}")


def _harvest(
    settings: TrainingSettings, games: GameArchive, work: Path, backend: PatternBackend
) -> Harvest:
    file = work / "harvest.npz"
    # The file is written atomically, so an existing one is a finished harvest.
    if not file.exists():
        with tqdm(total=2 * games.games, desc="harvesting", unit="game") as bar:
            harvest = backend.harvest(games, settings, bar.update)
        save_arrays(file, harvest._asdict())
    return Harvest(**load_arrays(file))


def _learn(
    settings: TrainingSettings,
    games: GameArchive,
    harvest: Harvest,
    work: Path,
    checkpoint_seconds: float,
    backend: PatternBackend,
) -> Arrays:
    """Learn from all games, starting at the newest checkpoint. Return the last one."""
    # The table is rebuilt in each run, since checkpoints are by class and do not depend on it.
    classes = place_classes(harvest)
    file = work / "learned.npz"
    if file.exists():
        learned = scatter(load_arrays(file), classes)
    else:
        learned = new_learned(len(classes.keys), settings.independent)
    # This counts moves learned from. There are fewer than all, because of passes and cut games.
    done = int(learned.tally[MOVES_DONE])
    steps = backend.learning_steps(games, classes, learned, settings)

    def save() -> None:
        save_arrays(file, gather(learned, classes))

    with tqdm(total=len(games.moves), initial=done, desc="learning", unit="move") as bar:
        take_steps(steps, save, checkpoint_seconds, bar.update)
    save()
    return gather(learned, classes)
