"""tools/site: what it makes of pages before Sphinx reads them. ./test builds the site itself."""

import importlib.machinery
import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
loader = importlib.machinery.SourceFileLoader("site_tool", str(ROOT / "tools/site"))
site = importlib.util.module_from_spec(importlib.util.spec_from_loader("site_tool", loader))
loader.exec_module(site)

SAVE = ">>> from pathlib import Path\n>>> _ = Path('{}').write_text('<svg/>')\n"


@pytest.fixture
def project(tmp_path):
    for path in ("docs/methods", "docs/gallery", "data"):
        (tmp_path / "root" / path).mkdir(parents=True)
    return tmp_path


def page_of(project, path, text):
    """The page as Sphinx gets it."""
    (project / "root" / path).write_text(text)
    copy = site.Pages(project / "root", project / "copy")
    copy.add(Path(path))
    return project / "copy" / ("index.md" if path == "README.md" else path)


def test_links_to_the_readme_lead_to_the_index(project):
    (project / "root/README.md").write_text("# Project\n")
    text = (
        "[tour](../README.md#a), [methods](methods/README.md), [a](https://a.example/README.md)\n"
    )
    assert page_of(project, "docs/a.md", text).read_text() == text.replace("../README", "../index")


def test_links_to_folders_are_plain_text(project):
    text = "see [the data](../data) and `[code](../data)`\n```sh\n[x](../data)\n```\n"
    made = page_of(project, "docs/a.md", text).read_text()
    assert made == text.replace("[the data](../data)", "the data", 1)


def test_files_that_pages_link_to_come_along(project):
    (project / "root/data/table.csv").write_text("a,b\n")
    page_of(project, "docs/a.md", "[`table`](../data/table.csv) and [nothing](../data/no.csv)\n")
    assert (project / "copy/data/table.csv").read_text() == "a,b\n"
    assert not (project / "copy/data/no.csv").exists()


def test_the_readme_has_the_contents_and_those_of_folders_their_pages(project):
    assert page_of(project, "README.md", "# Project\n").read_text() == "# Project\n" + site.CONTENTS
    made = page_of(project, "docs/methods/README.md", "# Methods\n").read_text()
    assert made == "# Methods\n" + site.CONTENTS_OF_FOLDER
    assert page_of(project, "docs/README.md", "# Docs\n").read_text() == "# Docs\n"


def test_a_picture_stands_where_the_page_says(project):
    code = f"```python\n{SAVE.format('a.svg')}```\n\n"
    made = page_of(project, "docs/gallery/a.md", code + "<!-- picture a.svg: Two\nbars. -->\nEnd\n")
    assert made.read_text() == code + "![Two bars.](a.svg)\nEnd\n"
    assert made.with_name("a.svg").read_text() == "<svg/>"


@pytest.mark.parametrize(
    ("saved", "message"),
    [
        ("b.svg", "docs/gallery/a.md shows ['a.svg'], but its examples have saved ['b.svg']"),
        ("no/a.svg", "FileNotFoundError"),
    ],
)
def test_a_picture_that_is_not_made_is_an_error(project, saved, message):
    text = f"```python\n{SAVE.format(saved)}```\n\n<!-- picture a.svg: Bars. -->\n"
    with pytest.raises(site.Problem, match=re.escape(message)):
        page_of(project, "docs/gallery/a.md", text)


def test_every_story_of_the_gallery_has_a_picture():
    stories = [page for page in (ROOT / "docs/gallery").glob("*.md") if page.name != "README.md"]
    assert len(stories) >= 4
    for story in stories:
        shown = [name for name, _ in site.PICTURE.findall(story.read_text())]
        assert shown and shown == re.findall(r'savefig\("(.*)"\)', story.read_text()), story


def test_the_packages_agree_with_those_of_the_tests():
    lists = ("requirements.txt", "requirements-site.txt")
    texts = [(ROOT / "tools" / name).read_text() for name in lists]
    tested, added = (set(re.findall(r"(?m)^([\w.-]+)==", text.lower())) for text in texts)
    assert added and not tested & added
