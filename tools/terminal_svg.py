#!/usr/bin/env python3
"""Draws what a command prints on a terminal as an SVG picture.

In a folder with cells.csv, and tamis on the path, this makes the picture of the README:
tools/terminal_svg.py --columns 102 docs/images/rank.svg 'tamis rank cells.csv --top 10'
"""

import argparse
import html
import os
import pty
import re
import struct
import subprocess
import sys
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

CELL_WIDTH, CELL_HEIGHT, MARGIN = 8.4, 18, 14
BACKGROUND, FOREGROUND = "#16181d", "#d7dae0"
SIXTEEN = (
    *("#3b4048", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0"),
    *("#5c6370", "#ff7b86", "#b1e18b", "#efb074", "#67cdff", "#e48bff", "#63d4e0", "#ffffff"),
)
ESCAPE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])")


def terminal_output(command, columns):
    """What the shell command writes to a terminal of so many columns."""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(columns)}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        command, shell=True, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    chunks = []
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # Linux's way to say that the other end is closed
            break
        if not chunk:
            break
        chunks.append(chunk)
    if process.wait() != 0:
        sys.exit(f"'{command}' failed with exit code {process.returncode}")
    return b"".join(chunks).decode().replace("\r\n", "\n")


def color_256(number):
    """The colour of xterm's palette: 16 named ones, a 6 x 6 x 6 cube, 24 greys."""
    if number < 16:
        return SIXTEEN[number]
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    levels = (0, 95, 135, 175, 215, 255)
    red, rest = divmod(number - 16, 36)
    return "#" + "".join(f"{levels[level]:02x}" for level in (red, *divmod(rest, 6)))


def restyled(style, codes):
    """The style (a dict of SVG attributes) after a Select Graphic Rendition sequence."""
    style = dict(style)
    numbers = [int(code or 0) for code in codes.split(";")]
    while numbers:
        number = numbers.pop(0)
        if number == 0:
            style = {}
        elif number == 1:
            style["font-weight"] = "bold"
        elif number == 2:
            style["opacity"] = "0.6"
        elif number == 22:
            style.pop("font-weight", None)
            style.pop("opacity", None)
        elif 30 <= number <= 37 or 90 <= number <= 97:
            style["fill"] = SIXTEEN[number - 30 if number < 90 else number - 82]
        elif number == 39:
            style.pop("fill", None)
        elif number == 38 and numbers[:1] == [5]:
            style["fill"] = color_256(numbers[1])
            del numbers[:2]
        elif number == 38 and numbers[:1] == [2]:
            style["fill"] = "#" + "".join(f"{part:02x}" for part in numbers[1:4])
            del numbers[:4]
    return style


def spans(line, style):
    """The pieces of a line as (first column, text, style), and the style at its end."""
    # A progress bar rewrites its line: what counts is what stands there at last.
    line = line.rsplit("\r", 1)[-1]
    pieces, column, start = [], 0, 0
    for escape in [*ESCAPE.finditer(line), None]:
        text = line[start : escape.start() if escape else None]
        if text:
            pieces.append((column, text, style))
            column += len(text)
        if escape:
            start = escape.end()
            if escape[2] == "m":
                style = restyled(style, escape[1])
    return pieces, style


def svg(text, columns):
    lines = text.rstrip("\n").split("\n")
    width, height = columns * CELL_WIDTH + 2 * MARGIN, len(lines) * CELL_HEIGHT + 2 * MARGIN
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" font-family="ui-monospace, Menlo, Consolas, monospace" '
        f'font-size="14" fill="{FOREGROUND}">',
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
    ]
    style = {}
    for number, line in enumerate(lines):
        pieces, style = spans(line, style)
        y = MARGIN + (number + 0.75) * CELL_HEIGHT
        for column, piece, look in pieces:
            if not piece.strip():
                continue
            attributes = "".join(f' {name}="{value}"' for name, value in look.items())
            drawn.append(
                f'<text x="{MARGIN + column * CELL_WIDTH:g}" y="{y:g}" xml:space="preserve" '
                f'textLength="{len(piece) * CELL_WIDTH:g}"{attributes}>{html.escape(piece)}</text>'
            )
    return "\n".join([*drawn, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("command", help="as typed in a shell")
    parser.add_argument("--columns", type=int, default=80)
    arguments = parser.parse_args()
    printed = terminal_output(arguments.command, arguments.columns)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(svg(f"$ {arguments.command}\n{printed}", arguments.columns))


if __name__ == "__main__":
    main()
