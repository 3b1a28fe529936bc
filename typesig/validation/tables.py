"""Lists of objects as tables: the keys once, then a line for each object.

The first line has the keys, the others the values, with commas between them::

    id,title,tags
    1,Buy milk,["a","b"]
    2,"3",

A value is JSON text.  A text stands without quotes unless it would be read as something else: it is
empty, begins or ends with a blank, begins with a quote or a bracket, has a comma or an unprintable
character, or is a number, `true`, `false` or `null`.  A key that an object lacks has nothing at its
place.  Keys are written as texts are.

Of an object with such a list, the list is the table: its key stands on a line before it, and the
other entries behind it, as JSON on one line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping
from typing import Any, NamedTuple

from typesig.limits import MAX_COLUMNS, MAX_JSON, MAX_TABLE_HEAD
from typesig.notations.texts.quoting import escape_surrogates, json_string, write_compact_json
from typesig.validation.json_text import PIECES

_SCALAR = re.compile(r"null|true|false|-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+")
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"')
_BARE = re.compile(r"[^,]*+")


def make_table(data: Any) -> str | None:
    """Write *data*, a list of objects, as a CSV table; None if unsuitable.

    >>> print(make_table([{"id": 1, "title": "Buy milk"}, {"id": 2, "title": "3"}]))
    id,title
    1,Buy milk
    2,"3"
    >>> print(make_table({"total": 9, "items": [{"id": 1}]}))
    items
    id
    1
    {"total":9}
    """
    if isinstance(data, list):
        return _make_table_of_rows(data)
    if not isinstance(data, dict):
        return None
    lists = [key for key, value in data.items() if isinstance(value, list)]
    # The longest list: the others are JSON.
    for key in sorted(lists, key=lambda key: -len(data[key]))[:1]:
        table = _make_table_of_rows(data[key])
        if table is not None:
            others = {other: value for other, value in data.items() if other != key}
            return f"{_write_cell(key)}\n{table}\n{write_compact_json(others)}"
    return None


def _make_table_of_rows(rows: list[Any]) -> str | None:
    """Write *rows*, dicts with few different keys, as CSV lines; None if unfit."""
    columns: dict[str, None] = {}
    for row in rows:
        if not isinstance(row, dict) or not row:
            return None
        columns.update(dict.fromkeys(row))
        if len(columns) > MAX_COLUMNS:
            return None
    lines = [[_write_cell(key) for key in columns]]
    if not columns or sum(map(len, lines[0])) + len(columns) > MAX_TABLE_HEAD:
        return None
    lines += [[_write_cell(row[key]) if key in row else "" for key in columns] for row in rows]
    return "\n".join([",".join(cells) for cells in lines])


def _write_cell(value: Any) -> str:
    """Write *value* in a table cell: a string, quoted if needed, or compact JSON."""
    if not isinstance(value, str):
        return write_compact_json(value)
    is_plain = value and value.isprintable() and value == value.strip() and value[0] not in '"[{'
    if is_plain and "," not in value and _SCALAR.fullmatch(value) is None:
        return value
    return escape_surrogates(json_string(value))


class Tables(NamedTuple):
    """The column names of the tables that a text may contain.

    #: items: the keys of the items, if a list is wanted; lists: of those of lists, by their keys
    """

    items: frozenset[str]
    lists: Mapping[str, frozenset[str]]

    def begins_with(self, line: str) -> bool:
        """Whether *line* is the header line of an accepted table."""
        return bool(_read_columns(line, self.items) or _read_columns(line, self.lists))

    def may_begin(self, line: str) -> bool:
        """Whether *line* may be the start of a header line of an accepted table."""
        if len(line) > MAX_TABLE_HEAD:
            return False
        *cells, last = _iter_cells(line, MAX_COLUMNS)
        keys = [*self.items, *self.lists]
        if not all(cell and _read_text_cell(cell) in keys for cell in cells):
            return False
        if last is None:
            # A string has no end yet; a bracket begins JSON.
            return bool(cells) or line.startswith('"')
        begun = _read_text_cell(last) if last[:1] == '"' else last
        return begun is not None and any(key.startswith(begun) for key in keys)


def convert_table_to_json(text: str, tables: Tables) -> str | None:
    r"""Return the JSON text of the table *text*, or None if it is none of *tables*.

    >>> convert_table_to_json("id,title\n1,Buy milk\n", Tables(frozenset({"id", "title"}), {}))
    '[{"id":1,"title":"Buy milk"}]'
    """
    text = text.strip("\r\n")
    head, _, rest = text.partition("\n")
    if _read_columns(head, tables.items):
        return _convert_rows(text, tables.items)
    keys = _read_columns(head, tables.lists) or []
    table, _, others = rest.rpartition("\n")
    if len(keys) != 1 or others[:1] != "{" or others[-1:] != "}":
        return None
    rows = _convert_rows(table, tables.lists[keys[0]])
    if rows is None:
        return None
    comma = "" if others == "{}" else ","
    return f"{others[:-1]}{comma}{json_string(keys[0])}:{rows}}}"


def _convert_rows(table: str, keys: Container[str]) -> str | None:
    """Convert the lines of *table* to a JSON list; None if columns are not in *keys*."""
    head, _, rest = table.partition("\n")
    columns = _read_columns(head, keys)
    if not columns or not rest:
        return None
    names = [json_string(key) for key in columns]
    rows: list[str] = []
    room = MAX_JSON
    for line in rest.split("\n"):
        cells = list(_iter_cells(line.removesuffix("\r"), len(names)))
        if len(cells) != len(names) or None in cells:
            return None
        pairs = zip(names, cells, strict=True)
        rows.append("{" + ",".join([f"{name}:{cell}" for name, cell in pairs if cell]) + "}")
        room -= len(rows[-1]) + 1
        if room < 0:
            return None
    return "[" + ",".join(rows) + "]"


def _read_columns(line: str, keys: Container[str]) -> list[str] | None:
    """Return the cells of the first line of a table, None if they are not some of *keys*."""
    found: list[str] = []
    if len(line) > MAX_TABLE_HEAD:
        return None
    for cell in _iter_cells(line.removesuffix("\r"), MAX_COLUMNS):
        key = _read_text_cell(cell) if cell else None
        if key is None or key not in keys:
            return None
        found.append(key)
    return found if len(set(found)) == len(found) else None


def _read_text_cell(cell: str) -> str | None:
    """Parse the JSON string *cell*; None for any other value."""
    if cell[0] != '"':
        return None
    try:
        text: str = json.loads(cell)
    except json.JSONDecodeError:
        return None
    return text


def _iter_cells(line: str, count: int) -> Iterator[str | None]:
    """Yield the JSON text of each cell of *line*, empty if missing, None if invalid.

    At most one more than *count* are read.
    """
    at = 0
    for _ in range(count + 1):
        end = _find_value_end(line, at)
        if end is None or (end < len(line) and line[end] != ","):
            yield None
            return
        cell = line[at:end]
        is_json = not cell or cell[0] in '"[{' or _SCALAR.fullmatch(cell) is not None
        yield cell if is_json else json_string(cell)
        if end == len(line):
            return
        at = end + 1


def _find_value_end(line: str, at: int) -> int | None:
    """Return where the value ends that begins at *at*, or None if it has no end."""
    first = line[at : at + 1]
    if first == '"':
        found = _STRING.match(line, at)
        return None if found is None else found.end()
    if not first or first not in "[{":
        bare = _BARE.match(line, at)
        assert bare is not None  # it may be empty
        return bare.end()
    depth = 0
    for piece in PIECES.finditer(line, at):
        if piece[0] in "[{":
            depth += 1
        elif piece[0] in "]}":
            depth -= 1
            if not depth:
                return piece.end()
    return None
