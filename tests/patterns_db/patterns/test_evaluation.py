"""patterns_db.patterns.evaluation and .report against slow twins and counting by hand."""

import json

import numpy as np
import pytest

from engine.errors import ModelFormatError
from engine.patterns.table import find_slot
from engine.patterns.templates import TEMPLATES
from gtp.plotting import new_figure, save_figure
from patterns_db.patterns.checkpoints import add_up, export, gather, most_telling
from patterns_db.patterns.evaluation import (
    ABOVE,
    EQUAL,
    LEGAL,
    LOG_EVIDENCE,
    NORMALIZED,
    OUTCOMES,
    TEMPLATE,
    Evaluation,
    evaluate,
    open_model,
)
from patterns_db.patterns.harvest import harvest
from patterns_db.patterns.report import (
    among_first,
    phase_names,
    phases_of,
    plot_summary,
    rank_errors,
    summarize,
    summary_text,
)
from patterns_db.patterns.training import Trainer, TrainingSettings, new_learned, place_classes
from patterns_db.records.archive import pack_games
from patterns_db.store.model_names import path_of
from patterns_db.store.table_files import read_patterns
from tests.patterns.keys import all_beliefs
from tests.patterns_db.collections import random_collection
from tests.patterns_db.patterns.test_training import every_choice, rows_of
from tests.reference.ranking import best_probabilities

