"""The site, as Sphinx makes it of the copy of the pages; tools/site calls it."""

from pathlib import Path

import tamis
from pygments.lexers.javascript import JavascriptLexer
from pygments.lexers.special import TextLexer
from tamis._estimators import __all__ as selectors

project = "tamis"
author = "The tamis developers"
copyright = author
version = release = tamis.__version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
# What generated pages are made of, and what others include.
exclude_patterns = ["docs/site/templates", "docs/site/contents.rst", ".doctrees"]
templates_path = [str(Path(__file__).parent / "templates")]
myst_heading_anchors = 4
autosummary_imported_members = True  # as __all__ has them
autosummary_ignore_module_all = False
autosummary_context = {"selectors": sorted(selectors, key=str.lower)}
default_role = "py:obj"  # `name` in a docstring, a link if there is such a name
autodoc_typehints = "none"  # docstrings tell types, in words
napoleon_use_rtype = False
napoleon_use_ivar = True
html_theme = "furo"
html_title = f"tamis {version}"
html_static_path = ["static"]
html_css_files = ["style.css"]
html_copy_source = html_show_sphinx = False
html_show_search_summary = False  # browsers fetch nothing from the file system
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True


def is_foreign(app, what, name, thing, skip, options):
    """Methods that come from scikit-learn are documented there."""
    del app, what, name, options
    module = getattr(getattr(thing, "fget", thing), "__module__", None) or "tamis"
    return True if not module.startswith("tamis") else skip


def setup(app):
    app.connect("autodoc-skip-member", is_foreign)
    app.add_lexer("json", JavascriptLexer)  # which knows what ... is
    for language in ("csv", "libsvm", "arff", "mtx"):
        app.add_lexer(language, TextLexer)
