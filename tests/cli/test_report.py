"""Reports: `tamis report`, and --report of rank, select and evaluate."""

import json
import re

import pytest

USAGE, BAD_DATA, IO = 2, 3, 4
EXPERIMENT = ("--methods", "fisher_score", "--runs", "2", "--top", "1:3", "--labels-per-class", "3")


def data_blocks(page):
    """The numbers behind the charts and tables of a page, by file name."""
    blocks = re.findall(r'<script type="application/json" class="data">(.*?)</script>', page)
    return {block["file"]: block for block in map(json.loads, blocks)}


@pytest.fixture
def results(tamis, tmp_path):
    """A finished experiment."""
    tamis("generate", "wave", "--rows", "90", "-q", "-o", "wave.csv")
    assert tamis("evaluate", "wave.csv", *EXPERIMENT, "-q", "-o", "r.jsonl").code == 0
    return tmp_path / "r.jsonl"


def test_rank_writes_a_page_with_the_scores_of_json(tamis, small, tmp_path):
    words = ("rank", "small.csv", "--drop", "id", "--json")
    result = tamis(*words, "--report", "page.html").json
    page = (tmp_path / "page.html").read_text()
    rows = data_blocks(page)["ranking.csv"]["rows"]
    assert [row[2] for row in rows] == result["order"]
    assert [row[3] for row in rows] == [result["scores"][column] for column in result["order"]]
    assert "--report page.html" in page and "4 of 8 rows: x (2), y (2)" in page
    assert tamis(*words).json["scores"] == result["scores"]


def test_select_writes_the_same_page(tamis, small, tmp_path):
    words = ("small.csv", "--drop", "id", "--top", "2", "-q")
    assert tamis("rank", *words, "--report", "rank.html").code == 0
    outcome = tamis("select", *words, "--report", "select.html", "-o", "best.csv")
    assert outcome.code == 0, outcome.err
    ranked, selected = (
        data_blocks((tmp_path / name).read_text()) for name in ("rank.html", "select.html")
    )
    assert ranked == selected


def test_the_page_of_an_ensemble_has_what_its_members_said(tamis, small, tmp_path):
    words = ("rank", "small.csv", "--drop", "id", "--bagging", "20", "--json")
    result = tamis(*words, "--report", "page.html").json
    committee, order = result["committee"], result["order"]
    rows = data_blocks((tmp_path / "page.html").read_text())["committee.csv"]["rows"]
    assert [row[1:] for row in rows] == [
        [committee[name][column] for name in ("draws", "mean", "place", "place_low", "place_high")]
        for column in order[:30]
    ]
    assert "bagging n_members = 20" in (tmp_path / "page.html").read_text()


def test_the_page_of_a_small_ensemble_shows_no_places(tamis, small, tmp_path):
    tamis("rank", "small.csv", "--drop", "id", "--bagging", "9", "--report", "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "committee.csv" not in data_blocks(page) and "best_share.csv" in data_blocks(page)
    assert "9 members are too few to tell how sure places are; take at least 10" in page


def test_report_shows_a_results_file(tamis, results, tmp_path):
    assert tamis("report", "r.jsonl", "-o", "page.html").code == 0
    page = (tmp_path / "page.html").read_text()
    assert tamis("report", "r.jsonl").out == page, "the same, to standard output"
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    runs = [line for line in lines[1:] if line["method"] == "fisher_score"]
    rows = data_blocks(page)["accuracy-wave-3-transfer.csv"]["rows"]
    for method, length, mean, _, n_runs, _ in rows:
        if method == "fisher_score":
            values = [run["views"][0]["accuracy"][run["lengths"].index(length)] for run in runs]
            assert mean == pytest.approx(sum(values) / 2) and n_runs == 2


def test_evaluate_writes_the_page_that_report_makes(tamis, results, tmp_path):
    words = ("evaluate", "wave.csv", *EXPERIMENT, "-q", "-o", "r.jsonl")
    assert tamis(*words, "--report", "page.html").code == 0
    page = (tmp_path / "page.html").read_text()
    assert data_blocks(page) == data_blocks(tamis("report", "r.jsonl").out)
    assert "--report page.html</code>" in page


def test_a_cut_file_is_reported_without_its_last_line(tamis, results, tmp_path):
    text = results.read_text()
    results.write_text(text[: text.rindex("\n", 0, -1) + 20])
    outcome = tamis("report", "r.jsonl", "-o", "page.html")
    assert outcome.code == 0
    assert "warning: r.jsonl: its last line is cut off and left out" in outcome.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "bad.jsonl: "),
        ("a,b\n1,2\n", "bad.jsonl:1: "),
        ('{"schema":"tamis/ranking/1"}\n', "bad.jsonl:1: this is no results file"),
        ('{"schema":"tamis/results/99"}\n', "bad.jsonl:1: schema tamis/results/99 is of another"),
    ],
    ids=["empty", "csv", "ranking", "version"],
)
def test_what_is_no_results_file_is_refused(refused, write, content, message):
    write("bad.jsonl", content)
    line = refused("report", "bad.jsonl", "-o", "page.html", code=BAD_DATA)
    assert line.startswith(f"tamis: {message}")


def test_an_experiment_without_a_run_is_refused(refused, results):
    results.write_text(results.read_text().splitlines()[0] + "\n")
    line = refused("report", "r.jsonl", "-o", "page.html", code=BAD_DATA)
    assert line.startswith("tamis: r.jsonl: there is no finished run yet")


def test_a_missing_file_is_named(refused):
    assert "none.jsonl" in refused("report", "none.jsonl", "-o", "page.html", code=IO)


def test_no_input_is_overwritten(refused, results):
    before = results.read_text()
    line = refused("report", "r.jsonl", "-o", "r.jsonl", code=USAGE)
    assert line == "tamis: -o r.jsonl would overwrite the input r.jsonl: choose another name"
    line = refused("rank", "wave.csv", "--report", "wave.csv", code=USAGE)
    assert (
        line == "tamis: --report wave.csv would overwrite the input wave.csv: choose another name"
    )
    assert results.read_text() == before


@pytest.mark.parametrize(
    ("words", "culprits"),
    [
        (("rank", "--report", "x", "-o", "x"), "the result and --report both go to x"),
        (("rank", "--report", "x", "--trace", "./x"), "--report and --trace both go to x"),
        (("rank", "--report", "-"), "the result and --report both go to standard output"),
        (("select", "--top", "1", "--report", "x", "-o", "x"), "the result and --report both"),
        (("evaluate", *EXPERIMENT, "--report", "-"), "the summary and --report both go to"),
        (("evaluate", *EXPERIMENT, "--report", "x", "-o", "x"), "the results and --report both"),
    ],
)
def test_two_outputs_do_not_go_to_one_place(refused, small, words, culprits):
    assert culprits in refused(words[0], "small.csv", *words[1:], code=USAGE)


def test_a_page_that_cannot_be_written_is_known_at_once(refused, small):
    line = refused("rank", "small.csv", "--report", "nowhere/page.html", code=IO)
    assert line.startswith("tamis: nowhere/page.html: cannot be written")


def test_json_is_the_summary_that_evaluate_prints(tamis, results):
    words = ("evaluate", "wave.csv", *EXPERIMENT, "-q", "-o", "r.jsonl", "--json")
    printed, reported = tamis(*words).json, tamis("report", "r.jsonl", "--json").json
    for each in (printed, reported):
        assert each.pop("command").startswith("tamis evaluate wave.csv")
    assert reported == printed
