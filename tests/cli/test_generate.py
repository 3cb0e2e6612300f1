"""`tamis generate`: the formulas, by their statistics."""

import csv
import io
import json

import numpy as np
import pytest


def table_of(text):
    names = text.splitlines()[0].split(",")
    cells = np.loadtxt(io.StringIO(text), delimiter=",", skiprows=1)
    return names[:-1], cells[:, :-1], cells[:, -1].astype(int)


def cells_of(folder):
    """Names, values, labels and ids of a table of cells."""
    with open(folder / "cells.csv", newline="") as file:
        header, *rows = csv.reader(file)
    assert (header[0], header[-1]) == ("id", "class")
    x = np.array([[float(cell) for cell in row[1:-1]] for row in rows])
    return header[1:-1], x, [row[-1] for row in rows], [row[0] for row in rows]


@pytest.fixture
def cells(tamis, tmp_path):
    """A large table of cells beside its pairs, and its truth."""
    return tamis(
        "generate", "cells", "--rows", "4000", "-o", "cells.csv", "--pairs", "pairs.csv", "--json"
    ).json


def test_cells_have_names_few_labels_and_one_scale(cells, tmp_path):
    names, x, labels, ids = cells_of(tmp_path)
    assert ids[:2] == ["cell_001", "cell_002"] and ids[-1] == "cell_4000"
    assert (len(names), len(set(names))) == (250, 250) and {"CD3D", "MKI67", "ZNF215"} < set(names)
    counts = {name: labels.count(name) for name in set(labels)}
    assert counts == {"B cell": 3, "NK cell": 3, "T cell": 3, "monocyte": 3, "": 3988}
    hidden = [cells["class_names"][c] for c in cells["classes"]]
    assert all(label in ("", name) for label, name in zip(labels, hidden, strict=True))
    shares = np.bincount(cells["classes"]) / 4000
    np.testing.assert_allclose(shares, [0.2, 0.15, 0.4, 0.25], atol=0.03)
    assert x.min() == 0 and 5 < x.max() < 9, "logarithms of counts"
    np.testing.assert_array_equal(x, x.round(2))


def test_programs_tell_the_types_and_the_cell_cycle_does_not(cells, tmp_path):
    names, x, _, _ = cells_of(tmp_path)
    groups, classes = np.array(cells["groups"]), np.array(cells["classes"])
    first = {names[r]: groups[r] for r in cells["relevant"]}
    assert first == {"CD3D": 0, "CD79A": 1, "NKG7": 2, "LYZ": 3, "HLA-DRA": 4, "IL7R": 5}
    assert {names[r] for r in np.flatnonzero(groups == 6)} == {
        "MKI67", "TOP2A", "PCNA", "CDK1", "CCNB1",
    }  # fmt: skip
    assert all(names[r].startswith("ZNF") for r in np.flatnonzero(groups < 0))
    means = np.array([x[classes == c].mean(axis=0) for c in range(4)])
    within = np.corrcoef((x - means[classes]).T)
    np.fill_diagonal(within, 0)
    markers = (groups >= 0) & (groups < 6)
    assert np.ptp(means[:, markers], axis=0).min() > 0.3, "each marker differs between types"
    assert np.ptp(means[:, ~markers], axis=0).max() < 0.2, "nothing else does"
    together = groups[:, None] == groups[None, :]
    apart = ~together | (groups < 0)
    for r in np.flatnonzero(groups >= 0):
        assert within[r, groups == groups[r]].max() > np.abs(within[r, apart[r]]).max()
    # Rounded counts of one depth bind all genes of a cell a little.
    assert np.abs(within[apart]).max() < 0.2


def test_pairs_of_cells_hold_and_can_be_read(tamis, cells, tmp_path):
    _, _, labels, ids = cells_of(tmp_path)
    header, *lines = (tmp_path / "pairs.csv").read_text().splitlines()
    assert header == "a,b,kind" and len(lines) == 20
    for a, b, kind in (line.split(",") for line in lines):
        i, j = ids.index(a), ids.index(b)
        assert (cells["classes"][i] == cells["classes"][j]) == (kind == "must")
        assert labels[i] == labels[j] == ""
    read = tamis("constraints", "cells.csv", "--constraints", "pairs.csv", "--json").json
    assert read["must_link"]["from_pairs"] == read["cannot_link"]["from_pairs"] == 10


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_first_ten_genes_of_the_default_cover_all_programs(tamis, seed):
    truth = tamis("generate", "cells", "--seed", seed, "-o", "cells.csv", "--json").json
    order = tamis("rank", "cells.csv", "--json").json["order"]
    assert {truth["groups"][r] for r in order[:10]} >= set(range(6))


def test_the_first_six_genes_are_one_of_each_program_and_all_related_ones_are_listed(tamis):
    """What the README says of the table that its first command makes."""
    truth = tamis("generate", "cells", "-o", "cells.csv", "--json").json
    ranking = tamis("rank", "cells.csv", "--top", "relevant", "--json").json
    assert sorted(truth["groups"][r] for r in ranking["order"][:6]) == list(range(6))
    listed = [truth["groups"][r] for r in ranking["selected"]]
    assert [listed.count(group) for group in range(7)] == [5] * 7
    assert listed.count(-1) == 4


def test_table_and_pairs_cannot_be_one_file(refused):
    message = refused("generate", "cells", "-o", "c.csv", "--pairs", "./c.csv", code=2)
    assert message == "tamis: generate: the table and --pairs both go to c.csv"


def h1(t):
    return np.maximum(6 - np.abs(t - 11), 0)


