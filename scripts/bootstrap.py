"""Set yomi up in a virtual environment of its own, then play or run the tests.

    python3 scripts/bootstrap.py play [OPTION ...]     set up, then start `yomi OPTION ...`
    python3 scripts/bootstrap.py test [OPTION ...]     set up, then start `pytest OPTION ...`

Needs nothing but Python 3.11 or later with pip and venv. The environment lies in `.venv` beside
pyproject.toml; a second run finds it ready and installs nothing. Standard library only: this
file runs before anything is installed.
"""

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
STAMP = ENVIRONMENT / "yomi-installed"
EXTRAS = {"play": "", "test": "[dev]"}


def say(text: str) -> None:
    """Tell on stderr what is being done; stdout belongs to GTP."""
    print(f"yomi set-up: {text}", file=sys.stderr, flush=True)


def environment_python() -> Path:
    """Return the path of the environment's own interpreter."""
    if os.name == "nt":
        return ENVIRONMENT / "Scripts" / "python.exe"
    return ENVIRONMENT / "bin" / "python"


def install(purpose: str) -> None:
    """Create the environment and install yomi into it, unless that was done already."""
    # The installation is editable, so only what pyproject.toml says can make it out of date.
    digest = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    installed = STAMP.read_text().split() if STAMP.exists() else []
    if installed[:1] == [digest] and purpose in installed:
        return
    if not environment_python().exists():
        say(f"creating the virtual environment {ENVIRONMENT.name}/ ...")
        venv.create(ENVIRONMENT, with_pip=True)
    say("installing yomi and what it needs (a minute or two, once) ...")
    command = [environment_python(), "-m", "pip", "install", "--quiet", "--editable"]
    # pip's words go to stderr, and it must not wait for an answer.
    subprocess.run(
        [*command, f"{ROOT}{EXTRAS[purpose]}"],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
    )
    ready = installed[1:] if installed[:1] == [digest] else []
    STAMP.write_text(" ".join([digest, *ready, purpose]))
    say("ready")


# In quotes, for an older Python must come as far as the check of its version.
def main(arguments: "list[str] | None" = None) -> int:
    """Set up what the first argument asks for, then run it; return its exit status."""
    purpose, *options = (sys.argv[1:] if arguments is None else arguments) or [""]
    if purpose in ("-h", "--help"):
        print(__doc__)
        return 0
    if purpose not in EXTRAS:
        print(__doc__, file=sys.stderr)
        return 2
    if sys.version_info < (3, 11):
        say(f"Python 3.11 or later is needed, this is {sys.version.split()[0]}")
        return 1
    try:
        install(purpose)
    except (subprocess.CalledProcessError, OSError) as error:
        say(f"failed: {error}")
        return 1
    if purpose == "test":
        # pytest reads its settings from where it starts.
        os.chdir(ROOT)
        module = ["-m", "pytest"]
    else:
        # -P: a numpy.py in the caller's folder is not ours to run.
        module = ["-P", "-m", "gtp"]
    command = [str(environment_python()), *module, *options]
    if os.name == "nt":
        return subprocess.run(command, check=False).returncode
    os.execv(command[0], command)  # so that signals and end-of-file reach the program itself


if __name__ == "__main__":
    sys.exit(main())
