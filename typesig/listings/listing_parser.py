"""Parser of compact listings: tools, with their signatures, from text."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Mapping
from typing import NamedTuple

from typesig.algebra.nodes import Type
from typesig.algebra.redaction import find_used_names
from typesig.algebra.signature import Signature
from typesig.calls.functions import is_tool_name
from typesig.errors import TypesigError, format_value
from typesig.listings.entries import HEADING
from typesig.listings.text_styles import COMPACT_LEGEND, EXACT
from typesig.notations import compact
from typesig.notations.texts.quoting import quote


class ParsedTool(NamedTuple):
    """Name, signature and description of a tool, parsed from a listing.

    #: name: the name of the tool
    #: signature: the signature; None if the listing has only the name
    #: description: the lines of the description; empty if there are none
    """

    name: str
    signature: Signature | None
    description: str


# In a description, a text or a pattern, brackets mean nothing.  An unclosed text or pattern matches
# too: looking for its end from each place would take long.
_PIECES = re.compile(
    r';[^\n]*|"(?:[^"\\\n]|\\.)*"?|/(?:[^/\\\n]|\\.)+/?|[(\[{]|[)\]}]|(?<=[\s])where (?=\S)|\n'
)
_REFERENCE = re.compile(r':([A-Za-z_][A-Za-z0-9_-]*)|:("(?:[^"\\\n]|\\.)*"?)')
_WHERE = "where "


def parse_listing(text: str) -> dict[str, ParsedTool]:
    r"""Return the tools of a listing in the style `compact`, by name.

    Each signature has the named types that it refers to.  Raises `TypesigError` for a text that is
    no such listing, and `SignatureSyntaxError` for a mistake in a signature.

    >>> listing = "## Tools you can call\n\nsearch(query, limit int=10) -> [int]\n Search."
    >>> found = parse_listing(listing)["search"]
    >>> str(found.signature), found.description
    ('(query :string, limit :int = 10) -> [:int]', 'Search.')
    """
    if not isinstance(text, str):
        raise TypesigError(f"a listing is text, not {type(text).__name__}")
    head, *blocks = text.rstrip("\n").split("\n\n")
    if head not in (HEADING, HEADING + EXACT):
        raise TypesigError(
            f"a compact listing begins with the line {HEADING!r}, not {format_value(head)}"
        )
    if blocks and blocks[0] == "\n".join(COMPACT_LEGEND):
        del blocks[0]
    mark = "=" if head.endswith(EXACT) else ""
    ahead: dict[str, Type] = {}
    if blocks and blocks[0].startswith(_WHERE):
        ahead = compact.parse(f"{mark}()\n{blocks.pop(0)}").names
    written = {text: name for name in ahead for text in (name, quote(name))}
    out: dict[str, ParsedTool] = {}
    for found in (tool for block in blocks for tool in _parse_block(block, mark, ahead, written)):
        if not is_tool_name(found.name):
            raise TypesigError(f"{format_value(found.name)} is not the name of a tool")
        if found.name in out:
            raise TypesigError(f"the listing has two tools {format_value(found.name)}")
        out[found.name] = found
    return out


def _parse_block(
    block: str, mark: str, ahead: dict[str, Type], written: Mapping[str, str]
) -> list[ParsedTool]:
    """Parse *block*, a paragraph of a listing: one tool, or a list of names.

    *written* are the names of the types *ahead*, as a reference has them.
    """
    if "(" not in block.partition("\n")[0]:
        return [ParsedTool(name, None, "") for name in block.split("\n")]
    at = block.index("(")
    # A mark of its own stands directly before the parameters.
    start = at - 1 if block[:at].endswith("=") else at
    end, is_own = _find_end(block, at)
    signature = _parse_signature(mark + block[start:end], is_own, ahead, written)
    lines = [line.removeprefix(" ") for line in block[end:].split("\n")[1:]]
    return [ParsedTool(block[:start], signature, "\n".join(lines))]


def _find_end(block: str, start: int) -> tuple[int, bool]:
    """End of the signature that begins at *start*, and whether it defines types."""
    depth, is_own = 0, False
    for piece in _PIECES.finditer(block, start):
        found = piece[0]
        if found in "([{":
            depth += 1
        elif found in ")]}":
            depth -= 1
        elif depth == 0 and found == _WHERE:
            is_own = True
        elif depth == 0 and found == "\n" and not block.startswith(_WHERE, piece.end()):
            return piece.start(), is_own
    return len(block), is_own


def _parse_signature(
    text: str, is_own: bool, ahead: dict[str, Type], written: Mapping[str, str]
) -> Signature:
    """Parse *text* as a signature that may refer to the types *ahead*."""
    found = [word or name for word, name in _REFERENCE.findall(text)]
    wanted = dict.fromkeys([written[each] for each in found if each in written])
    # The types ahead were read once, for all tools.
    stubs = ",".join([f"{quote(name)}=any" for name in wanted])
    joint = "," if is_own else "\nwhere "
    read = compact.parse(f"{text}{joint}{stubs}" if wanted else text)
    own = {name: t for name, t in read.names.items() if name not in wanted}
    # Not a new dict: there may be many types ahead.
    named = ChainMap(own, ahead)
    wholes = [*[f.type for f in read.params], read.returns]
    wholes += [] if read.extra is None else [read.extra]
    kept = find_used_names(named, [*wholes, *own.values()]) | own.keys()
    return Signature(read.params, read.returns, {name: named[name] for name in kept}, read.extra)
