import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import benchmark


def method(name, mean, *, beats_random=True, seconds=0.5):
    return {
        "method": name,
        "mean": mean,
        "beats_random": beats_random,
        "cpu_seconds": seconds,
        "lengths": [5, 10],
    }


@pytest.fixture
def facts():
    """An experiment with two data sets and four contestants."""
    names = ["cls", "ridge_omp", "all", "random", "variance"]
    tables = {
        "easy": [0.6, 0.9, 0.8, 0.5, 0.4],
        "hard": [0.7, 0.6, 0.9, 0.6, 0.3],
    }
    return {
        "version": "1.2.3",
        "commands": ["tamis evaluate easy.csv hard.csv --methods cls,ridge_omp -o results.jsonl"],
        "seed": 4,
        "settings": {"runs": 10},
        "data_sets": [
            {"name": name, "rows": 9, "features": 3, "classes": [["a", 4], ["b", 5]], "hash": "ab"}
            for name in tables
        ],
        "summary": [
            {
                "data_set": table,
                "labels_per_class": 3,
                "view": "transfer",
                "methods": [
                    method(name, mean, beats_random=mean > 0.6)
                    for name, mean in zip(names, means, strict=True)
                ],
            }
            for table, means in tables.items()
        ],
        "comparisons": [
            {
                "labels_per_class": 3,
                "view": "transfer",
                "methods": names,
                "friedman": {
                    "average_ranks": [2.5, 2.25, 1.5, 3.75, 5.0],
                    "chi_square": 5.0,
                    "chi_square_p": 0.05,
                    "f": 3.0,
                    "f_p": 0.04,
                    "critical_difference_05": 1.0,
                },
                "win_tie_loss": [[row, column, 0] for row in range(5) for column in range(5)],
            }
        ],
    }


def test_methods_stand_in_the_order_of_their_ranks(facts):
    text = benchmark.benchmark_tables(facts)["results"]
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    places = [row.split("`")[1] for row in rows]
    assert places == ["all", "ridge_omp", "cls", "random", "variance"]
    assert rows[2] == "| `cls` | 0.650 | 2.50 | 1 / 0 / 0 | 1 of 2 |"
    assert rows[1].split(" | ")[3] == "–", "our own has nothing to be compared with"


def test_significance_follows_the_critical_difference(facts):
    text = benchmark.benchmark_tables(facts)["results"]
    assert "`ridge_omp` is better than `random`, `variance`, and worse than none." in text


def test_the_best_of_each_data_set_is_bold(facts):
    text = benchmark.benchmark_tables(facts)["results"]
    assert "| easy | 0.800 | **0.900** | 0.600 | 0.500 | 0.400 |" in text


def test_failures_are_named(facts):
    assert benchmark.benchmark_tables(facts)["failures"] == (
        "- hard, 3 labels per class, transfer: no better than random features; 0.600, and 0.700 by "
        "`cls`.\n"
    )


def test_diversified_methods_stand_beside_themselves(facts):
    for summary in facts["summary"]:
        summary["methods"][1]["method"] = "cls:diversify=200"
    facts["comparisons"][0]["methods"][1] = "cls:diversify=200"
    (row,) = benchmark.diversify_table(facts).splitlines()[2:]
    assert row == "| `cls` | transfer | 0.650 | 0.750 | 1 / 0 / 0 |"


def test_methods_for_numbers_stand_beside_the_controls():
    values = {"ridge_omp": [0.5, 0.6], "relieff": [0.549, 0.549], "all": [0.7, 0.7]}
    values |= {"random": [0.1, 0.3], "variance": [0.0, -0.1]}
    results = [{"table": "cars", "known": 30, "r_squared": values}]
    head, _, row, mean = benchmark.regression_table({"results": results}).splitlines()
    assert head == (
        "| table | known values | `ridge_omp` | `relieff` | `all` | `random` | `variance` |"
    )
    assert row == "| cars | 30 | **0.55** | **0.55** | 0.70 | 0.20 | -0.05 |"
    assert mean == "| mean |  | 0.55 | 0.55 | 0.70 | 0.20 | -0.05 |"


