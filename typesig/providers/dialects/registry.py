"""The dialects of the families of open models, one row each."""

from __future__ import annotations

from typesig.errors import TypesigError, format_value
from typesig.providers.dialects.dialect import Dialect
from typesig.providers.dialects.json_rows import BARE_ROWS, HEADED_ROWS, JSON_ROWS, MISTRAL_ROWS
from typesig.providers.dialects.prompt_templates import LISTINGS, RESULTS
from typesig.providers.dialects.tagged_rows import DSML_ROWS, TAGGED_ROWS

_ROWS = (*JSON_ROWS, *MISTRAL_ROWS, *DSML_ROWS, *TAGGED_ROWS, *HEADED_ROWS, *BARE_ROWS)

#: The dialects by name.
DIALECTS: dict[str, Dialect] = {
    row.name: row._replace(listing=LISTINGS.get(row.name), results=RESULTS.get(row.name))
    for row in _ROWS
}

#: In place of the dialect of a model, if each text is read by the one that it is written in.  Tools
#: are listed with the calls of the first row.
AUTO = _ROWS[0]._replace(name="auto", title="the dialect of each text", source="")

#: Families whose calls are not read, each with the reason.
UNSUPPORTED: dict[str, str] = {
    "MiniMax M3": "each argument has a tag with its own name, and objects have nested tags",
    "Muse Glimmer": "the recipient in the head of a message determines whether it is a call",
    "Inkling": "the name of a tool precedes the mark for the kind of message",
    "functionary 3.2": "a line with the name of a tool begins a call, without a mark",
}


def get_dialect(name: object) -> Dialect:
    """Return the dialect *name*, which may be a dialect itself; raise `TypesigError`."""
    if isinstance(name, Dialect):
        return name
    if isinstance(name, str) and name in DIALECTS:
        return DIALECTS[name]
    raise TypesigError(f"there is no dialect {format_value(name)}; there are {', '.join(DIALECTS)}")
