import copy
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
import tamis
from registered import ESTIMATORS, METHODS
from scipy import sparse
from tamis._input import resolve_threads


def test_the_best_come_first(wave):
    ranking = tamis.rank(*wave, method="variance")
    assert ranking.better == "higher"
    assert ranking.order[0] == np.argmax(wave[0].var(axis=0))
    assert ranking.ranks[ranking.order].tolist() == list(range(1, 41))
    assert ranking.top(2) == [f"f{column}" for column in ranking.order[:2]]


def test_a_frame_has_one_row_per_feature(wave):
    ranking = tamis.rank(*wave, method="cls")
    frame = ranking.to_frame()
    assert frame.index.tolist() == list(range(1, 41)) and frame.index.name == "rank"
    assert frame["column"].tolist() == ranking.order.tolist()
    assert frame["score"].is_monotonic_increasing


def test_the_frame_of_an_ensemble_says_how_sure_each_place_is(wave):
    frame = tamis.rank(*wave, method="ens_cls", random_state=0).to_frame()
    assert frame["place"].tolist() == frame.index.tolist()
    assert (frame["place_low"] <= frame["place"]).all()
    assert (frame["place"] <= frame["place_high"]).all()
    assert (frame["place_low"] < frame["place_high"]).any()


def test_bagging_combines_places_and_says_if_members_are_too_few(wave):
    ranking = tamis.rank(*wave, method="fisher_score", bagging=12, random_state=0)
    assert ranking.bagging["combine"] == "rank" and ranking.better == "lower"
    assert np.isfinite(ranking.committee["place_low"]).all()
    with pytest.warns(UserWarning, match="^9 members are too few to tell how sure places are"):
        few = tamis.rank(*wave, method="fisher_score", bagging=9, random_state=0)
    assert few.to_frame()["place_high"].isna().all()


def test_what_was_asked_for_is_selected(wave):
    ranking = tamis.rank(*wave, top=3)
    assert ranking.selected == ranking.order[:3].tolist() == ranking.columns().tolist()
    assert ranking.top() == ranking.top(3) and len(ranking.top(5)) == 5
    assert tamis.rank(*wave).selected is None and len(tamis.rank(*wave).top()) == 40


def test_an_automatic_number_of_features_is_that_of_the_backed_ones(wave):
    ranking = tamis.rank(*wave, top="auto", random_state=0)
    relevance = ranking.relevance
    assert ranking.selected == ranking.order[: relevance["n_backed"]].tolist()
    assert [relevance["part"][column] for column in ranking.selected].count("backed") == len(
        ranking.selected
    )
    assert relevance["null"] == "table" and relevance["fdr"] == 0.1
    frame = ranking.to_frame()
    np.testing.assert_array_equal(frame["q"], relevance["q"][ranking.order])
    assert (frame["part"] == "backed").sum() == relevance["n_backed"]
    assert "<th>q</th><th>part</th>" in ranking._repr_html_()


def test_relevant_features_are_those_of_small_q(wave):
    ranking = tamis.rank(*wave, top="relevant", fdr=0.3, random_state=0)
    assert set(ranking.selected) == set(np.flatnonzero(ranking.relevance["q"] <= 0.3))
    assert tamis.rank(*wave, fdr=1).relevance is None


def test_warns_if_no_feature_is_worth_it():
    rng = np.random.default_rng(0)
    for _ in range(20):
        X, y = rng.normal(size=(12, 300)), np.array([0, 1] * 3 + [-1] * 6)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            ranking = tamis.rank(X, y, top="auto", random_state=0)
        if ranking.relevance["n_backed"] == 0:
            assert ranking.selected == [] and ranking.top() == []
            assert "no feature stands out from chance" in str(caught[-1].message)
            return
    pytest.fail("noise always seemed to tell something")


def test_the_frame_of_a_subset_says_what_is_kept(wave):
    ranking = tamis.rank(*wave, method="csfsr", random_state=0)
    frame = ranking.to_frame()
    assert frame["kept"].sum() == len(ranking.subset)
    assert ranking.top(3) == [ranking.names[column] for column in ranking.subset[:3]]
    assert ranking.redundancy["removed"]


def test_the_frame_of_diverse_features_says_why_each_stands_there(wave):
    ranking = tamis.rank(*wave, method="fisher_score", diversify=9, random_state=0)
    frame = ranking.to_frame()
    why = ranking.diversity
    assert frame["gain"].notna().sum() == 9 and frame["nearest"].isna().sum() == 32
    for place in range(2, 10):
        column = frame["column"][place]
        assert frame["nearest"][place] == ranking.names[why["nearest"][column]]
        assert frame["nearest"][place] in set(frame["feature"][: place - 1])
        assert frame["correlation"][place] == why["correlation"][column]
    assert tamis.rank(*wave, method="fisher_score").diversity is None


