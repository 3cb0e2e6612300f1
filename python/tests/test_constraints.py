import pickle
import re

import joblib
import numpy as np
import pandas as pd
import pytest
import tamis
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import KFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import _num_samples
from tamis import Constraints

labels = st.lists(st.sampled_from([-1, 0, 1, 2]), min_size=2, max_size=12)


@given(labels)
def test_pairs_of_labels_are_closed_and_complete(y):
    y = np.array([*y, 5])  # so that -1 and 1 are never alone
    known = Constraints.from_labels(y)
    count = (y >= 0).sum()
    assert len(known.must_link) + len(known.cannot_link) == count * (count - 1) / 2
    assert all(y[a] == y[b] for a, b in known.must_link)
    assert all(y[a] != y[b] for a, b in known.cannot_link)
    assert known.closure() == known


@given(labels, st.randoms())
def test_the_closure_of_a_part_is_what_follows(y, random):
    whole = Constraints.from_labels(np.array([*y, 5]))
    part = Constraints(
        [pair for pair in whole.must_link if random.random() < 0.5],
        [pair for pair in whole.cannot_link if random.random() < 0.5],
    )
    closed = part.closure()
    assert closed.closure() == closed
    for some, more, most in (
        (part.must_link, closed.must_link, whole.must_link),
        (part.cannot_link, closed.cannot_link, whole.cannot_link),
    ):
        as_sets = [set(map(frozenset, pairs)) for pairs in (some, more, most)]
        assert as_sets[0] <= as_sets[1] <= as_sets[2]


@given(labels, st.sets(st.integers(0, 12)))
def test_within_keeps_pairs_of_which_both_are_inside(y, inside):
    known = Constraints.from_labels(np.array([*y, 5]))
    kept = known.within(inside)
    assert set(kept.ids) <= inside
    left_out = len(known.must_link) - len(kept.must_link)
    assert left_out == sum(not {a, b} <= inside for a, b in known.must_link)


@given(labels, st.randoms())
def test_weights_stay_with_their_pairs(y, random):
    whole = Constraints.from_labels(np.array([*y, 5]))

    def weighted_part(pairs):
        return [(a, b, random.uniform(0.1, 9)) for b, a in pairs if random.random() < 0.5]

    parts = (weighted_part(whole.must_link), weighted_part(whole.cannot_link))
    known = Constraints.by_row(*parts, n_rows=len(y) + 1)
    given_weights, closed = weight_of(known), weight_of(known.closure())
    assert all(closed[pair] >= weight for pair, weight in given_weights.items())
    assert set(closed.values()) <= set(given_weights.values())
    assert weight_of(known.closure().closure()) == closed
    assert weight_of(known.within(range(5))).items() <= given_weights.items()
    assert pickle.loads(pickle.dumps(known)) == known
    rows = known.rows(None, None, len(y) + 1)
    assert rows.must_link_weights.tolist() == known.must_link_weights
    assert rows.cannot_link_weights.tolist() == known.cannot_link_weights


def test_a_pair_that_follows_weighs_as_much_as_the_lightest_on_the_best_way():
    known = Constraints([("a", "b", 2), ("b", "c", 0.5)], [("c", "d", 3)]).closure()
    expected = Constraints(
        [("a", "b", 2), ("b", "c", 0.5), ("a", "c", 0.5)],
        [("c", "d", 3), ("a", "d", 0.5), ("b", "d", 0.5)],
    )
    assert known == expected


def weight_of(known):
    pairs = known.must_link + known.cannot_link
    weights = known.must_link_weights + known.cannot_link_weights
    return dict(zip(map(frozenset, pairs), weights, strict=True))


def test_weights_tell_constraints_apart():
    assert Constraints([("a", "b", 2)]) == Constraints([("b", "a", 2.0)])
    assert Constraints([("a", "b", 2)]) != Constraints([("a", "b")])
    assert Constraints([("a", "b", 1)]) == Constraints([("a", "b")])
    assert hash(Constraints([("a", "b", 1)])) == hash(Constraints([("a", "b")]))
    assert repr(Constraints([("a", "b", 2)])) == (
        "Constraints(must_link=[('a', 'b', 2.0)], cannot_link=[])"
    )


