"""Docstrings: descriptions of fields, types written only in docstrings, malformed sections."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import attrs
import typing_extensions as te

import typesig
from tests.type_table.rows import Row, keep, param


class Found(TypedDict):
    id: int
    name: str


def nested_returns(value: int) -> Found:
    """Do a thing.

    Args:
        value: how many

    Returns:
        what was found:

            id: which one
            name: what it is called
    """
    keep(value)
    return {"id": 1, "name": "a"}


def nested_dict_returns(value: int) -> Found:
    """Do a thing.

    Returns:
        dict: what was found
            - id (int): which one
            - name (str): what it is called

    Args:
        value: how many
    """
    keep(value)
    return {"id": 1, "name": "a"}


@dataclass
class Attributed:
    """A record.

    Attributes:
        size: in metres
        name: what it is called
    """

    size: int
    name: str = "a"


class AttributedDict(TypedDict):
    """A record.

    Attributes
    ----------
    size : int
        in metres
    name : str
        what it is called
    """

    size: int
    name: te.NotRequired[str]


@attrs.define
class AttributedAttrs:
    """A record.

    :ivar size: in metres
    :param name: what it is called
    """

    size: int
    name: str = "a"


@dataclass
class WithDoc:
    size: Annotated[int, te.Doc("in metres")]
    name: Annotated[str, te.Doc("what it is called")] = "a"


class WithDocDict(TypedDict):
    size: Annotated[int, te.Doc("in metres")]
    name: te.NotRequired[Annotated[str, "what it is called"]]


def untyped(value, name="a", tags=None):  # type: ignore[no-untyped-def]
    """Do a thing.

    Args:
        value (int): how many
        name (str, optional): what it is called
        tags (list[str], optional): what it is marked with

    Returns:
        bool: whether it was done
    """
    keep(value, name, tags)
    return True


def untyped_numpy(value, name="a", kind="x"):  # type: ignore[no-untyped-def]
    """Do a thing.

    Parameters
    ----------
    value : int or None
        how many
    name : str, default "a"
        what it is called
    kind : {"x", "y"}
        what it is

    Returns
    -------
    bool
        whether it was done
    """
    keep(value, name, kind)
    return True


def untyped_rest(value, name="a"):  # type: ignore[no-untyped-def]
    """Do a thing.

    :param int value: how many
    :param name: what it is called
    :type name: str
    :rtype: bool
    """
    keep(value, name)
    return True


def untyped_epydoc(value, name="a"):  # type: ignore[no-untyped-def]
    """Do a thing.

    @param value: how many
    @type value: int
    @param name: what it is called
    @type name: str
    """
    keep(value, name)
    return True


def half_typed(value: int, name="a"):  # type: ignore[no-untyped-def]
    """Do a thing.

    Args:
        value (str): what the hint says otherwise
        name (str): what it is called
    """
    keep(value, name)


def broken(value: int, name: str = "a") -> int:
    """Do a thing.

    Args:
        value how many
      name: : : what (it [is called
    Returns
    -------
    :param
    @param : x
    """
    keep(value, name)
    return 1


def odd(value: int) -> int:
    """:param value:

    Parameters
    ----------
    ----------
    """
    keep(value)
    return 1


def lost(value: int, name: str = "a") -> int:
    """Do a thing.

    Args:
        value: how many

        Not a parameter, and no name before a colon
        name: what it is called
    """
    keep(value, name)
    return 1


def prose(value: int) -> int:
    """Do a thing.

    A second paragraph that a model may need to read.

    Args:
        value: how many

    Note:
        Be careful.
    """
    keep(value)
    return 1


def _shown(t: Any) -> list[str]:
    from click.testing import CliRunner

    from typesig.cli.commands import typesig

    with contextlib.redirect_stderr(io.StringIO()):
        out = CliRunner().invoke(typesig, ["show", f"{__name__}:untyped"]).output
    return [] if "docstring" in out else [f"show says {out!r}"]


def _keeps(*texts: str) -> Any:
    """Return a test for those of *texts* that are neither shown nor part of a warning."""

    def lost(t: Any) -> list[str]:
        known = f"{t.description} {t.signature.render()} {[str(w) for w in t.warnings]}"
        known += str(typesig.extract(t.__wrapped__).details)
        return [f"{text!r} is lost" for text in texts if text not in known]

    return lost


def _returned(*texts: str) -> Any:
    """Return a test for those of *texts* that the type of the result does not contain."""

    def missing(t: Any) -> list[str]:
        schema = str(t.signature.to_json_schema(exact=True))
        return [f"{text!r} is not said of the result" for text in texts if text not in schema]

    return missing


_BOTH = (({"value": 1}, (1, "a")), ({"value": 1, "name": "b"}, (1, "b")))
_NONE = ({"value": "x"}, {"value": 1, "name": 2}, {})
_ONE = (({"value": 1}, 1), ({"value": 2}, 2))
_TEXTS = {"": "Do a thing.", "value": "how many", "name": "what it is called"}
_SIZES = {"value.size": "in metres", "value.name": "what it is called"}
_THREE = (({"value": 1}, (1, "a", None)), ({"value": 1, "tags": ["b"]}, (1, "a", ["b"])))

ROWS: tuple[Row, ...] = (
    Row(
        "Returns with nested field lists",
        nested_returns,
        _ONE,
        ({"value": "x"}, {}),
        texts={"value": "how many"},
        also=_returned("what was found", "which one", "what it is called"),
    ),
    Row(
        "Returns with nested field lists",
        nested_dict_returns,
        _ONE,
        ({"value": "x"}, {}),
        texts={"value": "how many"},
        also=_returned("what was found", "which one", "what it is called"),
    ),
    param(
        "Attributes sections of records",
        Attributed,
        (({"size": 1}, Attributed(1)), ({"size": 1, "name": "b"}, Attributed(1, "b"))),
        ({}, {"size": "x"}),
        texts=_SIZES,
        shorthand='{size :int, name :string = "a"}',
    ),
    param(
        "Attributes sections of records",
        AttributedDict,
        (({"size": 1}, {"size": 1}), ({"size": 1, "name": "b"}, {"size": 1, "name": "b"})),
        ({}, {"size": "x"}),
        texts=_SIZES,
        shorthand="{size :int, name? :string}",
    ),
    param(
        "Attributes sections of records",
        AttributedAttrs,
        (({"size": 1}, AttributedAttrs(1)), ({"size": 1, "name": "b"}, AttributedAttrs(1, "b"))),
        ({}, {"size": "x"}),
        texts=_SIZES,
        shorthand='{size :int, name :string = "a"}',
    ),
    param(
        "field-level Doc",
        WithDoc,
        (({"size": 1}, WithDoc(1)), ({"size": 1, "name": "b"}, WithDoc(1, "b"))),
        ({}, {"size": "x"}),
        texts=_SIZES,
        shorthand='{size :int, name :string = "a"}',
    ),
    param(
        "field-level Doc",
        WithDocDict,
        (({"size": 1}, {"size": 1}), ({"size": 1, "name": "b"}, {"size": 1, "name": "b"})),
        ({}, {"size": "x"}),
        texts=_SIZES,
        shorthand="{size :int, name? :string}",
    ),
    Row(
        "types written only in docstrings",
        untyped,
        _THREE,
        ({"value": "x"}, {"value": 1, "name": 2}, {"value": 1, "tags": [1]}, {}),
        texts=_TEXTS,
        warns=None,
        also=_returned("boolean"),
    ),
    Row(
        "types written only in docstrings",
        untyped_numpy,
        (
            ({"value": 1}, (1, "a", "x")),
            ({"value": None, "kind": "y"}, (None, "a", "y")),
        ),
        ({"value": "x"}, {"value": 1, "name": 2}, {"value": 1, "kind": "z"}),
        texts=_TEXTS,
        warns=None,
        also=_returned("boolean"),
    ),
    Row(
        "types written only in docstrings",
        untyped_rest,
        _BOTH,
        _NONE,
        texts=_TEXTS,
        warns=None,
    ),
    Row(
        "types written only in docstrings",
        untyped_epydoc,
        _BOTH,
        _NONE,
        texts=_TEXTS,
        warns=None,
    ),
    Row("types written only in docstrings", half_typed, _BOTH, _NONE, warns=None),
    Row(
        "types of docstrings marked in show",
        untyped,
        _THREE,
        ({"value": "x"}, {}),
        warns=None,
        also=_shown,
    ),
    Row("malformed docstrings", broken, _BOTH, _NONE, warns=None),
    Row("malformed docstrings", odd, _ONE, ({"value": "x"}, {}), warns=None),
    Row(
        "text that is never lost silently",
        lost,
        _BOTH,
        _NONE,
        texts={"value": "how many", "name": "what it is called"},
        warns=None,
        also=_keeps("Not a parameter"),
    ),
    Row(
        "text that is never lost silently",
        broken,
        _BOTH,
        _NONE,
        warns=None,
        also=_keeps("how many", "is called"),
    ),
    Row(
        "text that is never lost silently",
        prose,
        _ONE,
        ({"value": "x"}, {}),
        texts={"": "Do a thing.", "value": "how many"},
        also=_keeps("A second paragraph", "Be careful"),
    ),
)
