import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from estimators import class_name, estimators_module

METHOD = {
    "name": "some_score",
    "title": "Some score",
    "kind": "semi-supervised",
    "needs": "nothing but the table",
    "needs_classes": False,
    "draws": True,
    "selects_subset": False,
    "counts_features": False,
    "reference": "A paper",
    "options": [],
}


def option(name, values, default, words=()):
    return {"name": name, "values": values, "default": default, "words": words, "help": "what"}


def module(*options):
    return estimators_module([{**METHOD, "options": options}])


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("cls", "CLS"),
        ("csfsr", "CSFSR"),
        ("l2gfs", "L2GFS"),
        ("sc4", "SC4"),
        ("ens_cls", "EnsCLS"),
        ("sselect", "SSelect"),
        ("laplacian_score", "LaplacianScore"),
        ("variance", "Variance"),
        ("ridge_omp", "RidgeOMP"),
    ],
)
def test_classes_are_named_as_people_write_the_methods(method, name):
    assert class_name(method) == name


@pytest.mark.parametrize(
    ("given", "signature"),
    [
        (option("k", "integer >= 1", 5), "k: int = 5,"),
        (option("t", "number > 0", 1.0), "t: float = 1.0,"),
        (option("cut", "true | false", True), "cut: bool = True,"),
        (option("base", "name", "cls"), 'base: str = "cls",'),
        (option("form", "a | b", "a", ["a", "b"]), 'form: Literal["a", "b"] = "a",'),
        (
            option("n", "integer >= 2 or auto", "auto", ["auto"]),
            'n: int | Literal["auto"] = "auto",',
        ),
    ],
)
def test_options_become_typed_parameters(given, signature):
    assert f"        {signature}\n" in module(given)


def test_the_module_is_valid_python_that_stores_every_parameter():
    text = module(option("k", "integer >= 1", 5))
    compile(text, "estimators", "exec")
    for name in ("n_features_to_select", "k", "unlabeled", "random_state", "n_jobs"):
        assert f"        self.{name} = {name}\n" in text


def test_a_seed_that_counts_for_nothing_is_said_to():
    drawing, exact = (estimators_module([{**METHOD, "draws": draws}]) for draws in (True, False))
    words = "chance decides nothing here"
    assert words in exact and words not in drawing


@pytest.mark.parametrize("name", ["lambda", "n_jobs"])
def test_refuses_an_option_that_cannot_be_a_parameter(name):
    with pytest.raises(ValueError, match=f"some_score: option {name} cannot be"):
        module(option(name, "integer >= 1", 5))
