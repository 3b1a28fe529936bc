"""Issues: errors and coercions that a check found, as data.

An issue has a code, a path, and what was expected and found; its message is made from the sentence
of its code.  To add a kind of issue, add its code to `IssueCode` and its row to `SENTENCES`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat, starmap
from typing import Any, Literal, NoReturn, Protocol, TypeAlias

from typesig.algebra.rows.frozen import Frozen, set_part
from typesig.algebra.rows.names import is_plain
from typesig.errors import TypesigError, format_message
from typesig.limits import MAX_EXCERPT, MAX_PATH
from typesig.validation.issues.excerpt import FIREWALLED, quote_text
from typesig.validation.issues.suggestions import SuggestionSearch
from typesig.validation.issues.words import SIGNATURE, Words, translate_text

#: The kinds of issues.
IssueCode: TypeAlias = Literal[
    "type", "missing", "enum", "refined", "key", "extra", "twice", "keys", "repeated", "duplicate",
    "length", "several", "depth", "filled", "size", "json", "tool", "passing", "late", "refused",
    "retried", "call", "program", "host", "cannot", "cannot_be", "coerced", "mended", "parsed",
    "renamed", "unwrapped", "empty", "absent", "dropped", "kept", "called", "unchecked", "naive",
    "left_out", "not_json", "refusal", "filtered", "truncated",
]  # fmt: skip

#: The sentence of each code, a template of an issue's expected and got.
SENTENCES: dict[IssueCode, str] = {
    "type": "expected {expected}, got {got}",
    "missing": "expected {expected}, got nil (missing)",
    "enum": "expected one of {expected}, got {got}",
    "refined": "expected {expected}, got {got}",
    "key": "keys are {expected}, got {got}",
    "extra": "unexpected key",
    "twice": "given twice, as {got}",
    "keys": "two keys stand for {got}",
    "repeated": "the key {got} is sent twice",
    "duplicate": "expected unique items, got {got}",
    "length": "expected {expected} items, got {got}",
    "several": "fits {got} of {expected} alternatives, and must fit exactly one",
    "depth": "nested too deep: at most {expected} levels",
    "filled": "its defaults would fill in more than {expected} values",
    "size": "more than {expected} values, each counted where it stands, or inside itself",
    "json": "{got}",
    "tool": "{got}",
    "passing": "{got}",
    "late": "{got}",
    "refused": "{got}",
    "retried": "the tool was run {expected} times, since what went wrong may pass",
    "call": "{got}",
    "program": "{got}",
    "host": "{got}",
    "cannot": "cannot coerce {got} to {expected}",
    "cannot_be": "cannot coerce {got} to one of {expected}",
    "coerced": "coerced {got} to {expected}",
    "mended": "{got}",
    "parsed": "JSON text read as {expected}",
    "renamed": "taken from the key {got}",
    "unwrapped": "the arguments were taken out of {got}",
    "empty": "{got} taken as no arguments",
    "absent": "nil taken as absent",
    "dropped": "unexpected key dropped",
    "kept": "unexpected key kept",
    "called": "the tool {expected} was called as {got}",
    "unchecked": "not checked: {got}",
    "naive": "{got} has no offset, so its text has none",
    "left_out": "unexpected key left out of what the model sees",
    "not_json": "JSON has no {got}, so null stands for it",
    "refusal": "the model refused to answer: {got}",
    "filtered": "a filter stopped the answer: {got}",
    "truncated": "the answer reached its limit of length, and is not whole: {got}",
}


class IssueSource(Protocol):
    """Attributes that supply the texts of an issue."""

    code: IssueCode
    expected: str
    hint: Any
    rule: str

    @property
    def got(self) -> str:
        """What was found instead."""
        ...


class Issue(Frozen):
    """One error or warning of a check.

    #: code: the kind of issue, a key of `SENTENCES`
    #: path: names and indices that lead to the value
    #: expected: what was expected, as a model was shown it
    #: got: an excerpt of the value
    #: hint: what to do, or empty
    #: rule: the id of the coercion or repair that gave this warning, or empty
    #: hidden: how many steps of the path a model may see, or -1 for all

    >>> import typesig
    >>> [issue] = typesig.parse("(n :int) -> :any").validate_input({"n": "many"}).errors
    >>> issue.code, issue.path, str(issue)
    ('type', ('n',), 'n: expected int, got string "many"')
    """

    __slots__ = ("_search", "_source", "code", "expected", "got", "hidden", "hint", "path", "rule")
    __match_args__ = ("code", "path", "expected", "got", "hint", "rule", "hidden")
    code: IssueCode
    path: tuple[str | int, ...]
    expected: str
    got: str
    hint: str
    rule: str
    hidden: int
    _search: SuggestionSearch
    # What the parts are read from that are not set: a finding, or a note that its site reads.
    _source: IssueSource | tuple[Any, ...]

    def __init__(
        self,
        code: IssueCode,
        path: tuple[str | int, ...] = (),
        expected: str = "",
        got: str = "",
        hint: str = "",
        rule: str = "",
        hidden: int = -1,
    ) -> None:
        set_part(self, "code", code)
        set_part(self, "path", path)
        set_part(self, "expected", expected)
        set_part(self, "got", got)
        set_part(self, "hint", hint)
        set_part(self, "rule", rule)
        set_part(self, "hidden", hidden)

    @classmethod
    def _make_lazy(
        cls, path: tuple[str | int, ...], hidden: int, source: IssueSource, search: SuggestionSearch
    ) -> Issue:
        """Create an issue that reads its other fields from *source* on demand.

        A hint that has to be looked for is found by *search*.
        """
        made = object.__new__(cls)
        set_part(made, "_search", search)
        set_part(made, "path", path)
        set_part(made, "hidden", hidden)
        set_part(made, "_source", source)
        return made

    def __getattr__(self, name: str) -> Any:
        # Called only for a part that is not set.
        if name == "_hash":
            # Few issues are compared.
            set_part(self, name, hash(("Issue", *self._get_parts())))
            return self._hash
        if name not in Issue.__match_args__:
            raise AttributeError(name)
        source = self._source
        if isinstance(source, tuple):
            path, hidden = source[0].get_place(source)
            set_part(self, "path", path)
            set_part(self, "hidden", hidden)
            if name in ("path", "hidden"):
                return getattr(self, name)
            source = source[0].get_finding(source)
            set_part(self, "_source", source)
        if name == "hint":
            hint = source.hint
            # Looked for where it is shown: there may be many issues.
            set_part(self, name, hint if isinstance(hint, str) else self._search.find_hint(hint))
            return self.hint
        set_part(self, "code", source.code)
        set_part(self, "expected", source.expected)
        set_part(self, "got", source.got)
        set_part(self, "rule", source.rule)
        return getattr(self, name)

    @property
    def message(self) -> str:
        """The message of the issue without its path, in signature notation."""
        return self._write_message(SIGNATURE)

    def _write_message(self, words: Words) -> str:
        """Write the message of the issue in *words*, without its path."""
        if self.hidden >= 0:
            return "this value was changed" if self.rule else "this value does not conform"
        template = words.sentences.get(self.code) or SENTENCES[self.code]
        got, hint = translate_text(self.got, words), translate_text(self.hint, words)
        sentence = template.format(expected=translate_text(self.expected, words), got=got)
        whole = f"{sentence} ({hint})" if hint else sentence
        # The text of a tool's own error is as long as the tool wants it.
        return format_message(whole, None)

    def __str__(self) -> str:
        """Return the line of a report: the path, then the sentence."""
        return self._write_line(SIGNATURE)

    def __repr__(self) -> str:
        """Return what makes it, without the last parts that are as they are by default."""
        parts = [*self._get_parts()]
        defaults = [*(Issue.__init__.__defaults__ or ())]
        while defaults and parts[-1] == defaults.pop():
            parts.pop()
        return f"Issue({', '.join(map(repr, parts))})"

    def __rich_repr__(self) -> Iterator[Any]:
        from typesig.markup import Code, cut

        yield Code(cut(str(self)))
        yield "code", self.code
        yield "rule", self.rule, ""

    def _repr_html_(self) -> str:
        """Write the issue as HTML for notebooks: its code and its text."""
        from typesig.markup import cut, make_element

        return f"<div>{make_element('b', self.code)} {make_element('code', cut(str(self)))}</div>"

    def _write_line(self, words: Words) -> str:
        """Write the path and message of the issue in *words*, hidden steps masked."""
        if self.hidden < 0:
            where = write_path(self.path)
        else:
            shown = write_path(self.path[: self.hidden])
            where = f"{shown}.{FIREWALLED}" if shown else FIREWALLED
        message = self._write_message(words)
        return f"{where}: {message}" if where else message


class LazyIssue(Issue):
    """An issue built on demand; it becomes an `Issue` when an attribute is first read.

    Without a method for all attributes it is made in half the time, and there may be many.
    """

    __slots__ = ()
    __init__: Any = object.__init__
    # Both, or else each is looked up.
    __setattr__ = object.__setattr__  # type: ignore[assignment]
    __delattr__ = object.__delattr__  # type: ignore[assignment]

    def read(self) -> Issue:
        """Convert this object to an `Issue`, whose texts are written on demand."""
        self.__class__ = Issue  # type: ignore[assignment]
        return self

    def __eq__(self, other: object) -> bool:
        return self.read() == other

    def __hash__(self) -> int:
        return hash(self.read())

    def __reduce__(self) -> tuple[Any, ...]:
        return self.read().__reduce__()

    def __repr__(self) -> str:
        return repr(self.read())


def _refuse(made: object, value: object = None) -> NoReturn:
    """Raise `AttributeError` for an assignment to an attribute of an issue."""
    raise AttributeError("Issue cannot be changed: make another one")


def _make_reader(name: str) -> property:
    """Make the property *name* of `LazyIssue`, which converts the issue to an `Issue`."""
    return property(lambda issue: getattr(issue.read(), name), _refuse, _refuse)


for _name in (*Frozen.__slots__, *Issue.__match_args__):
    setattr(LazyIssue, _name, _make_reader(_name))


def get_issue_code(issue: Issue) -> IssueCode:
    """Return the code of *issue*, without writing the texts of the issue."""
    if not isinstance(issue, LazyIssue):
        try:
            known: IssueCode = object.__getattribute__(issue, "code")
        except AttributeError:
            pass
        else:
            return known
    source = issue._source
    code: IssueCode = source[0].get_code(source) if isinstance(source, tuple) else source.code
    return code


def get_issue_hint(issue: Issue) -> Any:
    """Return the hint of *issue* as a text, or as the unevaluated query of the check."""
    if isinstance(issue, LazyIssue):
        issue.read()
    try:
        source = issue._source
    except AttributeError:
        return issue.hint
    return source[0].get_finding(source).hint if isinstance(source, tuple) else source.hint


def make_issues(notes: Sequence[tuple[Any, ...]], search: SuggestionSearch) -> list[Issue]:
    """Make a lazy issue of each of *notes*; *search* finds the hints on demand.

    Hints that have to be looked for are found by *search*.
    """
    # A loop that calls the class takes a tenth longer.
    made: list[Issue] = [*starmap(LazyIssue, repeat((), len(notes)))]
    for issue, note in zip(made, notes, strict=True):
        issue._source = note
        issue._search = search
    return made


def write_path(path: Iterable[str | int]) -> str:
    """Return *path* as text; names that are not plain are quoted.

    >>> write_path(("results", 0, "a b", "id"))
    'results[0]["a b"].id'
    """
    out = ""
    path = tuple(path)
    if len(path) > MAX_PATH:
        half = MAX_PATH // 2
        return write_path(path[:half]) + "…" + write_path(("", *path[-half:]))[4:]
    for step in path:
        if isinstance(step, int):
            out += f"[{step}]"
        elif is_plain(step) and len(step) <= MAX_EXCERPT:
            out += f".{step}" if out else step
        else:
            out += f"[{quote_text(step)}]"
    return out


class ValidationError(TypesigError):
    """Error raised for the value of an outcome that has errors.

    #: report: the text for the model; errors: the issues that it lists

    >>> import typesig
    >>> try:
    ...     typesig.parse("(n :int) -> :any").validate_input({"n": "x"}).value
    ... except ValidationError as error:
    ...     print(error)
    Tool validation errors:
    - n: expected int, got string "x"
    """

    __module__ = "typesig"  # where users import it from, and what a traceback shows
    code = "invalid_value"

    def __init__(self, report: str, errors: tuple[Issue, ...] = ()) -> None:
        super().__init__(report, errors)
        self.report = report
        self.errors = errors

    def __str__(self) -> str:
        """Return the report."""
        return format_message(self.report, None)
