"""`tamis generate`: the formulas, by their statistics."""

import io
import json

import numpy as np
import pytest


def table_of(text):
    names = text.splitlines()[0].split(",")
    cells = np.loadtxt(io.StringIO(text), delimiter=",", skiprows=1)
    return names[:-1], cells[:, :-1], cells[:, -1].astype(int)


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
    for name in ("wave", "blobs", "madelon"):
        short, long = (tamis("generate", name, "--rows", n).out.splitlines() for n in (20, 50))
        assert long[:21] == short and len(long) == 51


@pytest.mark.parametrize("name", ["wave", "blobs", "madelon"])
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