def test_a_share_of_the_features_is_rounded_up(wave):
    assert len(tamis.rank(*wave, method="variance", top="3%").selected) == 2
    assert len(tamis.rank(*wave, method="variance", top="0.1%").selected) == 1


def test_a_method_that_chooses_one_by_one_tells_its_path(wave):
    ranking = tamis.rank(*wave, method="mrmr", max_features=3)
    assert ranking.path["features"] == ranking.order[:3].tolist()
    assert ranking.path["criterion"].shape == (3,)
    assert ranking.to_dict()["path"]["criterion"] == ranking.path["criterion"].tolist()
    assert sorted(ranking.scores) == list(range(1, 41))
    assert tamis.rank(*wave, method="cls").path is None


def test_json_has_null_for_what_is_undefined(wave):
    X = wave[0].copy()
    X[:, 4] = 1.0
    result = json.loads(tamis.rank(X, method="variance").to_json(top=2))
    assert len(result["selected"]) == 2
    result = json.loads(tamis.rank(X, wave[1], method="cls").to_json())
    assert result["scores"][4] is None and result["order"][-1] == 4
    assert result["selected"] is None


@pytest.mark.parametrize("method", ["cls", "ens_cls", "csfsr", "fcbf", "ridge_omp"])
def test_a_ranking_can_be_pickled_and_copied(method, wave):
    X = wave[0].copy()
    X[:, 4] = 1.0
    top = "auto" if method == "ridge_omp" else None
    ranking = tamis.rank(X, wave[1], method=method, top=top, random_state=3)
    for same in (
        pickle.loads(pickle.dumps(ranking)),
        copy.copy(ranking),
        copy.deepcopy(ranking),
    ):
        assert same.to_json() == ranking.to_json()
        np.testing.assert_array_equal(same.scores, ranking.scores)
        assert (same.subset, same.hash) == (ranking.subset, ranking.hash)
        assert same.class_counts == ranking.class_counts == {"0": 4, "1": 4, "2": 4}
        assert repr(same) == repr(ranking)
        assert same.top(7) == ranking.top(7)


def test_a_ranking_does_not_change(wave):
    ranking = tamis.rank(*wave)
    with pytest.raises(AttributeError):
        ranking.scores = None
    ranking.scores[:] = 0.0
    assert any(json.loads(ranking.to_json())["scores"])


def test_arrays_are_for_computing_and_lists_for_choices(wave):
    ranking = tamis.rank(*wave, method="csfsr", top=3, random_state=0)
    assert isinstance(ranking.scores, np.ndarray) and ranking.order.dtype == np.int64
    assert isinstance(ranking.selected, list) and isinstance(ranking.subset, list)
    assert isinstance(ranking.diagnostics["undefined"], list)
    assert isinstance(ranking.redundancy["tree"][0], tuple)
    committee = tamis.rank(*wave, method="ens_cls", random_state=0).committee
    assert isinstance(committee["draws"], np.ndarray) and isinstance(committee["stability"], dict)


def test_notebooks_show_names_as_text(wave):
    names = ["<b>"] * 40
    shown = tamis.rank(*wave, feature_names=names)._repr_html_()
    assert "&lt;b&gt;" in shown and "<b></td>" not in shown and "and 30 more" in shown


def test_repr_names_the_best(wave):
    shown = repr(tamis.rank(*wave, method="cls"))
    assert shown.startswith("<Ranking of 40 features by cls, lower is better: f")


@pytest.mark.parametrize("method", ["ridge_omp", "fisher_score", "cls"])
def test_plot_shows_the_best_on_top_and_longest(method, wave):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    ranking = tamis.rank(*wave, method=method)
    axes = ranking.plot(k=5)
    assert [label.get_text() for label in axes.get_yticklabels()] == ranking.top(5)
    assert axes.yaxis_inverted()
    lengths = [abs(bar.get_width()) for bar in axes.patches]
    if method != "ridge_omp":  # whose order is not that of the scores
        assert lengths == sorted(lengths, reverse=True) and lengths[-1] > 0
    ends = [bar.get_x() + bar.get_width() for bar in axes.patches]
    np.testing.assert_allclose(ends, ranking.scores[ranking.order[:5]])


