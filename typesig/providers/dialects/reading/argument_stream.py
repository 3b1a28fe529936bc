"""Arguments that have ended in a call that has not, where brackets end a call."""

from __future__ import annotations

from collections.abc import Callable

from typesig.providers.dialects.dialect import BareForm, Form, JsonForm, PythonForm
from typesig.providers.dialects.events import Argument
from typesig.providers.dialects.reading.members import (
    UnreadableCall,
    read_bare_member,
    read_json_member,
    read_json_text,
    read_python_calls,
)
from typesig.validation.json_text import BadJson, read_json

_OPENING = "[{("
_CLOSING = "]})"


class ArgumentStream:
    """A collector of the arguments in one call body, which reports each at its end.

    Each character is kept until the part that it belongs to has ended, so the work is linear.
    """

    __slots__ = ("_base", "_form", "_known", "_name", "_parts", "_pending", "_within", "number")

    def __init__(self, form: Form, known: Callable[[], str], number: int) -> None:
        """*known* returns the name in the head; *number* is that of the first call."""
        self.number = number - 1
        self._form = form
        self._known = known
        # The name of the tool, and its arguments that ended before it was known.
        self._name = ""
        self._pending: list[tuple[str, object]] = []
        self._parts: list[str] = []
        # How deep in brackets the members of a call are, in JSON, and the arguments now.
        self._base = 0
        self._within = 0

    def take(self, text: str) -> None:
        """Add *text*, in which no argument and no member ends."""
        self._parts.append(text)

    def mark(self, mark: str, depth: int) -> list[Argument]:
        """Process *mark*, followed by *depth* open brackets; return ended arguments."""
        if mark in _OPENING:
            is_part = not self._take_opener(mark, depth)
        elif mark in _CLOSING:
            is_part = not self._closed(depth)
        else:
            is_part = mark != "," or not self._take_comma(depth)
        if is_part:
            self._parts.append(mark)
        else:
            self._parts = []
        if not self._name:
            return []
        told, self._pending = self._pending, []
        return [Argument(self._name, key, value, "data", self.number) for key, value in told]

    def _take_opener(self, mark: str, depth: int) -> bool:
        """Process a bracket; return whether it begins a call or arguments."""
        if isinstance(self._form, JsonForm):
            return self._take_json_opener(mark, depth, self._form)
        if isinstance(self._form, PythonForm):
            if depth == 2 and mark == "(":
                self._begin("".join(self._parts).strip(), depth)
            return depth == 1 or self._within == depth
        if depth == 1:
            self._begin(self._known(), depth)
        return depth == 1

    def _take_json_opener(self, mark: str, depth: int, form: JsonForm) -> bool:
        """Process a bracket of JSON; return whether it begins a call or arguments."""
        self._base = self._base or (2 if mark == "[" else 1)
        if depth == self._base and mark == "{":
            self._begin("", 0)
            return True
        if depth != self._base + 1 or mark != "{" or self._within:
            return False
        key = read_json_text("".join(self._parts).strip().removesuffix(":").strip())
        if form.is_keyed and key not in (*form.arguments, "function"):
            self._name = key or ""
        elif key not in form.arguments:
            return False
        self._within = depth
        return True

    def _begin(self, name: str, within: int) -> None:
        """Begin the next call, with arguments at the bracket depth *within*."""
        self._name, self._within, self._pending = name, within, []
        self.number += 1

    def _closed(self, depth: int) -> bool:
        """Process a closing bracket; return whether an argument or a member ends."""
        if self._within and depth == self._within - 1:
            self._end()
            self._within = 0
            return True
        if isinstance(self._form, JsonForm) and depth == self._base - 1:
            self._end_member(self._form)
            return True
        return False

    def _take_comma(self, depth: int) -> bool:
        """Process a comma; return whether an argument or a member ends."""
        if self._within == depth:
            self._end()
            return True
        if isinstance(self._form, JsonForm) and depth == self._base and not self._within:
            self._end_member(self._form)
            return True
        return isinstance(self._form, PythonForm) and depth == 1

    def _end_member(self, form: JsonForm) -> None:
        """Finish a member of a call object; store the value if it is the tool's name."""
        try:
            key, value = read_json_member("".join(self._parts))
        except UnreadableCall:
            return
        if key in form.name:
            self._name = read_json_text(value) or ""

    def _end(self) -> None:
        """Finish an argument; skip an unreadable one, which the whole call reports."""
        text = "".join(self._parts)
        if not text.strip():
            return
        try:
            if isinstance(self._form, PythonForm):
                [call] = read_python_calls(f"[f({text})]", 0)
                assert not isinstance(call.arguments, str)
                self._pending += call.arguments.items()
            else:
                bare = self._form if isinstance(self._form, BareForm) else None
                key, value = read_bare_member(text, bare) if bare else read_json_member(text)
                self._pending.append((key, read_json(value)))
        except (UnreadableCall, BadJson):
            return
