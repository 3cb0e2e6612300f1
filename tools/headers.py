"""What docs/cpp.md takes from the headers that users include: an example, and what each has.

And the one header that includes the others.
"""

import re

FOLDER = "include/tamis"
INCLUDES = re.compile(r'(?:^#include "tamis/.*\n)+', re.M)
EXAMPLE = re.compile(r"ranks its features:\n///\n((?:///(?:   .*)?\n)+)")
TYPE = re.compile(r"^(?:template <.*>\n)?(?:struct|class|enum class|using) (\w+)(?= [{=:]|$)", re.M)
DETAIL = re.compile(r"^namespace detail \{.*?^\}  // namespace detail$", re.M | re.S)
FUNCTION = re.compile(r"^\w[\w:<>,&* ]*[ &*](?!decltype)(\w+)\(", re.M)


def with_everything(text, folders):
    """The text of tamis.hpp with the headers of what is registered, by folder, for those it had."""
    includes = INCLUDES.search(text)[0]
    lines = [line for line in includes.splitlines() if line.split("/")[1] not in folders]
    for folder, registered in folders.items():
        lines += [f'#include "tamis/{folder}/{each["name"]}.hpp"' for each in registered]
    return text.replace(includes, "\n".join(sorted(lines)) + "\n")


def example(root):
    """The example of tamis.hpp, as a block of C++."""
    lines = EXAMPLE.search((root / FOLDER / "tamis.hpp").read_text())[1].splitlines()
    code = "\n".join(line[6:] for line in lines).rstrip()
    return f"```cpp\n{code}\n```\n"


def declared(text):
    """Types and functions of the namespace itself, which begin their lines; in order, each once.

    Only `fields()` calls option_words.
    """
    text = DETAIL.sub("", text)
    found = [(m.start(), m[1]) for m in (*TYPE.finditer(text), *FUNCTION.finditer(text))]
    return list(dict.fromkeys(name for _, name in sorted(found) if name != "option_words"))


def header_table(root):
    rows = ["| Header | Declares |", "|---|---|"]
    for path in sorted((root / FOLDER).rglob("*.hpp")):
        names = ", ".join(f"`{name}`" for name in declared(path.read_text()))
        if names:
            header = path.relative_to(root / FOLDER)
            rows.append(f"| [`{header}`](../{path.relative_to(root)}) | {names} |")
    return "\n".join(rows) + "\n"
