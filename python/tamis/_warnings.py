"""Warnings that point at the line of the user."""

import sys
import warnings
from pathlib import Path

import sklearn

# Who calls us on behalf of a user: ourselves, and scikit-learn's pipelines and searches.
_INSIDES = tuple(str(Path(package).parent) for package in (__file__, sklearn.__file__))


def warn(text, category=UserWarning):
    """Warns of the first line outside the package and scikit-learn."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_INSIDES):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)
