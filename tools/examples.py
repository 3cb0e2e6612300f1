"""The Python examples of the documentation's pages, run as doctests in the order of the page."""

import doctest
import re

BLOCK = re.compile(r"^```python\n(.*?)^```", flags=re.M | re.S)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def has_examples(page):
    return BLOCK.search(page.read_text()) is not None


def run_examples(page):
    """What went wrong, as text: nothing if every example shows what it says.

    They run in the current folder, and what they write stays there.
    """
    blocks = BLOCK.findall(page.read_text())
    for block in blocks:
        if not block.startswith(">>> "):
            return f"{page}: what is not an example is not run:\n{block}"
    parser = doctest.DocTestParser()
    examples = parser.get_doctest("\n".join(blocks), {}, page.name, str(page), lineno=0)
    failures = []
    doctest.DocTestRunner(optionflags=FLAGS).run(examples, out=failures.append)
    return "".join(failures)
