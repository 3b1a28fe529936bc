"""Results that a model reads in parts: within a budget, and on demand the rest."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from typesig.calls.errors import ToolError
from typesig.contract_limits import MAX_KEPT_RESULTS
from typesig.errors import short
from typesig.notations.texts.counters import Counter
from typesig.tools.decorator import tool
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.outcome.within import Shown, TextStyle, checked_budget, writer_of

if TYPE_CHECKING:
    from typesig.tools.tool import Tool

Tools = TypeVar("Tools")

_GONE = object()


class Pages(Generic[Tools]):
    """The results of one conversation, each shown within a budget; `more` shows what is left.

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
        self._writer = writer_of(style, checked_budget(budget), counter)
        self._kept: OrderedDict[str, Any] = OrderedDict()
        self._lock = Lock()
        self._made = 0
        self.tools = joined(self._more())

    def text(self, outcome: Outcome[Any]) -> str:
        """Return what a model reads of *outcome*, as `Outcome.text`, within the budget.

        A text as the whole value has no quotes.  If not all is shown, the last line tells what is
        not, and how to call `more`.  Raises `TooLarge` if not even that line fits.
        """
        return self.shown(outcome).text

    def shown(self, outcome: Outcome[Any]) -> Shown:
        """Return `text` of *outcome*, and what it leaves out."""
        if not outcome.ok:
            return Shown(outcome.feedback())
        data = outcome.for_model()
        if isinstance(outcome.value, list):
            data = data["items"] if isinstance(data, dict) else data
        with self._lock:
            self._made += 1
            cursor = f"p{self._made}"
        writer = self._writer.beside(outcome.notice)
        shown = writer.shown(data, f'; call more("{cursor}")', bare=True)
        if shown.rest is not None:
            with self._lock:
                self._kept[cursor] = shown.rest
                while len(self._kept) > MAX_KEPT_RESULTS:
                    self._kept.popitem(last=False)
        return shown

    def _more(self) -> Tool[..., Any]:
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
                    f"no result is kept for the cursor {short(cursor)}; call the tool again that "
                    "returned it"
                )
            return rest

        return more
