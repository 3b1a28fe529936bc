"""Public exceptions show the module that users import them from."""

from __future__ import annotations

import doctest
import pickle
import traceback

import pytest

import typesig

ERRORS = [typesig.TypesigError, typesig.ToolError, typesig.ValidationError]


@pytest.mark.parametrize("error", ERRORS)
def test_a_traceback_names_the_public_exception(error):
    shown = traceback.format_exception_only(error("no such order"))

    assert shown == [f"typesig.{error.__name__}: no such order\n"]


@pytest.mark.parametrize("error", ERRORS)
def test_a_public_exception_pickles_by_its_public_name(error):
    copy = pickle.loads(pickle.dumps(error("no such order")))

    assert (type(copy), str(copy)) == (error, "no such order")


@pytest.mark.parametrize("error", ERRORS)
def test_the_examples_of_a_public_exception_run(error):
    # pytest collects the examples of a module's own classes only, by their `__module__`.
    examples = doctest.DocTestFinder(recurse=False).find(error, error.__name__, module=False)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)

    for example in examples:
        example.globs = {**vars(typesig), error.__name__: error, "typesig": typesig}
        assert example.examples
        assert runner.run(example).failed == 0
