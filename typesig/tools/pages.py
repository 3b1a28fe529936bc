"""Paged results: a part within a budget, and the rest on request."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from typesig.calls.functions import ToolError
from typesig.errors import format_value
from typesig.limits.contracts import MAX_KEPT_RESULTS
from typesig.notations.texts.quoting import Counter
from typesig.tools.decorator import tool
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.outcome.truncation import (
    ModelText,
    TextStyle,
    check_budget,
    make_result_writer,
)

if TYPE_CHECKING:
    from typesig.tools.tool import Tool


Tools = TypeVar("Tools")

_GONE = object()


class Pages(Generic[Tools]):
    """Pagination of long tool results within a budget; the tool `more` returns the rest.

    #: tools: the tools of a toolset, and `more`

    >>> from typesig import tools_of
    >>> def numbers() -> list[int]:
    ...     return list(range(40))
    >>> pages = tools_of([numbers]).pages(budget=70)
    >>> print(pages.text(pages.tools.call("numbers", {})))
    [0,1,2,3,4,5,6,7,8,9,10]
    [not shown: 29 of 40 items; call more("p1")]
    >>> print(pages.text(pages.tools.call("more", {"cursor": "p1"})))
    [11,12,13,14,15,16,17,18]
    [not shown: 21 of 29 items; call more("p2")]
    """

    __slots__ = ("_kept", "_lock", "_made", "_writer", "tools")

    def __init__(
        self,
        joined: Callable[[Tool[..., Any]], Tools],
        budget: int,
        style: TextStyle,
        counter: Counter,
    ) -> None:
        """Make `tools` by *joined*, a function of the tool `more`."""
        self._writer = make_result_writer(style, check_budget(budget), counter)
        self._kept: OrderedDict[str, Any] = OrderedDict()
        self._lock = Lock()
        self._made = 0
        self.tools = joined(self._make_more_tool())

    def text(self, outcome: Outcome[Any]) -> str:
        """Text of *outcome* for the model within the budget; see `Outcome.text`.

        A text as the whole value has no quotes.  If not all is shown, the last line tells what is
        not, and how to call `more`.  Raises `TooLarge` if not even that line fits.
        """
        return self.shown(outcome).text

    def shown(self, outcome: Outcome[Any]) -> ModelText:
        """Write *outcome* for the model within the budget; store the rest for `more`."""
        if not outcome.ok:
            return ModelText(outcome.feedback())
        data = outcome.for_model()
        if isinstance(outcome.value, list):
            data = data["items"] if isinstance(data, dict) else data
        with self._lock:
            self._made += 1
            cursor = f"p{self._made}"
        writer = self._writer.with_notice(outcome.notice)
        shown = writer.write_model_text(data, f'; call more("{cursor}")', bare=True)
        if shown.rest is not None:
            with self._lock:
                self._kept[cursor] = shown.rest
                while len(self._kept) > MAX_KEPT_RESULTS:
                    self._kept.popitem(last=False)
        return shown

    def _make_more_tool(self) -> Tool[..., Any]:
        """Build the tool `more`, which returns the rest of a truncated result."""

        @tool
        def more(cursor: str) -> Any:
            """Show the rest of a result that was too long to be shown as a whole.

            Args:
                cursor: the text in quotes in the last line of the result
            """
            with self._lock:
                rest = self._kept.get(cursor, _GONE)
            if rest is _GONE:
                raise ToolError(
                    f"no result is kept for the cursor {format_value(cursor)}; call the tool "
                    "again that "
                    "returned it"
                )
            return rest

        return more
