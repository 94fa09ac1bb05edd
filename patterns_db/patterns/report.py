"""The summary of an evaluation, for ``yomi evaluate`` and the paper's figures.

Stern, Herbrich & Graepel (2006), section 4: Figure 5 (cumulative distribution of ranks), Figure 3
right (log evidence by phase), Figure 4 (rank error by phase and by template).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats
from engine.patterns.templates import TEMPLATES
from patterns_db.patterns.evaluation import (
    ABOVE,
    CALIBRATION_BINS,
    EQUAL,
    LEGAL,
    LOG_EVIDENCE,
    NORMALIZED,
    TEMPLATE,
    Evaluation,
)


class ReportClasses(NamedTuple):
    """The classes of a report."""

    # The paper's division of a game, for its Figures 3 (right) and 4.
    game_phases: int = 11
    phase_moves: int = 30
    tops: tuple[int, ...] = (1, 5, 10, 20)


CLASSES = ReportClasses()

Summary = dict[str, Any]


def among_first(outcomes: Floats, places: int) -> Floats:
    """Return for each position the probability that the played move is among the first ``places``.

    outcomes  float64[n, OUTCOMES] of ``evaluation``; returns float64[n]
    Equal candidates are in random order.
    """
    # EQUAL counts the played move itself, so it is never 0.
    return np.clip((places - outcomes[:, ABOVE]) / outcomes[:, EQUAL], 0.0, 1.0)


def rank_errors(outcomes: Floats) -> Floats:
    """Return the rank of each played move as a fraction of the legal moves (Figure 4).

    outcomes  float64[n, OUTCOMES] of ``evaluation``; returns float64[n]
    """
    # Equals share their places, so the expected rank is the middle of them.
    return (outcomes[:, ABOVE] + 0.5 * (outcomes[:, EQUAL] + 1.0)) / outcomes[:, LEGAL]


def phase_names() -> list[str]:
    """Return "1-30", ..., "301-"."""
    starts = range(1, CLASSES.game_phases * CLASSES.phase_moves, CLASSES.phase_moves)
    return [f"{s}-{s + CLASSES.phase_moves - 1}" if s < starts[-1] else f"{s}-" for s in starts]


def phases_of(plies: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the phase 0..10 of each position. The last phase is open."""
    return np.minimum(plies // CLASSES.phase_moves, CLASSES.game_phases - 1)


def _part(outcomes: Floats) -> Summary:
    """Return the summary of a part of all positions, with None where there are none."""
    # None is used because JSON has no NaN.
    if len(outcomes) == 0:
        return {"positions": 0, "top1": None, "log_evidence": None, "rank_error_quartiles": None}
    quartiles = np.quantile(rank_errors(outcomes), [0.25, 0.5, 0.75])
    return {
        "positions": len(outcomes),
        "top1": float(among_first(outcomes, 1).mean()),
        "log_evidence": float(outcomes[:, LOG_EVIDENCE].mean()),
        "rank_error_quartiles": [float(q) for q in quartiles],
    }


def _whole(outcomes: Floats) -> Summary:
    """Return the main figures of some positions."""
    if len(outcomes) == 0:
        return {"positions": 0, **dict.fromkeys([f"top{k}" for k in CLASSES.tops], None)}
    return {
        "positions": len(outcomes),
        **{f"top{k}": float(among_first(outcomes, k).mean()) for k in CLASSES.tops},
        "mean_log_evidence": float(outcomes[:, LOG_EVIDENCE].mean()),
    }


def summarize(
    result: Evaluation, games: int, names: Sequence[str], model: str, classes: str = "nested"
) -> Summary:
    """Return the summary of an evaluation, ready for JSON.

    names           names of the sources, by index
    model, classes  see EvaluatedModel
    """
    outcomes, phases = result.outcomes, phases_of(result.plies)
    summary = {"model": model, "classes": classes, "games": games, **_whole(outcomes)}
    summary["ranked_by"] = "probability"
    if len(outcomes):
        summary["mean_log_evidence_normalised"] = float(outcomes[:, NORMALIZED].mean())
    summary["by_phase"] = [
        {"moves": name, **_part(outcomes[phases == i])} for i, name in enumerate(phase_names())
    ]
    summary["by_template"] = [
        {"template": t, **_part(outcomes[outcomes[:, TEMPLATE] == t])} for t in range(TEMPLATES + 1)
    ]
    summary["by_source"] = {
        name: _whole(outcomes[result.sources == i]) for i, name in enumerate(names)
    }
    summary["calibration"] = _calibration(result.calibration)
    summary["microseconds_per_position"] = 1e6 * result.seconds / max(len(outcomes), 1)
    return summary


def _calibration(table: Floats) -> list[Summary]:
    """Return how often candidates of similar predicted probability were played."""
    return [
        {
            "from": i / CALIBRATION_BINS,
            "to": (i + 1) / CALIBRATION_BINS,
            "candidates": int(number),
            "predicted": float(predicted / number),
            "played": float(played / number),
        }
        for i, (number, predicted, played) in enumerate(table)
        if number > 0
    ]


def summary_text(summary: Summary) -> str:
    """Return the summary as readable text."""
    lines = [
        f"model {summary['model']}, {summary['classes']} classes: {summary['games']} games, "
        f"{summary['positions']} positions, "
        f"{summary['microseconds_per_position']:.0f} microseconds each",
        _headline("all", summary),
        *(_headline(name or "-", part) for name, part in summary["by_source"].items()),
        "",
        "moves     positions   top 1   log evidence   rank error: quartiles",
        *(_row(part["moves"], part) for part in summary["by_phase"]),
        "",
        "template  positions   top 1   log evidence   rank error: quartiles",
        *(_row(str(part["template"]), part) for part in summary["by_template"]),
        "",
        "predicted   was played   candidates",
        *(
            f"{100 * part['predicted']:8.1f} %   {100 * part['played']:8.1f} %   "
            f"{part['candidates']:10d}"
            for part in summary["calibration"]
        ),
    ]
    return "\n".join(lines)


def _headline(name: str, part: Summary) -> str:
    if not part["positions"]:
        return f"{name:8} no positions"
    tops = "  ".join(f"top {k} {100 * part[f'top{k}']:.2f} %" for k in CLASSES.tops)
    return f"{name:8} {tops}  mean log evidence {part['mean_log_evidence']:.4f}"


def _row(name: str, part: Summary) -> str:
    if not part["positions"]:
        return f"{name:8} {0:10d}"
    quartiles = "  ".join(f"{q:.4f}" for q in part["rank_error_quartiles"])
    return (
        f"{name:8} {part['positions']:10d}  {100 * part['top1']:5.1f} %   "
        f"{part['log_evidence']:12.4f}   {quartiles}"
    )


def plot_summary(result: Evaluation, summary: Summary, figure: Any) -> None:
    """Draw the paper's figures and the calibration into one matplotlib Figure."""
    axes = figure.subplots(3, 2)
    _plot_ranks(axes[0, 0], result.outcomes)
    _plot_phases(axes[0, 1], summary)
    _plot_calibration(axes[1, 0], summary)
    axes[1, 1].axis("off")
    phases, templates = phases_of(result.plies), result.outcomes[:, TEMPLATE].astype(np.int64)
    _plot_errors(
        axes[2, 0], result.outcomes, phases, range(CLASSES.game_phases), "phase of the game", 1
    )
    _plot_errors(
        axes[2, 1], result.outcomes, templates, range(TEMPLATES + 1), "pattern template", 0
    )
    title = f"{summary['model']}, {summary['classes']} classes: {summary['games']} games"
    figure.suptitle(title)


def _plot_ranks(axes: Any, outcomes: Floats) -> None:
    places = np.arange(1, 31)
    axes.plot(places, [among_first(outcomes, int(k)).mean() for k in places])
    axes.set(xlabel="expert move rank", ylabel="cumulative share", ylim=(0, 1))
    axes.grid(True)


def _plot_phases(axes: Any, summary: Summary) -> None:
    # NaN leaves a gap in the line.
    values = [np.nan if p["positions"] == 0 else p["log_evidence"] for p in summary["by_phase"]]
    axes.plot(range(1, CLASSES.game_phases + 1), values, marker="o")
    axes.set(xlabel="phase of the game (30 moves each)", ylabel="mean log evidence [nats]")
    axes.grid(True)


def _plot_calibration(axes: Any, summary: Summary) -> None:
    points = summary["calibration"]
    axes.plot([0, 1], [0, 1], color="gray", linewidth=0.8)
    axes.plot([p["predicted"] for p in points], [p["played"] for p in points], marker="o")
    axes.set(xlabel="predicted probability", ylabel="share played")


def _plot_errors(
    axes: Any,
    outcomes: Floats,
    kinds: npt.NDArray[np.int64],
    values: Sequence[int],
    label: str,
    first: int,
) -> None:
    """Draw box plots of the rank error. ``first`` is the label of kind 0."""
    errors = rank_errors(outcomes)
    present = [value for value in values if (kinds == value).any()]
    if present:
        axes.boxplot(
            [errors[kinds == value] for value in present],
            positions=[value + first for value in present],
            showfliers=False,  # thousands of dots would hide the boxes
        )
    axes.set(xlabel=label, ylabel="rank error", yscale="log")
