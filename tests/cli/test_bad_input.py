"""Every refusal: what it says, its exit code, and that nothing is written."""

import json
import os
import subprocess

import numpy as np
import pytest
import scipy.io
from program import PROGRAM, SMALL

USAGE, DATA, IO = 2, 3, 4
SMALL_FLAGS = ("--id-column", "id")


def test_a_missing_file_is_named(refused):
    message = refused("rank", "absent.csv", "-o", "out.txt", code=IO)
    assert "absent.csv" in message and "No such file" in message


def test_a_directory_is_not_a_table(refused, tmp_path):
    (tmp_path / "folder").mkdir()
    message = refused("rank", "folder", "-o", "out.txt", code=IO)
    assert "folder" in message and "directory" in message


@pytest.mark.parametrize("content", ["", "\n", "a,b,class\n"], ids=["empty", "blank", "header"])
def test_a_table_without_rows_is_refused(refused, write, content):
    write("t.csv", content)
    assert "t.csv" in refused("rank", "t.csv", "-o", "out.txt", code=DATA)


def test_a_ragged_row_is_named_by_its_line(refused, write):
    write("t.csv", "a,b,c\n1,2,3\n4,5\n6,7,8\n")
    message = refused("rank", "t.csv", code=DATA)
    assert message.startswith("tamis: t.csv:3:")


def test_text_in_a_number_column_is_named_with_the_way_out(refused, write):
    write("t.csv", "a,b,c\n1,2,3\n4,red,6\n7,8,9\n")
    message = refused("rank", "t.csv", "-o", "out.txt", code=DATA)
    assert message.startswith("tamis: t.csv:3:")
    assert "'red'" in message and "(b)" in message and "drop" in message


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", ""])
def test_values_that_are_not_finite_are_counted_and_located(refused, write, text):
    write("t.csv", f"a,b\n1,2\n3,{text}\n5,{text}\n")
    message = refused("rank", "t.csv", "--method", "variance", code=DATA)
    assert message.startswith("tamis: t.csv:")
    kind = "values that are not finite" if "inf" in text else "missing values"
    assert f"2 {kind}" in message and "row 1" in message and "(b)" in message


def test_one_row_is_not_enough(refused, write):
    write("t.csv", "a,b\n1,2\n")
    assert "1 row" in refused("rank", "t.csv", "--method", "variance", code=DATA)


def test_too_many_neighbors_are_cut_with_a_warning(tamis, small):
    outcome = tamis("rank", "small.csv", *SMALL_FLAGS, "-m", "cls", "--n-neighbors", "8", "--json")
    assert outcome.json["diagnostics"]["warnings"]
    assert "tamis: warning:" in outcome.err and "7" in outcome.err


def test_a_labels_file_of_another_length_is_refused(refused, small, write):
    write("labels.txt", "x\ny\nx\n")
    message = refused(
        "rank", "small.csv", "--drop", "id,class", "--labels", "labels.txt", code=DATA
    )
    assert "labels.txt" in message and "3" in message and "8" in message


def test_an_unknown_label_column_is_refused(refused, small):
    message = refused("rank", "small.csv", *SMALL_FLAGS, "--label-column", "clas", code=USAGE)
    assert "clas" in message and "'class'" in message


def test_a_supervised_method_needs_labels(refused, write):
    write("t.csv", "a,b\n1,2\n3,1\n5,6\n")
    message = refused("rank", "t.csv", "--method", "fisher_score", "-o", "out.txt", code=DATA)
    assert "t.csv" in message and "fisher_score" in message
    assert "--label-column" in message and "--labels" in message


def test_constraints_or_labels_are_asked_for(refused, write):
    write("t.csv", "a,b\n1,2\n3,1\n5,6\n")
    message = refused("rank", "t.csv", "--method", "constraint_score", code=DATA)
    assert "pairs" in message and "--constraints" in message and "--labels" in message


