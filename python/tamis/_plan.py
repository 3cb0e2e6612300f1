"""What is to be run: a method, its options, and what goes around it."""

from numbers import Integral

import numpy as np

from tamis import _core
from tamis._input import option_text, option_texts


def named_method(method, options):
    """The name of a method and its options, of a selector too; those that are given win."""
    if isinstance(method, str):
        return method, options
    if hasattr(method, "_changed_options") and not isinstance(method, type):
        return method._method, {**method._changed_options(), **options}
    raise TypeError(
        f"method = {method!r} is neither a name, as tamis.methods() lists them, nor a selector "
        "such as tamis.CLS()"
    )


def ranking_plan(method, options, top=None, bagging=None, diversify=False, settings="default"):
    """What is to be run, checked."""
    is_word = isinstance(top, str) and (top in ("auto", "relevant") or top.endswith("%"))
    if top is not None and not is_word and not (_is_integer(top) and top >= 1):
        raise ValueError(
            f"top = {top!r} is neither an integer from 1, nor a share such as '5%', nor 'auto', "
            "nor 'relevant', nor None"
        )
    if not isinstance(diversify, (bool, np.bool_)) and not (
        _is_integer(diversify) and diversify >= 1
    ):
        raise ValueError(f"diversify = {diversify!r} is neither a bool nor an integer from 1")
    if _is_integer(bagging):
        bagging = {"n_members": bagging}
    elif bagging is not None and not isinstance(bagging, dict):
        raise TypeError(f"bagging = {bagging!r} is neither an integer, nor a dict, nor None")
    return _core.plan(
        method,
        _texts_of_options(method, options),
        int(top) if _is_integer(top) else top,
        None if bagging is None else option_texts(bagging),
        int(diversify) if _is_integer(diversify) else bool(diversify),
        option_text("settings", settings),
    )


def _texts_of_options(method, options):
    """As the core takes them; a name that is no option is refused before its value is."""
    try:
        return option_texts(options)
    except TypeError:
        known = {
            option["name"]
            for each in _core.methods()
            if each["name"] == method or (method == "auto" and each["default"])
            for option in each["options"]
        }
        _core.plan(method, dict.fromkeys(options.keys() - known, ""))
        raise


def _is_integer(value):
    return isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))