def test_plot_shows_infinite_scores_longer_than_any_other():
    pytest.importorskip("matplotlib").use("Agg")
    X, y = [[0, 1, 5], [0, 2, 6], [1, 2, 5], [1, 4, 7]], [0, 0, 1, 1]
    ranking = tamis.rank(np.array(X, dtype=float), y, method="fisher_score")
    assert ranking.scores[0] == np.inf
    lengths = [bar.get_width() for bar in ranking.plot().patches]
    np.testing.assert_allclose(lengths[0], 1.1 * lengths[1])


def test_a_ranking_is_a_sequence_of_names(wave):
    ranking = tamis.rank(*wave, method="cls")
    assert len(ranking) == 40 and list(ranking) == ranking.top() == ranking[:]
    assert ranking[0] == ranking.top(1)[0] and ranking[-1] == ranking.top()[-1]
    assert ranking[:3] == ranking.top(3) and ranking[0] in ranking
    assert ranking.index(ranking[4]) == 4
    with pytest.raises(TypeError, match="'str' object cannot be interpreted as an integer"):
        ranking["f3"]


@pytest.mark.parametrize("choose", [tamis.Ranking.top, tamis.Ranking.columns])
def test_a_number_of_features_is_a_whole_number_from_0(choose, wave):
    ranking = tamis.rank(*wave, method="cls")
    assert [len(choose(ranking, k)) for k in (0, np.int8(3), 99)] == [0, 3, 40]
    with pytest.raises(ValueError, match="k = -1 is no number of features"):
        choose(ranking, -1)
    with pytest.raises(TypeError, match="'float' object cannot be interpreted"):
        choose(ranking, 2.5)


def test_whole_numbers_are_shown_without_their_type(wave):
    """As those that NumPy makes."""
    ranking = tamis.rank(*wave, method="cls")
    labels = tamis.cluster.KMeans(2).fit(wave[0]).labels_
    for array in (ranking.order, tamis.datasets.make_wave(5)[1], labels):
        assert "dtype" not in repr(array)


def test_rankings_are_equal_if_their_runs_are(wave):
    one, same = (tamis.rank(*wave, method="ens_cls", random_state=1) for _ in range(2))
    assert one == same and hash(one) == hash(same) and len({one, same}) == 1
    assert pickle.loads(pickle.dumps(one)) == one
    for other in (
        tamis.rank(*wave, method="ens_cls", random_state=2),
        tamis.rank(*wave, method="ens_cls", random_state=1, top=3),
        tamis.rank(*wave, method="cls"),
        tamis.rank(wave[0] + 1, wave[1], method="ens_cls", random_state=1),
        "ens_cls",
    ):
        assert one != other


def test_names_are_those_of_the_frame(wave):
    numbers = pd.DataFrame(wave[0])
    ranking = tamis.rank(numbers, wave[1], method="cls")
    assert ranking.names == list(range(40)) and ranking.top(3) == ranking.order[:3].tolist()
    assert numbers[ranking.top(3)].shape == (120, 3)
    assert pickle.loads(pickle.dumps(ranking)).names == ranking.names
    pairs = pd.MultiIndex.from_product([["a", "b"], range(20)])
    ranking = tamis.rank(numbers.set_axis(pairs, axis=1), wave[1], method="cls")
    assert ranking[0] == pairs[ranking.order[0]]
    assert repr(ranking).startswith("<Ranking of 40 features by cls, lower is better: ('")
    assert ranking.to_frame()["feature"].iloc[0] == pairs[ranking.order[0]]
    assert "&#x27;" in ranking._repr_html_() and ranking.plot(3) is not None
    twice = tamis.rank(numbers.set_axis(["a"] * 40, axis=1), wave[1], method="cls")
    assert twice.top(2) == ["a", "a"] and twice.order.tolist() == ranking.order.tolist()


def test_what_went_around_the_method_is_told(wave):
    ranking = tamis.rank(*wave, method="fisher_score", bagging=12, diversify=5, random_state=0)
    assert ranking.how == "fisher_score, bagged 12 times, diversified"
    assert "by fisher_score, bagged 12 times, diversified, " in repr(ranking)
    assert "<b>fisher_score, bagged 12 times, diversified</b>" in ranking._repr_html_()


def test_a_selector_may_stand_for_its_method(wave):
    expected = tamis.rank(*wave, method="cls", n_neighbors=5, random_state=0)
    assert tamis.rank(*wave, method=tamis.CLS(n_neighbors=5), random_state=0) == expected
    both = tamis.rank(*wave, method=tamis.CLS(n_neighbors=3), n_neighbors=5, random_state=0)
    assert both == expected


def test_methods_are_listed_with_their_options():
    cls = next(method for method in tamis.methods() if method["name"] == "cls")
    assert cls["kind"] == "semi-supervised"
    assert {"name": "n_neighbors", "default": 10}.items() <= cls["options"][0].items()
    assert sorted(METHODS) == METHODS


