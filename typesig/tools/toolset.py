"""Toolsets: tools by name, their listings, and their calls."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from typesig.algebra import signature_methods
from typesig.calls.functions import write_mode
from typesig.errors import TypesigError
from typesig.extraction.callables.warnings import HintWarning
from typesig.listings.entries import HEADING
from typesig.tools.named import NamedTools
from typesig.tools.tool import Tool

# Calls need these modules, and listings do not: they are loaded by the first call.
if TYPE_CHECKING:
    from typing import Unpack

    from typesig.algebra.signature import Signature
    from typesig.algebra.signature_methods import Chain, Code, CodeStyle, Pipeline, Runner
    from typesig.contracts.lock import Lock
    from typesig.contracts.lock_diff import Diff
    from typesig.contracts.rules import Severity
    from typesig.listings.budget import Costs, FittedListing
    from typesig.listings.entries import Listing, Sharing, Style, Tier
    from typesig.notations.texts.quoting import Counter
    from typesig.providers.dialects.dialect import Dialect
    from typesig.providers.engines.engine import Constraint
    from typesig.providers.projection.custom_tools import CustomToolsProjection
    from typesig.providers.projection.dialects import DialectProjection
    from typesig.providers.projection.projection import Projection
    from typesig.providers.registry.provider import (
        CallOptions,
        DecoderName,
        EngineName,
        OtherName,
        ProviderName,
        Syntax,
    )
    from typesig.providers.registry.vendor import ToolOptions
    from typesig.tools.pages import Pages
    from typesig.tools.streams.dialects import Reading
    from typesig.validation.outcome.truncation import TextStyle
    from typesig.validation.policy import ModeName, Policy


class Toolset(NamedTools):
    """An immutable collection of tools, by name and in a fixed order.

    Iteration, `len`, `in` and `names` use the names. `tools[name]` is a tool; for an unknown name,
    the `KeyError` suggests the closest one. `+` joins two toolsets, and raises `TypesigError` for
    equal names. *mode* is the default mode of calls to tools that have no mode.

    #: warnings: what was left out, and why
    #: refused: the tools of others that were left out, each with the error that says why

    >>> from typesig import tool
    >>> @tool
    ... def twice(n: int) -> int:
    ...     return 2 * n
    >>> tools = Toolset([twice])
    >>> tools.names, tools.call("twice", {"n": 2}).value
    (('twice',), 4)
    """

    __slots__ = ()

    def __add__(self, other: Toolset) -> Toolset:
        """Return the tools of both; raise `TypesigError` if two have the same name."""
        if not isinstance(other, Toolset):
            return NotImplemented
        refused = {**self.refused, **other.refused}
        both = Toolset([*self, *other], (*self._omissions, *other._omissions), refused=refused)
        both.modes = {**self.modes, **other.modes}
        return both

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (tuple(self), self._omissions, self.modes, dict(self.refused))

    def __repr__(self) -> str:
        shown = [f"{name}{write_mode(self.modes.get(name))}" for name in self.names]
        return f"Toolset({', '.join(shown)})"

    def __rich_repr__(self) -> Iterator[Any]:
        from typesig.tools.display import parts_of_toolset

        yield from parts_of_toolset(self)

    def _repr_html_(self) -> str:
        """Return the HTML of the toolset for notebooks."""
        from typesig.tools.display import html_of_toolset

        return html_of_toolset(self)

    def select(self, *names: str) -> Toolset:
        """Return a toolset with only the tools *names*, in that order."""
        return _restore([self[name] for name in names], self._omissions, self.modes, self.refused)

    def prefixed(self, prefix: str) -> Toolset:
        """Return a toolset with *prefix* before the name of every tool."""
        from typesig.calls.protocols import rename_tool

        modes: dict[str, ModeName | Policy] = {}
        modes.update((prefix + name, mode) for name, mode in self.modes.items())
        tools = [rename_tool(one, prefix + one.name) for one in self]
        refused = {prefix + name: error for name, error in self.refused.items()}
        return _restore(tools, self._omissions, modes, refused)

    def prompt(
        self,
        style: Style = "signature",
        tier: Tier = "full",
        types: Sharing = "inline",
        legend: bool = False,
        *,
        counter: Counter | None = None,
        dialect: str | Dialect | None = None,
        details: bool = False,
    ) -> str:
        """Write the listing of the tools for a model; see `listing`.

        With *dialect*, the listing is in the format of the chat template of a family of open
        models. With *details*, descriptions contain all paragraphs of the docstrings, not only the
        first.
        """
        if details:
            whole = self._add_details()
            return whole.prompt(style, tier, types, legend, counter=counter, dialect=dialect)
        if dialect is not None:
            if (style, tier, types, legend) != ("signature", "full", "inline", False):
                raise TypesigError("a dialect has its own listing: leave out the other options")
            return self.project(dialect=dialect).prompt()
        if style == "signature" and tier == "full" and types == "inline" and not legend:
            # The same text, without the losses.
            return "\n\n".join([HEADING, *(one.prompt() for one in self)])
        return self.listing(style, tier, types, legend, counter=counter).text()

    def listing(
        self,
        style: Style = "signature",
        tier: Tier = "full",
        types: Sharing = "inline",
        legend: bool = False,
        *,
        counter: Counter | None = None,
        details: bool = False,
    ) -> Listing:
        """Return the listing of the tools, with its texts by tool and tier, and losses.

        *style* is `signature`, `compact`, `call`, `typescript` or `python`. *tier* sets the amount
        of text for each tool: `names`, `signatures` or `full`. With *types* `shared`, a record that
        occurs more than once is defined once, before the tools, if that is shorter: *counter*
        returns the size of a text; the default is the number of characters. With *legend*, the
        listing begins with three lines about the notation. With *details*, descriptions contain all
        paragraphs of the docstrings, in every style. Raises `TypesigError` for an unknown style,
        tier or sharing.

        >>> from typesig import tools_of
        >>> def double(n: int = 1) -> int:
        ...     return 2 * n
        >>> print(tools_of([double]).listing("compact"))
        ## Tools you can call
        <BLANKLINE>
        double(n int=1) -> int
        """
        from typesig.listings.styles import make_listing

        tools = self._add_details() if details else self
        return make_listing(tools, style, tier, types, legend, counter)

    def _add_details(self) -> Toolset:
        """Return a toolset whose descriptions include the docstrings' details."""
        from typesig.calls.protocols import add_details

        return _restore(map(add_details, self), self.warnings, self.modes, self.refused)

    def search(self, query: str, k: int = 10) -> Toolset:
        """Return up to *k* tools that match words of *query*, best matches first.

        The search looks in names, descriptions and the texts of parameters and their fields, and
        ranks by BM25; a word in a tool's name counts three times. Words are split at case and
        separators, and compared in lower case and singular; there is no other stemming, and there
        are no synonyms. Firewalled names are never found. Raises `TypesigError` if *query* is not
        text or *k* is less than 1.

        >>> from typesig import tools_of
        >>> def create_issue(title: str) -> int: ...
        >>> def list_users() -> list[str]: ...
        >>> tools_of([create_issue, list_users]).search("make an issue").names
        ('create_issue',)
        """
        from typesig.tools import search

        search.check_query(query, k)
        if self._index is None:
            self._index = search.make_index(self)
        names = self.names
        return self.select(
            *[names[number] for number in search.search_index(self._index, query)[:k]]
        )

    def as_search(
        self,
        k: int = 5,
        style: Style = "signature",
        tier: Tier = "full",
        types: Sharing = "inline",
        legend: bool = False,
        *,
        name: str = "find_tools",
        on_found: Callable[[Toolset], object] | None = None,
    ) -> Tool[..., str]:
        """Return a tool that lets a model search this toolset; see `search`.

        Its result is the listing of up to *k* tools, in a style as for `prompt`. *on_found* is
        called with these tools, so that your program can add their definitions.
        """
        from typesig.tools.search import search_tool

        # Wrong options are told here, and not in the first call.
        Toolset().listing(style, tier, types, legend)
        listed = functools.partial(
            Toolset.prompt, style=style, tier=tier, types=types, legend=legend
        )
        return search_tool(self.search, k, listed, name, on_found)

    def tokens(
        self,
        counter: Counter,
        style: Style = "signature",
        tier: Tier = "full",
        types: Sharing = "inline",
        legend: bool = False,
    ) -> Costs:
        """Measure the size of the listing by tool and by part: names, types and prose.

        *counter* returns the size of a text, such as its number of tokens; it is called up to three
        times for each tool.  The other arguments are those of `listing`.
        """
        from typesig.listings.budget import measure_costs
        from typesig.notations.texts.quoting import check_counter

        count = check_counter(counter)
        return measure_costs(self.listing(style, tier, types, legend, counter=count), count)

    def fit(
        self,
        counter: Counter,
        budget: int,
        style: Style = "signature",
        tier: Tier = "full",
        types: Sharing = "inline",
        legend: bool = False,
        *,
        ranking: Iterable[str | Tool[..., Any]] = (),
    ) -> FittedListing:
        """Return the richest listing whose size, by *counter*, is at most *budget*.

        All tools are listed by name. The tools of *ranking*, such as the result of `search`, come
        first: each gets its full text if that fits, otherwise its signature if that fits. Then the
        other tools get as many signatures as fit, then descriptions, shortest first. Raises
        `TooLarge` if the names alone do not fit.

        >>> from typesig import tools_of
        >>> def double(n: int) -> int:
        ...     "Twice n."
        >>> tools_of([double]).fit(len, 50).tiers
        {'double': 'signatures'}
        """
        from typesig.listings.budget import fit_listing
        from typesig.notations.texts.quoting import check_counter

        count = check_counter(counter)
        return fit_listing(
            self.listing(style, tier, types, legend, counter=count), count, budget, ranking
        )

    def pages(
        self, budget: int, style: TextStyle = "auto", *, counter: Counter = len
    ) -> Pages[Toolset]:
        """Return `Pages` that show results within *budget*, with the tool `more`.

        For *style*, *budget*, *counter* and the errors see `Outcome.text`.
        """
        from typesig.tools.pages import Pages

        return Pages(lambda more: self + Toolset([more]), budget, style, counter)

    @overload
    def project(
        self,
        provider: Literal["openai-grammar"],
        *,
        syntax: Syntax = ...,
        **options: Unpack[CallOptions],
    ) -> CustomToolsProjection: ...
    @overload
    def project(
        self, provider: DecoderName, *, dialect: str = ..., **options: Unpack[CallOptions]
    ) -> Constraint[Reading]: ...
    @overload
    def project(self, *, dialect: str | Dialect) -> DialectProjection: ...
    # The last one is what type checkers show for a misspelt provider.
    @overload
    def project(
        self, provider: ProviderName | OtherName, **options: Unpack[ToolOptions]
    ) -> Projection: ...
    def project(
        self, provider: ProviderName | OtherName | EngineName | None = None, **options: Any
    ) -> Projection | Constraint[Reading]:
        """Return the tools in the form of *provider*, with definitions, losses and `handle`.

        *provider* is `openai`, `anthropic` or `claude`, `gemini` or `google`, `mcp`, `mistral`,
        `deepseek`, `moonshot` or `kimi`, `xai` or `grok`. Options: *api* is the form of
        definitions; *strict* makes the provider enforce the schema; *limits* replaces published
        limits; *details* includes all paragraphs of the docstrings. Some providers also take
        *input_examples*, *defer_loading*, *allowed_callers* and *server_tools*; see `ToolOptions`.
        A tool that the provider does not support is omitted, and listed in `losses` and `check()`.
        `openai-grammar` has custom tools, each with a grammar in *syntax*, `lark` or `regex`. For
        `llguidance`, `xgrammar` and `gbnf`, which constrain a model on your own server, return the
        constraint for calls in *dialect*. Grammars also take *tool_choice* and *parallel*;
        *longest*, *digits*, *items* and *closed* bound them. See `CallOptions`. With only a
        *dialect*, return the tools for an open model that writes calls as text. Raises
        `TypesigError` for an unknown provider, dialect or option, and `KeyError` for an unknown
        tool.

        >>> from typesig import tools_of
        >>> def double(n: int = 1) -> int:
        ...     return 2 * n
        >>> made = tools_of([double]).project("openai", strict=True)
        >>> made.tools["double"].decode({"n": None})
        {}
        """
        from typesig.providers.entry_points import project

        details = options.pop("details", False)
        return project(self._add_details() if details else self, self.read, provider, options)

    def call_signature(self, *, parallel: bool = False) -> Signature:
        """Signature whose result is a call of one of these tools: an object of name and arguments.

        With *parallel*, the result is a list of one or more calls. Pass it to `contract` to ask
        for, check and project a call. Raises `TypesigError` if there are no tools.

        >>> from typesig import contract, tools_of
        >>> def double(n: int) -> int:
        ...     return 2 * n
        >>> call = contract(tools_of([double]).call_signature())
        >>> call.read('{"name": "double", "arguments": {"n": "4"}}').value
        {'name': 'double', 'arguments': {'n': 4}}
        """
        from typesig.tools.named import make_call_signature

        return make_call_signature(self, parallel)

    def diff(self, other: Toolset | Lock, severities: Mapping[str, Severity] | None = None) -> Diff:
        """Return the changes from these tools to *other*, a toolset or a `contracts.Lock`.

        *severities* maps ids of rules to other severities. Raises `TypesigError` for anything else,
        and for unknown rules.

        >>> from typesig import tools_of
        >>> def double(n: int) -> int: ...
        >>> tools_of([double]).diff(tools_of([])).severity
        'breaking'
        """
        from typesig.contracts.lock_diff import diff

        return diff(self, other, severities)

    def chain(self, *, all: bool = False) -> Chain:
        """Find the results of tools that fit parameters of other tools.

        A link counts if the names agree or the type is distinctive, such as a record; with *all*,
        every link counts. Raises `ExtractionError` if the hints of a tool cannot be read.

        >>> from typesig import tools_of
        >>> def find_users(text: str) -> list[int]: ...
        >>> def get_user(id: int) -> str: ...
        >>> def get_page(id: int) -> str: ...
        >>> print(tools_of([find_users, get_user, get_page]).chain())
        find_users.[] → get_user.id: fits
        """
        chain: Chain = signature_methods.chaining().make_chain(self, all)
        return chain

    def check_chain(self, *names: str) -> Pipeline:
        """Check that each of the tools *names* accepts the result of the previous one.

        Raises `TypesigError` for an unknown name, and for fewer than two names.

        >>> from typesig import tools_of
        >>> def search(text: str) -> list[int]: ...
        >>> def fetch(id: int) -> str: ...
        >>> bool(tools_of([search, fetch]).check_chain("search", "fetch"))
        True
        """
        checked: Pipeline = signature_methods.pipelines().check_pipeline(self, names)
        return checked

    def code(
        self, style: CodeStyle = "python", *, awaited: bool = False, runner: Runner | None = None
    ) -> Code:
        """Return the tools as functions for a model's programs, and check and run programs.

        *style* is the language of programs, `python` or `typescript`. With *awaited*, each call is
        awaited, and several can be gathered. *runner* is the sandbox; the default is the sandbox of
        the extra `code`. Raises `TypesigError` for another style.

        >>> from typesig import tools_of
        >>> def double(n: int) -> int: ...
        >>> print(tools_of([double]).code().check("double(n=2").report())
        Program errors; nothing was run:
        - line 1, column 7: this is not Python: '(' was never closed
            double(n=2
                  ^
        """
        made: Code = signature_methods.programs().Code(self, style, awaited, runner)
        return made


def _restore(
    tools: Iterable[Tool[..., Any]],
    warnings: Iterable[HintWarning],
    modes: Mapping[str, ModeName | Policy],
    refused: Mapping[str, TypesigError],
) -> Toolset:
    """Return a toolset whose tools have the *modes* of their names."""
    made = Toolset(tools, warnings, refused=refused)
    made.modes = {name: modes[name] for name in made.names if name in modes}
    return made
