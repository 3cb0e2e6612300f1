"""Completion scripts and the manual page come from the option table and are well formed."""

import shutil
import subprocess

import pytest


def needs(tool):
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"{tool} is not installed")


@pytest.mark.parametrize(
    "shell",
    ["bash", pytest.param("fish", marks=needs("fish")), pytest.param("zsh", marks=needs("zsh"))],
)
def test_completions_are_valid_scripts(tamis, shell):
    script = tamis("completion", shell).out
    checked = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tamis ra", {"rank"}),
        ("tamis rank --n-neigh", {"--n-neighbors"}),
        ("tamis rank --method laplac", {"laplacian_score"}),
        ("tamis rank --kernel b", {"binary"}),
        ("tamis rank --base fish", {"fisher_score"}),
        ("tamis rank --bag", {"--bagging", "--bagging-combine"}),
        ("tamis select --bagging-combine ro", {"robust_rank"}),
        ("tamis rank --trace small", {"small.csv"}),
        ("tamis cluster --trac", {"--trace"}),
        ("tamis pro", {"project"}),
        ("tamis project --method s", {"ssdr"}),
        ("tamis project --from small", {"small.csv"}),
        ("tamis project --variant c", {"cmu", "cm"}),
        ("tamis cluster --method so", {"som"}),
        ("tamis cluster --method k", {"kmeans"}),
        ("tamis cluster --order sh", {"shuffle"}),
        ("tamis cluster --init small", {"small.csv"}),
        ("tamis cluster --ini", {"--init", "--init-weights"}),
        ("tamis cluster --local small", {"small.csv"}),
        ("tamis cluster --uni", {"--units"}),
        ("tamis constraints --clo", {"--close"}),
        ("tamis generate ", {"cells", "wave", "blobs", "madelon"}),
        ("tamis methods sc", {"sc4"}),
        ("tamis rank small", {"small.csv"}),
    ],
)
def test_bash_completes(tamis, small, tmp_path, line, expected):
    words = line.split(" ")
    script = tamis("completion", "bash").out + (
        f"COMP_WORDS=({' '.join(repr(word) for word in words)}); COMP_CWORD={len(words) - 1}\n"
        '_tamis; printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(["bash"], input=script, capture_output=True, text=True, cwd=tmp_path)
    assert set(done.stdout.split()) == expected and done.stderr == ""


@needs("zsh")
def test_zsh_defines_a_completion_for_every_command(tamis):
    script = tamis("completion", "zsh").out
    loaded = subprocess.run(
        ["zsh", "-f"], input=f"autoload -U compinit; compinit -D -u\n{script}\nwhich _tamis\n",
        capture_output=True, text=True,
    )  # fmt: skip
    assert "--n-neighbors" in loaded.stdout and loaded.stderr == ""


@needs("mandoc")
def test_the_manual_has_no_errors(tamis):
    page = tamis("man").out
    checked = subprocess.run(
        ["mandoc", "-Tlint", "-Werror"], input=page, capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout


def test_the_manual_names_every_flag_and_method(tamis):
    page = tamis("man").out.replace("\\-", "-")
    for method in tamis("methods", "--json").json["methods"]:
        assert f".SS {method['name']}\n" in page
        assert all(option["flag"] in page for option in method["options"])
    for clustering in tamis("methods", "--json").json["clusterings"]:
        assert f".SS {clustering['name']}\n" in page.split(".SH CLUSTERINGS")[1]
        assert all(option["flag"] in page for option in clustering["options"])
    for flag in (
        "--label-column", "--constraints", "--labels-per-class", "--top", "--truth", "--units",
        "--codebook", "--coherence", "--informativeness", "--bagging", "--subspace",
        "--bagging-combine", "--trace", "--init", "--init-weights", "--local [K]", "--centroids",
    ):  # fmt: skip
        assert flag in page
    assert ".SH EXIT STATUS" in page
