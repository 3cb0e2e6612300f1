"""Our statistics against SciPy, scikit-learn, scikit-posthocs and statsmodels.

Expects the release build that ./test has made.
"""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
import scikit_posthocs
import scipy.stats
import sklearn.metrics
from statsmodels.stats.multitest import multipletests

ROOT = Path(__file__).parents[2]
PROBE = os.environ.get(
    "TAMIS_STATISTICS_PROBE", ROOT / "build" / "release" / "tests" / "tamis_statistics_probe"
)
METRICS = {
    "accuracy": sklearn.metrics.accuracy_score,
    "balanced_accuracy": sklearn.metrics.balanced_accuracy_score,
    "rand_index": sklearn.metrics.rand_score,
    "adjusted_rand_index": sklearn.metrics.adjusted_rand_score,
    "normalized_mutual_information": sklearn.metrics.normalized_mutual_info_score,
}


def ask(questions):
    """What the library answers to a list of (what, arguments...)."""
    text = json.dumps(questions, default=lambda value: value.tolist())
    done = subprocess.run([PROBE], input=text, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.fixture
def random():
    return np.random.default_rng(0)


@pytest.mark.parametrize("name", METRICS)
def test_metrics_agree_with_scikit_learn(name, random):
    pairs = [
        (np.arange(rows) % classes, random.integers(0, others, rows))
        for rows in (1, 2, 7, 50, 400)
        for classes in (1, 2, 5)
        for others in (1, 2, 5)
        if name != "balanced_accuracy" or 1 < others <= min(classes, rows)  # the peer would warn
    ]
    ours = ask([(name, *pair) for pair in pairs])
    assert ours == pytest.approx([METRICS[name](*pair) for pair in pairs], abs=1e-12)


def test_friedman_agrees_with_scipy(random):
    for data_sets in (5, 12, 30):
        for methods in (3, 4, 10):
            for scores in (
                random.normal(size=(data_sets, methods)),
                random.integers(0, 3, (data_sets, methods)).astype(float),
            ):
                [(ranks, chi, chi_p, f, f_p)] = ask([("friedman_test", scores.ravel(), methods)])
                expected = scipy.stats.friedmanchisquare(*scores.T)
                assert (chi, chi_p) == pytest.approx((expected.statistic, expected.pvalue))
                assert ranks == pytest.approx(scipy.stats.rankdata(-scores, axis=1).mean(axis=0))
                expected_f = (data_sets - 1) * chi / (data_sets * (methods - 1) - chi)
                assert f == pytest.approx(expected_f)
                freedom = (methods - 1, (methods - 1) * (data_sets - 1))
                assert f_p == pytest.approx(scipy.stats.f.sf(expected_f, *freedom))


def test_nemenyi_agrees_with_scikit_posthocs(random):
    for data_sets, methods in ((5, 3), (12, 5), (30, 10)):
        scores = random.normal(size=(data_sets, methods)) + np.arange(methods) / 3
        expected = scikit_posthocs.posthoc_nemenyi_friedman(scores).to_numpy()
        ranks = scipy.stats.rankdata(scores, axis=1).mean(axis=0)
        places = [(i, j) for i in range(methods) for j in range(i)]
        ours = ask(
            [("nemenyi_p_value", ranks[i] - ranks[j], methods, data_sets) for i, j in places]
        )
        assert ours == pytest.approx([expected[place] for place in places], abs=1e-6)


def test_studentized_range_agrees_with_scipy():
    groups = range(2, 21)
    for level in (0.01, 0.05, 0.10):
        ours = ask([("studentized_range_quantile", 1 - level, k, None) for k in groups])
        expected = [scipy.stats.studentized_range.ppf(1 - level, k, np.inf) for k in groups]
        assert ours == pytest.approx(expected, abs=1e-5)
    points = [(q, k, v) for q in (0.5, 2, 4.5) for k in (2, 3, 8, 20) for v in (1, 2, 5, 30, 500)]
    ours = ask([("studentized_range_cdf", *point) for point in points])
    expected = [scipy.stats.studentized_range.cdf(*point) for point in points]
    assert ours == pytest.approx(expected, abs=1e-6)


def paired_lists(random):
    """Without ties, with ties and zeros; few pairs and many."""
    for pairs in (2, 3, 9, 13, 14, 30, 50, 51, 200):
        a = random.normal(size=pairs)
        yield a, a + random.normal(size=pairs) + 0.2
        yield random.integers(0, 6, pairs).astype(float), random.integers(0, 5, pairs).astype(float)


def test_paired_t_agrees_with_scipy(random):
    pairs = [pair for pair in paired_lists(random) if np.ptp(pair[0] - pair[1]) > 0]
    ours = ask([("paired_t_test", *pair) for pair in pairs])
    for pair, answer in zip(pairs, ours, strict=True):
        expected = scipy.stats.ttest_rel(*pair)
        assert answer == pytest.approx([expected.statistic, expected.pvalue], rel=1e-9)


def test_wilcoxon_agrees_with_scipy(random):
    pairs = [pair for pair in paired_lists(random) if (pair[0] != pair[1]).any()]
    ours = ask([("wilcoxon_signed_rank", *pair) for pair in pairs])
    for pair, answer in zip(pairs, ours, strict=True):
        expected = scipy.stats.wilcoxon(*pair)
        assert answer == pytest.approx([expected.statistic, expected.pvalue], rel=1e-9)


def test_sign_test_agrees_with_scipy():
    counts = [(wins, losses) for wins in range(12) for losses in range(12) if wins + losses > 0]
    ours = ask([("sign_test", wins, 0, losses) for wins, losses in counts])
    for (wins, losses), answer in zip(counts, ours, strict=True):
        better, different = (
            scipy.stats.binomtest(wins, wins + losses, alternative=alternative).pvalue
            for alternative in ("greater", "two-sided")
        )
        assert answer == pytest.approx([wins, wins + losses, better, different])


def test_holm_agrees_with_statsmodels(random):
    for count in (1, 2, 10, 45):
        p_values = np.round(random.random(count) ** 3, 2)
        [ours] = ask([("holm_adjusted", p_values)])
        assert ours == pytest.approx(multipletests(p_values, method="holm")[1])
