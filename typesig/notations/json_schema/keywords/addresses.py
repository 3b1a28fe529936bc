"""The URIs of schemas: a reference resolved against a base, as section 5.2 of RFC 3986 has it."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

_PARTS = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL
)


class Address(NamedTuple):
    """A URI reference that is resolved.

    #: uri: what names the resource, without a fragment
    #: fragment: what names a place in it, percent-decoded; empty for the resource itself
    """

    uri: str
    fragment: str


def resolved(base: str, reference: str) -> Address:
    """Return what *reference* names where *base* is the URI of the schema around it.

    >>> resolved("http://a.example/b/c", "../d#/x")
    Address(uri='http://a.example/d', fragment='/x')
    >>> resolved("urn:a:b", "#x")
    Address(uri='urn:a:b', fragment='x')
    """
    scheme, authority, path, query, fragment = _parts(reference)
    if scheme is None:
        scheme, base_authority, base_path, base_query, _ = _parts(base)
        if authority is None:
            authority = base_authority
            if not path:
                path, query = base_path or "", base_query if query is None else query
            elif not path.startswith("/"):
                path = _merged(authority, base_path or "", path)
    uri = "" if scheme is None else f"{scheme}:"
    uri += "" if authority is None else f"//{authority}"
    uri += _without_dots(path or "") + ("" if query is None else f"?{query}")
    return Address(uri, unquote(fragment or ""))


def _parts(reference: str) -> tuple[str | None, ...]:
    found = _PARTS.fullmatch(reference)
    # Each part may be empty, and the last one takes whatever is left.
    assert found is not None
    return found.groups()


def _merged(authority: str | None, base: str, path: str) -> str:
    if authority is not None and not base:
        return f"/{path}"
    return base[: base.rfind("/") + 1] + path


def _without_dots(path: str) -> str:
    """Return *path* without the segments `.` and `..`."""
    segments = path.split("/")
    kept: list[str] = []
    for segment in segments:
        if segment == "..":
            # The empty segment before the first slash stays.
            if kept not in ([], [""]):
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/".join(kept)
