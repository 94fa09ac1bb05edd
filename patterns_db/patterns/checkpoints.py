"""Learned values on disk: checkpoints, and tables for play and evaluation.

A checkpoint is ordered by class, as the harvest is, so it does not depend on a table's layout. A
finished model has up to three independent table files: FILE for the model with added evidence, and
next to it FILE-paper and FILE-bernoulli (before the suffix) for the others.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats
from engine.errors import EpDiverged, ModelFormatError
from engine.patterns.choice import MEAN, VARIANCE
from engine.patterns.table import pack_beliefs, slots_for
from engine.patterns.templates import TEMPLATES
from engine.patterns.valuing import EVIDENCE_ROWS, PatternKnowledge
from patterns_db.patterns.harvest import Harvest
from patterns_db.patterns.training import Classes, Learned, claim_slots, new_learned
from patterns_db.store.layouts import Layout, require_layout, require_range
from patterns_db.store.model_names import BERNOULLI, MODELS, path_of
from patterns_db.store.table_files import (
    Arrays,
    Manifest,
    PatternModel,
    open_arrays,
    write_arrays,
    write_patterns,
)

_KIND = "played and passed over"
INDEPENDENT = "independent classes"  # an entry of the manifest


def gather(learned: Learned, classes: Classes) -> Arrays:
    """Return the learned values by class, in the harvest's order, then the other rows.

    Raises EpDiverged for an improper belief.
    """
    # This check comes before writing: a checkpoint of improper beliefs would replace a good one.
    for name in MODELS:
        beliefs: Floats = getattr(learned, name)
        proper = np.isfinite(beliefs).all(axis=1) & (beliefs[:, VARIANCE] > 0.0)
        if improper := int((~proper).sum()):
            raise EpDiverged(f"{improper} beliefs of the {name} model are improper")
    rows, only = _rows(classes)
    return {
        "evidence": learned.evidence[rows],
        "paper": learned.paper[only],
        "counts": learned.counts[only],
        "tally": learned.tally,
    }


def scatter(arrays: Arrays, classes: Classes) -> Learned:
    """Return the values that ``gather`` returned, by the slots of a table."""
    # Slots without a class keep the prior. They are never read.
    rows, only = _rows(classes)
    learned = new_learned(len(classes.keys))
    learned.evidence[rows] = arrays["evidence"]
    learned.paper[only] = arrays["paper"]
    learned.counts[only] = arrays["counts"]
    learned.tally[:] = arrays["tally"]
    return learned


def _rows(classes: Classes) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the used rows of the model with added evidence and of the others."""
    slots = len(classes.keys)
    only = np.append(classes.rows, slots)
    return np.concatenate([only, np.arange(slots + 1, slots + EVIDENCE_ROWS)]), only


def add_up(beliefs: Floats, harvest: Harvest, rows: npt.NDArray[np.int64]) -> None:
    """Turn beliefs about the classes' differences from the next smaller ones into their values.

    beliefs  float64[rows, 2], MEAN and VARIANCE, changes in place; independent of each other, as
             assumed-density filtering keeps them
    harvest  Harvest
    rows     int64[classes], the row of each class
    """
    # The order is from the smallest template up: the value of the class inside must be complete.
    for template in range(2, TEMPLATES + 1):
        members = np.flatnonzero(harvest.templates == template)
        beliefs[rows[members]] += beliefs[rows[harvest.smaller[members]]]


