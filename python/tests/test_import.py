"""What `import tamis` does, in interpreters of their own."""

import subprocess
import sys


def printed(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_the_core_is_loaded_when_it_is_first_used():
    code = """
import sys, tamis
print("tamis._core" in sys.modules)
tamis.CLS()
print("tamis._core" in sys.modules)
tamis.methods()
print("tamis._core" in sys.modules)
"""
    assert printed(code) == ["False", "False", "True"]


def test_whoever_asks_for_the_core_gets_it():
    code = """
import tamis
from tamis import _core as early
early.methods()
from tamis import _core as late
print(early.rank is late.rank, early.__file__ == late.__file__, early.__version__)
"""
    same_function, same_file, version = printed(code)
    assert (same_function, same_file) == ("True", "True")
    assert printed("import tamis; print(tamis.__version__)") == [version]


def test_names_that_are_not_there_are_named():
    code = """
import tamis
for owner in (tamis, tamis._core):
    try:
        owner.rnak
    except AttributeError as error:
        print(str(error).replace(" ", "_"))
"""
    assert printed(code) == [
        "module_'tamis'_has_no_attribute_'rnak'",
        "module_'tamis._core'_has_no_attribute_'rnak'",
    ]


def test_nothing_is_loaded_that_not_every_ranking_needs():
    """Each of these takes longer to import than tamis itself."""
    code = """
import sys, tamis
print(*(name for name in ("matplotlib", "dask", "anndata", "zarr", "h5py") if name in sys.modules))
"""
    assert printed(code) == []
