"""The reader of texts in a dialect, which arrive in pieces.

What is told depends on the text alone and not on its pieces: each mark is looked for where the last
one ended, and the end of a piece is held back if it may begin a mark.  The work is linear in the
text.
"""

from __future__ import annotations

from typing import Literal, assert_never

from typesig.errors import TypesigError
from typesig.limits import MAX_CALLS, MAX_JSON
from typesig.providers.dialects.dialect import Dialect, JsonForm, TagForm
from typesig.providers.dialects.events import (
    DialectCall,
    Ended,
    Event,
    Fault,
    Rethought,
    Thought,
    Told,
)
from typesig.providers.dialects.lexer import Lexer, lexer_of
from typesig.providers.dialects.reading.balanced import BalancedBody
from typesig.providers.dialects.reading.bodies import Body
from typesig.providers.dialects.reading.tagged import TagBody

#: Where the reading is: in text, in reasoning, in a call, or behind one.
_Place = Literal["text", "thought", "call", "after"]

_BLANKS = " \t\r\n"
#: What a model writes behind a call by mistake.
_SURPLUS = " \t\r\n}]),;"


class Reader:
    """The reading of one text of a model: `feed` takes a piece, `close` the end.

    Both return what has become known.  If the prompt begins the reasoning, *thinking* says so;
    without it, text that turns out to be reasoning is told as text, and then `Rethought`.  With
    *arriving*, arguments are told when they end, before the call is whole.
    """

    __slots__ = (
        "_arriving", "_at", "_base", "_begun", "_body", "_calls", "_ends_thought", "_events",
        "_is_blank", "_is_closed", "_is_last", "_is_told", "_may_rethink", "_more", "_pending",
        "_place", "_size", "_source", "_surplus", "_thought_at", "dialect",
    )  # fmt: skip

    def __init__(self, dialect: Dialect, *, thinking: bool = False, arriving: bool = False) -> None:
        self.dialect = dialect
        self._arriving = arriving
        self._begun = 0
        # Whether text is for the user.
        self._is_told = not dialect.answers
        # What is not read yet begins at the index `_at` of the source, which is at `_base` in the
        # whole text.
        self._source = ""
        self._at = self._base = self._size = 0
        self._place: _Place = "thought" if thinking and dialect.reasoning else "text"
        self._ends_thought = dialect.reasoning[0].close if dialect.reasoning else ""
        self._thought_at = 0
        self._may_rethink = not thinking
        self._body: Body | None = None
        # Whether another call may follow a call without a mark.
        self._more = False
        self._surplus = _SURPLUS
        # Whether the line has been blank so far; behind a call, whether it has ended.
        self._is_blank = True
        # The end of the text for the user that may become a mark with what follows.
        self._pending = ""
        self._events: list[Event] = []
        self._calls = 0
        self._is_closed = self._is_last = False

    def feed(self, chunk: str) -> list[Event]:
        """Return what is known after the next piece; raise `TypesigError` once it is closed."""
        if self._is_closed:
            raise TypesigError("the reader is closed; make another one for another text")
        room = MAX_JSON - self._size
        self._size += len(chunk)
        self._source = self._source[self._at :] + chunk[: max(room, 0)]
        self._base += self._at
        self._at = 0
        self._run()
        return self._flushed()

    def close(self) -> list[Event]:
        """Return what is known at the end of the text."""
        if self._is_closed:
            return []
        self._is_closed = self._is_last = True
        self._run()
        while self._place == "call" and self._body is not None:
            self._end(self._body.cut())
            self._run()
        if self._place == "thought":
            self._events.append(Fault("unclosed", self._thought_at))
        if self._pending:
            self._events.append(Told(self._pending))
        if self._size > MAX_JSON:
            self._events.append(Fault("large", MAX_JSON))
        return self._flushed()

    def _flushed(self) -> list[Event]:
        events, self._events = self._events, []
        return events

    def _run(self) -> None:
        """Read the source as far as it is certain."""
        while True:
            start, end = self._lexer.next(self._source, self._at, self._is_last)
            text, mark = self._source[self._at : start], self._source[start:end]
            self._at = start
            if text and self._take(text):
                # Another kind of text begins.
                continue
            if not mark:
                return
            self._at = end
            self._mark(mark)

    @property
    def _lexer(self) -> Lexer:
        dialect = self.dialect
        match self._place:
            case "text":
                return lexer_of((*dialect.marks, *dialect.bare))
            case "thought":
                calls = dialect.opens if dialect.open_reasoning else ()
                return lexer_of((self._ends_thought, *calls))
            case "after":
                return lexer_of((*dialect.marks, *(("{", "[") if self._more else ())))
            case "call":
                assert self._body is not None
                return self._body.lexer
            case _:
                assert_never(self._place)

    def _take(self, text: str) -> bool:
        """Take *text*, which has no mark; return whether the place in the source was changed."""
        match self._place:
            case "text":
                self._tell(text)
            case "thought":
                self._events.append(Thought(text))
            case "after":
                rest = text.lstrip(self._surplus)
                self._is_blank = self._is_blank or "\n" in text[: len(text) - len(rest)]
                if rest:
                    self._place = "text"
                    self._at -= len(rest)
                    return True
            case "call":
                assert self._body is not None
                self._body.take(text)
            case _:
                assert_never(self._place)
        return False

    def _mark(self, mark: str) -> None:
        if self._place == "call":
            assert self._body is not None
            ended = self._body.mark(mark)
            if self._body.arguments:
                self._events += self._body.arguments
                self._body.arguments = []
            if ended is not None:
                self._end(ended)
            return
        place = self._base + self._at
        begin = place - len(mark)
        if self._place == "thought" and mark == self._ends_thought:
            self._place = "text"
            self._is_blank = True
        elif mark in self.dialect.opens:
            within = mark[-1] in "[{"
            self._at -= within
            self._begin(begin, place - within, False)
        elif mark in ("{", "["):
            self._bracket(mark, begin)
        else:
            self._other(mark, begin)

    def _begin(self, begin: int, start: int, bare: bool) -> None:
        form = self.dialect.form
        self._may_rethink = False
        self._place = "call"
        number = self._begun if self._arriving else None
        if isinstance(form, TagForm):
            self._body = TagBody(self.dialect, begin, start, number, form)
        else:
            self._body = BalancedBody(self.dialect, begin, start, number, bare)

    def _bracket(self, mark: str, begin: int) -> None:
        if self._place == "text" and not self._is_blank:
            self._tell(mark)
            return
        self._at -= 1
        self._begin(begin, begin, self._place == "text" or mark in self.dialect.bare)

    def _other(self, mark: str, begin: int) -> None:
        """Take a mark that opens no call."""
        self._is_blank = self._place != "after"
        for pair in self.dialect.reasoning:
            if mark == pair.open:
                self._place, self._ends_thought, self._thought_at = "thought", pair.close, begin
                self._may_rethink = False
                return
            if mark == pair.close and self._may_rethink:
                if self._pending:
                    self._events.append(Told(self._pending))
                self._pending = ""
                self._events.append(Rethought())
                self._may_rethink = False
                return
        for pair in self.dialect.answers:
            if mark in pair:
                self._is_told = mark == pair.open
                break
        if mark in self.dialect.closes and self._place == "text":
            self._events.append(Fault("stray", begin))
        if mark in (self.dialect.section or ()):
            # The blanks within a section are no text.
            self._place, self._surplus, self._is_blank = "after", _BLANKS, False
        self._more = False

    def _end(self, ended: Ended) -> None:
        """Leave the call, and go on where it ended."""
        body = self._body
        assert body is not None
        self._body = None
        back = body.place - ended.resume
        if back:
            raw = body.raw()
            self._source = raw[len(raw) - back :] + self._source[self._at :]
            self._at, self._base = 0, ended.resume
        told = [event for event in ended.events if isinstance(event, Told)]
        spoken = [event for event in ended.events if isinstance(event, Fault)][:1]
        is_text = bool(told) or [each.kind for each in spoken] == ["stray"]
        self._place = "text" if is_text else "after"
        self._is_blank = is_text and not told
        self._more = isinstance(self.dialect.form, JsonForm) and not back
        fenced = isinstance(body, BalancedBody) and body.is_fenced
        self._surplus = _SURPLUS + "`" if fenced else _SURPLUS
        for event in ended.events:
            if isinstance(event, Told):
                self._tell_raw(event.text)
            elif isinstance(event, DialectCall):
                self._call(event)
            else:
                self._begun += 1
                self._events.append(event)

    def _call(self, call: DialectCall) -> None:
        self._begun += 1
        if self.dialect.idle and call.name.replace("_", "-") == self.dialect.idle:
            return
        self._calls += 1
        if self._calls <= MAX_CALLS:
            self._events.append(call)
        elif self._calls == MAX_CALLS + 1:
            self._events.append(Fault("many", call.at, call.name))

    def _tell_raw(self, text: str) -> None:
        """Tell *text*, in which there may be marks, without them."""
        lexer, at = lexer_of(self.dialect.marks), 0
        while at < len(text):
            start, end = lexer.next(text, at, True)
            if start > at:
                self._tell(text[at:start])
            at = end

    def _tell(self, text: str) -> None:
        """Tell *text*, which has no mark, unless it makes one with what was told before."""
        line = text.rpartition("\n")
        self._is_blank = (self._is_blank or bool(line[1])) and not line[2].strip()
        if not self._is_told:
            return
        lexer = lexer_of(self.dialect.marks)
        pending = self._pending + text
        start, end = lexer.next(pending, 0, False)
        while end > start:
            pending = pending[:start] + pending[end:]
            start, end = lexer.next(pending, 0, False)
        if start:
            self._events.append(Told(pending[:start]))
        self._pending = pending[start:]


def events_of(text: str, dialect: Dialect, *, thinking: bool = False) -> list[Event]:
    """Return what a reader tells of the whole *text*."""
    reader = Reader(dialect, thinking=thinking)
    return [*reader.feed(text), *reader.close()]