def test_weights_may_come_with_the_pairs_or_apart(tmp_path):
    expected = Constraints([("a", "b", 0.5)], [("b", "c")])
    triples = [("a", "b", "must"), ("b", "c", "cannot")]
    assert Constraints.from_pairs([("a", "b", "must", 0.5), triples[1]]) == expected
    assert Constraints.from_pairs(triples, weights=np.array([0.5, 1.0])) == expected
    frame = pd.DataFrame(triples, columns=["a", "b", "kind"]).assign(weight=[0.5, 1.0])
    assert Constraints.from_pairs(frame) == expected
    (tmp_path / "pairs.csv").write_text("a,b,kind,weight\na,b,must,0.5\nb,c,cannot\n")
    assert Constraints.from_csv(tmp_path / "pairs.csv") == expected


def test_refuses_weights_that_do_not_fit():
    with pytest.raises(ValueError, match="there are 2 weights for 1 pairs"):
        Constraints.from_pairs([("a", "b", "must")], weights=[1, 2])
    message = r"pair \('b', 'a'\) has two weights, 1.0 and 2.0"
    with pytest.raises(ValueError, match=message):
        Constraints([("a", "b"), ("b", "a", 2)])


def test_a_pair_counts_once_in_either_order():
    assert Constraints([("a", "b"), ("b", "a")]).must_link == [("a", "b")]
    assert Constraints([("a", "b")]) == Constraints([("b", "a")])
    assert hash(Constraints([("a", "b")])) == hash(Constraints([("b", "a")]))


def test_check_names_both_ends_of_a_contradiction():
    wrong = Constraints([("a", "b"), ("b", "c")], [("a", "c")])
    with pytest.raises(ValueError, match=r"\(a\).*\(c\)"):
        wrong.check()
    assert Constraints([("a", "b")]).check() == Constraints([("a", "b")])


