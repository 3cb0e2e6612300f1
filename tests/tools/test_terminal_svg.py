import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

TOOL = Path(__file__).parents[2] / "tools/terminal_svg.py"
SVG = "{http://www.w3.org/2000/svg}"


def draw(tmp_path, command):
    picture = tmp_path / "images/picture.svg"
    run = subprocess.run(
        [sys.executable, TOOL, picture, command], capture_output=True, text=True, check=False
    )
    return run, picture


def texts(picture):
    return [(t.text, t.attrib) for t in ElementTree.parse(picture).iter(SVG + "text")]


def test_draws_the_command_and_what_it_prints_to_a_terminal(tmp_path):
    run, picture = draw(tmp_path, "test -t 1 && echo '<a & b>'")
    assert run.returncode == 0, run.stderr
    assert [text for text, _ in texts(picture)] == ["$ test -t 1 && echo '<a & b>'", "<a & b>"]


def test_keeps_colours_and_columns(tmp_path):
    _, picture = draw(tmp_path, r"printf '1234\033[1;31mred\033[0m\033[38;5;196mpure\033[0m\n'")
    _, (_, plain), (red, bold), (pure, cube) = texts(picture)
    assert (red, bold["fill"], bold["font-weight"]) == ("red", "#e06c75", "bold")
    assert (pure, cube["fill"]) == ("pure", "#ff0000")
    assert "fill" not in plain
    assert float(bold["x"]) - float(plain["x"]) == 4 * 8.4


def test_shows_only_the_last_state_of_a_rewritten_line(tmp_path):
    _, picture = draw(tmp_path, r"printf '50 %%\r\033[Kdone\n'")
    assert texts(picture)[-1][0] == "done"


def test_draws_nothing_when_the_command_fails(tmp_path):
    run, picture = draw(tmp_path, "exit 3")
    assert run.returncode == 1
    assert "'exit 3' failed with exit code 3" in run.stderr
    assert not picture.exists()