def test_what_the_method_noticed_becomes_a_warning():
    X, _ = tamis.datasets.make_wave(50, random_state=0)
    with pytest.warns(UserWarning, match="ridge_omp got neither labels nor pairs"):
        tamis.rank(X)


def test_settings_of_the_paper_where_no_option_is_given(wave):
    paper = tamis.rank(*wave, method="cls", settings="paper", bandwidth=2)
    same = {"bandwidth": 2, "bandwidth_unit": "absolute", "condense": "som"}
    spelled_out = tamis.rank(*wave, method="cls", **same)
    assert paper.options == spelled_out.options
    np.testing.assert_array_equal(paper.scores, spelled_out.scores)
    methods = {method["name"]: method["paper"] for method in tamis.methods()}
    assert methods["cls"] == {**same, "bandwidth": 0.1} and methods["fisher_score"] == {}
    ours = tamis.rank(*wave, method="bcs", random_state=0)
    np.testing.assert_array_equal(
        tamis.rank(*wave, method="bcs", settings="paper", random_state=0).scores, ours.scores
    )
    with pytest.raises(ValueError, match="settings = 'book' is not one of default, paper"):
        tamis.rank(*wave, settings="book")
    with pytest.raises(ValueError, match="bcs: vote = true is about predicting classes"):
        tamis.rank(*wave, method="bcs", vote=True)


def test_random_state_is_scikit_learns(wave):
    drawn = [
        tamis.rank(*wave, method="ens_cls", random_state=np.random.RandomState(5)).scores
        for _ in range(2)
    ]
    np.testing.assert_array_equal(*drawn)
    assert tamis.rank(*wave, random_state=12).seed == 12


def test_a_generator_is_drawn_from(wave):
    one, same = (np.random.default_rng(5) for _ in range(2))
    seeds = [tamis.rank(*wave, method="ens_cls", random_state=one).seed for _ in range(2)]
    assert seeds[0] != seeds[1]
    assert tamis.EnsCLS(random_state=same).fit(*wave).result_.seed == seeds[0]
    before = same.bit_generator.state
    tamis.rank(*wave, method="variance", random_state=same)
    assert same.bit_generator.state == before


def test_sparse_tables_need_not_be_in_order(mostly_zero):
    x, y = mostly_zero
    tidy = sparse.csr_array(x)
    tidy.sort_indices()
    untidy = tidy.copy()
    for start, end in zip(tidy.indptr[:-1], tidy.indptr[1:], strict=True):
        untidy.indices[start:end] = tidy.indices[start:end][::-1]
        untidy.data[start:end] = tidy.data[start:end][::-1]
    untidy.has_sorted_indices = False
    before = untidy.indices.copy()
    np.testing.assert_array_equal(tamis.rank(untidy, y).scores, tamis.rank(tidy, y).scores)
    np.testing.assert_array_equal(untidy.indices, before)


def test_columns_of_32_bits_are_used_where_they_are():
    dense = np.random.default_rng(0).random((4000, 300))
    x = sparse.csr_array(np.where(dense < 0.2, dense, 0.0))
    assert x.indices.dtype == np.int32
    tracemalloc.start()
    try:
        tamis.rank(x, method="variance")
        assert tracemalloc.get_traced_memory()[1] < x.indices.nbytes / 2
    finally:
        tracemalloc.stop()


def test_integers_and_fortran_order_are_converted(wave):
    X = np.round(wave[0] * 100)
    expected = tamis.rank(X, wave[1], random_state=0).scores
    for same in (X.astype(np.int32), np.asfortranarray(X), X.tolist()):
        np.testing.assert_array_equal(tamis.rank(same, wave[1], random_state=0).scores, expected)


def peak_growth(made, used):
    """Kilobytes by which the peak of a process grows when it uses what it has made."""
    code = f"""
import numpy as np, resource, tamis
from scipy import sparse
{made}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
{used}
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(run.stdout)


def test_a_float_table_in_c_order_is_not_copied():
    made = """
x = np.random.default_rng(0).random((20000, 1000), dtype=np.float32)  # 80 MB
tamis.rank(x[:50], method="variance")
tamis.Variance().fit(x[:50])
"""
    used = "tamis.rank(x, method='variance'); tamis.Variance().fit(x)"
    assert peak_growth(made, used) < 10_000


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("method", ["fisher_score", "variance"])
def test_a_csr_matrix_is_not_copied(method, kind):
    """Its parts are made one by one, so that the peak before is what they take."""
    made = f"""