def test_long_commands_are_broken_where_a_shell_allows_it(facts):
    long = "tamis evaluate " + " ".join(f"table{i}.csv" for i in range(30))
    facts["commands"] = [f"{long} --quiet --threads 0", "tamis.evaluate(data, ['mine'])"]
    block = benchmark.benchmark_tables(facts)["command"]
    first, second = block.split("```")[1].removeprefix("text\n").split("\n\n")
    assert all(len(line) <= 120 for line in first.splitlines()) and len(first.splitlines()) > 2
    assert " ".join(line.removesuffix("\\").strip() for line in first.splitlines()) == long
    assert second.strip() == facts["commands"][1]


def test_methods_that_were_not_run_everywhere_stand_beside_others_on_the_same_data(facts):
    facts["summary"][0]["methods"].append(method("slow", 0.8))
    text = benchmark.benchmark_tables(facts)["results"]
    assert "| `slow` | 1 | 0.800 | 0.900 | 0.500 | 1 of 1 |" in text
    times = benchmark.benchmark_tables(facts)["time"]
    assert "| `slow` | 1 | 0.5 | 0.5 |" in times and "| `cls` | 2 | 0.5 | 0.5 |" in times


def record(methods, tables="ab", **other):
    """What a record says first, and a run of each method on each table."""
    head = {"version": "1", "seed": 0, "settings": {"runs": 1}} | other
    head["methods"] = [*methods, "variance", "random", "all"]
    head["data_sets"] = [{"name": table, "hash": f"hash of {table}"} for table in tables]
    runs = [{"data_set": table, "method": name} for table in tables for name in head["methods"]]
    return head, [json.dumps(run).encode() for run in runs]


def test_records_of_one_comparison_become_one_results_file():
    head, *lines = map(
        json.loads, benchmark.merged([record(["cls"]), record(["slow"], "a")]).splitlines()
    )
    assert head["methods"] == ["cls", "slow", "variance", "random", "all"]
    assert len(lines) == 2 * 4 + 1, "controls are there once"
    assert lines[-1] == {"data_set": "a", "method": "slow"}


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (record(["slow"], seed=1), "the records differ in their seed: 1, 0"),
        (record(["slow"], "c"), "the records differ in the table c"),
        (
            record(["slow"], settings={"runs": 2, "kmeans": False}),
            "the records differ in their settings: {'runs': 2}, {'runs': 1}",
        ),
    ],
)
def test_records_of_different_comparisons_are_refused(other, message):
    with pytest.raises(benchmark.Problem, match=message):
        benchmark.merged([record(["cls"]), other])


def test_a_setting_that_is_newer_than_a_record_is_no_difference():
    newer = record(["slow"], settings={"runs": 1, "kmeans": False})
    assert '"slow"' in benchmark.merged([record(["cls"]), newer])


def test_slow_methods_leave_out_tables_that_there_are():
    everything = benchmark.tables_of()
    for name, left_out in benchmark.SLOW.items():
        assert set(left_out.split()) < set(everything)
        assert set(benchmark.tables_of(name)) == set(everything) - set(left_out.split())


def test_a_chart_of_the_report_becomes_a_picture():
    style = ":root { --card: white; }\n* { margin: 0 }\n.tone0 { --tone: red; }\n.legend { }"
    chart = '<svg viewBox="0 0 48 51" role="img" tabindex="0"><g class="tone0"/></svg>'
    page = (
        f"<style>{style}</style>"
        f'<h3 class="part">3 labels per class</h3><h3>Average ranks, transfer view</h3>{chart}'
        '<h3>Average ranks, realistic view</h3><svg viewBox="0 0 1 1"></svg>'
    )
    picture = benchmark.rank_diagram(page, "transfer")
    assert picture.startswith('<svg xmlns="http://www.w3.org/2000/svg" width="48" height="51" ')
    assert "--tone: red" in picture and "margin" not in picture and ".legend" not in picture
    assert picture.endswith('<g class="tone0"/></svg>\n')
