"""Files from strangers: refused or read, at a cost that fits their size, and nothing else."""

import gzip
import io
import os
import resource
import signal
import subprocess
import time

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from program import IS_SANITIZED, PROGRAM, ROOT, SMALL

FAILED, USAGE, DATA = 1, 2, 3
MEGABYTES = 1_000_000

limits_address_space = pytest.mark.skipif(
    IS_SANITIZED, reason="AddressSanitizer needs terabytes of address space"
)


def refused_cheaply(tmp_path, *words, **options):
    """The message of a run that must be refused soon, with little more memory than any run has."""
    megabytes = 750 + 125 * os.cpu_count()  # of address space: OpenBLAS takes some for each core

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * MEGABYTES, megabytes * MEGABYTES))

    begin = time.monotonic()
    done = subprocess.run(
        [PROGRAM, *words], cwd=tmp_path, capture_output=True, text=True, preexec_fn=limit, **options
    )
    assert (done.returncode, done.stdout) == (DATA, ""), done.stderr
    assert time.monotonic() - begin < 10
    return done.stderr


def sparse_matlab(rows):
    """One entry in a table of so many rows, level 5, not compressed."""
    file = io.BytesIO()
    scipy.io.savemat(file, {"X": scipy.sparse.csc_matrix(([1.0], ([0], [0])), shape=(rows, 1))})
    return file.getvalue()


def zeros_in_gzip(count):
    return gzip.compress(b"a,b\n" + b"0,0\n" * (count // 4))


@limits_address_space
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("one.svm", b"1 100000000:1\n2 1:1\n"),
        ("rows.mat", sparse_matlab(99_000_000)),
        ("bomb.csv.gz", zeros_in_gzip(200 * MEGABYTES)),
    ],
    ids=["libsvm", "matlab", "gzip"],
)
def test_a_small_file_costs_little(tmp_path, write, name, content):
    write(name, content)
    message = refused_cheaply(tmp_path, "rank", name, "-m", "variance")
    assert message.endswith("; --trusted reads it all the same\n")


def test_a_trusted_file_is_read(tamis, write):
    write("one.svm", "1 1:1\n2 1100000:1\n1 2:1\n")
    assert tamis("info", "one.svm", "--trusted", "--json").json["features"] == 1_100_000


@limits_address_space
def test_a_gzip_file_through_a_pipe_is_limited_too(tmp_path, write):
    write("bomb.csv.gz", zeros_in_gzip(100 * MEGABYTES))
    with subprocess.Popen(["cat", tmp_path / "bomb.csv.gz"], stdout=subprocess.PIPE) as cat:
        message = refused_cheaply(tmp_path, "rank", "-", stdin=cat.stdout)
    assert message == (
        "tamis: standard input: its content takes more than 67108864 bytes; --trusted reads it all "
        "the same\n"
    )


def test_standard_input_is_not_overwritten(tmp_path, small):
    with small.open() as content:
        done = subprocess.run(
            [PROGRAM, "rank", "-", "-o", "small.csv"],
            cwd=tmp_path,
            stdin=content,
            capture_output=True,
            text=True,
        )
    assert (done.returncode, done.stdout) == (USAGE, "")
    assert done.stderr == (
        "tamis: -o small.csv would overwrite the input standard input: choose another name\n"
    )
    assert small.read_text() == SMALL


@pytest.mark.parametrize("flag", ["-o", "--report", "--trace"])
def test_an_empty_name_is_no_file(refused, small, flag):
    message = refused("rank", "small.csv", flag, "", code=USAGE)
    assert message == f"tamis: rank: {flag} '' names no file; - is standard output"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--bagging", "100000000000"),
            "bagging: n_members = 100000000000 must be in [1, 10000000]",
        ),
        (
            ("-m", "bcs", "--n-bags", "100000000000"),
            "bcs: n_bags = 100000000000 must be in [1, 10000000]",
        ),
        (
            ("-m", "ens_cls", "--n-members", "100000000000"),
            "ens_cls: n_members = 100000000000 must be in [1, 10000000]",
        ),
    ],
    ids=["bagging", "bcs", "ens_cls"],
)
def test_more_members_than_anybody_can_wait_for_are_refused(refused, small, words, message):
    assert message in refused("rank", "small.csv", "--id-column", "id", *words, code=USAGE)