data = np.random.default_rng(0).random(5_000_000, dtype="{kind}")
columns = np.tile(np.arange(0, 2000, 4, dtype=np.int32), 10_000)
offsets = np.arange(0, 5_000_001, 500, dtype=np.int32)
x = sparse.csr_array((data, columns, offsets), shape=(10_000, 2000))
y = np.full(10_000, -1)
y[:40] = np.arange(40) % 2
tamis.rank(x[:50], y[:50], method="{method}")
"""
    used = f"tamis.rank(x, y, method='{method}')"
    assert peak_growth(made, used) < 10_000  # 40 and 60 MB


def test_an_interrupt_ends_long_work():
    code = """
import numpy as np, tamis
x = np.random.default_rng(0).random((60000, 200), dtype=np.float32)
print("ready", flush=True)
tamis.rank(x, method="laplacian_score", n_jobs=2)
"""
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    child.stdout.readline()
    time.sleep(0.5)
    os.kill(child.pid, signal.SIGINT)
    start = time.monotonic()
    _, errors = child.communicate(timeout=30)
    assert "KeyboardInterrupt" in errors
    assert time.monotonic() - start < 5


def test_other_threads_go_on_meanwhile():
    X, _ = tamis.datasets.make_wave(12000, random_state=0)
    results = []
    worker = threading.Thread(
        target=lambda: results.append(tamis.rank(X, method="laplacian_score", n_jobs=1))
    )
    worker.start()
    steps = 0
    while worker.is_alive():
        steps += 1
        time.sleep(0.001)
    assert steps > 3, "the interpreter was locked"
    np.testing.assert_array_equal(results[0].scores, tamis.rank(X, method="laplacian_score").scores)


def threads_and_order(X, y):
    return resolve_threads(None), tamis.rank(X, y, random_state=0).order


def test_workers_of_joblib_share_the_cores(wave):
    expected = tamis.rank(*wave, random_state=0).order
    jobs = [joblib.delayed(threads_and_order)(*wave)] * 4
    for threads, order in joblib.Parallel(n_jobs=2, backend="loky")(jobs):
        assert threads <= max(1, joblib.cpu_count() // 2)
        np.testing.assert_array_equal(order, expected)


def test_threads_may_rank_at_the_same_time(wave):
    expected = tamis.rank(*wave, random_state=0).order
    jobs = [joblib.delayed(threads_and_order)(*wave)] * 8
    for _, order in joblib.Parallel(n_jobs=4, backend="threading")(jobs):
        np.testing.assert_array_equal(order, expected)


def test_nobody_shrinks_a_table_in_use():
    X = np.ones((50, 4))
    table = tamis._core.Table(X)
    with pytest.raises(ValueError, match="referenced"):
        X.resize((10, 4))
    del table
    X.resize((10, 4))


def test_importing_is_quick():
    code = """
import sklearn.feature_selection, sklearn.model_selection, scipy.sparse, time
start = time.process_time()
import tamis
print(time.process_time() - start)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(run.stdout) < 0.15


@pytest.mark.parametrize("method", [m["name"] for m in tamis.methods() if not m["draws"]])
def test_what_leaves_nothing_to_chance_draws_nothing(wave, method):
    np.random.seed(0)
    before = np.random.get_state()[2]
    assert tamis.rank(*wave, method=method).seed == 0
    assert np.random.get_state()[2] == before
    ESTIMATORS[method]().fit(*wave)
    assert np.random.get_state()[2] == before


def test_what_chance_decides_draws_a_seed(wave):
    for given in ({"method": "ridge_omp"}, {"method": "variance", "bagging": 3}):
        generator = np.random.RandomState(0)
        expected = np.random.RandomState(0).randint(2**31 - 1)
        assert tamis.rank(*wave, random_state=generator, **given).seed == expected


def test_a_seed_that_is_given_is_kept_where_nothing_is_drawn(wave):
    assert tamis.rank(*wave, method="variance", random_state=7).seed == 7
    with pytest.raises(ValueError, match="cannot be used to seed"):
        tamis.rank(*wave, method="variance", random_state="seven")


def test_what_a_ranking_does_not_have_is_named(wave):
    ranking = tamis.rank(*wave, method="variance")
    with pytest.raises(AttributeError, match="a Ranking has no attribute 'score'"):
        ranking.score  # noqa: B018
    with pytest.raises(AttributeError, match="a Ranking has no attribute '_score'"):
        ranking._score  # noqa: B018
    fresh = tamis.rank(*wave, method="variance")
    assert {"options", "class_counts", "top"} <= set(dir(fresh))
    assert ranking.scores is ranking.scores
