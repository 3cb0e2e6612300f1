"""tamis.report: the program's pages of what Python computed."""

import re
import subprocess

import numpy as np
import pytest
import tamis
from scipy import sparse

QUICK = {"runs": 2, "labels_per_class": 3, "top": "1:4"}


@pytest.fixture(scope="module")
def found():
    return tamis.evaluate(tamis.datasets.make_wave(90, random_state=0), "cls", **QUICK)


def without(page, *titles):
    """The page without these entries of the run card, which differ from run to run."""
    for title in titles:
        page = re.sub(f'<div class="entry"><dt>{title}</dt><dd>.*?</dd></div>', "", page)
    return page


@pytest.mark.parametrize("method", ["cls", "ens_cls", "csfsr", "ridge_omp", "l2gfs"])
def test_the_page_of_a_ranking_is_that_of_the_program(method, program, wave, tmp_path):
    X, y = wave
    X = X.copy()
    X[:, 3] = 1.0
    np.save(tmp_path / "x.npy", X)
    (tmp_path / "y.csv").write_text("".join(f"{label}\n" for label in y))
    words = ["x.npy", "--labels", "y.csv", "--method", method, "--seed", "7", "--report", "p.html"]
    subprocess.run([program, "rank", *words, "-q"], cwd=tmp_path, capture_output=True, check=True)
    expected = (tmp_path / "p.html").read_text().replace("x.npy ranked", "Features ranked")
    page = tamis.report(tamis.rank(X, y, method=method, random_state=7))
    differing = ("Command", "Table", "Cost")
    assert without(page, *differing) == without(expected, *differing)
    assert "<dd>array: 120 rows × 40 features</dd>" in page
    assert "<dt>Hash of the data</dt>" in page


def test_the_page_says_which_call_it_shows(wave):
    X, y = wave
    page = tamis.report(tamis.rank(X, y, method="cls", n_neighbors=4, random_state=3))
    command = "tamis.rank(X, y, method=&#39;cls&#39;, random_state=3, n_neighbors=4)"
    assert command in page.replace("&#x27;", "&#39;").replace("'", "&#39;")


def test_the_hash_is_that_of_table_and_classes(wave):
    X, y = wave
    ranking = tamis.rank(X, y, method="variance")
    assert re.fullmatch("[0-9a-f]{16}", ranking.hash)
    assert f"<dd>{ranking.hash}</dd>" in tamis.report(ranking)
    same = tamis.rank(sparse.csr_array(X), y, method="cls")
    assert same.hash == ranking.hash
    changed = X.copy()
    changed[5, 7] += 1.0
    others = [tamis.rank(changed, y), tamis.rank(X, np.where(y < 0, -1, y + 1)), tamis.rank(X)]
    assert len({ranking.hash, *(other.hash for other in others)}) == 4


def test_classes_are_counted_by_name(wave):
    X, y = wave
    assert tamis.rank(X, y).class_counts == {"0": 4, "1": 4, "2": 4}
    texts = np.array(["low", "mid", "high", None], dtype=object)[y]
    assert tamis.rank(X, texts).class_counts == {"high": 4, "low": 4, "mid": 4}
    assert tamis.rank(X, np.where(y < 0, np.nan, y / 2)).class_counts == {}
    assert tamis.rank(X).class_counts == {}


def test_a_fitted_selector_has_a_ranking_to_show(wave):
    selector = tamis.CLS().fit(*wave)
    assert "Features ranked by cls" in tamis.report(selector.result_)


def test_the_page_of_an_experiment_is_that_of_the_program(program, found, tmp_path):
    (tmp_path / "r.jsonl").write_text(found.results)
    command = [program, "report", "r.jsonl"]
    expected = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert tamis.report(found) == found.report() == expected.stdout
    assert tamis.report(tmp_path / "r.jsonl") == expected.stdout
    assert tamis.report(str(tmp_path / "r.jsonl"), tmp_path / "page.html") is None
    assert (tmp_path / "page.html").read_text() == expected.stdout


def test_pages_need_no_network(wave, found):
    for page in (tamis.report(tamis.rank(*wave)), tamis.report(found)):
        assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")
        assert not re.search(r"<link|<img|<script[^>]* src=|@import|url\(", page)


def test_names_are_text_whatever_they_hold(wave):
    X, y = wave
    names = [f"<script>alert({column})</script>" for column in range(X.shape[1])]
    classes = np.where(y < 0, None, [f"<b>{label}" for label in y])
    page = tamis.report(tamis.rank(X, classes, feature_names=names))
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page
    assert "<b>1" not in page and "&lt;b&gt;1" in page
    named = tamis.evaluate(
        {"<script>": tamis.datasets.make_wave(60, random_state=0)}, "cls", **QUICK
    )
    assert "<script><" not in tamis.report(named) and "&lt;script&gt;" in tamis.report(named)


def test_a_page_appears_whole_or_not_at_all(found, tmp_path):
    (tmp_path / "page.html").write_text("precious")
    with pytest.raises(TypeError, match=r"^what must be a Ranking, an Evaluation or the path"):
        tamis.report(7, tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == "precious"
    with pytest.raises(OSError, match=r"none/page\.html: cannot be written: No such file"):
        tamis.report(found, tmp_path / "none/page.html")
    found.report(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_a_results_file_is_not_replaced_by_its_page(found, tmp_path):
    file = tmp_path / "r.jsonl"
    file.write_text(found.results)
    with pytest.raises(ValueError, match="is the results file itself: choose another name"):
        tamis.report(file, str(file))
    assert file.read_text() == found.results


def test_files_without_results_are_refused_by_name(found, tmp_path):
    file = tmp_path / "r.jsonl"
    file.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"r\.jsonl:1: this is no first line of a results file"):
        tamis.report(file)
    file.write_text(found.results.splitlines(keepends=True)[0])
    with pytest.raises(ValueError, match="there is no finished run yet"):
        tamis.report(file)
    with pytest.raises(OSError, match="No such file"):
        tamis.report(tmp_path / "none.jsonl")
