"""Set up yomi in its own virtual environment, then play or run the tests.

    python3 scripts/bootstrap.py play [OPTION ...]     set up, then start `yomi OPTION ...`
    python3 scripts/bootstrap.py test [OPTION ...]     set up, then start `pytest OPTION ...`
                                               with as many workers as cores

Needs only Python 3.11 or later with pip and venv. The environment lies in `.venv` beside
pyproject.toml; a second run finds it ready and installs nothing. `locks/` gives the versions and
the hashes by which pip checks them; YOMI_UNLOCKED=1 permits other versions, which nothing checks.
Uses the standard library only, because this file runs before anything is installed.
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
EXTRAS = {"play": "[pages]", "test": "[dev]"}
# What must be importable after an installation. Other packages are imported by these.
IMPORTS = {"play": "gtp.session", "test": "gtp.session, pytest"}
UNLOCKED = "YOMI_UNLOCKED"
# pip prints this for a version without a file for this system, but not for a wrong hash.
NO_WHEEL = "No matching distribution found"


class SetupFailed(Exception):  # noqa: N818 - names an event, not a kind of error
    """The environment or its packages cannot be installed; the text says why."""


def say(text: str) -> None:
    """Report the current step on stderr; stdout belongs to GTP."""
    print(f"yomi set-up: {text}", file=sys.stderr, flush=True)


def environment_python() -> Path:
    """Return the path of the environment's own interpreter."""
    if os.name == "nt":
        return ENVIRONMENT / "Scripts" / "python.exe"
    return ENVIRONMENT / "bin" / "python"


def create_environment() -> None:
    """Create the environment, or complete one whose creation was interrupted.

    Raises SetupFailed, OSError.
    """
    # The command of pip is the last file of a new environment.
    pip = environment_python().with_name("pip.exe" if os.name == "nt" else "pip")
    if pip.exists():
        return
    say(f"creating the virtual environment {ENVIRONMENT.name}/ ...")
    try:
        venv.create(ENVIRONMENT, with_pip=True)
    except subprocess.CalledProcessError:
        raise SetupFailed(
            "this Python cannot install pip (on Debian and Ubuntu: apt install python3-venv)"
        ) from None


def run_python(*words: str) -> str:
    """Run the environment's interpreter and return its error messages, "" when it succeeded."""
    # It must neither wait for input nor write to stdout, which belongs to GTP. Neither it nor its
    # children may import a file of the caller's folder.
    done = subprocess.run(
        [str(environment_python()), "-P", *words],
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env={**os.environ, "PYTHONSAFEPATH": "1"},
    )
    return "" if done.returncode == 0 else done.stderr or f"{' '.join(words[:2])} failed"


def run_pip(*words: str) -> str:
    """Let pip install something; return its error messages, "" when it succeeded."""
    return run_python("-m", "pip", "install", "--quiet", *words)


def install(purpose: str) -> None:
    """Create the environment and install yomi into it, unless it is up to date.

    Raises SetupFailed, and OSError when a file cannot be written.
    """
    lock = ROOT / "locks" / f"{purpose}.txt"
    # The installation is editable, so only these files can make it out of date.
    sources = (ROOT / "pyproject.toml").read_bytes() + lock.read_bytes()
    digest = hashlib.sha256(sources).hexdigest()
    installed = STAMP.read_text().split() if STAMP.exists() else []
    if f"{purpose}-{digest}" in installed:
        return
    create_environment()
    say("installing yomi and what it needs (a minute or two, once) ...")
    # Wheels only: the packages that pip fetches for a build from source have no hashes to check.
    complaints = run_pip("--require-hashes", "--only-binary", ":all:", "-r", str(lock))
    if not complaints:
        # The lock has already installed setuptools, which builds yomi.
        complaints = run_pip("--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    elif NO_WHEEL in complaints and os.environ.get(UNLOCKED) == "1":
        say(f"no wheels for this system in {lock.name}: installing other versions, without hashes")
        complaints = run_pip("--editable", f"{ROOT}{EXTRAS[purpose]}")
    elif NO_WHEEL in complaints:
        raise SetupFailed(
            f"{complaints.strip()}\nThe index has no file for this system of a version in"
            f" locks/{lock.name}. {UNLOCKED}=1 installs other versions, which no hashes check."
        )
    complaints = complaints or run_python("-c", f"import {IMPORTS[purpose]}")
    if complaints:
        raise SetupFailed(complaints.strip())
    STAMP.write_text(" ".join([*installed, f"{purpose}-{digest}"]))
    say("ready")


# A quoted type, because older versions of Python must reach the version check.
def main(arguments: "list[str] | None" = None) -> int:
    """Do the set-up that the first argument names, run the program and return its exit status."""
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
    except SetupFailed as error:
        say(f"failed: {error}")
        return 1
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        say(f"failed: {place}{error.strerror or error}")
        return 1
    except KeyboardInterrupt:
        say("stopped; the same command continues it")
        return 130
    if purpose == "test":
        # pytest reads its settings from the folder where it starts.
        os.chdir(ROOT)
        module = ["-m", "pytest", "-n", "auto", "--dist", "worksteal"]
    else:
        # -P: Python must not import a numpy.py in the caller's folder.
        module = ["-P", "-m", "gtp"]
    command = [str(environment_python()), *module, *options]
    if os.name == "nt":
        return subprocess.run(command, check=False).returncode
    os.execv(command[0], command)  # so that signals and end-of-file reach the program itself


if __name__ == "__main__":
    sys.exit(main())
