"""Columns of text as features."""

import numpy as np
import pandas as pd
import pytest
import tamis
from test_program import comparable, run

SEED = 7


@pytest.fixture
def people():
    """Classes that a text column tells, beside noise, dates and a text that says nothing."""
    random = np.random.default_rng(1)
    rows = np.arange(60)
    label = rows % 2
    colours = np.where(rows % 10 == 0, "green", np.array(["red", "blue"])[label])
    return pd.DataFrame(
        {
            "noise": random.normal(size=60),
            "colour": colours,
            "other": np.array(list("uvw"))[rows % 3],
            "day": pd.Timestamp("2026-01-01") + pd.to_timedelta(random.integers(0, 90, 60), "D"),
            "weak": label + 2 * random.normal(size=60),
            "class": np.array(["x", "y"])[label],
        }
    )


def ranked(people, **words):
    X = people.drop(columns="class")
    return tamis.rank(X, people["class"], random_state=SEED, **words)


@pytest.mark.parametrize("kind", ["onehot", "ordinal", "drop"])
@pytest.mark.parametrize("words", [{}, {"method": "fisher_score", "top": 2}])
def test_gives_the_bits_of_the_program(kind, words, people, program, tmp_path):
    people.to_csv(tmp_path / "people.csv", index=False)
    flags = [word for name, value in words.items() for word in (f"--{name}", str(value))]
    expected = run(program, tmp_path, "people.csv", "--encode", kind, *flags)
    assert comparable(ranked(people, encode=kind, **words).to_dict()) == expected


def test_a_text_is_ranked_and_selected_whole(people):
    ranking = ranked(people, encode="onehot", method="fisher_score", top=1)
    assert set(ranking.top()) == {"colour=red", "colour=blue", "colour=green"}
    assert len(set(ranking.scores[ranking.columns()])) == 1


def test_frames_of_all_libraries_are_the_same(people):
    import polars as pl

    expected = ranked(people, encode="onehot")
    frame = pl.from_pandas(people)
    tables = (frame, frame.to_arrow(), people.astype({"colour": "category", "other": "string"}))
    for table in tables:
        X = table.drop(columns="class") if table is tables[2] else table.drop(["class"])
        found = tamis.rank(X, people["class"], random_state=SEED, encode="onehot")
        assert found.names == expected.names
        np.testing.assert_array_equal(found.scores, expected.scores)


def test_missing_texts_stay_missing(people):
    people.loc[3, "colour"] = None
    with pytest.raises(
        ValueError, match=r"^Input X contains NaN: .* row 3, column 2 \(colour=blue"
    ):
        ranked(people, encode="onehot")
    with pytest.warns(UserWarning, match="3 missing values in 1 row and 3 columns are filled in"):
        assert len(ranked(people, encode="onehot", missing="median")) == 9
    with pytest.warns(UserWarning, match="3 columns with 3 missing values left out"):
        ranking = ranked(people, encode="onehot", missing="columns")
    assert set(ranking[-3:]) == {"colour=red", "colour=blue", "colour=green"}


def test_columns_of_texts_alone_do(people):
    y = people["class"]
    assert tamis.rank(people[["colour", "other"]], y, encode="ordinal").names == ["colour", "other"]


def test_names_of_the_user_are_taken(people):
    ranking = ranked(people, encode="onehot", feature_names=["a", "b", "c", "d", "e"])
    assert ranking.names == ["a", "e", "b=blue", "b=green", "b=red", "c=u", "c=v", "c=w", "d"]


def test_nothing_changes_without_texts(wave):
    X = pd.DataFrame(wave[0])
    for kind in ("onehot", "ordinal", "drop"):
        found = tamis.rank(X, wave[1], encode=kind, random_state=0)
        assert found == tamis.rank(X, wave[1], random_state=0)


@pytest.mark.parametrize(
    ("change", "words", "message"),
    [
        (
            {},
            {"encode": "hash"},
            "rank: encode = 'hash' is not one of refuse, onehot, ordinal, drop",
        ),
        (
            {"name": [f"p{row}" for row in range(60)]},
            {"encode": "onehot"},
            "column name of X: 60 different values in 60 rows, 'p0' for instance, seem to be no "
            "categories; if so, drop the column",
        ),
        (
            {},
            {"encode": "drop", "memory": "1G"},
            "encode is for data frames in memory, and X is read from a file or in runs of rows: "
            "read it into a frame first, and leave out memory and checkpoint",
        ),
        (
            {},
            {"encode": "drop", "feature_names": ["a"]},
            "there are 1 feature names for 5 columns",
        ),
    ],
)
def test_refuses_what_cannot_be(change, words, message, people):
    with pytest.raises(ValueError) as refusal:
        ranked(people.assign(**change), **words)
    assert str(refusal.value) == message
