"""Bodies with a tag for each argument, whose texts have no quotes.

The end tag of an argument ends its text only if a tag of the call follows, or the end of the call.
Otherwise it is a part of the text.  If it is missing, the end of the call and that of the section
end the text together: of one alone nobody knows whether it is a part of the text.
"""

from __future__ import annotations

from typing import Literal, assert_never

from typesig.providers.dialects.dialect import Dialect, TagForm
from typesig.providers.dialects.events import Argument, DialectCall, Ended
from typesig.providers.dialects.lexer import Lexer, lexer_of
from typesig.providers.dialects.reading.bodies import Body
from typesig.providers.dialects.reading.members import is_name

#: Where the reading is: in the name; between arguments; in the name of one; before its text, or in
#: it; behind the end tag of the text, or of the call within a text; what that is, is not known yet.
_Place = Literal["name", "between", "key", "before", "text", "behind", "behind call"]


class TagBody(Body):
    """The reading of a body with tags."""

    __slots__ = ("_ambiguous", "_at", "_key", "_name", "_odd", "_tail", "_text", "_texts", "form")

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

    @property
    def _around(self) -> tuple[str, ...]:
        return (*self.dialect.opens, *(self.dialect.section or ())[:1], *self.ends)

    def _opens(self, mark: str) -> bool:
        return mark in self.dialect.opens or mark in (self.dialect.section or ())[:1]

    @property
    def lexer(self) -> Lexer:
        """The marks that are looked for now."""
        form, around = self.form, self._around
        match self._at:
            case "name":
                return lexer_of((*form.name_ends, form.key_open, *around))
            case "between":
                return lexer_of((form.key_open, *form.fillers, *around))
            case "key":
                return lexer_of((*form.key_ends, *around))
            case "before":
                return lexer_of((form.value_open, *form.fillers, *around))
            case "behind":
                return lexer_of((form.value_end, form.key_open, *form.fillers, *around))
            case "text" | "behind call":
                return lexer_of((form.value_end, form.key_open, *around))
            case _:
                assert_never(self._at)

    def take(self, text: str) -> None:
        """Take *text*, which has no mark."""
        self.kept(text)
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
                    self._go_on()
            case "between" | "before":
                self._odd = self._odd or bool(text.strip(_BLANKS))
            case _:
                assert_never(self._at)

    def mark(self, mark: str) -> Ended | None:
        """Take a *mark*; return the end if the body ends."""
        at = self.place
        self.kept(mark)
        form = self.form
        match self._at:
            case "name" if mark in form.name_ends:
                self._at = "between"
            case "between" | "before" if mark in form.fillers:
                pass
            case "name" | "between" if mark == form.key_open:
                self._at = "key"
            case "name" | "between" if mark in self.ends:
                return self._whole()
            case "key" if mark in form.key_ends:
                self._at = "before" if form.value_open else "text"
            case "before" if mark == form.value_open:
                self._at = "text"
            case "text" | "behind" | "behind call":
                return self._in_text(mark, at)
            case _:
                # The call has not ended, or its tags are in another order.
                return self.fault("broken", self._known(), at if self._opens(mark) else None)
        return None

    def _in_text(self, mark: str, at: int) -> Ended | None:
        if self._at == "behind call":
            section = self.dialect.section
            if self._tail[0] in self.dialect.closes and section and mark == section.close:
                # The end tag of the text is missing.
                return self._settled(at)
            if self._opens(mark):
                return self.fault("broken", self._known(), at)
            self._go_on()
        elif self._at == "behind":
            if mark in self.form.fillers:
                self._tail.append(mark)
                return None
            if mark in self.ends:
                self._settle()
                return self._whole()
            if mark == self.form.key_open:
                self._settle()
                self._at = "key"
                return None
            self._go_on()
        return self._inside(mark)

    def _inside(self, mark: str) -> Ended | None:
        """Take a *mark* within a text."""
        if mark == self.form.value_end:
            self._at, self._tail = "behind", [mark]
        elif mark == self.form.key_open:
            # The end tag is missing.
            self._settle()
            self._at = "key"
        elif mark in self.ends:
            self._at, self._tail = "behind call", [mark]
        else:
            # A call within the text of another: which of them is meant cannot be told.
            self._ambiguous = self._ambiguous or mark in self.dialect.opens
            self._text.append(mark)
        return None

    def _go_on(self) -> None:
        """Take what follows the text as a part of it."""
        self._text.extend(self._tail)
        self._tail = []
        self._at = "text"

    def _settle(self) -> None:
        """Keep the text that has ended."""
        key, text = "".join(self._key).strip(), "".join(self._text)
        pad = self.form.padding
        if pad:
            text = text.removeprefix(pad).removesuffix(pad)
        self._odd = self._odd or not key or key in self._texts
        self._texts[key] = text
        if self.number is not None and self._known() and not self._odd:
            self.arguments.append(Argument(self._known(), key, text, "texts", self.number))
        self._key, self._text, self._tail = [], [], []

    def _settled(self, resume: int) -> Ended:
        self._settle()
        ended = self._whole()
        return ended._replace(resume=resume)

    def _known(self) -> str:
        name = "".join(self._name).strip(_BLANKS)
        return name if is_name(name) else ""

    def _whole(self) -> Ended:
        name = self._known()
        if self._ambiguous:
            return self.fault("ambiguous", name)
        if self._odd or not name:
            return self.fault("broken", name)
        return self.ended(DialectCall(name, self._texts, "texts", None, self.begin))

    def cut(self) -> Ended:
        """Return the end of a body behind which the text ends."""
        return self.fault("cut", self._known())


#: What may stand between tags.
_BLANKS = " \t\r\n"
