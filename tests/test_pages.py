"""The pages are true: the example, the commands, the paths, the links, the generated tables."""

import argparse
import doctest
import importlib
import json
import re
import shlex
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from engine.jit import JIT_ENABLED
from gtp.__main__ import main as yomi
from scripts import command_page, reference_page, result_tables

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
FOLDERS = ("engine", "patterns_db", "gtp", "scripts", "tests")
READMES = [README, *(ROOT / name / "README.md" for name in FOLDERS[:4])]
READMES += [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
READMES += sorted((ROOT / "docs").glob("**/*.md"))
GENERATED = (command_page, reference_page)
KILOBYTE = 1024
# Words for something of the reader's own in a command; they are read as a number.
PLACEHOLDERS = {"%S": "1", "%SRAND": "1", "N": "1", "T": "1", "S": "1", "SECONDS": "1"}

each_readme = pytest.mark.parametrize(
    "readme", READMES, ids=lambda path: str(path.relative_to(ROOT))
)


class UnderstoodError(Exception):
    """Ends a program whose command line was accepted, before it runs."""


def prose(readme: Path) -> str:
    """Return a README without its fenced blocks."""
    return re.sub(r"^( *)```.*?^\1```$", "", readme.read_text("utf-8"), flags=re.M | re.S)


def quoted(readme: Path) -> list[str]:
    """Return the texts between backticks, and the lines of code blocks, continued ones joined."""
    text = readme.read_text("utf-8")
    blocks = [found[1] for found in re.finditer(r"^ *```\w*\n(.*?)^ *```$", text, re.M | re.S)]
    blocks += re.findall(r"^    .*$", prose(readme), re.M)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    spans = re.findall(r"`([^`]+)`", prose(readme))
    # A bar inside a command in a table has to be escaped.
    return [re.sub(r"\s+", " ", piece).replace("\\|", "|").strip() for piece in (*spans, *lines)]


def commands(readme: Path) -> list[list[str]]:
    """Return the command lines that a README quotes, including those inside other commands."""
    found = []
    for piece in quoted(readme):
        try:
            words = shlex.split(piece)
        except ValueError:  # prose with an apostrophe
            continue
        if "|" in words:
            words = words[words.index("|") + 1 :]
        found += [words, *(shlex.split(word) for word in words if word.startswith("yomi "))]
    return [words for words in found if words[:1] == ["yomi"] or words[:2] == ["python", "-m"]]


@pytest.fixture
def understands(monkeypatch):
    """Return a function that checks words by a program's own parser, without running it."""

    def parse(parser, arguments=None, namespace=None):
        _, left = parser.parse_known_args(arguments, namespace)
        if left:
            parser.error(f"unrecognized arguments: {' '.join(left)}")
        raise UnderstoodError

    def ask(main, words):
        try:
            main([PLACEHOLDERS.get(word, word) for word in words])
        except UnderstoodError:
            return True
        except SystemExit as end:
            return not end.code  # --help ends with 0
        raise AssertionError(f"did not read its command line: {words}")

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse)
    return ask


def anchors(readme: Path) -> set[str]:
    """Return the anchors of a README's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", prose(readme), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.skipif(not JIT_ENABLED, reason="a search without JIT takes minutes")
def test_the_example():
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert failed == 0
    assert tried >= 6


def test_the_example_is_short():
    [example] = re.findall(r"^```pycon\n(.*?)^```$", README.read_text("utf-8"), re.M | re.S)
    assert sum(line.startswith((">>>", "...")) for line in example.splitlines()) <= 8


def test_the_first_one_is_short():
    assert len(README.read_text("utf-8").splitlines()) <= 130


@each_readme
def test_every_command_is_understood(readme, understands):
    wrong = []
    for words in commands(readme):
        if words[0] == "yomi":
            # Alone it would play. Where only a command is named, its options are not the point.
            options = words[1:] + ["--help"] * (len(words) == 2)
            if options[:1] not in ([], ["--version"]) and not understands(yomi, options):
                wrong.append(words)
        elif find_spec(words[2]) is None:
            wrong.append(words)
        elif words[3:] and not understands(importlib.import_module(words[2]).main, words[3:]):
            wrong.append(words)
    assert wrong == []


def test_a_wrong_option_is_noticed(understands):
    assert understands(yomi, ["solve", "FILE.sgf", "--goal", "D4"])
    assert not understands(yomi, ["solve", "FILE.sgf", "--gaol", "D4"])
    assert not understands(yomi, ["gtp", "--playouts", "many"])


def test_commands_are_found():
    results = ROOT / "docs" / "results"
    found = [" ".join(words) for page in results.glob("*.md") for words in commands(page)]
    assert "yomi bench --json" in found  # in a block of its own
    assert "yomi --playouts 100 --threads 1" in found  # behind a bar
    assert "yomi --player patterns --seed %S" in found  # inside another command
    assert len(found) > 60


@each_readme
def test_every_link_lands(readme):
    wrong = []
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(readme)):
        name, _, anchor = target.partition("#")
        path = readme.parent / name if name else readme
        lands = "://" in target or (path.exists() and (not anchor or anchor in anchors(path)))
        wrong += [] if lands else [target]
    assert wrong == []


@each_readme
def test_every_path_exists(readme):
    pattern = rf"(?:{'|'.join(FOLDERS)})/[\w.*/-]*"
    # The first word, because arguments follow a path.
    paths = {piece.split(" ")[0] for piece in quoted(readme) if piece}
    named = [path for path in sorted(paths) if re.fullmatch(pattern, path)]
    assert [path for path in named if not list(ROOT.glob(path.rstrip("/")))] == []


def walks() -> dict[str, list[tuple[str, list[str]]]]:
    """Return each walk's stations: files, with the names to look at in them."""
    _, _, text = prose(ROOT / "docs" / "architecture.md").partition("## The walks")
    text, _, _ = text.partition("\n## ")
    found = {}
    for walk in re.split(r"^### ", text, flags=re.M)[1:]:
        title, _, body = walk.partition("\n")
        stations = re.findall(r"`([a-z_/]+\.py)` \(([^)]*)\)", re.sub(r"\s+", " ", body))
        found[title] = [(path, re.findall(r"`([\w.]+)`", names)) for path, names in stations]
    return found


