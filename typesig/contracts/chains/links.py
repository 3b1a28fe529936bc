"""Links between results and parameters of tools, and the chain of all links."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, TypeAlias

from typesig.algebra.rows.frozen import Frozen
from typesig.limits.contracts import MAX_SHOWN_LINKS
from typesig.relations.proofs.differences import Path, format_place

#: Whether values of a part are values of a parameter: all are; most are, or all after a small
#: change; it is not known; some are not.
Kind: TypeAlias = Literal["fits", "nearly", "unknown", "differs"]

#: The kinds, from the best to the worst.
KINDS: tuple[Kind, ...] = ("fits", "nearly", "unknown", "differs")

#: Why a part does not fit as it is; empty if it fits.
Code: TypeAlias = Literal[
    "", "nullable", "optional", "bounds", "values", "wrapped", "open", "fields", "coerced", "names",
    "type", "shape", "unknown",
]  # fmt: skip


class Link(NamedTuple):
    """A part of one tool's result that may serve as an argument of another tool.

    #: source, path: the tool, and the part of its result: names of fields, `[]` for each item,
    #:     positions by number, `key` and `value` of a map, `**` for values of undeclared names or
    #:     further items, `/pattern/`, and `|1` for the first member; empty for the whole result
    #: target, parameter, into: the tool, its parameter, and the part of that, as in *path*
    #: kind: fits, nearly, unknown or differs
    #: code, reason, mend: why it does not fit, and what would change that; empty if it fits
    #: type: the type of the parameter, as text
    #: strength: 0 to 5: how well the names agree (0 to 3) and how special the type is (0 to 2)
    """

    source: str
    path: tuple[str, ...]
    target: str
    parameter: str
    into: tuple[str, ...] = ()
    kind: Kind = "fits"
    code: Code = ""
    reason: str = ""
    mend: str = ""
    type: str = ""
    strength: int = 0

    def __str__(self) -> str:
        """Return the link on one line, as in `search.[].id → fetch.id: fits`."""
        line = f"{self.source_text} → {self.target_text}: {self.kind}"
        if self.reason:
            line += f"; {self.reason}"
        return f"{line}; {self.mend}" if self.mend else line

    @property
    def source_text(self) -> str:
        """Path of the source: the tool and the part of its result."""
        return format_place(get_places(self)[0])

    @property
    def target_text(self) -> str:
        """Path of the target: the tool, its parameter and the part of the parameter."""
        return format_place(get_places(self)[1])

    def to_dict(self) -> dict[str, Any]:
        """Return the link as JSON data."""
        return _to_data(self)  # type: ignore[no-any-return]


def get_places(link: Link) -> tuple[Path, Path]:
    """Paths of both ends of *link*, each starting with the name of the tool."""
    return (link.source, *link.path), (link.target, link.parameter, *link.into)


def _to_data(value: Any) -> Any:
    """Convert *value*, a link or an object with links, to JSON data."""
    if hasattr(value, "to_dict"):
        return {name: _to_data(getattr(value, name)) for name in value.__match_args__}
    return [_to_data(each) for each in value] if isinstance(value, tuple) else value


class Chain(Frozen):
    """Links between the tools of a toolset: fitting links first, then by strength.

    #: tools: the names of the tools, sorted
    #: links: the links
    #: notes: what was not looked at, since a limit was reached

    >>> from typesig import tools_of
    >>> def find_user(mail: str) -> list[int]: ...
    >>> def mail_to(user: int) -> None: ...
    >>> print(tools_of([find_user, mail_to]).chain())
    find_user.[] → mail_to.user: fits
    """

    __slots__ = ("links", "notes", "tools")
    __match_args__ = ("tools", "links", "notes")
    _DEPTH = 0
    tools: tuple[str, ...]
    links: tuple[Link, ...]
    notes: tuple[str, ...]

    def __init__(
        self, tools: tuple[str, ...], links: tuple[Link, ...], notes: tuple[str, ...] = ()
    ) -> None:
        self._fill(tools, links, notes)

    def __iter__(self) -> Iterator[Link]:
        return iter(self.links)

    def __len__(self) -> int:
        return len(self.links)

    def __str__(self) -> str:
        """Return a line for each link, up to a limit, and for each note."""
        lines = [str(link) for link in self.links[:MAX_SHOWN_LINKS]]
        more = len(self.links) - len(lines)
        lines += [f"… and {more} more"] if more else []
        return "\n".join([*lines, *self.notes]) or "no tool feeds another"

    def __repr__(self) -> str:
        counts = {kind: sum(link.kind == kind for link in self.links) for kind in KINDS}
        shown = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
        return f"<chain of {len(self.tools)} tools: {shown or 'no links'}>"

    def __rich_repr__(self) -> Iterator[Any]:
        from typesig.markup import cut

        yield "tools", [*self.tools[:MAX_SHOWN_LINKS]]
        yield "links", [cut(str(link)) for link in self.links[:MAX_SHOWN_LINKS]]
        yield "notes", [*self.notes], []

    def _repr_html_(self) -> str:
        """Write the chain as HTML for notebooks: a table of its links, and its notes."""
        from typesig.markup import make_list, make_table

        rows = [(link.source_text, link.target_text, link.kind) for link in self.links]
        table = make_table(("result", "parameter", "kind"), rows, MAX_SHOWN_LINKS)
        return f"<div>{table}{make_list('Notes:', self.notes)}</div>"

    def around(self, *names: str) -> Chain:
        """Select the links from or to the tools *names*."""
        kept = [link for link in self.links if {link.source, link.target} & {*names}]
        return Chain(self.tools, tuple(kept), self.notes)

    def to_dict(self) -> dict[str, Any]:
        """Return the chain as JSON data."""
        return _to_data(self)  # type: ignore[no-any-return]


class Step(NamedTuple):
    """A pipeline step: a tool and the links that feed its parameters.

    #: tool: its name
    #: fed: the best link that fits to each parameter that has one
    #: near: for each other parameter, the best link that nearly fits, or is unknown
    #: needs: the required parameters that nothing feeds: the model or the host gives them
    #: reason: why the pipeline does not hold here, or an empty text
    """

    tool: str
    fed: tuple[Link, ...] = ()
    near: tuple[Link, ...] = ()
    needs: tuple[str, ...] = ()
    reason: str = ""

    def __str__(self) -> str:
        """Return a line for the tool, and one for each link and what is needed."""
        lines = [f"{self.tool}: {self.reason}" if self.reason else self.tool]
        lines += [f"  {link}" for link in (*self.fed, *self.near)]
        lines += [f"  needs {', '.join(self.needs)}"] if self.needs else []
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the step as JSON data."""
        return _to_data(self)  # type: ignore[no-any-return]


class Pipeline(NamedTuple):
    """A sequence of tools, with the links that feed each tool from earlier results.

    It is true if the pipeline holds.

    #: steps: the tools in order

    >>> from typesig import tools_of
    >>> def find_user(mail: str) -> list[int]: ...
    >>> def mail_to(user: int, text: str) -> None: ...
    >>> print(tools_of([find_user, mail_to]).check_chain("find_user", "mail_to"))
    the pipeline holds
    find_user
      needs mail
    mail_to
      find_user.[] → mail_to.user: fits
      needs text
    """

    steps: tuple[Step, ...]

    @property
    def holds(self) -> bool:
        """Whether each tool after the first uses part of the preceding tool's result."""
        return not any(step.reason for step in self.steps)

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        """Return the verdict, and the lines of each step."""
        first = next((step.tool for step in self.steps if step.reason), None)
        head = "the pipeline holds" if first is None else f"the pipeline breaks at {first}"
        return "\n".join([head, *map(str, self.steps)])

    def to_dict(self) -> dict[str, Any]:
        """Return the pipeline as JSON data."""
        return {"holds": self.holds, **_to_data(self)}
