"""Bodies with a tag for each argument, whose texts have no quotes.

The end tag of an argument ends its text only if a tag of the call follows, or the end of the call.
Otherwise it is a part of the text.  If it is missing, the end of the call and that of the section
end the text together: of one alone nobody knows whether it is a part of the text.
"""

from __future__ import annotations

import re
from typing import Literal, assert_never

from typesig.providers.dialect_parsing.members import is_name
from typesig.providers.dialects.dialect import Dialect, HeadForm, TagForm
from typesig.providers.dialects.lexer import (
    ANY_JSON,
    Argument,
    Body,
    BodyEnd,
    DialectCall,
    Lexer,
    get_lexer,
)

#: Where the reading is: in the name; between arguments; in the name of one; before its text, or in
#: it; behind the end tag of the text, or of the call within a text; what that is, is not known yet.
_Place = Literal["name", "between", "key", "before", "text", "behind", "behind call"]


class TagBody(Body):
    """A parser of a call body with a tag for each argument."""

    __slots__ = (
        "_ambiguous", "_at", "_before", "_has_end", "_key", "_name", "_next_at", "_odd", "_tail",
        "_text", "_texts", "form",
    )  # fmt: skip

    def __init__(
        self, dialect: Dialect, begin: int, start: int, number: int | None, form: TagForm
    ) -> None:
        super().__init__(dialect, begin, start, number)
        self.form = form
        self._at: _Place = "name"
        self._name: list[str] = []
        self._key: list[str] = []
        self._text: list[str] = []
        # What follows the text, or belongs to it.
        self._tail: list[str] = []
        self._texts: dict[str, str] = {}
        self._odd = self._ambiguous = False
        # Where the mark of another call stands right behind a text, and what was known before it;
        # whether a mark behind a call has stood in a text since.
        self._next_at: int | None = None
        self._before: tuple[dict[str, str], list[str], list[str], bool] | None = None
        self._has_end = False

    @property
    def lexer(self) -> Lexer:
        """The lexer for the marks that may come next in the body."""
        form, around = self.form, (*self.openers, *self.ends)
        strays = (form.value_end,) if form.value_open else ()
        match self._at:
            case "name":
                ends = (*form.name_ends, *self._self_ends, *strays)
                return get_lexer((*ends, form.key_open, *"[{", *around))
            case "between":
                return get_lexer((form.key_open, *strays, *form.fillers, "{", *around))
            case "key":
                return get_lexer((*form.key_ends, form.value_open, *around))
            case "before":
                return get_lexer((form.value_open, form.value_end, *form.fillers, *around))
            case "behind":
                return get_lexer((form.value_end, form.key_open, *form.fillers, *around))
            case "text" | "behind call":
                return get_lexer((form.value_end, form.key_open, *around))
            case _:
                assert_never(self._at)

    @property
    def _self_ends(self) -> tuple[str, ...]:
        """The marks behind the name of a call that closes itself."""
        ends = [end for end in self.form.name_ends if end[-1] == ">" and end[0] != "<"]
        return tuple([f"{end[:-1]}{slash}" for end in ends for slash in ("/>", " />")])

    def take(self, text: str) -> None:
        """Process *text*, which contains no mark."""
        self.keep(text)
        match self._at:
            case "name":
                self._name.append(text)
            case "key":
                self._key.append(text)
            case "text":
                self._text.append(text)
            case "behind" | "behind call":
                self._tail.append(text)
                if text.strip(_BLANKS):
                    self._continue_text()
            case "before" if text.strip(_BLANKS):
                # The mark before the text is missing; blanks may have arrived in another piece.
                self._at = "text"
                self._text.append(text.lstrip(_BLANKS))
            case "between" | "before":
                is_odd = bool(text.strip(_BLANKS)) and not self.form.skips
                self._odd = self._odd or is_odd
            case _:
                assert_never(self._at)

    def mark(self, mark: str) -> BodyEnd | None:
        """Process *mark*; return the end of the body if the body ends there."""
        at = self.place
        self.keep(mark)
        form = self.form
        match self._at:
            case "name" if mark in form.name_ends:
                self._at = "between"
            case "name" if mark in self._self_ends:
                return self._make_call_end()
            case "name" | "between" if mark in ("[", "{"):
                return self._take_bracket(mark)
            case "between" | "before" if mark in form.fillers:
                pass
            case "name" | "between" if mark == form.value_end:
                # It closes nothing.
                pass
            case "name" | "between" if mark == form.key_open:
                self._at = "key"
            case "name" | "between" if mark in self.ends:
                return self._make_call_end()
            case "key" if mark in form.key_ends:
                self._at = "before" if form.value_open else "text"
            case "key" | "before" if mark == form.value_open:
                self._at = "text"
            case "text" | "behind" | "behind call":
                return self._take_text_mark(mark, at)
            case _:
                # The call has not ended, or its tags are in another order.
                return self.make_fault_end(
                    "broken", self._get_name(), at if mark in self.openers else None
                )
        return None

    def _take_bracket(self, mark: str) -> BodyEnd | None:
        """Process a bracket before the first argument, which may begin JSON."""
        name = "".join(self._name).strip(_BLANKS)
        if self._at == "name" and not name:
            return self.make_restart(ANY_JSON)
        if mark == "{" and not self._texts and not self._odd:
            return self.make_restart(HeadForm("{name}{arguments}", self.form.name_ends))
        self._odd = self._odd or not self.form.skips
        return None

    def _take_text_mark(self, mark: str, at: int) -> BodyEnd | None:
        """Take a *mark* in or behind an argument's text; return the body's end."""
        if self._at == "behind call":
            is_section = mark in self.ends and mark not in self.dialect.closes
            if self._tail[0] in self.dialect.closes and is_section:
                # The end tag of the text is missing.
                self._finish_argument()
                return self._make_call_end()._replace(resume=at)
            if mark in self.openers:
                return self.make_fault_end("broken", self._get_name(), at)
            self._has_end = True
            self._continue_text()
        elif self._at == "behind":
            if mark in self.form.fillers:
                self._tail.append(mark)
                return None
            if mark in self.ends:
                self._finish_argument()
                return self._make_call_end()
            if mark == self.form.key_open:
                self._finish_argument()
                self._at = "key"
                return None
            if mark in self.openers:
                if self._next_at is not None:
                    return self._end_at_next()
                self._next_at = at
                self._before = (dict(self._texts), self._key, [*self._text], self._odd)
                self._continue_text()
                return self._take_inner_mark(mark)
            self._continue_text()
        return self._take_inner_mark(mark)

    def _end_at_next(self) -> BodyEnd:
        """End a call that lacks its closing mark before the next call."""
        assert self._next_at is not None
        assert self._before is not None
        texts, self._key, self._text, self._odd = self._before
        self._texts, self._tail = texts, []
        self._finish_argument(is_told=False)
        self._ambiguous = False
        return self._make_call_end()._replace(resume=self._next_at)

    def _take_inner_mark(self, mark: str) -> BodyEnd | None:
        """Process *mark* within the text of an argument."""
        if mark == self.form.value_end and self.form.skips:
            self._finish_argument()
            self._at = "between"
        elif mark == self.form.value_end:
            self._at, self._tail = "behind", [mark]
        elif mark == self.form.key_open:
            # The end tag is missing.
            self._finish_argument()
            self._at = "key"
        elif mark in self.ends:
            self._at, self._tail = "behind call", [mark]
        else:
            # A call within the text of another: which of them is meant cannot be told.
            self._ambiguous = self._ambiguous or mark in self.dialect.opens
            self._text.append(mark)
        return None

    def _continue_text(self) -> None:
        """Add the text behind an end tag to the argument."""
        self._text.extend(self._tail)
        self._tail = []
        self._at = "text"

    def _finish_argument(self, is_told: bool = True) -> None:
        """Store the finished argument; report it as an event if *is_told* is true."""
        key, text = "".join(self._key).strip(_BLANKS).strip("\"'"), "".join(self._text)
        pad = self.form.padding
        if pad and text.startswith(pad):
            # Without one before it, the one behind it is a part of the text.
            text = text.removeprefix(pad).removesuffix(pad)
        found = _CDATA.fullmatch(text) if self.form.has_cdata else None
        text = text if found is None else found[1]
        self._odd = self._odd or not key or key in self._texts
        self._texts[key] = text
        if is_told and self.number is not None and self._get_name() and not self._odd:
            self.arguments.append(Argument(self._get_name(), key, text, "texts", self.number))
        self._key, self._text, self._tail = [], [], []

    def _get_name(self) -> str:
        """Name of the called tool, or an empty text if it is not a legal name."""
        name = "".join(self._name).strip(_BLANKS).strip("\"'")
        return name if is_name(name) else ""

    def _make_call_end(self) -> BodyEnd:
        """End the body with its call, or with a fault if the call is broken."""
        name = self._get_name()
        if self._ambiguous and self._next_at is not None and not self._has_end:
            return self._end_at_next()
        if self._ambiguous:
            return self.make_fault_end("ambiguous", name)
        if self._odd or not name:
            return self.make_fault_end("broken", name)
        return self.make_end(DialectCall(name, self._texts, "texts", None, self.begin))

    def finish(self) -> BodyEnd:
        """Finish the body at the end of the text with a fault for the cut-off call."""
        return self.make_fault_end("cut", self._get_name())


#: What may stand between tags.
_BLANKS = " \t\r\n"
_CDATA = re.compile(r"\s*+<!\[CDATA\[(.*)\]\]>\s*", re.DOTALL)
