"""The entries of the public names, from the docstrings of the source, for the page of the API.

`.ci/site.py` puts them in the place of the tables of `docs/reference/api.md`, which a reader of the
repository sees, and links each public name in code font to its entry.  The source is read, and not
run, so that no extra is needed.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import griffe

from tests import api_page

ROOT = Path(__file__).resolve().parents[1]

#: Public methods of classes that only typesig calls.
OWN = frozenset({"Tool.bound", "Policy.for_call", "Policy.for_output", "mcp.Request.move"})

#: Classes whose objects other functions return: the arguments of the constructor help nobody.
RETURNED = frozenset(
    [
        "Answer",
        "Contract",
        "Dialect",
        "Issue",
        "Outcome",
        "Partial",
        "Projection",
        "Stream",
        "ValidationError",
        "algebra.Loss",
        "contracts.ContractBroken",
        "contracts.Diff",
        "contracts.Finding",
        "contracts.Hidden",
        "contracts.Lock",
        "extraction.Extraction",
        "extraction.HintWarning",
        "governance.Call",
        "governance.Paused",
        "governance.PendingCalls",
        "mcp.Server",
        "relations.Difference",
        "Injected",
        "Visible",
        "contracts.HIDDEN",
        "contracts.RULES",
        "notations.NOTATIONS",
    ]
)

_FENCED = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
# What a link cannot stand in: a heading, a link, an entry's own mark.
_LINKABLE = re.compile(
    r"^#.*$|!?\[[^]]*\]\([^)]*\)|<a [^>]*>|(?<!`)`(?P<name>[A-Za-z][\w.]*)(?:\(\))?`(?!`)",
    re.MULTILINE,
)


class Entry(NamedTuple):
    """A public name: how it is called from `typesig`, its id on the page, and its source."""

    name: str
    id: str
    source: Any


@functools.cache
def _package() -> Any:
    return griffe.load("typesig", search_paths=[str(ROOT)], resolve_aliases=False)


@functools.cache
def entries() -> dict[str, Entry]:
    """Return the entry of each name that a table of the page has."""
    made = api_page.ids(api_page.PAGE.read_text(encoding="utf-8"))
    return {name: Entry(name, id, _source(name)) for name, id in made.items()}


def _source(name: str) -> Any:
    module, last = api_page.home(name)
    return _package()[f"{module}.{last}".removeprefix("typesig.").removesuffix(".")]


def with_entries(page: str) -> str:
    """Return the *page* of the API with the entries in the place of its tables."""
    return api_page.TABLE.sub(
        lambda found: "\n".join(_entry(entries()[name]) for name in found["names"].split()), page
    )


def _entry(entry: Entry) -> str:
    source = entry.source
    parts = [f"### {entry.name} {{#{entry.id}}}\n"]
    if source.is_function:
        parts.append(_signatures(source, entry.name))
    elif source.is_class and entry.name not in RETURNED and (made := _made_of(source)):
        parts.append(_code(_call(entry.name, made)))
    told = api_page.told(entry.name)
    parts.append(_text(told))
    if source.is_class:
        fields = {
            name
            for block in told.split("\n\n")
            for names, _ in _fields(block)
            for name in names.split(", ")
        }
        for name, member in _members(source):
            if name in fields or f"{entry.name}.{name}" in OWN:
                continue
            parts.append(f"#### {name} {{#{entry.id}.{name}}}\n")
            if member.is_function:
                parts.append(_signatures(member, name))
            parts.append(_text(member.docstring.value))
    return "\n".join(parts)


def _made_of(source: Any) -> list[Any]:
    """Return the parameters with which an object of a class is made."""
    for owner in (source, *_bases(source)):
        for name in ("__init__", "__new__"):
            if name in owner.members:
                shown = owner.members[name].parameters
                return [p for p in shown if p.name not in ("self", "cls")]
    # A tuple with names, or a class that makes its own constructor of its annotations.
    return [
        griffe.Parameter(
            name,
            annotation=member.annotation,
            kind=griffe.ParameterKind.positional_or_keyword,
            default=member.value,
        )
        for name, member in source.members.items()
        if member.is_attribute and member.annotation is not None and not name.startswith("_")
    ]


def _members(source: Any) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties of a class, those of its own bases among them."""
    seen = set()
    for owner in (source, *_bases(source)):
        for name, member in owner.members.items():
            own = not name.startswith("_") and (member.is_function or "property" in member.labels)
            if own and name not in seen and member.docstring is not None:
                seen.add(name)
                yield name, member


