"""A ledger: how often what models send is mended or refused, by what, of which tool and where.

It holds counts, ids, names of tools and declared names; never a value, a key of data, or a name
that is firewalled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from typesig.algebra.nodes import Record
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import iter_types
from typesig.errors import TypesigError, format_value
from typesig.limits import MAX_EXCERPT, MAX_LEDGER, MAX_LEDGER_NAME, MAX_PATH, MAX_REPORT
from typesig.validation.issues.excerpt import FIREWALLED
from typesig.validation.issues.issues import Issue, write_path

#: What became of a part of what was sent: it was mended, it was refused, or a policy that only
#: warns let it through.
Fate: TypeAlias = Literal["mended", "refused", "let_through"]

_NONE: frozenset[str] = frozenset()

#: What stands for an index, and for a key that the types do not declare.
_ANY_INDEX, _ANY_KEY = "[*]", "*"


class LedgerRow(NamedTuple):
    """A count of one kind of repair or refusal, by tool and path.

    #: fate: mended, refused or let_through
    #: id: that of the coercion or repair that mended it; else the code of the issue
    #: tool: the name of the tool, empty for an answer
    #: path: the place, with `*` for indices and undeclared keys
    #: times: how often
    """

    fate: Fate
    id: str
    tool: str
    path: str
    times: int


class Ledger:
    """Counts of repairs and refusals in model input; safe to share between threads.

    Pass it as `ledger=` to `Tool.call`, `Projection.handle`, `Contract.read` and other readers. It
    stores no values, and at most `MAX_LEDGER` rows; `beyond` counts everything else.

    >>> import typesig
    >>> ledger = typesig.Ledger()
    >>> _ = typesig.contract("[{id :int}]").read('[{"id": "1"}, {"id": "2"}]', ledger=ledger)
    >>> ledger.rows()
    (LedgerRow(fate='mended', id='int_from_string', tool='', path='[*].id', times=2),)
    """

    __slots__ = ("_beyond", "_counts", "_lock")

    def __init__(self) -> None:
        # Imported here, since most programs have no ledger.
        import threading

        self._lock = threading.Lock()
        self._counts: dict[tuple[Fate, str, str, str], int] = {}
        self._beyond = 0

    @property
    def beyond(self) -> int:
        """The number of repairs and refusals without a row, because the ledger was full."""
        return self._beyond

    def rows(self) -> tuple[LedgerRow, ...]:
        """Return the rows of the ledger, sorted by descending count."""
        with self._lock:
            found = list(self._counts.items())
        return tuple([LedgerRow(*key, n) for key, n in sorted(found, key=lambda e: (-e[1], e[0]))])

    def count(
        self, fate: Fate | None = None, id: str | None = None, tool: str | None = None
    ) -> int:
        """Sum the counts of the rows that match *fate*, *id* and *tool*, where not None."""
        asked = fate, id, tool
        with self._lock:
            return sum(
                n
                for key, n in self._counts.items()
                if all(one in (None, part) for one, part in zip(asked, key, strict=False))
            )

    def merge(self, other: Ledger) -> None:
        """Add the counts of *other*; raise `TypesigError` if *other* is not a ledger."""
        if not isinstance(other, Ledger):
            raise TypesigError(f"a ledger merges with a ledger, not {type(other).__name__}")
        with other._lock:
            counts, beyond = dict(other._counts), other._beyond
        with self._lock:
            self._beyond += beyond
            for key, n in counts.items():
                self._add(key, n)

    def to_json(self) -> dict[str, Any]:
        """Return the rows as JSON data, which `from_json` reads."""
        return {"rows": [list(row) for row in self.rows()], "beyond": self._beyond}

    @classmethod
    def from_json(cls, data: object) -> Ledger:
        """Return the ledger that `to_json` wrote; raise `TypesigError` for other data."""
        made = cls()
        if not isinstance(data, Mapping) or not isinstance(rows := data.get("rows"), list):
            raise TypesigError('the JSON form of a ledger is {"rows": […], "beyond": …}')
        for row in rows:
            made._add(*_read(row))
        made._beyond += _count(data.get("beyond", 0), 0)
        return made

    def note(
        self,
        errors: Iterable[Issue],
        warnings: Iterable[Issue],
        signature: Signature | None,
        tool: str = "",
    ) -> None:
        """Count *errors* and *warnings* of input checked against *signature*."""
        names = _NONE if signature is None else _get_declared_names(signature)
        tool = tool[:MAX_LEDGER_NAME]
        keys: list[tuple[Fate, str, str, str]] = [
            ("refused", issue.code, tool, _write_pattern(issue, names)) for issue in errors
        ]
        for issue in warnings:
            fate: Fate = "mended" if issue.rule and issue.code != "kept" else "let_through"
            name = issue.rule if fate == "mended" else issue.code
            keys.append((fate, name, tool, _write_pattern(issue, names)))
        if keys:
            with self._lock:
                for key in keys:
                    self._add(key, 1)

    def _add(self, key: tuple[Fate, str, str, str], count: int) -> None:
        """Add *count* to the entry *key*, or to the overflow if the ledger is full."""
        known = self._counts.get(key)
        if known is None and len(self._counts) >= MAX_LEDGER:
            self._beyond += count
        else:
            self._counts[key] = (known or 0) + count

    def __len__(self) -> int:
        return len(self._counts)

    def __bool__(self) -> bool:
        """Return true: a ledger without rows is a ledger."""
        return True

    def __repr__(self) -> str:
        counts = [f"{self.count(fate)} {fate.replace('_', ' ')}" for fate in get_args(Fate)]
        return f"<ledger of {len(self)} rows: {', '.join(counts)}>"

    def __rich_repr__(self) -> Iterator[Any]:
        from typesig.markup import Code

        rows = self.rows()
        # Rich would take the tuple apart that a row is.
        yield from (Code(str(row)) for row in rows[:MAX_REPORT])
        yield "more", max(0, len(rows) - MAX_REPORT), 0
        yield "beyond", self.beyond, 0

    def _repr_html_(self) -> str:
        """Write the rows of the ledger as an HTML table for notebooks."""
        from typesig.markup import make_element, make_table

        rows = [[*row[:4], str(row.times)] for row in self.rows()]
        beyond = make_element("p", f"{self.beyond} beyond the limit") if self.beyond else ""
        return f"<div>{make_table(LedgerRow._fields, rows, MAX_REPORT)}{beyond}</div>"

    def __reduce__(self) -> Any:
        return Ledger.from_json, (self.to_json(),)


def note_in(
    ledger: Ledger | None,
    errors: Iterable[Issue],
    warnings: Iterable[Issue],
    signature: Signature | None,
    tool: str = "",
) -> None:
    """Count *errors* and *warnings* in *ledger*, unless it is None."""
    if ledger is None:
        return
    if not isinstance(ledger, Ledger):
        raise TypesigError(f"ledger takes a typesig.Ledger, not {type(ledger).__name__}")
    ledger.note(errors, warnings, signature, tool)


@lru_cache(maxsize=512)
def _get_declared_names(signature: Signature) -> frozenset[str]:
    """Return the field names of the records in *signature*, without firewalled names."""
    wholes = (signature.arguments, signature.returns, *signature.names.values())
    records = [part for whole in wholes for part in iter_types(whole) if isinstance(part, Record)]
    fields = [field for record in records for field in record.fields]
    hidden = {field.name for field in fields if field.firewalled}
    return frozenset(field.name for field in fields) - hidden


def _write_pattern(issue: Issue, names: frozenset[str]) -> str:
    """Write the path of *issue*, with wildcards for indices and for keys not in *names*."""
    path = issue.path if issue.hidden < 0 else issue.path[: issue.hidden]
    out = ""
    for step in path[:MAX_PATH]:
        if isinstance(step, int):
            out += _ANY_INDEX
        else:
            name = write_path((step[:MAX_EXCERPT],)) if step in names else _ANY_KEY
            out += name if name.startswith("[") or not out else f".{name}"
    if issue.hidden >= 0:
        out += f".{FIREWALLED}" if out else FIREWALLED
    return out + "…" if len(path) > MAX_PATH else out


def _read(row: object) -> tuple[tuple[Fate, str, str, str], int]:
    """Parse a ledger row in JSON form; raise `TypesigError` if it is malformed."""
    if isinstance(row, list | tuple) and len(row) == len(LedgerRow._fields):
        fate, name, tool, path, count = row
        texts = isinstance(name, str) and isinstance(tool, str) and isinstance(path, str)
        if fate in get_args(Fate) and texts:
            return (fate, name, tool, path), _count(count, 1)
    raise TypesigError(
        f"a row of a ledger is [fate, id, tool, path, times], not {format_value(row)}"
    )


def _count(given: object, least: int) -> int:
    """Check that *given* is an int of at least *least*, and return it."""
    if type(given) is not int or given < least:
        raise TypesigError(
            f"a count of a ledger is an int of at least {least}, not {format_value(given)}"
        )
    return given