def test_one_class_is_not_enough(refused, write):
    write("t.csv", "a,b,class\n1,2,x\n3,1,x\n5,6,\n")
    message = refused("rank", "t.csv", "--method", "fisher_score", code=DATA)
    assert "two classes" in message


def pair_case(small, write, pairs):
    write("pairs.csv", pairs)
    return ("rank", "small.csv", *SMALL_FLAGS, "--constraints", "pairs.csv", "-o", "out.txt")


def test_a_pair_with_an_unknown_id_is_named(refused, small, write):
    message = refused(*pair_case(small, write, "a,b,kind\na,zz,must\n"), code=DATA)
    assert "pairs.csv" in message and "zz" in message


def test_a_pair_of_a_row_with_itself_is_refused(refused, small, write):
    message = refused(*pair_case(small, write, "c,f,cannot\nc,c,must\n"), code=DATA)
    assert "pairs.csv:2" in message


def test_an_unknown_kind_of_pair_is_refused(refused, small, write):
    message = refused(*pair_case(small, write, "c,f,maybe\n"), code=DATA)
    assert "maybe" in message


@pytest.mark.parametrize(
    "pairs",
    ["c,f,must\nc,f,cannot\n", "c,f,must\nf,g,must\nc,g,cannot\n", "a,d,must\n", "a,b,cannot\n"],
    ids=["direct", "transitive", "against classes", "within a class"],
)
@pytest.mark.parametrize("closing", [(), ("--close-constraints",)], ids=["plain", "closed"])
def test_contradicting_pairs_are_named(refused, small, write, pairs, closing):
    message = refused(*pair_case(small, write, pairs), *closing, code=DATA)
    assert "pairs.csv" in message
    assert any(f"({name})" in message for name in "acf")


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("rank", "small.csv", "--method", "clss"), "'cls'"),
        (("rank", "small.csv", "--n-neighbours", "3", "-m", "cls"), "--n-neighbors"),
        (("rank", "small.csv", "--method=cls", "--n_neighbors", "3"), "--n-neighbors"),
        (("rank", "small.csv", "--scale", "standart"), "'standard'"),
        (("rank", "small.csv", "-m", "cls", "--kernel", "heet"), "'heat'"),
        (("rnak", "small.csv"), "'rank'"),
        (("generate", "waves"), "'wave'"),
        (("methods", "clss"), "'cls'"),
    ],
)
def test_an_unknown_word_suggests_the_nearest(refused, small, words, hint):
    message = refused(*words, code=USAGE)
    assert "did you mean" in message and hint in message


def test_an_option_of_another_method_is_explained(refused, small):
    message = refused("rank", "small.csv", "--method", "cls", "--nu", "2", code=USAGE)
    assert message == "tamis: cls has no option 'nu'; it belongs to bcs, constraint_score"
    message = refused("rank", "small.csv", "--nu", "2", code=USAGE)
    assert message.startswith("tamis: ridge_omp has no option 'nu'")
    assert message.endswith("name a method with --method")


@pytest.mark.parametrize(
    ("flags", "culprit"),
    [
        (("-m", "cls", "--n-neighbors", "0"), "n_neighbors = 0"),
        (("-m", "cls", "--n-neighbors", "2.5"), "'2.5'"),
        (("-m", "cls", "--bandwidth", "-1"), "bandwidth = -1"),
        (("-m", "cls", "--cut-cannot-links=maybe"), "'maybe'"),
        (("--top", "0"), "--top = 0"),
        (("--top", "some"), "'some'"),
        (("--threads", "-1"), "--threads = -1"),
        (("--seed", "x"), "'x'"),
        (("--labels-per-class", "0"), "--labels-per-class = 0"),
        (("--top",), "--top needs a value"),
        (("--top", "1", "--top", "2"), "twice"),
        (("--json", "--csv"), "--csv"),
        (("--header", "--no-header"), "--no-header"),
        (("other.csv",), "'other.csv'"),
        (("--close-constraints",), "--constraints"),
        (("-z",), "'-z'"),
    ],
)
def test_a_value_out_of_range_is_named(refused, small, flags, culprit):
    assert culprit in refused("rank", "small.csv", *SMALL_FLAGS, *flags, code=USAGE)


