"""The reader of texts in a dialect, which arrive in pieces.

What is told depends on the text alone and not on its pieces: each mark is looked for where the last
one ended, and the end of a piece is held back if it may begin a mark.  The work is linear in the
text.
"""

from __future__ import annotations

from typing import Literal, assert_never

from typesig.errors import TypesigError
from typesig.limits import MAX_CALLS, MAX_JSON
from typesig.providers.dialect_parsing.balanced_body import BalancedBody
from typesig.providers.dialect_parsing.tag_body import TagBody
from typesig.providers.dialects.dialect import Dialect, Form, JsonForm, PythonForm, TagForm
from typesig.providers.dialects.lexer import (
    ANY_JSON,
    FAULTS_WITHOUT_CALL,
    Body,
    BodyEnd,
    DialectCall,
    Event,
    Fault,
    Lexer,
    Rethought,
    Thought,
    Told,
    VisibleText,
    get_lexer,
)

#: Where the reading is: in text; in reasoning, or in what may be behind it; in a call, or behind
#: one or the mark before all; in what stands between the marks around all and is no call.
_Place = Literal["text", "thought", "held", "call", "after", "section"]

_BLANKS = " \t\r\n"
#: What a model writes behind a call by mistake.
_SURPLUS = " \t\r\n}]),;"


