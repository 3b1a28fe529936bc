"""Bodies that end with their last bracket: JSON, a head and JSON, Python calls, bare keys.

A text within a body may hold the very marks around calls.  Therefore a mark between quotes ends
nothing if the brackets are closed behind it.  If they are not, reading goes on behind the first
mark that may have closed the call, or at one before it that may open another.  Work stays linear:
of two bodies that begin one behind the other, only one sees the marks behind both between quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import assert_never

from typesig.providers.dialect_parsing.members import (
    ArgumentStream,
    UnreadableCall,
    is_name,
    read_bare_call,
    read_head_call,
    read_json_calls,
    read_python_calls,
)
from typesig.providers.dialects.dialect import (
    BareForm,
    Dialect,
    Form,
    HeadForm,
    JsonForm,
    PythonForm,
    TagForm,
)
from typesig.providers.dialects.lexer import (
    ANY_JSON,
    Body,
    BodyEnd,
    DialectCall,
    Fault,
    Lexer,
    Told,
    get_lexer,
)

_FENCES = ("```json", "```")
_OPENING = "[{("
_CLOSING = "]})"

#: How a call without a mark begins, of which the rest is missing.
_BEGUN = re.compile(r"[\[{\s]*+(?:\"(?:name|function|tool_name)\"\s*+:|[^\W\d][\w.]*+\()")

#: How a list of Python calls begins that is no prose.
_CALLED = re.compile(r"\[\s*+[^\W\d][\w.-]*+\(\s*+(?:[^\W\d]\w*+\s*+=|\)[\],])")


class BalancedBody(Body):
    """A parser of a call body that ends with its last closing bracket.

    *bare* is whether no mark opens it, so that it may be text.  *may_close* is whether the mark
    before it may have been written for the one that closes the call before.
    """

    __slots__ = (
        "_arriving", "_bare", "_begun", "_close", "_depth", "_head", "_is_lines", "_may_close",
        "_odd", "_open", "_quote",
    )  # fmt: skip

    def __init__(
        self,
        dialect: Dialect,
        begin: int,
        start: int,
        number: int | None,
        *,
        bare: bool = False,
        may_close: bool = False,
    ) -> None:
        super().__init__(dialect, begin, start, number)
        kin = [mark for each in dialect.siblings for mark in each.opens]
        self.openers = tuple(dict.fromkeys((*self.openers, *kin)))
        self._may_close = may_close
        self._is_lines = isinstance(dialect.form, PythonForm) and dialect.form.is_lines
        is_told = number is not None and not self._is_lines
        self._arriving = (
            ArgumentStream(dialect.form, self._find_name, number or 0) if is_told else None
        )
        self._bare = bare
        self._depth = 0
        self._odd = False
        self._quote = ""
        # Where in the body the brackets begin.
        self._begun: int | None = 0 if self._is_lines else None
        # The parts of the head, each with the separator before it.
        self._head: list[tuple[str, str]] = [("", "")]
        # Between quotes: where the first mark ends that closes a call, and where the last one
        # before it begins that opens one.
        self._open: int | None = None
        self._close: int | None = None

    @property
    def lexer(self) -> Lexer:
        """The lexer for the marks that may come next in the body."""
        around = (*self.openers, *self.ends)
        if self._quote:
            return get_lexer((self._quote, *around), escapes=self._escapes)
        if self._begun is None:
            return get_lexer((*self._separators, *self._begins, *around))
        brackets = "" if self._is_lines else "[]{}()" if self._is_python else "[]{}"
        comma = "" if self._arriving is None else ","
        return get_lexer((*brackets, *comma, *self._quotes, *around, "\\"))

    @property
    def is_fenced(self) -> bool:
        """Whether the call is inside a Markdown code fence."""
        return any(mark in _FENCES for mark, _ in self._head)

    @property
    def _is_python(self) -> bool:
        """Whether the dialect spells calls as Python."""
        return isinstance(self.dialect.form, PythonForm)

    @property
    def _escapes(self) -> bool:
        """Whether a backslash escapes characters in the current quoted text."""
        form = self.dialect.form
        return not (isinstance(form, BareForm) and self._quote == form.quote)

    @property
    def _quotes(self) -> tuple[str, ...]:
        """Quotation marks that begin a text in this dialect's form."""
        match self.dialect.form:
            case BareForm(quote=quote):
                return (quote, '"')
            case PythonForm():
                return ('"""', "'''", '"', "'")
            case _:
                return ('"',)

    @property
    def _begins(self) -> tuple[str, ...]:
        """The brackets or quotes with which the arguments or the calls may begin."""
        if isinstance(self.dialect.form, HeadForm) and len(self._head) > 1:
            # Arguments may be a text with JSON.
            return ("{", "[", '"')
        return ("{", "[")

    @property
    def _separators(self) -> tuple[str, ...]:
        """Marks that separate the parts of the head, including code fences."""
        form = self.dialect.form
        return (*form.separators, *_FENCES) if isinstance(form, HeadForm) else _FENCES

    def take(self, text: str) -> None:
        """Add *text*, which contains no mark, to the body."""
        self.keep(text)
        if self._arriving is not None:
            self._arriving.take(text)
        if self._begun is None:
            mark, before = self._head[-1]
            self._head[-1] = (mark, before + text)

    def mark(self, mark: str) -> BodyEnd | None:
        """Process *mark*; return the end of the body if the body ends there."""
        at, is_quoted = self.place, bool(self._quote)
        self.keep(mark)
        ended = self._take_mark(mark, at)
        if self._arriving is not None:
            if is_quoted or self._quote:
                self._arriving.take(mark)
            else:
                self.arguments += self._arriving.mark(mark, self._depth)
        return ended

    def _take_mark(self, mark: str, at: int) -> BodyEnd | None:
        """Process *mark* at position *at*; return the end of the body if it ends there."""
        if mark in self.openers:
            if self._quote and not self._odd:
                self._open = at if self._close is None else self._open
                return None
            is_empty = not self.get_raw()[: at - self.start].strip()
            if is_empty and (self._may_close or mark not in self.dialect.opens):
                # The mark before closed the last call, or stands around one of another dialect.
                return self.make_end(resume=at)
            return self._read_lines(at, at) if self._is_lines else self._make_broken_end(at)
        if mark in self.ends:
            return self._take_closer(mark)
        if self._quote:
            self._quote = "" if mark == self._quote else self._quote
            # What begins with a quote is a text with JSON, and ends with the next one.
            return (
                None
                if self._quote or self._depth or self._is_lines
                else self._read(self.get_raw()[self._begun :])
            )
        if self._begun is None:
            return self._begin(mark, at)
        if mark in _OPENING:
            self._depth += 1
        elif mark in _CLOSING:
            self._depth -= 1
            return self._read(self.get_raw()[self._begun :]) if self._depth == 0 else None
        elif mark == "\\":
            # What is quoted in another text is no call.
            self._odd = True
        elif mark != ",":
            self._quote = mark
        return None

    def _begin(self, mark: str, at: int) -> BodyEnd | None:
        """Process *mark* in the head of a call, or at the beginning of its brackets."""
        if mark in self._separators:
            self._head.append((mark, ""))
            return None
        is_blank = not self._head[-1][1].strip()
        other = self._find_other_form(mark, is_blank)
        if other is not None:
            return self.make_restart(other)
        form = self.dialect.form
        is_part = mark == "[" and not isinstance(form, JsonForm | PythonForm)
        if (
            is_part
            or (mark == "{" and isinstance(form, PythonForm))
            or (mark == '"' and not is_blank)
        ):
            self._head[-1] = (self._head[-1][0], self._head[-1][1] + mark)
            return None
        self._begun = at - self.start
        if mark == '"':
            self._quote = mark
        else:
            self._depth = 1
        return None

    def _find_other_form(self, mark: str, is_blank: bool) -> Form | None:
        """Return the other call form that a body with the bracket *mark* has, or None."""
        if self._bare or mark == '"':
            return None
        form, forms = self.dialect.form, self.dialect.forms
        if isinstance(form, JsonForm):
            found = [each for each in forms if isinstance(each, HeadForm)]
            return found[0] if found and not is_blank else None
        is_headless = is_blank and all(part in ("", *_FENCES) for part, _ in self._head)
        is_python = isinstance(form, PythonForm) and mark == "["
        return ANY_JSON if is_headless and not is_python else None

    def _take_closer(self, mark: str) -> BodyEnd | None:
        """Process a closing call mark; return the end of the body if it ends there."""
        if self._quote and not self._odd:
            self._close = self.place if self._close is None else self._close
            return None
        if self._is_lines:
            return self._read_lines(self.place - len(mark), self.place)
        form = self.dialect.form
        if self._begun is None and isinstance(form, HeadForm):
            behind = self._head[form.name_at + 1 :]
            behind = behind[-1:] if form.is_word else behind
            odd = [mark for mark, text in behind if text.strip() and mark != form.id_after]
            # Behind the head is nothing, or what are no arguments.
            return self._make_broken_end(self.place) if odd else self._read("")
        if self._may_close and not self.get_raw()[: -len(mark)].strip():
            return self.make_end()
        return self._make_broken_end(self.place)

    def _read_lines(self, end: int, resume: int) -> BodyEnd:
        """Read a call in each line up to position *end*; return the end of the body."""
        return self._read(self.get_raw()[: end - self.start])._replace(resume=resume)

    def _make_broken_end(self, resume: int) -> BodyEnd:
        """Make the end of a body whose brackets are still open at a call mark."""
        if self._bare:
            return self.make_end(Told(self.get_raw()[: resume - self.start]), resume=resume)
        inner = [place for place in (self._open, self._close) if place is not None]
        return self.make_fault_end(
            "broken", self._find_name(), resume=inner[0] if inner else resume
        )

    def _read(self, body: str) -> BodyEnd:
        """Read the calls in *body*; return a body end with the calls or with a fault."""
        try:
            if self._odd:
                raise UnreadableCall(self._find_name())
            calls = list(self._iter_calls(body))
        except UnreadableCall as error:
            if _LISTED.match(body) and isinstance(self.dialect.form, PythonForm) and not self._bare:
                return self.make_restart(ANY_JSON)
            if self._bare and not self._is_like_call():
                return self.make_end(Told(self.get_raw()))
            return self.make_fault_end("broken", error.name or self._find_name())
        return self.make_end(*calls)

    def _iter_calls(self, body: str) -> Iterable[DialectCall]:
        """Calls in *body*; raise `UnreadableCall` if it is malformed."""
        form = self.dialect.form
        match form:
            case JsonForm():
                self._check_blank()
                return read_json_calls(body, form, self.begin)
            case HeadForm():
                return [read_head_call(self._head, body, form, self.begin)]
            case PythonForm():
                self._check_blank()
                return read_python_calls(body, self.begin, self._is_lines)
            case BareForm():
                return [read_bare_call(self._head[0][1], body, form, self.begin)]
            case TagForm():  # pragma: no cover  # has a body of its own
                raise AssertionError
            case _:
                assert_never(form)

    def _is_like_call(self) -> bool:
        """Whether an unmarked text that cannot be read was meant as a call."""
        form, raw = self.dialect.form, self.get_raw()
        if isinstance(form, JsonForm):
            has_arguments = any(f'"{key}"' in raw for key in form.arguments)
            return has_arguments and _BEGUN.match(raw) is not None
        return _CALLED.match(raw) is not None

    def _check_blank(self) -> None:
        """Raise `UnreadableCall` if there is text before the first bracket."""
        if any(text.strip() for _, text in self._head):
            raise UnreadableCall

    def _find_name(self) -> str:
        """Return the name of the tool, or an empty string if it is unknown."""
        form = self.dialect.form
        try:
            if isinstance(form, HeadForm):
                return str(read_head_call(self._head, "", form, self.begin).name)
            if isinstance(form, BareForm):
                return read_bare_call(self._head[0][1], "", form, self.begin).name
        except UnreadableCall:
            return ""
        found = _NAMED.search(self.get_raw()[:_NAME_WITHIN])
        return found[1] if found is not None and is_name(found[1]) else ""

    def finish(self) -> BodyEnd:
        """Finish the body at the end of the text and return the end of the body."""
        if self._open is not None or self._close is not None:
            return self._make_broken_end(self.place)
        if self._may_close and not self.get_raw().strip():
            return self.make_end()
        if self._is_lines and not self._quote:
            ended = self._read_lines(self.place, self.place)
            is_whole = not any(isinstance(each, Fault) for each in ended.events)
            return ended if is_whole else self.make_fault_end("cut", self._find_name())
        if self._bare and _BEGUN.match(self.get_raw()) is None:
            return self.make_end(Told(self.get_raw()))
        is_prose = any(text.strip() for _, text in self._head)
        if self._begun is None and isinstance(self.dialect.form, JsonForm) and is_prose:
            # The mark was only spoken of.
            return self.make_end(Fault("stray", self.begin), resume=self.start)
        return self.make_fault_end("cut", self._find_name())


#: How a list of objects begins.
_LISTED = re.compile(r"\[\s*+\{")

_NAMED = re.compile(r"\"(?:tool_)?name\"\s*+:\s*+\"([^\"\\]*+)\"")
#: Within how many characters a name is looked for in a call that is cut off.
_NAME_WITHIN = 500