def test_a_results_file_cut_within_its_first_line_says_how_to_go_on(tamis, refused, write, small):
    words = ("evaluate", "small.csv", "-m", "variance", "--runs", "1", "-o", "r.jsonl")
    whole = tamis("evaluate", "small.csv", "-m", "variance", "--runs", "1", "-o", "-").out
    write("r.jsonl", whole.splitlines()[0][:50])
    cut = (
        "tamis: r.jsonl: is cut off within its first line and holds no result: remove it and begin "
        "anew"
    )
    assert refused(*words, code=DATA) == cut
    assert refused("report", "r.jsonl", code=DATA) == cut


@limits_address_space
def test_too_little_address_space_is_said_and_does_not_hang(tmp_path, small):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (200_000 * 1024, 200_000 * 1024))

    done = subprocess.run(
        [PROGRAM, "rank", "small.csv"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=20,
        preexec_fn=limit,
    )
    assert (done.returncode, done.stdout) == (FAILED, "")
    assert done.stderr.startswith("tamis: address space is limited to 204 MB (ulimit -v), and ")


def test_a_killed_run_leaves_nothing_for_long(tmp_path, tamis, small, long_work):
    process = subprocess.Popen(
        [PROGRAM, "rank", long_work / "big.npy", "-m", "laplacian_score", "-q", "-o", "out.txt"],
        cwd=tmp_path,
    )
    deadline = time.monotonic() + 20
    while not list(tmp_path.glob(".tamis-*.tmp")) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert tamis("rank", "small.csv", "-o", "other.txt").code == 0
    assert len(list(tmp_path.glob(".tamis-*.tmp"))) == 1, "that run is alive"
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert tamis("rank", "small.csv", "-o", "other.txt").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.txt", "small.csv"]


def test_a_page_of_very_many_features_stays_readable(tmp_path, tamis, write):
    columns = 30_000
    random = np.random.default_rng(5)
    write("wide.npy", npy_bytes(random.normal(size=(6, columns)).astype(np.float32)))
    outcome = tamis("rank", "wide.npy", "-m", "variance", "--top", "3", "--report", "page.html")
    assert outcome.code == 0
    page = (tmp_path / "page.html").read_text()
    assert len(page) < 500_000
    assert (
        "The first 200 of 30000 features; the CSV file has the first 1000, as all would make the "
        "page too long. page.html.csv beside this page lists them all." in page
    )
    lines = (tmp_path / "page.html.csv").read_text().splitlines()
    assert lines[0] == "rank,feature,column,score" and len(lines) == columns + 1


def test_the_file_beside_a_page_replaces_no_input(refused, write):
    write("page.html.csv", SMALL)
    message = refused("rank", "page.html.csv", "--report", "page.html", code=USAGE)
    assert message == (
        "tamis: --report page.html.csv would overwrite the input page.html.csv: choose another name"
    )


def npy_bytes(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


HOSTILE = ROOT / "tests" / "data" / "hostile"


@pytest.mark.parametrize(
    "name",
    ["crashes_hdf5.mat", pytest.param("takes_all_memory.mat", marks=limits_address_space)],
)
def test_a_file_on_which_hdf5_fails_is_refused(tmp_path, refused, name):
    """Both were found by fuzzing; they end a process that reads them without precautions."""
    message = refused("rank", HOSTILE / name, "-o", "out.txt", code=DATA)
    kinds = ("HDF5", "MATLAB 7.3")
    assert message.startswith(
        tuple(f"tamis: {HOSTILE / name}: the {kind} file is " for kind in kinds)
    )
    assert "damaged" in message


@limits_address_space
def test_no_damage_to_a_matlab_73_file_crashes_the_program(tamis, write):
    originals = sorted((ROOT / "tests/fuzz/corpus/matlab_73").iterdir())
    random = np.random.default_rng(17)
    for trial in range(60):
        content = bytearray(originals[trial % len(originals)].read_bytes())
        for place in random.integers(512, len(content), size=1 + trial % 12):
            content[place] = random.integers(256)
        write("damaged.mat", bytes(content))
        outcome = tamis("rank", "damaged.mat", "-m", "variance", "-q")
        assert outcome.code in {0, DATA}, f"trial {trial}: {outcome}"


def test_a_trusted_matlab_73_file_is_read_at_once(tamis):
    """Without a process that tries it first, which is why a damaged one may crash."""
    assert tamis("info", HOSTILE / "crashes_hdf5.mat", "--trusted").code not in {0, DATA}


def test_a_short_last_column_behind_a_full_block_of_cells_is_refused(refused, write):
    """Cells are held in blocks of 2^19, and the first row is looked at before lengths are."""
    write("t.json", '{"a":[' + ",".join(["1.5"] * 2**19) + '],"b":[]}')
    message = refused("info", "t.json", code=DATA)
    assert message == "tamis: t.json: column 'a' has 524288 cells, column 'b' has 0"
