"""tamis evaluate: experiments, their results file and their summary."""

import json
import os
import re
import signal
import subprocess
import time

import numpy as np
import pytest
from program import PROGRAM, csv_text


def blobs(rows=45, cols=6, seed=0):
    """Three classes that the first columns tell apart."""
    random = np.random.default_rng(seed)
    labels = np.arange(rows) % 3
    x = random.normal(size=(rows, cols))
    x[:, 0] += 4 * labels
    x[:, 1] -= 3 * labels
    return csv_text(x, labels=[f"c{label}" for label in labels])


@pytest.fixture
def data(write):
    write("one.csv", blobs(seed=1))
    write("two.csv", blobs(seed=2))
    return ("one.csv", "two.csv")


QUICK = ("--runs", 4, "--labels-per-class", 3, "--top", "1:4")


def untimed(text):
    """The lines of a results file without what differs from run to run."""
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        for name in ("command", "wall_seconds", "cpu_seconds", "peak_memory_bytes"):
            line.pop(name, None)
    return lines


def start(words, folder):
    """The program, still running."""
    return subprocess.Popen(
        [PROGRAM, *map(str, words)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


def test_projections_compete_with_their_components(tamis, data, tmp_path):
    words = ("evaluate", "one.csv", "--methods", "pca,rca:ridge=0.01,cls", *QUICK)
    outcome = tamis(*words, "-o", "results.jsonl", "--json")
    methods = {m["method"]: m for m in outcome.json["summary"][0]["methods"]}
    assert methods["pca"]["failures"] == 0 and methods["pca"]["stability"] is None
    facts, *runs = untimed((tmp_path / "results.jsonl").read_text())
    assert facts["methods"] == ["pca", "rca:ridge=0.01", "cls", "variance", "random", "all"]
    for run in (run for run in runs if run["method"] in ("pca", "rca:ridge=0.01")):
        assert run["lengths"] == [1, 2, 3, 4] and run["features"] == []
        assert all(len(view["accuracy"]) == 4 for view in run["views"])
        assert run["warnings"] == []
    pca = [run for run in runs if run["method"] == "pca"]
    assert all(rho < 1e-9 for run in pca for rho in run["mean_correlation"][1:])


def test_more_components_than_there_are_mean_all_of_them(tamis, write):
    write("one.csv", blobs(cols=3))
    outcome = tamis("evaluate", "one.csv", "--methods", "pca:n_components=2", "--runs", 2,
                    "--labels-per-class", 3, "--top", "1:3", "-o", "-")  # fmt: skip
    runs = [line for line in untimed(outcome.out)[1:] if line["method"].startswith("pca")]
    for view in (view for run in runs for view in run["views"]):
        assert view["accuracy"][1] == view["accuracy"][2]


def test_options_of_projections_are_checked(refused, data):
    assert refused("evaluate", "one.csv", "--methods", "pca:beta=1", code=2) == (
        "tamis: pca has no option 'beta'; it takes n_components"
    )


def test_the_table_has_every_method_and_control(tamis, data):
    outcome = tamis("evaluate", *data, "--methods", "cls,fisher_score", *QUICK)
    assert outcome.code == 0, outcome.err
    for name in data:
        assert f"{name[:-4]}: 3 labels per class, transfer view, 4 runs\n" in outcome.out
        assert f"{name[:-4]}: 3 labels per class, realistic view, 4 runs\n" in outcome.out
    for method in ("cls", "fisher_score", "variance", "random", "all"):
        assert outcome.out.count(f"\n  {method} ") >= 4
    assert "average rank" in outcome.out
    assert "win/tie/loss against random" in outcome.out
    assert "(Nemenyi)" in outcome.out


def test_the_summary_as_json(tamis, data):
    summary = tamis("evaluate", *data, "--methods", "cls", *QUICK, "--json").json
    assert summary["schema"] == "tamis/summary/1"
    assert summary["methods"] == ["cls", "variance", "random", "all"]
    assert summary["settings"]["runs"] == 4
    assert [entry["name"] for entry in summary["data_sets"]] == ["one", "two"]
    assert summary["data_sets"][0]["classes"] == [["c0", 15], ["c1", 15], ["c2", 15]]
    assert len(summary["summary"]) == 4
    cls = summary["summary"][0]["methods"][0]
    assert cls["method"] == "cls"
    assert cls["beats_random"] is True
    assert np.mean(cls["per_run"]) == pytest.approx(cls["mean"])
    assert np.std(cls["per_run"], ddof=1) == pytest.approx(cls["deviation"])
    assert cls["lengths"] == [1, 2, 3, 4]
    comparison = summary["comparisons"][0]
    assert comparison["methods"] == summary["methods"]
    assert sum(comparison["friedman"]["average_ranks"]) == pytest.approx(10)
    assert len(comparison["win_tie_loss"]) == 16


def test_the_summary_is_that_of_the_lines(tamis, data, tmp_path):
    summary = tamis("evaluate", *data, "-m", "cls", *QUICK, "--json", "-o", "r.jsonl").json
    lines = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert lines[0]["schema"] == "tamis/results/1"
    for entry in summary["summary"]:
        for method in entry["methods"]:
            accuracies = [
                view["accuracy"]
                for line in lines[1:]
                if (line["data_set"], line["method"]) == (entry["data_set"], method["method"])
                for view in line["views"]
                if view["view"] == entry["view"]
            ]
            assert len(accuracies) == 4
            assert np.mean(accuracies, axis=0) == pytest.approx(method["mean_by_length"])


def test_the_same_command_continues_a_file(tamis, data, tmp_path):
    command = ("evaluate", *data, "--methods", "cls,fisher_score", *QUICK, "-o", "r.jsonl")
    file = tmp_path / "r.jsonl"
    whole = tamis(*command)
    assert whole.code == 0, whole.err
    text = file.read_text()
    lines = text.splitlines(keepends=True)
    for kept in (lines[0], "".join(lines[:7]), "".join(lines[:7]) + lines[7][:40], text):
        file.write_text(kept)
        resumed = tamis(*command, "--threads", 1)
        assert resumed.code == 0, resumed.err
        assert untimed(file.read_text()) == untimed(text)
        assert [row.split()[:-1] for row in resumed.out.splitlines()] == [
            row.split()[:-1] for row in whole.out.splitlines()
        ]
    assert "r.jsonl: continued after 40 results" in resumed.err
    file.write_text("".join(lines[:7]) + lines[7][:40])
    assert "r.jsonl: the last line was cut; that run is done again" in tamis(*command).err


def test_an_empty_file_is_begun(tamis, data, write, tmp_path):
    write("r.jsonl", "")
    assert tamis("evaluate", "one.csv", "-m", "cls", *QUICK, "-o", "r.jsonl").code == 0
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 1 + 4 * 4


def test_a_killed_run_leaves_whole_lines_and_goes_on(tamis, write, tmp_path):
    write("big.csv", blobs(rows=200, cols=20))
    command = ("evaluate", "big.csv", "-m", "cls", "--runs", 100, "-o", "r.jsonl", "-q")
    process = start(command, tmp_path)
    file = tmp_path / "r.jsonl"
    deadline = time.monotonic() + 60
    while not (file.exists() and file.read_bytes().count(b"\n") > 20):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    text = file.read_text()
    assert text.endswith("}\n")
    done = len(text.splitlines())
    assert 20 < done < 1 + 100 * 2 * 4
    assert tamis(*command).code == 0
    resumed = untimed(file.read_text())
    assert len(resumed) == 1 + 100 * 2 * 4
    places = [(line["labels_per_class"], line["run"]) for line in resumed[1:]]
    assert places == sorted(places)


def test_the_number_of_threads_changes_nothing(tamis, data):
    command = ("evaluate", *data, "-m", "cls", *QUICK, "-o", "-")
    alone = tamis(*command, "--threads", 1)
    assert untimed(alone.out) == untimed(tamis(*command, "--threads", 3).out)
    assert untimed(alone.out) != untimed(tamis(*command, "--seed", 1).out)


def test_methods_have_options_and_a_comma_between_them(tamis, data):
    words = "cls:n_neighbors=5,form=ensemble,lsdf:gamma=10,fisher_score"
    summary = tamis("evaluate", "one.csv", "--methods", words, *QUICK, "--json").json
    assert summary["methods"][:3] == [
        "cls:n_neighbors=5,form=ensemble",
        "lsdf:gamma=10",
        "fisher_score",
    ]


def test_methods_that_begin_alike_have_the_results_that_they_have_alone(tamis, data):
    methods = ("csfs", "csfsr", "fisher_score", "fisher_score:diversify=4")
    words = ("evaluate", *data, *QUICK, "-q", "-o", "-", "--methods")
    together = [json.loads(line) for line in tamis(*words, ",".join(methods)).out.splitlines()]
    assert all(line["cpu_seconds"] > 0 for line in together if line.get("method") == "csfsr")
    for method in methods:
        alone = untimed(tamis(*words, method).out)[1:]
        assert [line for line in alone if line["method"] == method] == [
            line
            for line in untimed("\n".join(map(json.dumps, together)))[1:]
            if line["method"] == method
        ]


def test_controls_may_be_named_and_are_there_once(tamis, data):
    summary = tamis("evaluate", "one.csv", "-m", "variance,random,cls", *QUICK, "--json").json
    assert summary["methods"] == ["cls", "variance", "random", "all"]


def test_pure_noise_is_not_shown_to_differ_from_random(tamis, write):
    random = np.random.default_rng(3)
    write("noise.csv", csv_text(random.normal(size=(60, 30)), labels=np.arange(60) % 2))
    words = ("evaluate", "noise.csv", "-m", "cls,fisher_score", "--top", "1:10", "--runs", 10)
    outcome = tamis(*words, "--labels-per-class", 3, "--views", "transfer")
    said = " ".join(outcome.out.split())
    number = r"[+-]0\.\d{3}"
    interval = rf"\({number}, {number} to {number}\)"
    assert re.search(
        rf"cls {interval}, fisher_score {interval} and variance {interval} are not shown to differ "
        "from random features\\.",
        said,
    )
    assert "better than random" not in said


def test_rounding_makes_no_difference(tamis, write):
    """Whoever keeps all features is as good as ten draws of all features, whose mean rounds."""
    random = np.random.default_rng(5)
    labels = np.arange(150) % 3
    write("x.csv", csv_text(random.normal(size=(150, 4)) + labels[:, None], labels))
    words = ("--methods", "cls,fisher_score", "--top", "5:50:5", "--labels-per-class", "3")
    outcome = tamis("evaluate", "x.csv", *words, "--runs", "10", "--unlabeled", "none", "--json")
    for summary in outcome.json["summary"]:
        found = [method["against_random"] for method in summary["methods"]]
        assert {(one["finding"], one["p_value"]) for one in found if one} == {("not_shown", 1.0)}


def test_few_runs_and_few_data_sets_are_called_few(tamis, data):
    outcome = tamis("evaluate", "one.csv", "two.csv", "-m", "cls,fisher_score", *QUICK)
    said = " ".join(outcome.out.split())
    assert "runs are few: what was not shown may show with more of them." in said
    assert "2 data sets are too few to tell 5 methods apart by their ranks" in said
    assert (
        "2 data sets are too few for a sign test: even wins on all of them may be chance." in said
    )


def test_random_features_take_no_time(tamis, data):
    methods = tamis("evaluate", "one.csv", "-m", "cls", *QUICK, "--json").json["summary"][0]
    random = next(each for each in methods["methods"] if each["method"] == "random")
    assert random["cpu_seconds"] is None and random["peak_memory_bytes"] is None
    assert random["against_random"] is None


def test_a_failing_method_is_told_and_the_others_go_on(tamis, data, tmp_path):
    outcome = tamis(
        "evaluate", "one.csv", "-m", "ens_cls:subspace_size=99,cls", *QUICK, "-o", "r.jsonl"
    )
    assert outcome.code == 1
    lines = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    failed = [line for line in lines[1:] if line["failure"]]
    assert len(failed) == 4
    assert {line["method"] for line in failed} == {"ens_cls:subspace_size=99"}
    assert "ens_cls:subspace_size=99 (4 runs failed)" in outcome.out
    message = outcome.err.splitlines()[-1]
    assert message.startswith(
        "tamis: 4 of 20 runs failed; the first: ens_cls:subspace_size=99 on one with 3 labels per "
        "class, run 0: "
    )
    assert message.endswith(failed[0]["failure"])


def test_too_few_labels_are_said_once(tamis, data):
    outcome = tamis("evaluate", "one.csv", "-m", "cls", "--labels-per-class", 99, "--runs", 3)
    assert outcome.code == 0
    said = "one: 99 labels per class were asked for, but there are fewer of classes c0 (10), "
    assert outcome.err.count(said) == 1


def test_presets_can_be_changed(tamis, data):
    words = ("evaluate", "one.csv", "-m", "cls", "--protocol", "ens-cls-2013", "--runs", 2)
    settings = tamis(*words, "--top", "2,4", "--json").json["settings"]
    assert settings["classifier"] == "svm"
    assert (settings["runs"], settings["top"]) == (2, "2,4")


def test_files_of_one_name_are_called_by_their_paths(tamis, write, tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write(f"{folder}/data.csv", blobs())
    summary = tamis("evaluate", "a/data.csv", "b/data.csv", "-m", "cls", *QUICK, "--json").json
    assert [entry["name"] for entry in summary["data_sets"]] == ["a/data.csv", "b/data.csv"]


def test_labels_may_come_from_a_file(tamis, write):
    random = np.random.default_rng(3)
    write("table.csv", csv_text(random.normal(size=(30, 4))))
    write("classes.txt", "\n".join("xyz"[i % 3] for i in range(30)) + "\n")
    words = ("evaluate", "table.csv", "-m", "cls", "--labels", "classes.txt", *QUICK)
    assert tamis(*words).code == 0


REFUSALS = [
    (("one.csv", "-m", "clss"), 2, "there is no method 'clss'; did you mean 'cls'?"),
    (("one.csv", "-m", "cls:neighbours=3"), 2,
     "cls has no option 'neighbours'; did you mean 'n_neighbors'?"),
    (("one.csv", "-m", "cls,cls"), 2, "evaluate: method 'cls' is there twice"),
    (("one.csv", "one.csv", "-m", "cls"), 2, "evaluate: data set 'one.csv' is there twice"),
    (("one.csv", "-m", "cls", "--runs", "0"), 2, "evaluate: runs = 0 must be >= 1"),
    (("one.csv", "-m", "cls", "--cost", "2"), 2,
     "evaluate: cost has no effect without classifier = svm"),
    (("one.csv", "-m", "cls", "-p", "cls"), 2,
     "evaluate: --protocol = 'cls' is not one of tamis, cls-2011, csfsr-2013, wckm-2013, "
     "ens-cls-2013, sselect-2006, sbcs-2020, l2gfs-2013, constraints-uci-2013, constraints-2013; "
     "did you mean 'cls-2011'?"),
    (("one.csv", "two.csv", "-m", "cls", "--labels", "l.txt"), 2,
     "evaluate: --labels belongs to one table: give a single FILE with it"),
    (("one.csv", "-m", "cls", "--label-column", "none", "--drop", "class"), 3,
     "one.csv: there are no labels, and features are judged by telling classes apart: give "
     "--label-column or --labels"),
    (("lone.csv", "-m", "cls"), 3,
     "lone.csv: class z has one labeled row, which cannot be both among the training and among "
     "the test rows: leave the class out or label more of its rows"),
    (("few.csv", "-m", "cls", "--split", "k_fold"), 3,
     "few.csv: 4 labeled rows cannot be dealt out to 5 folds: ask for fewer"),
    (("one.csv", "-m", "cls", "-o", "one.csv"), 2,
     "-o one.csv would overwrite the input one.csv: choose another name"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "code", "message"), REFUSALS, ids=[m for *_, m in REFUSALS])
def test_refusals(refused, data, write, words, code, message):
    write("lone.csv", "a,b,class\n1,2,x\n2,3,x\n3,1,y\n4,2,y\n5,5,z\n")
    write("few.csv", "a,b,class\n1,2,x\n2,3,x\n3,1,y\n4,2,y\n")
    assert refused("evaluate", *words, code=code) == f"tamis: {message}"


def test_results_of_another_experiment_are_not_continued(tamis, refused, data, write, tmp_path):
    command = ("evaluate", "one.csv", "-m", "cls", *QUICK, "-o", "r.jsonl")
    assert tamis(*command).code == 0
    before = (tmp_path / "r.jsonl").read_text()
    end = ". Continue with what it was made with, or give -o another file"
    start = "tamis: r.jsonl: this file holds results of another experiment: "
    assert refused(*command, "--seed", 4, code=3) == f"{start}its seed is 0, not 4{end}"
    assert refused(*command, "--folds", 4, "--split", "k_fold", code=3) == (
        f"{start}its split is fraction, not k_fold{end}"
    )
    write("r.jsonl", before.replace('"version":"', '"version":"9.', 1))
    message = refused(*command, code=3)
    assert message.startswith(f"{start}its version is 9.")
    write("r.jsonl", before)
    write("one.csv", blobs(seed=9))
    assert refused(*command, code=3) == f"{start}one has other content now{end}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("precious\nnotes\n", "r.jsonl:1: this is no first line of a results file"),
        ("precious", "r.jsonl: there is no whole line of results"),
        (
            '{"schema":"tamis/results/7"}\n',
            "r.jsonl:1: schema tamis/results/7 is of another version of tamis; this one reads "
            "tamis/results/1",
        ),
    ],
)
def test_other_files_are_left_alone(refused, data, write, tmp_path, text, message):
    write("r.jsonl", text)
    words = ("evaluate", "one.csv", "-m", "cls", *QUICK, "-o", "r.jsonl")
    assert refused(*words, code=3) == f"tamis: {message}"
    assert (tmp_path / "r.jsonl").read_text() == text


def test_two_programs_do_not_write_one_file(refused, write, tmp_path):
    write("big.csv", blobs(rows=300, cols=40))
    command = ("evaluate", "big.csv", "-m", "cls", "--runs", 2000, "-o", "r.jsonl", "-q")
    process = start(command, tmp_path)
    try:
        while not (tmp_path / "r.jsonl").exists() or not (tmp_path / "r.jsonl").stat().st_size:
            time.sleep(0.002)
        message = refused(*command, code=3)
        assert message == "tamis: r.jsonl: another process is writing it"
    finally:
        process.kill()
        process.wait()


def test_a_place_where_nothing_can_be_written(refused, data):
    words = ("evaluate", "one.csv", "-m", "cls", *QUICK, "-o", "no/such/folder.jsonl")
    assert refused(*words, code=4) == "tamis: no/such/folder.jsonl: No such file or directory"
    assert os.path.exists("/dev/full")
    full = ("evaluate", "one.csv", "-m", "cls", *QUICK, "-o", "/dev/full")
    assert refused(*full, code=4) == "tamis: /dev/full: No space left on device"


CONSTRAINED = ("--runs", 3, "--labels-per-class", 3, "--top", 2, "--n-constraints", "4:12:4,all",
               "--views", "transfer")  # fmt: skip


def test_accuracy_against_the_number_of_constraints(tamis, data, tmp_path):
    words = ("evaluate", "one.csv", "-m", "constraint_score,fisher_score,l2gfs,ssdr", *CONSTRAINED)
    summary = tamis(*words, "--json", "-o", "r.jsonl").json
    assert [entry["n_constraints"] for entry in summary["summary"]] == [4, 8, 12, 36]
    assert [entry["n_constraints"] for entry in summary["comparisons"]] == [4, 8, 12, 36]
    runs = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()[1:]]
    assert len(runs) == 3 * 4 * 7
    assert all(run["failure"] is None and run["lengths"] in ([2], [6]) for run in runs)
    levels = {}
    for run in (run for run in runs if run["method"] in ("fisher_score", "random", "all")):
        levels.setdefault((run["method"], run["run"]), set()).add(str(run["views"]))
    assert all(len(views) == 1 for views in levels.values())
    text = (tmp_path / "r.jsonl").read_text()
    (tmp_path / "r.jsonl").write_text("".join(text.splitlines(keepends=True)[:11]))
    assert tamis(*words, "-o", "r.jsonl").code == 0
    assert untimed((tmp_path / "r.jsonl").read_text()) == untimed(text)
    shown = tamis(*words).out
    assert "one: 8 constraints of 3 labels per class, transfer view, 3 runs\n" in shown


