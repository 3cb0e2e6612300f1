"""Fixtures of the Python package's tests, which run against the installed package."""

import os
import signal
import warnings
from pathlib import Path

import hypothesis
import numpy as np
import pytest
import tamis

ROOT = Path(__file__).parents[2]

# Shells start background jobs deaf to Ctrl-C, and children inherit that; tests send it to theirs.
signal.signal(signal.SIGINT, signal.default_int_handler)

hypothesis.settings.register_profile("patient", deadline=None, database=None)
hypothesis.settings.load_profile("patient")


@pytest.fixture
def program():
    """The program of the same sources."""
    path = Path(os.environ.get("TAMIS_PROGRAM", ROOT / "build/release/tamis"))
    if not path.exists():
        pytest.fail(f"{path} is missing: build it first, or set TAMIS_PROGRAM")
    return path


@pytest.fixture
def wave():
    """Waves with four labels of each class."""
    return tamis.datasets.make_wave(120, random_state=3, n_labeled_per_class=4)


@pytest.fixture
def mostly_zero():
    """A table most of which is 0, and labels of a few rows."""
    random = np.random.default_rng(5)
    y = np.full(80, -1)
    y[:12] = np.arange(12) % 3
    x = random.poisson(0.4, size=(80, 25)) * random.uniform(1, 2, size=(80, 25))
    x[:, 0] += 2.0 * (np.arange(80) % 3)
    return x, y


@pytest.fixture(autouse=True)
def quiet():
    """What methods notice is no news to these tests, except to those that look for it."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*without supervision")
        warnings.filterwarnings("ignore", message=".*one cluster for each")
        warnings.filterwarnings("ignore", message=".*makes [0-9]+ clusters, because")
        yield