def _bases(source: Any) -> Iterator[Any]:
    for base in source.bases:
        path = re.sub(r"\[.*", "", getattr(base, "canonical_path", str(base)))
        if path.startswith("typesig."):
            found = _package()[path.removeprefix("typesig.")]
            if all(found is not entry.source for entry in entries().values()):
                yield found
                yield from _bases(found)


def _signatures(source: Any, name: str) -> str:
    forms = source.overloads or [source]
    awaited = "await " if "async" in source.labels else ""
    return _code(
        *(
            awaited
            + _call(name, [p for p in form.parameters if p.name not in ("self", "cls")])
            + (f" -> {form.returns}" if form.returns is not None else "")
            for form in forms
        )
    )


def _call(name: str, parameters: Iterable[Any]) -> str:
    """Return *name* with its *parameters*, one in a line if they are too many for one."""
    parts: list[str] = []
    kind = None
    for each in parameters:
        if kind == griffe.ParameterKind.positional_only != each.kind:
            parts.append("/")
        if each.kind == griffe.ParameterKind.keyword_only and kind not in (
            griffe.ParameterKind.keyword_only,
            griffe.ParameterKind.var_positional,
        ):
            parts.append("*")
        kind = each.kind
        stars = {"variadic positional": "*", "variadic keyword": "**"}.get(str(kind.value), "")
        hint = "" if each.annotation is None else f": {each.annotation}"
        equals = " = " if hint else "="
        default = "" if stars or each.default is None else f"{equals}{each.default}"
        parts.append(f"{stars}{each.name}{hint}{default}")
    line = f"{name}({', '.join(parts)})"
    if len(line) <= 80:
        return line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + ")"


def _code(*lines: str) -> str:
    return "```python\n" + "\n".join(lines) + "\n```\n"


def _text(docstring: str) -> str:
    """Return *docstring* as Markdown: its fields as a list, its sessions as code."""
    out: list[str] = []
    blocks = re.split(r"\n{2,}", docstring)
    session: list[str] = []
    for block in blocks:
        if block.startswith(">>> "):
            session.append(block)
            continue
        if fields := _fields(block):
            out.append("\n".join(f"- {_names(names)}: {_escaped(what)}" for names, what in fields))
        else:
            out.append(_escaped(block))
    text = "\n\n".join(out) + "\n"
    if session:
        text += "\n```python\n" + "\n".join(session) + "\n```\n"
    return text


def _fields(block: str) -> list[tuple[str, str]]:
    """Return what the lines `#: name, name: what it is` of a docstring tell, with their names."""
    if not block.startswith("#: "):
        return []
    joined = ""
    for line in block.splitlines():
        line = line.removeprefix("#: ")
        joined += f"\n{line}" if re.match(r"\w+(?:, \w+)*: ", line) else f" {line.strip()}"
    found: list[tuple[str, str]] = []
    for line in joined.strip().splitlines():
        parts = re.split(r"(?:^|; )(\w+(?:, \w+)*): ", line)[1:]
        found += zip(parts[::2], parts[1::2], strict=True)
    return found


def _names(names: str) -> str:
    return ", ".join(f"`{name}`" for name in names.split(", "))


def _escaped(text: str) -> str:
    """Return *text* without what Markdown would take for markup of HTML."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;") for part in parts)


@functools.cache
def _targets() -> dict[str, str]:
    """Return the ids of what a code span may name: entries, their members, and short names."""
    found: dict[str, str] = {}
    short: dict[str, list[str]] = {}
    for entry in entries().values():
        spoken = entry.name.rpartition(".")[2]
        short.setdefault(spoken, []).append(entry.id)
        for name in (entry.name, f"typesig.{entry.name}"):
            found[name] = entry.id
        if entry.source.is_class:
            for member, _ in _members(entry.source):
                found.setdefault(f"{spoken}.{member}", f"{entry.id}.{member}")
    for spoken, ids in short.items():
        # A short word such as `server` may be anything, and so may what two rooms have.
        if len(ids) == 1 and spoken[0].isupper():
            found.setdefault(spoken, ids[0])
    return found


def linked(markdown: str, page: str) -> str:
    """Return *markdown*, of *page*, with the public names in it as links to their entries."""
    way = "" if page == "reference/api.md" else "../" * page.count("/") + "reference/api.md"

    def link(found: re.Match[str]) -> str:
        id = _targets().get(found["name"] or "")
        return found[0] if id is None else f"[{found[0]}]({way}#{id})"

    out, last = [], 0
    for fence in _FENCED.finditer(markdown):
        out += [_LINKABLE.sub(link, markdown[last : fence.start()]), fence[0]]
        last = fence.end()
    return "".join([*out, _LINKABLE.sub(link, markdown[last:])])
