"""Docstrings: every style, sections in any order, descriptions of several lines."""

from __future__ import annotations

from typing import Any

from tests.type_table.rows import Row, keep


def google(value: int, name: str = "a") -> int:
    """Do a thing.

    More is said here.

    Args:
        value (int): how many
        name: what it is called

    Returns:
        what came of it

    Raises:
        ValueError: never
    """
    keep(value, name)
    return 1


def numpy(value: int, name: str = "a") -> int:
    """Do a thing.

    Parameters
    ----------
    value : int
        how many
    name : str, optional
        what it is called

    Returns
    -------
    int
        what came of it

    Notes
    -----
    None.
    """
    keep(value, name)
    return 1


def rest(value: int, name: str = "a") -> int:
    """Do a thing.

    :param int value: how many
    :param name: what it is called
    :type name: str
    :returns: what came of it
    :rtype: int
    :raises ValueError: never
    """
    keep(value, name)
    return 1


def epydoc(value: int, name: str = "a") -> int:
    """Do a thing.

    @param value: how many
    @type value: int
    @param name: what it is called
    @return: what came of it
    """
    keep(value, name)
    return 1


def google_first(value: int, name: str = "a") -> int:
    """
    Args:
        value: how many
        name: what it is called
    """
    keep(value, name)
    return 1


def google_last(value: int, name: str = "a") -> int:
    """Do a thing.

    Returns:
        what came of it

    Example:
        >>> google_last(1)
        1

    Args:
        value: how many
        name: what it is called
    """
    keep(value, name)
    return 1


def google_tight(value: int, name: str = "a") -> int:
    """Do a thing.
    Args:
        value: how many
        name: what it is called
    Returns:
        what came of it
    """
    keep(value, name)
    return 1


def rest_tight(value: int, name: str = "a") -> int:
    """Do a thing.
    :param value: how many
    :param name: what it is called
    """
    keep(value, name)
    return 1


def google_wide(value: int, name: str = "a") -> int:
    """Do a thing.


    Args:

        value: how many

        name: what it is called


    Returns:

        what came of it

    """
    keep(value, name)
    return 1


def numpy_wide(value: int, name: str = "a") -> int:
    """Do a thing.


    Parameters
    ----------

    value : int

        how many

    name : str
        what it is called
    """
    keep(value, name)
    return 1


def gone(value: int) -> int:
    """Do a thing.

    Args:
        value: how many
        removed: no longer there
    """
    keep(value)
    return 1


def numpy_gone(value: int) -> int:
    """Do a thing.

    Parameters
    ----------
    value
        how many
    removed
        no longer there
    """
    keep(value)
    return 1


def long(value: str, name: str = "a") -> int:
    """Do a thing.

    Args:
        value: One of:
            - "a": the first
            - "b": the second

            and nothing else.
        name: what it is called,
            said in two lines
    """
    keep(value, name)
    return 1


def numpy_long(value: str, name: str = "a") -> int:
    """Do a thing.

    Parameters
    ----------
    value
        the first line
        and the second

        and a paragraph
    name
        what it is called
    """
    keep(value, name)
    return 1


def rest_long(value: str, name: str = "a") -> int:
    """Do a thing.

    :param value: the first line
        and the second
    :param name: what it is called
    """
    keep(value, name)
    return 1


def several(value: int, *names: str, **more: int) -> int:
    """Do a thing.

    Args:
        value: how many
        *names: what they are called
        **more: anything else
    """
    keep(value, names, more)
    return 1


def numpy_several(value: int, *names: str, **more: int) -> int:
    """Do a thing.

    Parameters
    ----------
    value
        how many
    *names : str
        what they are called
    **more
        anything else
    """
    keep(value, names, more)
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


def _keeps(*texts: str) -> Any:
    """Return a test for those of *texts* that are neither shown nor part of a warning."""

    def lost(t: Any) -> list[str]:
        known = f"{t.description} {t.signature.render()} {[str(w) for w in t.warnings]}"
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
_WORDS = (({"value": "a"}, ("a", "a")), ({"value": "a", "name": "b"}, ("a", "b")))
_NO_WORDS = ({"value": 1}, {"value": "a", "name": 2}, {})
_ONE = (({"value": 1}, 1), ({"value": 2}, 2))
_TEXTS = {"": "Do a thing.", "value": "how many", "name": "what it is called"}

ROWS: tuple[Row, ...] = (
    Row("Google", google, _BOTH, _NONE, texts=_TEXTS, also=_returned("what came of it")),
    Row("NumPy", numpy, _BOTH, _NONE, texts=_TEXTS, also=_returned("what came of it")),
    Row("reST", rest, _BOTH, _NONE, texts=_TEXTS, also=_returned("what came of it")),
    Row("Epydoc", epydoc, _BOTH, _NONE, texts=_TEXTS, also=_returned("what came of it")),
    Row("sections in any order", google_first, _BOTH, _NONE, texts={**_TEXTS, "": None}),  # type: ignore[dict-item]
    Row(
        "sections in any order",
        google_last,
        _BOTH,
        _NONE,
        texts=_TEXTS,
        also=_returned("what came of it"),
    ),
    Row(
        "blank lines missing",
        google_tight,
        _BOTH,
        _NONE,
        texts=_TEXTS,
        also=_returned("what came of it"),
    ),
    Row("blank lines missing", rest_tight, _BOTH, _NONE, texts=_TEXTS),
    Row(
        "blank lines extra",
        google_wide,
        _BOTH,
        _NONE,
        texts=_TEXTS,
        also=_returned("what came of it"),
    ),
    Row("blank lines extra", numpy_wide, _BOTH, _NONE, texts=_TEXTS),
    *(
        Row(
            "parameters that don't exist (a warning)",
            function,
            _ONE,
            ({"value": "x"}, {}),
            texts={"value": "how many"},
            warns=("removed: the docstring describes it",),
        )
        for function in (gone, numpy_gone)
    ),
    Row(
        "multi-line texts whole",
        long,
        _WORDS,
        _NO_WORDS,
        texts={
            "value": 'One of:\n- "a": the first\n- "b": the second\n\nand nothing else.',
            "name": "what it is called, said in two lines",
        },
    ),
    Row(
        "multi-line texts whole",
        numpy_long,
        _WORDS,
        _NO_WORDS,
        texts={
            "value": "the first line and the second\n\nand a paragraph",
            "name": "what it is called",
        },
    ),
    Row(
        "multi-line texts whole",
        rest_long,
        _WORDS,
        _NO_WORDS,
        texts={"value": "the first line and the second", "name": "what it is called"},
    ),
    *(
        Row(
            "*args",
            function,
            (
                ({"value": 1}, (1, (), {})),
                ({"value": 1, "names": ["a"], "b": 2}, (1, ("a",), {"b": 2})),
            ),
            ({"value": 1, "names": "a"}, {"value": 1, "b": "x"}),
            texts={"value": "how many", "names": "what they are called"},
            also=_keeps("anything else"),
        )
        for function in (several, numpy_several)
    ),
)
