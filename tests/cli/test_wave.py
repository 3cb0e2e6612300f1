"""The Wave data: with eight labels among 5,000 rows the 19 features that matter come first."""

import csv

import pytest

LABELS_PER_CLASS = (3, 3, 2)


def keep_first_labels(table, path):
    """Writes id,label of the first rows of each class."""
    with open(table, newline="") as file:
        classes = [row["class"] for row in csv.DictReader(file)]
    lines = ["id,label"]
    for name, wanted in zip(sorted(set(classes)), LABELS_PER_CLASS, strict=True):
        rows = [i for i, own in enumerate(classes) if own == name][:wanted]
        lines += [f"{i},{name}" for i in rows]
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("seed", range(5))
def test_a_condensed_wave_is_ranked_without_an_error(tamis, tmp_path, seed):
    tamis("generate", "wave", "--seed", seed, "-o", "wave.csv")
    keep_first_labels(tmp_path / "wave.csv", tmp_path / "labels.csv")
    result = tamis(
        "rank", "wave.csv", "--drop", "class", "--labels", "labels.csv", "--method", "cls",
        "--condense", "som", "--bandwidth", "0.1", "--bandwidth-unit", "absolute", "--top", "19",
        "--json",
    ).json  # fmt: skip
    assert result["data"]["rows"] == 5000 and result["data"]["labeled"] == 8
    best = {result["names"][column] for column in result["selected"]}
    assert best == {f"F{t}" for t in range(2, 21)}
