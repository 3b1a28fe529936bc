"""The repr of a value for developers: bounded, whatever the value's own methods do."""

from __future__ import annotations

from typing import Any

from typesig.validation.issues.excerpt import shorten_repr


def test_an_object_that_raises_where_it_is_read_is_told_by_its_class() -> None:
    def boom(*_: Any) -> Any:
        raise ZeroDivisionError("boom")

    # `reprlib` reads an object as a list if its class has that name, and says to be of the built-ins.
    parts = {"__module__": "builtins", "__len__": boom, "__iter__": boom}
    value = type("list", (), parts)()

    assert "[<list object>, 1]" == shorten_repr([value, 1])