def test_wave_has_the_published_class_means(tamis):
    names, x, labels = table_of(tamis("generate", "wave", "--seed", "3").out)
    assert names == [f"F{t}" for t in range(1, 41)] and x.shape == (5000, 40)
    t = np.arange(1, 22)
    waves = {1: (h1(t), h1(t - 4)), 2: (h1(t), h1(t + 4)), 3: (h1(t - 4), h1(t + 4))}
    for label, (a, b) in waves.items():
        rows = x[labels == label]
        assert 1550 < len(rows) < 1800
        np.testing.assert_allclose(rows[:, :21].mean(axis=0), (a + b) / 2, atol=0.2)
        # u is uniform: the variance is that of u(a - b), 1/12, beside the noise.
        np.testing.assert_allclose(rows[:, :21].var(axis=0), 1 + (a - b) ** 2 / 12, atol=0.35)
        np.testing.assert_allclose(rows[:, 21:].mean(axis=0), 0, atol=0.1)
    np.testing.assert_allclose(x[:, [0, 20, *range(21, 40)]].std(axis=0), 1, atol=0.05)


def test_a_longer_table_begins_like_a_shorter_one(tamis):
    for name in ("cells", "wave", "blobs", "madelon"):
        short, long = (tamis("generate", name, "--rows", n).out.splitlines() for n in (20, 50))
        assert long[:21] == short and len(long) == 51


@pytest.mark.parametrize("name", ["cells", "wave", "blobs", "madelon"])
def test_seed_and_nothing_else_decides(tamis, name):
    words = ("generate", name, "--rows", "100")
    first = tamis(*words, "--seed", "1", "--threads", "1").out
    assert first == tamis(*words, "--seed", "1", "--threads", "3").out
    assert first != tamis(*words, "--seed", "2").out


def test_blobs_separate_classes_on_relevant_features_only(tamis, tmp_path):
    truth = tamis(
        "generate", "blobs", "--rows", "600", "--classes", "4", "--relevant", "3",
        "--redundant", "2", "--noise", "5", "-o", "b.csv", "--json",
    ).json  # fmt: skip
    names, x, labels = table_of((tmp_path / "b.csv").read_text())
    assert names[:4] == ["relevant_1", "relevant_2", "relevant_3", "redundant_1"]
    assert np.bincount(labels).tolist() == [0, 150, 150, 150, 150]
    means = np.array([x[labels == label].mean(axis=0) for label in (1, 2, 3, 4)])
    for r in truth["relevant"]:
        np.testing.assert_allclose(np.sort(means[:, r]), [-3, -1, 1, 3], atol=0.35)
        np.testing.assert_allclose(x[labels == 1, r].std(), 1, atol=0.2)
    for s, r in enumerate(truth["redundant"]):
        assert abs(np.corrcoef(x[:, r], x[:, s % 3])[0, 1]) > 0.98
    np.testing.assert_allclose(means[:, truth["noise"]], 0, atol=0.35)


def test_madelon_hides_classes_from_single_features(tamis, tmp_path):
    words = ("generate", "madelon", "--rows", "4000", "--noise", "20", "-o", "m.csv")
    truth = tamis(*words, "--json").json
    _, x, labels = table_of((tmp_path / "m.csv").read_text())
    assert (len(truth["relevant"]), len(truth["redundant"]), len(truth["noise"])) == (5, 15, 20)
    assert truth["relevant"] != list(range(5)), "columns are shuffled"
    relevant = x[:, truth["relevant"]]
    vertex = (relevant > 0) @ (1 << np.arange(5))
    share = [np.mean(labels[vertex == v] == 1) for v in range(32)]
    assert np.mean(np.abs(np.array(share) - 0.5) > 0.3) > 0.9, "vertices tell the class"
    fit, *_ = np.linalg.lstsq(relevant, x[:, truth["redundant"]], rcond=None)
    np.testing.assert_allclose(relevant @ fit, x[:, truth["redundant"]], atol=1e-9)
    np.testing.assert_allclose(x[:, truth["noise"]].std(axis=0), 1, atol=0.06)


def test_truth_is_told_to_people_and_programs(tamis, tmp_path):
    outcome = tamis("generate", "wave", "--rows", "9", "-o", "w.csv", "--truth", "t.json", "--json")
    assert "relevant: F2 to F20" in outcome.err
    assert outcome.json == json.loads((tmp_path / "t.json").read_text())
    assert outcome.json["schema"] == "tamis/truth/1"
    assert outcome.json["relevant"] == list(range(1, 20))


def test_options_of_another_generator_are_refused(refused):
    message = refused("generate", "wave", "--classes", "3", code=2)
    assert message == "tamis: wave has no option 'classes'; it belongs to blobs"
    message = refused("generate", "wave", "--noise", "3", code=2)
    assert message == "tamis: wave has no option 'noise'; it belongs to cells, blobs, madelon"


@pytest.mark.parametrize(
    "flags",
    [("--rows", "0"), ("--spread", "0"), ("--classes", "1"), ("--relevant", "0"), ("--json",)],
)
def test_impossible_tables_are_refused(refused, flags):
    refused("generate", "blobs", *flags, code=2)


def test_the_extension_chooses_the_format(tamis, tmp_path):
    assert tamis("generate", "blobs", "--rows", "30", "-o", "b.mat").code == 0
    info = tamis("info", "b.mat", "--json").json
    assert (info["format"], info["rows"], len(info["classes"])) == ("matlab", 30, 3)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_nine_labels_find_all_relevant_waves(tamis, seed):
    tamis("generate", "wave", "--seed", seed, "-o", "w.csv")
    words = ("rank", "w.csv", "-m", "cls", "--labels-per-class", "3", "--seed", seed, "--top", "19")
    assert sorted(tamis(*words, "--json").json["selected"]) == list(range(1, 20))
