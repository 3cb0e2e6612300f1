"""Methods that choose a subset: `rank` says what became of each feature, `select` keeps them."""

import csv
import io

import numpy as np
import pytest
from program import csv_text
from test_terminal import on_a_terminal

CSFSR = ("--method", "csfsr", "--base", "variance")
USAGE = 2


@pytest.fixture
def table(write):
    """f1 repeats f0, f3 repeats f2 (upside down), f4 and f5 are on their own."""
    random = np.random.default_rng(3)
    x = random.normal(size=(60, 6)) * np.array([6.0, 5.0, 4.0, 3.0, 2.0, 1.0])
    x[:, 1] = 0.9 * x[:, 0]
    x[:, 3] = -0.8 * x[:, 2]
    write("t.csv", csv_text(x, np.arange(60) % 2))
    return x


def test_json_has_the_tree_and_the_reason_of_each_removal(tamis, table):
    result = tamis("rank", "t.csv", *CSFSR, "--threshold", "0.5", "--json").json
    rho = np.abs(np.corrcoef(table.T))
    assert result["selected"] == [0, 2, 4, 5] and result["order"] == [0, 2, 4, 5, 1, 3]
    assert result["options"]["base"] == "variance"
    found = result["redundancy"]
    assert len(found["tree"]) == 5
    for first, second, correlation in found["tree"]:
        assert correlation == pytest.approx(rho[first, second], abs=1e-12)
    removed = [(entry["feature"], entry["because_of"]) for entry in found["removed"]]
    assert removed == [(1, 0), (3, 2)]
    assert all(entry["correlation"] == pytest.approx(1.0) for entry in found["removed"])
    kept = rho[np.ix_(result["selected"], result["selected"])]
    mean = kept[np.triu_indices(4, 1)].mean()
    assert found["mean_abs_correlation"] == pytest.approx(mean)
    assert found["rate"] == pytest.approx(mean / 2)


def test_a_plain_ranking_has_no_redundancy(tamis, table):
    assert "redundancy" not in tamis("rank", "t.csv", "--json").json


def test_the_twin_that_is_ranked_better_stays(tamis, table):
    for base in ("csfs", "cls", "laplacian_score"):
        words = ("rank", "t.csv", "--method", "csfsr", "--base", base, "--json")
        ranking, selected = (tamis("rank", "t.csv", "--method", base, "--json").json["order"],
                             tamis(*words).json["selected"])  # fmt: skip
        for twins in ((0, 1), (2, 3)):
            better, worse = sorted(twins, key=ranking.index)
            assert worse not in selected
            assert ranking.index(better) < ranking.index(worse)


@pytest.mark.parametrize("top", [1, 3, 4])
def test_select_gives_exactly_k_of_the_kept(tamis, table, tmp_path, top):
    words = ("t.csv", *CSFSR, "--threshold", "0.5")
    outcome = tamis("select", *words, "--top", top, "-o", "out.csv")
    assert outcome.code == 0 and "more than" not in outcome.err
    header = (tmp_path / "out.csv").read_text().split("\n", 1)[0].split(",")
    assert header == [f"f{r}" for r in (0, 2, 4, 5)[:top]] + ["class"]
    assert tamis("rank", *words, "--top", top, "--json").json["selected"] == [0, 2, 4, 5][:top]


def test_select_says_when_fewer_were_kept(tamis, table, tmp_path):
    words = ("select", "t.csv", *CSFSR, "--threshold", "0.5", "--top", "5", "-o", "out.csv")
    outcome = tamis(*words)
    assert "warning: --top 5 asks for more than the 4 features that csfsr kept" in outcome.err
    assert "4 of 6 features written" in outcome.err


@pytest.mark.parametrize("top", [(), ("--top", "all")], ids=["nothing", "all"])
def test_the_method_may_choose_how_many(tamis, table, tmp_path, top):
    outcome = tamis("select", "t.csv", *CSFSR, "--threshold", "0.5", *top, "-o", "out.csv")
    assert outcome.code == 0, outcome.err
    assert "4 features kept, 2 removed" in outcome.err
    assert "removed: f1 (repeats f0, |rho| 1.00), f3 (repeats f2, |rho| 1.00)\n" in outcome.err
    assert (tmp_path / "out.csv").read_text().startswith("f0,f2,f4,f5,class\n")


def test_tables_say_what_became_of_each_feature(tamis, table, tmp_path):
    words = ("rank", "t.csv", *CSFSR, "--threshold", "0.5", "--h", "5")
    lines = list(csv.DictReader(io.StringIO(tamis(*words, "--csv").out)))
    fates = {line["feature"]: line["fate"] for line in lines}
    assert fates == {
        "f0": "kept", "f2": "kept", "f4": "kept", "f1": "removed: repeats f0, |rho| 1.00",
        "f3": "removed: repeats f2, |rho| 1.00", "f5": "",
    }  # fmt: skip
    text = tamis(*words).out.splitlines()
    assert text[0] == "rank\tfeature\tscore\tfate" and text[4].endswith("repeats f0, |rho| 1.00")
    assert len(tamis(*words, "--top", "2").out.splitlines()) == 3
    shown = on_a_terminal((*words, "--no-color"), tmp_path)
    assert "kept" in shown and "removed: repeats f0, |rho| 1.00" in shown