def test_the_walks_name_existing_places():
    assert len(walks()) == 5
    for walk, stations in walks().items():
        assert len(stations) > 8, walk
        for path, names in stations:
            source = (ROOT / path).read_text("utf-8")
            parts = [part for name in names for part in name.split(".") if "/" not in name]
            missing = [
                part for part in parts if not re.search(rf"^ *(def|class) {part}\b", source, re.M)
            ]
            assert missing == [], f"{walk}: {path}"


def test_the_walks_go_one_way():
    """No file is left and revisited more than twice."""
    for walk, stations in walks().items():
        paths = [path for path, _ in stations]
        assert max(paths.count(path) for path in paths) <= 2, walk


@each_readme
def test_every_script_named_exists(readme):
    names = {name for piece in quoted(readme) for name in re.findall(r"\bscripts(?:\.\w+)+", piece)}
    assert [name for name in sorted(names) if find_spec(name) is None] == []


def test_tables_of_results_are_those_of_the_rows():
    pages = sorted(result_tables.PAGES.glob("*.md"))
    assert len(pages) > 8
    assert [
        page.name for page in pages if result_tables.filled(page) != page.read_text("utf-8")
    ] == []


def test_a_table_without_rows_or_commands_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(result_tables, "ROWS", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("<!-- table one -->\n<!-- end -->\n", "utf-8")
    with pytest.raises(result_tables.TableError):
        result_tables.filled(page)
    table = {"columns": ["a", "b"], "rows": [["x", {"won": 1, "of": 2}]], "commands": []}
    (tmp_path / "page.json").write_text(json.dumps({"one": table}), "utf-8")
    with pytest.raises(result_tables.TableError):
        result_tables.filled(page)
    table["commands"] = ["yomi bench"]
    (tmp_path / "page.json").write_text(json.dumps({"one": table}), "utf-8")
    assert "| x | 1 of 2 (9 to 91 %) |" in result_tables.filled(page)


@pytest.mark.parametrize("module", GENERATED)
def test_generated_pages_are_those_of_the_program(module):
    assert module.PAGE.read_text("utf-8") == module.page()


def test_pages_stay_short():
    sizes = {page: page.stat().st_size for page in READMES}
    log = ROOT / "docs" / "log.md"  # grows, because its entries are never edited
    apart = {log, *(module.PAGE for module in GENERATED)}
    assert sum(size for page, size in sizes.items() if page not in apart) <= 110 * KILOBYTE
    results = ROOT / "docs" / "results"
    assert [page for page in results.glob("*.md") if sizes[page] > 8 * KILOBYTE] == []
    assert sizes[log] <= 40 * KILOBYTE
    assert len((ROOT / "scripts" / "README.md").read_text("utf-8").splitlines()) <= 80


def test_one_version():
    """The program, its changelog and its citation name the same release."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    releases = re.findall(
        r"^## ([\d.]+) - ([\d-]+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M
    )
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    cited = re.findall(r"^(?:version|date-released): \"?([\d.-]+)", citation, re.M)
    assert [*releases[0]] == cited
    assert releases[0][0] == version
    assert citation.count("  - type: ") == 5


@each_readme
def test_lines_are_short(readme):
    lines = prose(readme).splitlines()
    assert [line for line in lines if len(line) > 120 and not line.startswith("|")] == []