BETA_SQUARED = 1.0


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Return the file of models learned from a few games, and other games."""
    games = pack_games(random_collection(6, size=7, length=20))
    found = harvest(games)
    classes = place_classes(found)
    learned = new_learned(len(classes.keys))
    Trainer(games, classes, learned, TrainingSettings((), beta=BETA_SQUARED**0.5)).run()
    file = tmp_path_factory.mktemp("tables") / "small.table"
    export(file, found, gather(learned, classes), {"games": 6}, BETA_SQUARED)
    return file, random_collection(2, size=7, length=16, seed=9), (found, classes, learned)


def twin_of(model, games):
    """Yield (probabilities of all candidates, index of the played, its template) by quadrature."""
    slots = len(model.knowledge.keys)
    for matcher, found, count, color, played in every_choice(games, model.knowledge.keys):
        rows = rows_of(matcher, found, count, color, slots)
        largest = rows[np.arange(count), np.maximum(found.templates[:count], 1) - 1]
        rows = np.column_stack([largest, rows[:, TEMPLATES:]])
        if model.name != "evidence":
            rows = rows[:, :1]
        table = model.counts if model.name == "bernoulli" else all_beliefs(model.knowledge)
        beliefs = [table[row[row >= 0]].sum(axis=0) for row in rows]
        kinds = [tuple(row) for row in rows]
        if model.name == "bernoulli":
            yield bernoulli(np.array(beliefs)), played, found.templates[played], kinds
        else:
            yield ranking(beliefs, kinds), played, found.templates[played], kinds


def ranking(beliefs, kinds):
    """Return exact probabilities: candidates of the same kind share their value's uncertainty.

    Too many for a quadrature here, so kinds enter with the largest of their noises.
    """
    from engine.gaussian import largest_of_normals

    first = list(dict.fromkeys(kinds))
    sizes = [kinds.count(kind) for kind in first]
    moments = largest_of_normals()
    means = [
        beliefs[kinds.index(k)][0] + moments[n, 0] * BETA_SQUARED**0.5
        for k, n in zip(first, sizes, strict=True)
    ]
    variances = [
        beliefs[kinds.index(k)][1] + moments[n, 1] * BETA_SQUARED
        for k, n in zip(first, sizes, strict=True)
    ]
    chances = best_probabilities(means, variances)
    chances /= chances.sum()
    share = {k: c / n for k, c, n in zip(first, chances, sizes, strict=True)}
    return np.array([share[kind] for kind in kinds])


def bernoulli(counts):
    """Return unnormalized scores, 1/2 added to both counts."""
    rates = (counts[:, 0] + 0.5) / (counts.sum(axis=1) + 1.0)
    return rates / (1.0 - rates) * np.prod(1.0 - rates)


@pytest.mark.parametrize("name", ["evidence", "paper", "bernoulli"])
def test_outcomes_are_the_twins(trained, name):
    model = open_model(trained[0], name)
    result = evaluate(pack_games(trained[1]), model)
    expected = list(twin_of(model, trained[1]))
    assert len(result.outcomes) == len(expected) > 20
    for outcome, (chances, played, template, kinds) in zip(result.outcomes, expected, strict=True):
        alike = kinds.count(kinds[played])
        assert alike <= outcome[EQUAL] <= (np.abs(chances - chances[played]) < 1e-6).sum()
        clearly = (chances > chances[played] + 1e-6).sum()
        assert clearly <= outcome[ABOVE] <= (chances > chances[played] - 1e-6).sum()
        assert outcome[LEGAL] == len(chances)
        assert outcome[TEMPLATE] == template
        assert outcome[LOG_EVIDENCE] == pytest.approx(np.log(chances[played]), abs=1e-5)
        normalised = np.log(chances[played] / chances.sum())
        assert outcome[NORMALIZED] == pytest.approx(normalised, abs=1e-5)
    assert result.calibration[:, 0].sum() == sum(len(e[0]) for e in expected)
    assert result.calibration[:, 2].sum() == len(expected)
    assert result.sources.tolist() == [0] * 16 + [1] * (len(expected) - 16)
    assert result.plies[:16].tolist() == list(range(16))


def made_up_outcomes():
    outcomes = np.zeros((4, OUTCOMES))
    outcomes[:, ABOVE] = 0, 0, 3, 30
    outcomes[:, EQUAL] = 1, 2, 4, 1
    outcomes[:, LEGAL] = 100
    outcomes[:, TEMPLATE] = 1, 14, 14, 0
    outcomes[:, LOG_EVIDENCE] = outcomes[:, NORMALIZED] = -1, -2, -3, -4
    calibration = np.zeros((20, 3))
    calibration[10] = 4, 2.1, 3
    plies, sources = np.array([0, 29, 30, 999]), np.array([0, 0, 1, 1])
    return Evaluation(outcomes, plies, sources, calibration, 0.002)


def test_equal_candidates_share_their_places():
    outcomes = made_up_outcomes().outcomes
    assert among_first(outcomes, 1).tolist() == [1, 0.5, 0, 0]
    assert among_first(outcomes, 5).tolist() == [1, 1, 0.5, 0]
    assert rank_errors(outcomes).tolist() == [0.01, 0.015, 0.055, 0.31]


def test_phases():
    names = phase_names()
    assert len(names) == 11
    assert names[0] == "1-30"
    assert names[-2:] == ["271-300", "301-"]
    assert phases_of(np.array([0, 29, 30, 299, 300, 5000])).tolist() == [0, 0, 1, 9, 10, 10]


def test_summary():
    summary = summarize(made_up_outcomes(), 3, ["kgs", "tom"], "paper")
    assert json.loads(json.dumps(summary)) == summary
    assert (summary["games"], summary["positions"], summary["model"]) == (3, 4, "paper")
    assert (summary["top1"], summary["top5"], summary["top20"]) == (0.375, 0.625, 0.75)
    assert summary["mean_log_evidence"] == -2.5
    assert summary["microseconds_per_position"] == pytest.approx(500.0)
    assert summary["by_source"]["tom"]["positions"] == 2
    assert summary["by_source"]["kgs"]["top1"] == 0.75
    assert [p["positions"] for p in summary["by_phase"]] == [2, 1, *[0] * 8, 1]
    assert [p["template"] for p in summary["by_template"]] == list(range(15))
    fourteenth = summary["by_template"][14]
    assert fourteenth["positions"] == 2
    assert fourteenth["log_evidence"] == -2.5
    assert fourteenth["rank_error_quartiles"] == pytest.approx([0.025, 0.035, 0.045])
    (one,) = summary["calibration"]
    assert (one["from"], one["predicted"], one["played"]) == (0.5, 0.525, 0.75)
    assert "top 1 37.50 %" in summary_text(summary)


def test_no_positions():
    nothing = Evaluation(
        np.zeros((0, OUTCOMES)), np.zeros(0, int), np.zeros(0, int), np.zeros((20, 3)), 0.0
    )
    summary = summarize(nothing, 0, [], "paper")
    assert summary["positions"] == 0
    assert "no positions" in summary_text(summary)


def test_plots(tmp_path):
    result = made_up_outcomes()
    file = tmp_path / "figure.png"
    figure = new_figure(file)
    plot_summary(result, summarize(result, 3, ["kgs", "tom"], "paper"), figure)
    save_figure(figure, file)
    assert file.read_bytes().startswith(b"\x89PNG")
    # Equal results give equal files, with a cluster and without one.
    drawings = [tmp_path / "one.svg", tmp_path / "other.svg"]
    for drawing in drawings:
        figure = new_figure(drawing)
        figure.subplots().plot([1, 2, 3])
        save_figure(figure, drawing)
    assert drawings[0].read_bytes() == drawings[1].read_bytes()
    assert b"dc:date" not in drawings[0].read_bytes()


def test_tables_hold_the_learned_beliefs(trained):
    file, _, (found, classes, learned) = trained
    for name in ("evidence", "paper"):
        model = read_patterns(path_of(file, name))
        beliefs = all_beliefs(model.knowledge)
        exact = getattr(learned, name)
        assert model.manifest["classes"] == len(found.keys)
        others = beliefs[len(model.knowledge.keys) :]
        assert np.array_equal(others, exact[len(classes.keys) :])
        used = model.knowledge.keys > 0
        assert used.sum() == len(found.keys)
        values = exact.copy()
        add_up(values, found, classes.rows)
        rows = [find_slot(model.knowledge.keys, key) for key in found.keys]
        assert beliefs[rows, 0] == pytest.approx(values[classes.rows, 0], abs=3e-4)
        assert beliefs[rows, 1] == pytest.approx(values[classes.rows, 1], rel=1e-3)


def test_a_cut_table_has_whole_values(trained, tmp_path):
    file, _, (found, classes, learned) = trained
    most = len(found.keys) // 2
    arrays = gather(learned, classes)
    export(tmp_path / "cut.table", found, arrays, {}, BETA_SQUARED, max_patterns=most)
    for name in ("evidence", "paper"):
        cut, full = (open_model(path, name) for path in (tmp_path / "cut.table", file))
        kept = most_telling(found, arrays[name], most)
        assert (cut.knowledge.keys > 0).sum() == most
        for i, key in enumerate(found.keys):
            slot = find_slot(cut.knowledge.keys, key)
            if i in kept:
                whole = full.knowledge.values[find_slot(full.knowledge.keys, key)]
                assert (cut.knowledge.values[slot] == whole).all()
            else:
                assert slot == -1


def test_another_models_table(trained):
    file = trained[0]
    with pytest.raises(ModelFormatError, match="rows of evidence"):
        open_model(path_of(file, "paper"), "evidence")
    with pytest.raises(ModelFormatError, match="no table of the paper model"):
        open_model(file.with_name("no.table"), "paper")