def test_a_terminal_shows_removals_below_the_best(tamis, tmp_path):
    tamis("generate", "blobs", "--rows", "60", "-o", "b.csv")
    words = ("rank", "b.csv", "--method", "csfsr", "--threshold", "0.9", "--no-color", "-q")
    lines = on_a_terminal(words, tmp_path).splitlines()
    assert any(line.rstrip() == "   …" for line in lines) and lines[-1].endswith("shows them")
    assert sum("removed: repeats" in line for line in lines) == 5


def test_fcbf_keeps_no_copy_beside_its_original(tamis, table, tmp_path):
    outcome = tamis("select", "t.csv", "--method", "fcbf", "-o", "out.csv")
    result = tamis("rank", "t.csv", "--method", "fcbf", "--json").json
    kept = result["selected"]
    assert kept == result["path"]["features"] == result["order"][: len(kept)]
    assert len(set(kept) & {0, 1}) <= 1 and len(set(kept) & {2, 3}) <= 1 and kept
    assert f"{len(kept)} features of 6 kept" in outcome.err
    header = (tmp_path / "out.csv").read_text().split("\n", 1)[0].split(",")
    assert header == [f"f{r}" for r in sorted(kept)] + ["class"]
    lines = csv.DictReader(io.StringIO(tamis("rank", "t.csv", "--method", "fcbf", "--csv").out))
    fates = {line["feature"]: line["fate"] for line in lines}
    assert [name for name, fate in fates.items() if fate == "kept"] == [f"f{r}" for r in kept]


def test_a_subset_may_be_empty(tamis, refused, table):
    words = ("t.csv", "--method", "fcbf", "--delta", "1")
    outcome = tamis("rank", *words, "--json")
    assert outcome.json["selected"] == [] and "fcbf keeps no feature" in outcome.err
    assert "nothing to write" in refused("select", *words, "-o", "out.csv", code=3)


def test_mrmr_goes_as_far_as_features_are_asked_for(tamis, table):
    words = ("rank", "t.csv", "--method", "mrmr", "--json")
    assert len(tamis(*words, "--max-features", "2").json["path"]["features"]) == 2
    assert tamis(*words, "--top", "300").json["options"]["max_features"] == 300


def test_the_options_of_the_base_are_written_into_its_name(tamis, table):
    words = ("rank", "t.csv", "--labels-per-class", "3", "--json")
    pruned = tamis(*words, "--method", "csfsr", "--base", "cls:n_neighbors=3,form=pairs").json
    direct = tamis(*words, "--method", "cls", "--n-neighbors", "3", "--form", "pairs").json
    assert pruned["scores"] == direct["scores"]
    assert pruned["options"]["base"] == "cls:n_neighbors=3,form=pairs"


def test_more_candidates_than_features_are_cut_with_a_warning(tamis, table):
    outcome = tamis("rank", "t.csv", *CSFSR, "--h", "50", "--json")
    assert any("h = 50" in text for text in outcome.json["diagnostics"]["warnings"])
    assert "tamis: warning:" in outcome.err and "6 features" in outcome.err


@pytest.mark.parametrize(
    ("base", "culprit"),
    [
        ("varianse", "did you mean 'variance'"),
        ("csfsr", "csfsr chooses a subset itself"),
        ("cls:n_neighbours=3", "did you mean 'n_neighbors'"),
        ("cls:n_neighbors=0", "n_neighbors = 0"),
        ("cls:n_neighbors", "option=value"),
    ],
)
@pytest.mark.parametrize("command", [("rank",), ("select", "--top", "2")], ids=["rank", "select"])
def test_a_wrong_base_is_refused(refused, table, command, base, culprit):
    words = ("t.csv", "--method", "csfsr", "--base", base, "-o", "out.csv")
    assert culprit in refused(*command, *words, code=USAGE)


def test_condensing_says_when_every_row_is_known(tamis, table):
    outcome = tamis("rank", "t.csv", "-m", "cls", "--condense", "som", "--json")
    assert "nothing was condensed: 0 of 60 rows" in outcome.err
    assert outcome.json["diagnostics"]["warnings"]


def test_a_map_of_too_many_units_is_cut_when_condensing(tamis, table):
    words = ("rank", "t.csv", "-m", "cls", "--labels-per-class", "3", "--condense", "som", "--json")
    outcome = tamis(*words, "--units", "500")
    assert "units = 500 was cut to the number of rows, 54" in outcome.err
    assert tamis(*words, "--units", "1").code == USAGE


def test_what_was_removed_is_said_where_no_table_lists_it(tamis, table):
    words = ("rank", "t.csv", *CSFSR, "--threshold", "0.5")
    line = "removed: f1 (repeats f0, |rho| 1.00), f3 (repeats f2, |rho| 1.00)\n"
    top = tamis(*words, "--top", "2", "--json")
    assert line in top.err and line not in tamis(*words).err
    assert [
        (removal["feature"], removal["because_of"], round(removal["correlation"], 6))
        for removal in top.json["redundancy"]["removed"]
    ] == [(1, 0, 1.0), (3, 2, 1.0)]


def test_many_removals_are_cut_short(tamis):
    tamis("generate", "wave", "--rows", "80", "-o", "w.csv")
    outcome = tamis("select", "w.csv", "--method", "csfsr", "-o", "best.csv")
    (line,) = [line for line in outcome.err.splitlines() if line.startswith("removed: ")]
    assert line.count("repeats") == 10 and line.endswith("more; tamis rank lists them all")
