"""HDF5 files that nobody vouches for: a process of its own reads them first.

The HDF5 library crashes on some damaged files and takes all memory for others. This file is also
what that process runs, which imports nothing but the core.
"""

import importlib.util
import subprocess
import sys

# Ends of that process besides 0, and what the reader raised there.
_RAISED = {3: ValueError, 4: OSError}


def try_first(path):
    """Raises what reading `path` would raise, or ValueError if it would end the process."""
    from tamis import _core

    if not _core.is_hdf5(path):
        return
    command = [sys.executable, "-I", "-S", __file__, _core.__file__, path]
    try:
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except (OSError, ValueError) as error:  # ValueError: no interpreter is known
        raise OSError(
            f"{path}: no process can be started that tries it: {error}; "
            "trusted=True reads it all the same"
        ) from None
    if ended.returncode in _RAISED:
        raise _RAISED[ended.returncode](ended.stdout.decode(errors="replace"))
    if ended.returncode < 0:
        _core.refuse_damaged_hdf5(path)
    if ended.returncode > 0:
        raise RuntimeError(f"{path}: cannot be tried: {ended.stderr.decode(errors='replace')}")


def _rehearse(core_file, path):
    """Reads the file for nothing. Returns the code to end with; prints what was raised."""
    spec = importlib.util.spec_from_file_location("_core", core_file)
    core = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(core)
    try:
        core.rehearse(path)
    except MemoryError:
        print(
            f"{path}: takes more memory than a file of its size is worth; "
            "trusted=True reads it all the same",
            end="",
        )
        return 3
    except (ValueError, OSError) as error:
        print(error, end="")
        return 3 if isinstance(error, ValueError) else 4
    return 0


if __name__ == "__main__":
    sys.exit(_rehearse(*sys.argv[1:]))