def test_pairs_may_come_as_triples_frames_or_files(tmp_path):
    expected = Constraints([("a", "b")], [("b", "c")])
    triples = [("a", "b", "must"), ("b", "c", "cannot")]
    assert Constraints.from_pairs(triples) == expected
    frame = pd.DataFrame(triples, columns=["a", "b", "kind"])
    assert Constraints.from_pairs(frame) == expected
    frame.to_csv(tmp_path / "pairs.csv", index=False)
    assert Constraints.from_csv(tmp_path / "pairs.csv") == expected


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([("a", "a", "must")], "sample 'a' is paired with itself"),
        ([("a", "b", "may")], "pair ('a', 'b'): 'may' is no kind; use must or cannot"),
        ([("a", "b", "must", 0)], "pair ('a', 'b'): weight 0 is not a positive number"),
        ([("a", "b", "must", "x")], "pair ('a', 'b'): weight 'x' is not a positive number"),
        ([("a", "b", "must", np.inf)], "pair ('a', 'b'): weight inf is not a positive number"),
        (
            [("a", "b")],
            "('a', 'b') is no pair: pass a list of them, as in [('a', 'b', 'must'), "
            "('a', 'c', 'cannot')]",
        ),
    ],
)
def test_refuses_pairs_that_mean_nothing(pairs, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Constraints.from_pairs(pairs)


@pytest.mark.parametrize("pair", [0, "ab", ("a",), ("a", "b", 1, 2), None])
def test_refuses_what_is_no_pair(pair):
    """One pair in place of a list of them, or a text, whose letters are no ids."""
    message = f"{pair!r} is no pair: pass a list of them, as in [('a', 'b'), ('a', 'c')]"
    for words in ({"must_link": (pair,)}, {"cannot_link": [pair]}):
        with pytest.raises(ValueError, match=re.escape(message)):
            Constraints(**words)


def test_a_frame_or_an_array_has_a_pair_in_each_row():
    pairs = np.array([[0, 1], [2, 3]])
    expected = Constraints([(0, 1), (2, 3)])
    assert Constraints(pairs) == expected
    assert Constraints(pd.DataFrame(pairs, columns=["ab", "cd"])) == expected


def test_coherence_is_one_for_pairs_that_point_in_different_directions():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    known = Constraints.by_row([(0, 1)], [(0, 2)], n_rows=3)
    measured = known.coherence(X)
    assert measured.of_set == 1.0 and measured.must_link.tolist() == [1.0]
    assert known.coherence(X[[0, 1, 1]]).of_set == 0.0


def test_is_opaque_to_scikit_learn():
    known = Constraints([(0, 1)])
    with pytest.raises(TypeError):
        _num_samples(known)
    assert pickle.loads(pickle.dumps(known)) == known
    assert joblib.hash(known) == joblib.hash(Constraints([(0, 1)]))


def test_ids_that_the_table_lacks_are_named(wave):
    frame = pd.DataFrame(wave[0])
    with pytest.raises(ValueError, match="constraints name sample 500, which X does not have"):
        tamis.rank(frame, constraints=Constraints([(0, 500)]))
    with pytest.raises(ValueError, match="two rows are called 'a'"):
        tamis.rank(wave[0], constraints=Constraints([(0, 1)]), sample_ids=["a"] * 120)


def test_pairs_follow_their_samples_wherever_they_stand(wave):
    X = pd.DataFrame(wave[0], index=[f"s{i}" for i in range(120)])
    known = Constraints([("s0", "s5"), ("s7", "s9")], [("s0", "s9"), ("s3", "s80")])
    expected = tamis.rank(X, method="constraint_score", constraints=known).scores
    shuffled = X.sample(frac=1, random_state=0)
    same = tamis.rank(shuffled, method="constraint_score", constraints=known).scores
    np.testing.assert_allclose(same, expected, rtol=1e-12)
    by_ids = tamis.rank(
        shuffled.to_numpy(), method="constraint_score", constraints=known, sample_ids=shuffled.index
    )
    np.testing.assert_array_equal(by_ids.scores, same)


def test_a_fold_keeps_only_the_pairs_inside_it(wave):
    X = pd.DataFrame(wave[0], index=[f"s{i}" for i in range(120)])
    known = Constraints.from_labels([0, 0, 1, 1] * 30, ids=X.index)
    fold = X.iloc[40:106]
    fitted = tamis.ConstraintScore().fit(fold, constraints=known)
    assert fitted.result_.data["rows"] == 66
    inside = known.within(fold.index)
    assert fitted.result_.data["must_link"] == len(inside.must_link)
    assert fitted.result_.data["cannot_link"] == len(inside.cannot_link)
    expected = tamis.ConstraintScore().fit(fold, constraints=inside)
    np.testing.assert_array_equal(fitted.scores_, expected.scores_)


def test_cross_validation_passes_pairs_on_and_cuts_ids(wave):
    X, y = wave[0], np.full(120, -1)
    known = Constraints.from_labels(np.arange(120) % 3)

    class Nearest(tamis.ConstraintScore):
        def score(self, X, y):
            return float(self.result_.data["must_link"])

    found = cross_validate(
        make_pipeline(StandardScaler(), Nearest()),
        X,
        y,
        cv=KFold(4),
        params={"nearest__constraints": known, "nearest__sample_ids": np.arange(120)},
    )
    assert found["test_score"].tolist() == [len(known.within(r).must_link) for r in folds(X)]


def folds(X):
    return [train.tolist() for train, _ in KFold(4).split(X)]


def test_pairs_by_id_need_ids(wave):
    """A scaler drops the index of a frame, and row numbers of the rest are other rows."""
    X = pd.DataFrame(wave[0]).sample(frac=1, random_state=0)
    known = Constraints([(0, 5), (7, 9)], [(0, 9), (3, 80)])
    expected = tamis.ConstraintScore(5).fit(X, constraints=known).scores_
    pipeline = make_pipeline(StandardScaler(), tamis.ConstraintScore(5))
    with pytest.raises(ValueError) as refusal:
        pipeline.fit(X, constraintscore__constraints=known)
    assert str(refusal.value) == (
        "constraints call samples by id, 0 among them, and X has no ids: pass those of its rows as "
        "sample_ids; if X was a data frame before a step of the pipeline, call "
        'set_output(transform="pandas") on the pipeline; if these are row numbers, say so with '
        "Constraints.by_row"
    )
    pipeline.set_output(transform="pandas").fit(X, constraintscore__constraints=known)
    np.testing.assert_allclose(pipeline[-1].scores_, expected)
    by_ids = make_pipeline(StandardScaler(), tamis.ConstraintScore(5)).fit(
        X, constraintscore__constraints=known, constraintscore__sample_ids=X.index
    )
    np.testing.assert_allclose(by_ids[-1].scores_, expected)
    with pytest.raises(ValueError, match="constraints call samples by id, 'a' among them"):
        tamis.rank(wave[0], constraints=Constraints([("a", "b")]))


def test_pairs_by_row_fit_the_table_that_they_were_made_for(wave):
    X = wave[0]
    known = Constraints.by_row([(0, 5)], [(0, 9)], n_rows=120)
    assert repr(known) == (
        "Constraints.by_row(must_link=[(0, 5)], cannot_link=[(0, 9)], n_rows=120)"
    )
    assert known != Constraints([(0, 5)], [(0, 9)])
    expected = tamis.rank(X, method="constraint_score", constraints=known).scores
    frame = pd.DataFrame(X, index=[f"s{i}" for i in range(120)])  # its index plays no part
    same = tamis.rank(frame, method="constraint_score", constraints=known).scores
    np.testing.assert_array_equal(same, expected)
    with pytest.raises(ValueError) as refusal:
        tamis.CLS().fit(X[10:], constraints=known)
    assert str(refusal.value) == (
        "constraints by row are of a table with 120 rows, and X has 110: pass the row numbers that "
        "X has in that table as sample_ids, or make constraints with ids"
    )
    fitted = tamis.ConstraintScore().fit(X[:10], constraints=known, sample_ids=np.arange(10))
    assert fitted.result_.data["must_link"] == 1


@pytest.mark.parametrize("row", [120, -1, "a", 1.5, True])
def test_refuses_rows_that_are_none(row):
    message = "is no row of a table with 120 rows: constraints by row need numbers from 0 to 119"
    with pytest.raises(ValueError, match=message):
        Constraints.by_row([(0, row)], n_rows=120)


def test_files_may_hold_row_numbers(tmp_path):
    (tmp_path / "pairs.csv").write_text("a,b,kind\n0,5,must\n5,9,cannot\n")
    found = Constraints.from_csv(tmp_path / "pairs.csv", n_rows=10)
    assert found == Constraints.by_row([(0, 5)], [(5, 9)], n_rows=10)


def test_pairs_are_no_plain_list(wave):
    for fit in (tamis.rank, tamis.CLS().fit, tamis.cluster.KMeans(3).fit):
        with pytest.raises(TypeError, match=r"constraints must be tamis\.Constraints, not list"):
            fit(wave[0], constraints=[(0, 1)])


def test_says_so_if_no_pair_is_inside(wave):
    X = pd.DataFrame(wave[0])
    with pytest.warns(UserWarning, match="no pair of the constraints is inside X"):
        tamis.CLS().fit(X.iloc[:50], wave[1][:50], constraints=Constraints([(100, 101)]))


def test_pairs_by_row_count_the_rows_of_a_file_that_has_ids(tmp_path):
    X = np.random.default_rng(0).normal(size=(40, 5))
    path = tmp_path / "named.csv"
    rows = (",".join([f"s{i}", *map(repr, map(float, row))]) for i, row in enumerate(X))
    path.write_text("\n".join(["id,a,b,c,d,e", *rows]) + "\n")
    by_row = tamis.Constraints.by_row([(0, 1), (2, 3)], [(0, 5)], n_rows=40)
    by_id = tamis.Constraints([("s0", "s1"), ("s2", "s3")], [("s0", "s5")])
    wanted = tamis.rank(X, constraints=by_row, method="constraint_score").scores
    for pairs in (by_row, by_id):
        for words in ({}, {"memory": "1G"}):
            found = tamis.rank(path, constraints=pairs, method="constraint_score", **words)
            assert np.array_equal(found.scores, wanted)
    clusters = [
        tamis.cluster.KMeans(n_clusters=2, random_state=0).fit(
            pd.DataFrame(X, index=[f"s{i}" for i in range(40)]), constraints=pairs, memory="1G"
        )
        for pairs in (by_row, by_id)
    ]
    assert np.array_equal(clusters[0].labels_, clusters[1].labels_)
