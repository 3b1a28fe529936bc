"""Text for the user, without marks."""

from __future__ import annotations

from typesig.providers.dialects.events import Event, Thought, Told
from typesig.providers.dialects.lexer import get_lexer


class VisibleText:
    """A filter that removes marks from the user's text, which arrives in parts.

    #: is_told: whether the text is for the user; otherwise it is dropped
    #: is_thought: whether it is reasoning in place of text for the user
    """

    __slots__ = ("_lexer", "_pending", "is_thought", "is_told")

    def __init__(self, marks: tuple[str, ...], is_told: bool) -> None:
        self.is_told = is_told
        self.is_thought = False
        self._lexer = get_lexer(marks)
        # The end of the text that may become a mark with what follows.
        self._pending = ""

    def tell(self, text: str) -> list[Event]:
        """Return events for *text* without marks, including marks that span two parts."""
        if self.is_thought:
            return [Thought(text)]
        if not self.is_told:
            return []
        pending = self._pending + text
        start, end = self._lexer.next(pending, 0, False)
        while end > start:
            pending = pending[:start] + pending[end:]
            start, end = self._lexer.next(pending, 0, False)
        self._pending = pending[start:]
        return [Told(pending[:start])] if start else []

    def flush(self) -> list[Event]:
        """Events for the pending text, before another kind of text."""
        pending, self._pending = self._pending, ""
        return [Told(pending)] if pending else []

    def split_at_marks(self, text: str) -> list[str]:
        """Return the parts of *text* between the marks in it."""
        found, at = list[str](), 0
        while at < len(text):
            start, end = self._lexer.next(text, at, True)
            found += [text[at:start]] if start > at else []
            at = end
        return found