class Reader:
    """A reader of a model's text in one dialect, fed in chunks.

    Both return what has become known.  If the prompt begins the reasoning, *thinking* says so;
    without it, text that turns out to be reasoning is told as text, and then `Rethought`.  With
    *arriving*, arguments are told when they end, before the call is whole.

    #: dialect: the dialect; strange: how many calls were spelt in another form than its own
    """

    __slots__ = (
        "_arriving", "_at", "_base", "_begun", "_body", "_calls", "_ends_thought", "_events",
        "_held", "_held_at", "_is_blank", "_is_closed", "_is_last", "_is_unclosed", "_marks",
        "_may_lead", "_may_rethink", "_missing", "_more", "_openers", "_place", "_section",
        "_section_opens", "_size", "_source", "_surplus", "_thought_at", "_visible", "dialect",
        "strange",
    )  # fmt: skip

    def __init__(self, dialect: Dialect, *, thinking: bool = False, arriving: bool = False) -> None:
        self.dialect = dialect
        self.strange = 0
        self._arriving = arriving
        self._begun = 0
        # What is not read yet begins at the index `_at` of the source, which is at `_base` in the
        # whole text.
        self._source = ""
        self._at = self._base = self._size = 0
        self._marks = dialect.marks
        self._visible = VisibleText(self._marks, not dialect.answers)
        # By which dialect the calls behind a mark are read.
        self._openers = {mark: each for each in reversed(dialect.siblings) for mark in each.opens}
        self._openers |= dict.fromkeys((*dialect.opens, *dialect.leads), dialect)
        self._section_opens = {pair.open for pair in dialect.sections}
        self._place: _Place = "thought" if thinking and dialect.reasoning else "text"
        self._ends_thought = tuple(dict.fromkeys(pair.close for pair in dialect.reasoning))
        self._thought_at = 0
        self._may_rethink = not thinking
        self._body: Body | None = None
        # Whether another call may follow a call without a mark.
        self._more = False
        self._surplus = _SURPLUS
        # Whether the line has been blank so far; behind a call, whether it has ended; in reasoning,
        # whether it has begun.
        self._is_blank = True
        # Whether a mark that counts only at the beginning may still come.
        self._may_lead = bool(dialect.leads)
        # Where the mark before all calls stands, and how many calls had begun before, or None.
        self._section: tuple[int, int] | None = None
        # Whether the call before has not been closed by its mark.
        self._is_unclosed = False
        # What is neither reasoning nor a call yet, or what stands between the marks around all
        # calls, and where it begins.
        self._held: list[str] = []
        self._held_at = 0
        # The marks behind reasoning that the rest of the text does not have.
        self._missing: set[str] = set()
        self._events: list[Event] = []
        self._calls = 0
        self._is_closed = self._is_last = False

    def feed(self, chunk: str) -> list[Event]:
        """Process *chunk* and return its events; raise `TypesigError` if closed."""
        if self._is_closed:
            raise TypesigError("the reader is closed; make another one for another text")
        room = MAX_JSON - self._size
        self._size += len(chunk)
        self._source = self._source[self._at :] + chunk[: max(room, 0)]
        self._base += self._at
        self._at = 0
        self._run()
        return self._take_events()

    def close(self) -> list[Event]:
        """Finish reading at the end of the text and return the last events."""
        if self._is_closed:
            return []
        self._is_closed = self._is_last = True
        self._run()
        self._close_parts()
        if self._place == "thought":
            self._events.append(Fault("unclosed", self._thought_at))
        self._events += self._visible.flush()
        if self._size > MAX_JSON:
            self._events.append(Fault("large", MAX_JSON))
        return self._take_events()

    def _close_parts(self) -> None:
        """Close all calls, reasoning and sections open at the end of the text."""
        while self._place in ("call", "held", "section"):
            self._close_part()
            self._run()

    def _close_part(self) -> None:
        """Close the open call, section or undecided reasoning at the end of the text."""
        if self._place == "call":
            assert self._body is not None
            self._end(self._body.finish())
        elif self._place == "section":
            # The mark was only spoken of, unless calls came before.
            assert self._section is not None
            begin, begun = self._section
            if self._begun == begun:
                self._emit_fault(Fault("stray", begin))
            self._release_section()
            self._place = "text"
        else:
            self._recover()

    def _recover(self) -> None:
        """Read the text behind a call mark in unclosed reasoning again, as text."""
        self._missing |= set(self._ends_thought)
        held, start = "".join(self._held), len(self._events)
        self._held, self._source, self._at, self._base = [], held, 0, self._held_at
        self._place, self._is_blank, self._visible.is_thought = "text", True, True
        self._run()
        self._close_parts()
        if self._visible.is_thought:
            # No call follows, so that all is reasoning.
            faults = [each for each in self._events[start:] if isinstance(each, Fault)]
            self._events[start:] = [Thought(held), *faults]
            self._place, self._visible.is_thought = "thought", False

    def _take_events(self) -> list[Event]:
        """Return the pending events and clear them."""
        events, self._events = self._events, []
        return events

    def _run(self) -> None:
        """Read the source until further text could change the result."""
        while True:
            lexer = self._lexer
            start, end = lexer.next(self._source, self._at, self._is_last)
            text, mark = self._source[self._at : start], self._source[start:end]
            self._at = start
            if text and (self._take(text) or self._lexer is not lexer):
                # Another kind of text begins, or other marks are looked for behind this text.
                continue
            if not mark:
                return
            self._at = end
            self._take_mark(mark)

    @property
    def _lexer(self) -> Lexer:
        """Lexer for the marks that may come at the current place."""
        dialect = self.dialect
        match self._place:
            case "text" if self._may_lead:
                return get_lexer((*self._marks, *dialect.bare, *dialect.leads))
            case "text":
                return get_lexer((*self._marks, *dialect.bare))
            case "thought":
                return get_lexer(self._thought_marks)
            case "held":
                return get_lexer(self._ends_thought)
            case "after":
                is_listed = self._more or self._section is not None
                return get_lexer((*self._marks, *(("{", "[") if is_listed else ())))
            case "section":
                return get_lexer(self._marks)
            case "call":
                assert self._body is not None
                return self._body.lexer
            case _:
                assert_never(self._place)

    @property
    def _thought_marks(self) -> tuple[str, ...]:
        """The marks that are looked for in reasoning."""
        if self.dialect.open_reasoning:
            return (*self._ends_thought, *self._marks)
        opens = [pair.open for pair in self.dialect.reasoning] if self._is_blank else ()
        return (*self._ends_thought, *opens, *self._openers, *self._section_opens)

    def _take(self, text: str) -> bool:
        """Process *text*, which has no mark; return whether the position changed."""
        self._may_lead = self._may_lead and text.isspace()
        match self._place:
            case "text":
                self._emit_text(text)
            case "thought":
                self._is_blank = self._is_blank and not text.strip()
                self._events.append(Thought(text))
            case "held" | "section":
                self._held.append(text)
            case "after":
                rest = text.lstrip(self._surplus)
                self._is_blank = self._is_blank or "\n" in text[: len(text) - len(rest)]
                if rest:
                    self._is_unclosed = False
                    self._place = "text" if self._section is None else "section"
                    self._at -= len(rest)
                    return True
            case "call":
                assert self._body is not None
                self._body.take(text)
            case _:
                assert_never(self._place)
        return False

    def _take_mark(self, mark: str) -> None:
        """Handle a *mark* at the current place: begin or end a call or reasoning."""
        self._may_lead = False
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
        if self._place == "held":
            self._events.append(Thought("".join(self._held)))
            self._held, self._place, self._is_blank = [], "text", True
        elif self._place == "thought" and self._is_part_of_thought(mark, begin):
            return
        elif mark in self._openers:
            self._release_section()
            within = mark[-1] in "[{"
            self._at -= within
            self._begin(self._openers[mark], begin, place - within)
        elif mark in ("{", "["):
            self._take_bracket(mark, begin)
        else:
            self._take_other(mark, begin)

    def _is_part_of_thought(self, mark: str, begin: int) -> bool:
        """Process *mark* in reasoning; return False if it needs further handling."""
        if mark in self._ends_thought:
            self._place = "text"
            self._is_blank = True
            return True
        if self._is_blank and mark not in self._openers and mark not in self._section_opens:
            # The mark before reasoning is there again.
            ends = tuple([pair.close for pair in self.dialect.reasoning if pair.open == mark])
            self._ends_thought = ends or self._ends_thought
            return True
        if self.dialect.open_reasoning or self._missing.issuperset(self._ends_thought):
            self._place, self._is_blank = "text", True
            return False
        # Whether it is only spoken of is known when the reasoning ends, or the text does.
        self._place, self._held, self._held_at = "held", [mark], begin
        return True

    def _begin(
        self, dialect: Dialect, begin: int, start: int, bare: bool = False, form: Form | None = None
    ) -> None:
        """Begin a call in *dialect*, or in the call form *form* if it is not None."""
        self._may_rethink = False
        self._place = "call"
        self.strange += form is not None or dialect is not self.dialect
        form = form or dialect.form
        dialect = dialect if form == dialect.form else dialect._replace(form=form, forms=())
        number = self._begun if self._arriving else None
        if isinstance(form, TagForm):
            self._body = TagBody(dialect, begin, start, number, form)
        else:
            may_close = self._is_unclosed and not bare
            self._body = BalancedBody(dialect, begin, start, number, bare=bare, may_close=may_close)
        self._is_unclosed = False

    def _take_bracket(self, mark: str, begin: int) -> None:
        """Begin a call without a mark at a bracket, or emit it as text."""
        if self._place == "text" and not self._is_blank:
            self._emit_text(mark)
            return
        self._at -= 1
        if self._section is not None and self._place == "after":
            self._begin(self.dialect, begin, begin, form=ANY_JSON)
        else:
            bare = self._place == "text" or mark in self.dialect.bare
            self._begin(self.dialect, begin, begin, bare)

    def _take_other(self, mark: str, begin: int) -> None:
        """Take a mark that opens no call."""
        if self._place == "section" and mark not in [pair.close for pair in self.dialect.sections]:
            return
        self._is_blank = self._place != "after"
        self._is_unclosed = False
        for pair in self.dialect.reasoning:
            if mark == pair.open:
                self._place, self._ends_thought, self._thought_at = "thought", (pair.close,), begin
                self._may_rethink, self._is_blank = False, True
                return
            if mark == pair.close and self._may_rethink:
                self._events += [*self._visible.flush(), Rethought()]
                self._may_rethink = False
                return
        for pair in self.dialect.answers:
            if mark in pair:
                self._visible.is_told = mark == pair.open
                break
        if (
            mark in self.dialect.closes
            and self._place == "text"
            and mark not in self.dialect.others
        ):
            self._emit_fault(Fault("stray", begin))
        self._take_section_mark(mark, begin)
        self._more = False

    def _take_section_mark(self, mark: str, begin: int) -> None:
        """Process *mark* if it opens or closes a section, which is around all calls."""
        if mark in self._section_opens:
            self._section = begin, self._begun
        elif mark in [pair.close for pair in self.dialect.sections]:
            if self._section is not None and self._held and self._begun == self._section[1]:
                # What stands between the marks is no call: it is text, and told of.
                self._emit_fault(Fault("broken", self._section[0]))
            self._release_section()
            self._section = None
        else:
            return
        # The blanks within a section are no text.
        self._place, self._surplus, self._is_blank = "after", _BLANKS, False

    def _release_section(self) -> None:
        """Emit the text between section marks that holds no call."""
        if self._place == "section":
            text, self._held = "".join(self._held), []
            self._emit_text(text)

    def _end(self, ended: BodyEnd) -> None:
        """Finish the current call with *ended*, and resume reading where it ends."""
        body = self._body
        assert body is not None
        self._body = None
        back = body.place - ended.resume
        if back:
            raw = body.get_raw()
            self._source = raw[len(raw) - back :] + self._source[self._at :]
            self._at, self._base = 0, ended.resume
        if ended.form is not None:
            self._begin(self._get_dialect(body), body.begin, body.start, form=ended.form)
            return
        told = [event for event in ended.events if isinstance(event, Told)]
        spoken = [event for event in ended.events if isinstance(event, Fault)][:1]
        is_text = bool(told) or [each.kind for each in spoken] == ["stray"]
        self._place = "text" if is_text else "after"
        self._is_blank = is_text and not told
        self._more = isinstance(self.dialect.form, JsonForm) and not back
        is_lined = isinstance(body.dialect.form, PythonForm) and body.dialect.form.is_lines
        has_calls = any(isinstance(each, DialectCall) for each in ended.events)
        self._is_unclosed = bool(body.dialect.closes) and has_calls and not is_lined
        self._is_unclosed = self._is_unclosed and not isinstance(body, TagBody)
        fenced = isinstance(body, BalancedBody) and body.is_fenced
        self._surplus = _SURPLUS + "`" if fenced else _SURPLUS
        for event in ended.events:
            if isinstance(event, Told):
                for part in self._visible.split_at_marks(event.text):
                    self._emit_text(part)
            elif isinstance(event, DialectCall):
                self._add_call(event)
            else:
                assert isinstance(event, Fault)
                self._emit_fault(event)

    def _get_dialect(self, body: Body) -> Dialect:
        """Return the dialect of *body*: the reader's own or a sibling of it."""
        opens = body.dialect.opens
        return next((each for each in self.dialect.siblings if each.opens == opens), self.dialect)

    def _emit_fault(self, fault: Fault) -> None:
        """Add *fault* to the events, unless it is a mark quoted in reasoning."""
        is_call = fault.kind not in FAULTS_WITHOUT_CALL
        self._begun += is_call
        if is_call or not self._visible.is_thought:
            # What is spoken of in reasoning is no fault.
            self._events.append(fault)

    def _add_call(self, call: DialectCall) -> None:
        """Add *call* to the events; beyond the limit, report a single fault."""
        self._visible.is_thought = False
        self._begun += 1
        if self.dialect.idle and call.name.replace("_", "-") == self.dialect.idle:
            return
        self._calls += 1
        if self._calls <= MAX_CALLS:
            self._events.append(call)
        elif self._calls == MAX_CALLS + 1:
            self._events.append(Fault("many", call.at, call.name))

    def _emit_text(self, text: str) -> None:
        """Emit *text*, which has no mark."""
        line = text.rpartition("\n")
        self._is_blank = (self._is_blank or bool(line[1])) and not line[2].strip()
        self._events += self._visible.tell(text)


def read_events(text: str, dialect: Dialect, *, thinking: bool = False) -> list[Event]:
    """Read the complete *text* in *dialect* and return its events."""
    reader = Reader(dialect, thinking=thinking)
    return [*reader.feed(text), *reader.close()]
