"""Every command of the documentation works as printed. Expects the release build of ./test.

The language of a block says what becomes of it: `sh` is run, `console` is run and must print what
it shows (a line ... stands for any lines), `python` is run by python/tests/test_docs.py, `cpp` is
compiled by tests/install if it stands in the README, `cmake` is what tests/install does, `text`
holds commands that are not run. Blocks of a page share a folder, in which cells.csv and pairs.csv
are those of the README's first command.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {
    str(path.relative_to(ROOT)): path.read_text()
    for path in (*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md")))
}
# Commands that are not run, each in a block `text`, and why.
NOT_RUN = {
    "README.md": "./quickstart, which test_quickstart.py runs",
    "docs/python/README.md": "installs the package",
    "docs/benchmark.md": "takes hours, on public data sets that are not part of the project",
    "docs/reproduction.md": "takes hours, on public data sets that are not part of the project",
    "docs/scale.md": "needs a cluster",
}
LANGUAGES = {"sh", "console", "python", "cpp", "cmake", "text"}
LANGUAGES |= {"csv", "json", "libsvm", "arff", "mtx"}
FIRST = "tamis generate cells -o cells.csv --pairs pairs.csv"
ENVIRONMENT = {**os.environ, "PATH": f"{ROOT / 'build/release'}:{os.environ['PATH']}"}


def blocks(page):
    """(language, content) of each block, in order."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", PAGES[page], flags=re.M | re.S)


def runs_of(page):
    """(command, the output that is shown or None) of each command to run, in order."""
    for language, content in blocks(page):
        if language == "sh":
            joined = content.replace("\\\n", " ")
            yield from ((line, None) for line in joined.splitlines() if line.strip())
        elif language == "console":
            for part in re.split(r"^\$ ", content, flags=re.M)[1:]:
                command, _, shown = part.partition("\n")
                yield command, shown


def shell(command, folder):
    done = subprocess.run(
        command, shell=True, cwd=folder, env=ENVIRONMENT, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert done.returncode == 0, f"$ {command}\n{done.stdout}"
    return done.stdout


def assert_shown(command, printed, shown):
    pattern = re.escape(shown).replace(re.escape("...\n"), "(?:.*\n)*?")
    assert re.fullmatch(pattern, printed), f"$ {command}\n{printed}\nis not what is shown:\n{shown}"


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cells")
    shell(FIRST, folder)
    return folder


def follow(page, folder):
    for command, shown in runs_of(page):
        printed = shell(command, folder)
        if shown is not None:
            assert_shown(command, printed, shown)


def test_the_readme_can_be_followed_from_its_first_command(tmp_path):
    first, *_ = runs_of("README.md")
    assert first == (FIRST, None)
    follow("README.md", tmp_path)


@pytest.mark.parametrize("page", [page for page in PAGES if page != "README.md"])
def test_every_command_of_a_page_works(page, cells, tmp_path):
    (tmp_path / "docs").symlink_to(ROOT / "docs")  # for paths that start at the project's root
    for name in ("cells.csv", "pairs.csv"):
        (tmp_path / name).write_bytes((cells / name).read_bytes())
    follow(page, tmp_path)


def anchors(text):
    """What links may point at: headings, as GitHub and the site name them."""
    headings = re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", each.lower()).strip().replace(" ", "-") for each in headings}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page):
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", PAGES[page], flags=re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"https?:|mailto:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / page).parent / path if path else ROOT / page
        assert target.exists(), f"{page} links to {link}"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target.read_text()), f"{page} links to {link}"


def test_every_block_says_what_it_is():
    for page in PAGES:
        assert PAGES[page].count("```") == 2 * len(blocks(page)), f"{page} has an odd block"
        for language, content in blocks(page):
            assert language in LANGUAGES, f"{page} has a block '{language}':\n{content}"


def test_what_is_not_run_is_known():
    pages = {page for page in PAGES if "text" in dict(blocks(page))}
    assert pages == set(NOT_RUN)


def test_a_page_that_shows_something_else_is_found_out():
    assert_shown("c", "a\nb\nc\n", "...\nc\n")
    for shown in ("a\n", "...\nb\n", "a\nc\n"):
        with pytest.raises(AssertionError, match="is not what is shown"):
            assert_shown("c", "a\nb\nc\n", shown)


def test_the_first_steps_of_the_help_work(tmp_path):
    steps = shell("tamis --help", tmp_path).split("First steps\n")[1].split("\n\n")[0]
    commands = [line.strip() for line in steps.splitlines() if line.startswith("  tamis ")]
    assert len(commands) > 2 and commands[0] == "tamis generate cells -o cells.csv"
    for command in commands:
        shell(command, tmp_path)


def test_the_picture_of_the_readme_is_what_the_command_shows(cells, tmp_path):
    tool = ROOT / "tools/terminal_svg.py"
    *words, picture, command = re.search(
        r"^tools/terminal_svg.py (--columns) (\d+) (\S+) '(.*)'$", tool.read_text(), flags=re.M
    ).groups()
    assert f"![{command}]({picture})" in PAGES["README.md"]
    drawn = tmp_path / "drawn.svg"
    done = [sys.executable, tool, *words, drawn, command]
    subprocess.run(done, cwd=cells, env=ENVIRONMENT, check=True)
    assert drawn.read_text() == (ROOT / picture).read_text()
