import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools/generate.py"
PROGRAM = """#!/bin/sh
case "$*" in
  "methods --json") echo '{"methods": [{"name": "cls", "title": "Constrained Laplacian score",
                           "kind": "semi-supervised", "needs": "nothing", "needs_classes": false,
                           "selects_subset": false, "counts_features": false, "draws": false,
                           "reference": "a paper", "options": []}],
                          "clusterings": [
                            {"name": "cls", "learns": "nothing", "counts_clusters": true,
                             "takes_start": true, "draws": true, "title": "a clustering",
                             "reference": "a paper", "options": []},
                            {"name": "kmeans", "title": "k-means", "learns": "nothing",
                             "counts_clusters": true, "takes_start": true, "draws": true,
                             "reference": "a paper", "options": [
                              {"name": "start", "values": "far | any", "default": "far",
                               "words": ["far", "any"], "help": "first centroids"},
                              {"name": "n_clusters", "values": "integer >= 1 or auto",
                               "default": "auto", "words": ["auto"], "help": "clusters"}]}],
                          "projections": [
                            {"name": "pca", "title": "Principal components",
                             "kind": "unsupervised", "needs_must_links": false,
                             "reference": "a paper", "options": [
                              {"name": "n_components", "values": "integer >= 1", "default": 10,
                               "words": [], "help": "directions"}]}]}' ;;
  "methods cls --markdown") echo '| option |' ;;
  *) echo "unexpected: $*" >&2; exit 2 ;;
esac
"""
CHANCE = "<!-- chance -->\n<!-- /chance -->\n"
INDEX = "Methods\n<!-- methods -->\n<!-- /methods -->\nEnd\n"
ESTIMATORS = """Python
<!-- estimators -->
<!-- /estimators -->
<!-- clusterings -->
<!-- /clusterings -->
<!-- projections -->
<!-- /projections -->
End
"""
CPP = "# C++\n<!-- example -->\n<!-- /example -->\n<!-- headers -->\n<!-- /headers -->\nEnd\n"
HEADER = """#pragma once

/// A table makes a problem, a method ranks its features:
///
///   int main() {
///     rank();
///   }
///
/// More.

#include "tamis/core/run.hpp"
#include "tamis/methods/gone.hpp"
#include "tamis/registry/methods.hpp"

namespace tamis {

enum class Kind { a, b };
constexpr auto option_words(Kind) {
  return 2;
}

struct Problem {
  int rows() const { return 1; }
};

namespace detail {
int hidden();
}  // namespace detail

template <class T>
std::vector<T> twice(const T& one);
std::vector<int> twice(int one);
using Index = long;

}  // namespace tamis
"""


@pytest.fixture
def project(tmp_path):
    """Pages of a project with one method, and a program that knows it."""
    pages = tmp_path / "docs/methods"
    pages.mkdir(parents=True)
    (tmp_path / "README.md").write_text(INDEX)
    (pages / "README.md").write_text(INDEX + CHANCE)
    (pages / "cls.md").write_text("# cls\n<!-- options -->\nold\n<!-- /options -->\nafter\n")
    (tmp_path / "docs/clustering.md").write_text(
        "# Clustering\n<!-- options kmeans -->\n<!-- /options kmeans -->\nafter\n"
    )
    (tmp_path / "docs/projections.md").write_text(
        "# Projections\n<!-- options pca -->\n<!-- /options pca -->\nafter\n"
    )
    (tmp_path / "docs/python").mkdir()
    (tmp_path / "docs/python/README.md").write_text(ESTIMATORS)
    (tmp_path / "docs/reproduction").mkdir()
    (tmp_path / "docs/reproduction/published.json").write_text('{"papers": []}')
    (tmp_path / "docs/cpp.md").write_text(CPP)
    (tmp_path / "docs/speed.md").write_text("<!-- ratios -->\nold\n<!-- /ratios -->\n")
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench/history.jsonl").write_text(
        '{"cpu": "Z8", "target": "baseline", "ratios": {"sums": {"goal": ">= 2", "measured": 3}}}\n'
    )
    (tmp_path / "include/tamis").mkdir(parents=True)
    (tmp_path / "include/tamis/tamis.hpp").write_text(HEADER)
    (tmp_path / "python/tamis").mkdir(parents=True)
    program = tmp_path / "tamis"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    return tmp_path


