"""The program as its users see it: arguments in; stdout, stderr and an exit code out."""

import dataclasses
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TAMIS_PROGRAM", str(ROOT / "build" / "release" / "tamis"))
IS_SANITIZED = b"__asan_init" in pathlib.Path(PROGRAM).read_bytes()
ARROW = pathlib.Path(PROGRAM).parent / "plugins" / "libtamis_arrow.so"  # if it was built
FAULTS = pathlib.Path(PROGRAM).parent / "tests" / "libtamis_faults.so"


@dataclasses.dataclass
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self):
        assert self.code == 0, self.err
        return json.loads(self.out)


def run_program(*words, stdin=None, env=None, cwd=None):
    done = subprocess.run(
        [PROGRAM, *map(str, words)],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=cwd,
        env={**os.environ, **(env or {})},
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def killing(folder, write):
    """An environment in which the program dies at that number of a write to files in a folder."""
    return {
        "LD_PRELOAD": str(FAULTS),
        "TAMIS_FAULT_KIND": "write",
        "TAMIS_FAULT_ERROR": "kill",
        "TAMIS_FAULT_CALL": str(write),
        "TAMIS_FAULT_FOLDER": str(folder),
    }


def is_for_people(line):
    """Summaries, notes and warnings may come before an error."""
    return not line.startswith("tamis: ") or line.startswith(("tamis: note:", "tamis: warning:"))


SMALL = """id,height,width,noise,class
a,1.0,5.1,0.3,x
b,1.2,5.0,0.9,x
c,0.9,4.8,0.1,
d,3.1,1.2,0.4,y
e,3.0,1.1,0.8,y
f,3.3,0.9,0.2,
g,1.1,5.2,0.7,
h,2.9,1.0,0.5,
"""


def csv_text(x, labels=None, names=None):
    names = list(names or [f"f{r}" for r in range(x.shape[1])])
    header = names + (["class"] if labels is not None else [])
    lines = [",".join(header)]
    for i, row in enumerate(x):
        cells = [repr(float(value)) for value in row]
        lines.append(",".join(cells + ([str(labels[i])] if labels is not None else [])))
    return "\n".join(lines) + "\n"