def test_constraints_need_a_single_number_of_features(refused, data):
    assert refused("evaluate", "one.csv", "--n-constraints", "5:20:5", code=2) == (
        "tamis: evaluate: n_constraints = '5:20:5' needs a single number of features, as in "
        "top = 10 or 50%, and not top = '1:50'"
    )


def test_clusters_of_test_rows_are_compared_with_classes(tamis, data, tmp_path):
    words = ("evaluate", "one.csv", "--methods", "fisher_score", *QUICK, "--kmeans")
    summary = tamis(*words, "--json", "-o", "r.jsonl").json
    runs = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()[1:]]
    for name in ("rand", "adjusted_rand", "nmi"):
        values = [run["kmeans"][name] for run in runs if run["method"] == "fisher_score"]
        for entry in summary["summary"]:
            found = entry["methods"][0]["kmeans"][name]
            assert np.mean(values, axis=0) == pytest.approx(found["mean_by_length"])
            assert np.mean(values) == pytest.approx(found["mean"])
    shown = tamis(*words).out
    assert "k-means of test rows" in shown and "adjusted Rand" in shown
    plain = tamis("evaluate", "one.csv", "-m", "fisher_score", *QUICK, "-o", "-").out
    assert all("kmeans" not in run for run in untimed(plain)[1:])


@pytest.mark.parametrize("protocol", ["l2gfs-2013", "constraints-uci-2013", "constraints-2013"])
def test_the_protocols_of_2013_run(tamis, data, protocol):
    words = ("evaluate", "one.csv", "-m", "l2gfs,wckm:restarts=2,pca", "--protocol", protocol)
    summary = tamis(*words, "--runs", 2, "--json").json
    restarts = {entry["method"]: entry["options"].get("restarts") for entry in summary["options"]}
    if protocol == "l2gfs-2013":
        assert restarts == {"l2gfs:restarts=20": 20, "wckm:restarts=2": 2, "pca": None}
        assert all("kmeans" in method for method in summary["summary"][0]["methods"])
    else:
        assert restarts == {"l2gfs": 10, "wckm:restarts=2": 2, "pca": None}
        assert [entry["n_constraints"] for entry in summary["summary"]][:2] == [5, 10]
