"""Names of the models of a pattern training, and of their files."""

from pathlib import Path

MODELS = ("evidence", "paper")
BERNOULLI = "bernoulli"


def path_of(file: Path, model: str) -> Path:
    """Return the file of a model: FILE itself with evidence, FILE-paper, FILE-bernoulli."""
    return file if model == MODELS[0] else file.with_name(f"{file.stem}-{model}{file.suffix}")