def generate(project, *arguments):
    command = [sys.executable, TOOL, "--root", project, "--program", project / "tamis", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_writes_tables_between_the_marks_and_nothing_else(project):
    assert generate(project).returncode == 0
    page = (project / "docs/methods/cls.md").read_text()
    assert page == "# cls\n<!-- options -->\n| option |\n<!-- /options -->\nafter\n"
    row = "| Constrained Laplacian score | semi-supervised | nothing |\n<!-- /methods -->\nEnd\n"
    assert (project / "README.md").read_text().endswith("[`cls`](docs/methods/cls.md) " + row)
    index = (project / "docs/methods/README.md").read_text()
    assert "[`cls`](cls.md) " + row in index
    assert "-->\nChance decides something, by the seed, in none of them. The others" in index


def test_writes_the_example_and_what_headers_declare(project):
    assert generate(project).returncode == 0
    assert (project / "docs/speed.md").read_text() == (
        "<!-- ratios -->\n| what | goal | Z8, baseline |\n|---|---|---|\n"
        "| sums | >= 2 | 3.00 |\n<!-- /ratios -->\n"
    )
    assert (project / "docs/cpp.md").read_text() == (
        "# C++\n<!-- example -->\n```cpp\nint main() {\n  rank();\n}\n```\n<!-- /example -->\n"
        "<!-- headers -->\n| Header | Declares |\n|---|---|\n"
        "| [`tamis.hpp`](../include/tamis/tamis.hpp) | `Kind`, `Problem`, `twice`, `Index` |\n"
        "<!-- /headers -->\nEnd\n"
    )


def test_includes_what_is_registered(project):
    path = project / "include/tamis/tamis.hpp"
    assert generate(project).returncode == 0
    names = ("core/run", "methods/cls", "projections/pca", "registry/methods")
    includes = "".join(f'#include "tamis/{name}.hpp"\n' for name in names)
    before, after = HEADER.split('#include "tamis/core')[0], HEADER.split('methods.hpp"\n')[1]
    assert path.read_text() == before + includes + after


def test_writes_the_options_of_clusterings_that_are_not_methods(project):
    assert generate(project).returncode == 0
    assert (project / "docs/clustering.md").read_text() == (
        "# Clustering\n<!-- options kmeans -->\n"
        "| option | values | default | meaning |\n|---|---|---|---|\n"
        "| `start` | far \\| any | far | first centroids |\n"
        "| `n_clusters` | integer >= 1 or auto | auto | clusters |\n"
        "<!-- /options kmeans -->\nafter\n"
    )


def test_writes_an_estimator_for_each_method(project):
    assert generate(project).returncode == 0
    assert "class CLS(RankingSelector):" in (project / "python/tamis/_estimators.py").read_text()
    table = (project / "docs/python/README.md").read_text()
    assert "| `CLS` | [Constrained Laplacian score](../methods/cls.md) |" in table


def test_writes_an_estimator_for_each_clustering(project):
    assert generate(project).returncode == 0
    module = (project / "python/tamis/_clusterings.py").read_text()
    assert module.count("(RowClusterer):") == 2 and module.count("self.init = init") == 2
    assert 'class KMeans(RowClusterer):\n    """k-means.' in module
    assert module.index("n_clusters: int") < module.index('start: Literal["far", "any"]')
    table = (project / "docs/python/README.md").read_text()
    assert "| `KMeans` | [k-means](../clustering.md#kmeans) | none |" in table


def test_writes_an_estimator_and_the_options_of_each_projection(project):
    assert generate(project).returncode == 0
    module = (project / "python/tamis/_projections.py").read_text()
    assert 'class PCAProjection(RowProjection):\n    """Principal components.' in module
    assert "self.random_state" not in module
    table = (project / "docs/python/README.md").read_text()
    assert "| `PCAProjection` | [Principal components](../projections.md#pca) |" in table
    assert (
        "| `n_components` | integer >= 1 | 10 | directions |\n<!-- /options pca -->"
        in (project / "docs/projections.md").read_text()
    )


def test_writes_the_page_of_reproduction_from_what_is_published_and_recorded(project):
    assert generate(project).returncode == 0
    page = project / "docs/reproduction.md"
    assert page.read_text().startswith("# Reproduction\n")
    page.write_text("something else\n")
    stale = "docs/reproduction.md is stale: run tools/generate.py\n"
    assert generate(project, "--check").stdout == stale


def test_says_that_published_numbers_are_missing(project):
    (project / "docs/reproduction/published.json").unlink()
    missing = "generate.py: docs/reproduction/published.json is missing\n"
    assert generate(project).stderr == missing


def test_check_names_stale_pages_and_leaves_them_alone(project):
    run = generate(project, "--check")
    assert run.returncode == 1
    assert "docs/methods/cls.md is stale: run tools/generate.py\n" in run.stdout
    assert "old" in (project / "docs/methods/cls.md").read_text()


def test_check_is_content_after_generating(project):
    generate(project)
    run = generate(project, "--check")
    assert (run.returncode, run.stdout) == (0, "")


def test_says_which_page_is_missing(project):
    (project / "docs/methods/cls.md").unlink()
    run = generate(project)
    assert (run.returncode, run.stderr) == (1, "generate.py: docs/methods/cls.md is missing\n")


def test_says_which_page_lacks_its_marks(project):
    (project / "docs/methods/cls.md").write_text("# cls\n")
    assert "docs/methods/cls.md needs <!-- options -->" in generate(project).stderr


def test_says_which_clustering_lacks_its_marks(project):
    (project / "docs/clustering.md").write_text("# Clustering\n")
    assert generate(project).stderr == (
        "generate.py: docs/clustering.md needs <!-- options kmeans --> and "
        "<!-- /options kmeans -->, each once\n"
    )


def test_says_that_the_program_must_be_built_first(project):
    (project / "tamis").unlink()
    assert "build it first" in generate(project).stderr