def test_a_missing_operand_shows_the_usage(refused):
    assert "tamis rank FILE" in refused("rank", code=USAGE)


def test_a_truncated_mat_file_is_refused(refused, write, tmp_path, matrix):
    scipy.io.savemat(tmp_path / "whole.mat", {"X": matrix[0], "Y": matrix[1]})
    write("cut.mat", (tmp_path / "whole.mat").read_bytes()[:600])
    assert "cut.mat" in refused("rank", "cut.mat", "-o", "out.txt", code=DATA)


def test_a_mat_file_without_x_lists_what_it_has(refused, tmp_path, matrix):
    scipy.io.savemat(tmp_path / "t.mat", {"features": matrix[0]})
    message = refused("rank", "t.mat", code=DATA)
    assert "variable X" in message and "features" in message and "--table" in message


@pytest.mark.parametrize("length", [6, 60, 500])
def test_a_truncated_npy_file_is_refused(refused, write, tmp_path, matrix, length):
    np.save(tmp_path / "whole.npy", matrix[0])
    write("cut.npy", (tmp_path / "whole.npy").read_bytes()[:length])
    assert "cut.npy" in refused("rank", "cut.npy", "-o", "out.txt", code=DATA)


@pytest.mark.parametrize("line", ["1 0:1 2:3", "1 3:1 2:3", "1 2:1 2:3"])
def test_libsvm_indices_begin_at_one_and_ascend(refused, write, line):
    write("t.svm", f"1 1:2 2:1\n-1 1:1\n{line}\n")
    message = refused("rank", "t.svm", code=DATA)
    assert message.startswith("tamis: t.svm:3:")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_named(refused, small, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    message = refused("rank", "small.csv", *SMALL_FLAGS, "-o", "locked/out.txt", code=IO)
    assert "locked/out.txt" in message


@pytest.mark.parametrize("output", ["absent/out.csv", "folder"])
@pytest.mark.parametrize("command", [("rank",), ("select", "--top", "1")], ids=["rank", "select"])
def test_an_output_that_cannot_be_written_is_named(refused, small, tmp_path, command, output):
    (tmp_path / "folder").mkdir()
    message = refused(command[0], "small.csv", *SMALL_FLAGS, *command[1:], "-o", output, code=IO)
    assert output in message


def test_a_full_device_is_reported(small):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [PROGRAM, "rank", str(small), *SMALL_FLAGS, "-q"], stdout=full, stderr=-1, text=True
        )
    assert done.returncode == IO and "standard output" in done.stderr


@pytest.mark.parametrize("command", ["rank", "select"])
def test_the_input_is_never_overwritten(refused, small, tmp_path, command):
    (tmp_path / "link.csv").symlink_to(small)
    for name in ("small.csv", "link.csv"):
        message = refused(command, "small.csv", *SMALL_FLAGS, "--top", "1", "-o", name, code=USAGE)
        assert "overwrite" in message
    assert small.read_text() == SMALL


def test_weights_that_all_vanish_are_explained(refused, small):
    flags = ("--method", "csfs", "--bandwidth", "1e-6", "--bandwidth-unit", "absolute")
    message = refused("rank", "small.csv", *SMALL_FLAGS, *flags, "-o", "out.txt", code=DATA)
    assert "underflow" in message and "bandwidth = 1e-06" in message and "distance of" in message


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_does_not_send_words_into_the_result(small, tmp_path, closed):
    command = f'"{PROGRAM}" rank small.csv --json -v -o out.json {closed}'
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, timeout=60)
    assert done.returncode == 0
    assert json.loads((tmp_path / "out.json").read_text())["names"] == ["height", "width", "noise"]