def most_telling(harvest: Harvest, differences: Floats, most: int) -> npt.NDArray[np.int64]:
    """Return the ``most`` classes that are most informative, in the harvest's order.

    A missing class is replaced by a smaller one inside it. Its information is therefore its
    difference from that one, and the number of times it was played. It also counts for the
    classes that contain it.
    differences  float64[>= classes, 2], the beliefs about them
    """
    # The commonest classes are worse: with differences learned as well, this choice has 44.0 %
    # instead of 42.3 at 1,000,000 classes.
    telling = harvest.counts * np.abs(differences[: len(harvest.keys), MEAN])
    # The order is from the largest template down: a class has the information of all classes around
    # it before it passes that on.
    for template in range(TEMPLATES, 1, -1):
        members = np.flatnonzero(harvest.templates == template)
        # telling[...] = maximum(...) would be wrong: many classes have the same smaller one, and
        # only the last of them would count.
        np.maximum.at(telling, harvest.smaller[members], telling[members])
    # The smaller class comes first among equals, since lookups stop at the first missing template.
    return np.sort(np.lexsort((harvest.templates, -telling))[:most])


def export(
    file: Path,
    harvest: Harvest,
    arrays: Arrays,
    manifest: Manifest,
    beta_squared: float,
    models: tuple[str, ...] = MODELS,
    max_patterns: int | None = None,
    independent: bool = False,
) -> None:
    """Write the tables of the learned values.

    harvest, arrays  a harvest and a checkpoint (``gather``) of the same classes, in its order
    models           the trained ones of MODELS; "paper" comes with the Bernoulli counts
    max_patterns     number of the most informative nested classes to keep; None for all
    independent      whether the beliefs are about values, not about differences
    A class that is left out is replaced by the largest smaller one that is kept.
    # Deviates: the paper keeps every class that was played twice.
    """
    assert max_patterns is None or not independent, "independent classes have no differences"
    if independent:
        manifest = {**manifest, INDEPENDENT: True}
    classes = len(harvest.keys)
    for name in models:
        beliefs: Floats = arrays[name]
        chosen = np.arange(classes)
        if max_patterns is not None:
            chosen = most_telling(harvest, beliefs, max_patterns)
        # Tables are as full as play allows, each for its own model. The training's table was half
        # empty.
        keys = np.zeros(slots_for(len(chosen)), np.uint32)
        rows = np.zeros(len(chosen), np.int64)
        claim_slots(keys, harvest.keys[chosen], rows)
        # Differences are added up before the table is cut. A class that is left out is then
        # replaced by a smaller one with its complete value.
        whole = beliefs[:classes].copy()
        if not independent:
            add_up(whole, harvest, np.arange(classes))
        values = np.zeros((len(keys), 2), np.int16)
        values[rows] = pack_beliefs(whole[chosen])
        notes = {**manifest, "beta_squared": beta_squared, "classes": len(chosen)}
        evidence = np.ascontiguousarray(beliefs[classes:])
        knowledge = PatternKnowledge(keys, values, evidence, beta_squared)
        write_patterns(path_of(file, name), PatternModel(knowledge, {**notes, "model": name}))
        if name == "paper":
            # The counts only become rates, so float32's seven digits are plenty.
            counts = np.zeros((len(keys) + 1, 2), np.float32)
            counts[np.append(rows, len(keys))] = arrays["counts"][np.append(chosen, classes)]
            stored = {"keys": keys, "counts": counts}
            write_arrays(path_of(file, BERNOULLI), _KIND, stored, {**notes, "model": BERNOULLI})


def read_counts(file: Path) -> tuple[npt.NDArray[np.uint32], Floats, Manifest]:
    """Return keys uint32[slots] and counts float64[slots + 1, 2] of a Bernoulli table.

    Raises ModelFormatError, see store.open_arrays.
    """
    arrays, manifest = open_arrays(file, _KIND)
    layout: Layout = {"keys": ("<u4", ("slots",)), "counts": ("<f4", ("rows", 2))}
    sizes = require_layout(file, arrays, layout)
    if sizes["slots"] == 0 or sizes["rows"] != sizes["slots"] + 1:
        raise ModelFormatError(f"{file}: {sizes['rows']} rows of counts, {sizes['slots']} slots")
    require_range(file, "counts", arrays["counts"], 0.0)
    return arrays["keys"], arrays["counts"].astype(np.float64), manifest
