"""Fast path of calls: generated code that skips checks that would find nothing.

Code is generated after some calls.  It handles a call if a predicate answers that the checks would
find nothing, or if the arguments only have warnings, whose issues are made when they are read.  All
other calls are left to `typesig.calls.call`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from types import CoroutineType
from typing import Any

from typesig.calls.binding import Binding, get_host_names
from typesig.calls.call import make_result_outcome, make_tool_error_outcome
from typesig.calls.decoding import REFUSALS
from typesig.calls.functions import ToolError, is_coroutine_function
from typesig.calls.generated.call_source import compile_call
from typesig.calls.generated.dropped_arguments import DroppedArguments
from typesig.calls.generated.fast_arguments import ArgumentWarnings, FastArguments
from typesig.calls.generated.fast_results import PLAIN, FastResults, Form, NotedResult, Unknown
from typesig.calls.running import collect_async_items, collect_items, refuse_awaitable, run_plain
from typesig.validation.check_state import Subject
from typesig.validation.outcome.check_context import (
    NOT_WHOLE,
    Notes,
    OutcomeDetails,
    PassthroughContext,
)
from typesig.validation.outcome.constructors import ValidOutcome, make_valid_outcome
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.plain_data import to_plain
from typesig.validation.policy import ModeName, Policy
from typesig.validation.verdicts import check_value


class FastPath:
    """The fast path of calls of one tool under one policy.

    #: call: returns the outcome of a call of a function, with its receiver or None, and what was
    #:     sent; None if it takes the slow path; or what it is given to show of it, see `Show`
    #: acall: returns the same of a coroutine function
    """

    __slots__ = (
        "_about", "_arguments", "_awaits", "_binding", "_calls", "_in_thread", "_policy",
        "_results", "acall", "call",
    )  # fmt: skip

    _about: CallContext
    _arguments: FastArguments
    _results: FastResults
    call: Callable[..., Any]
    acall: Callable[[Callable[..., Any], object, object], Awaitable[Outcome[Any] | None]]

    def __init__(self, binding: Binding, policy: Policy, awaits: bool, in_thread: bool) -> None:
        """*awaits*: whether the call is awaited; *in_thread*: whether its function is plain."""
        self._binding = binding
        self._policy = policy
        self._awaits = awaits
        self._in_thread = in_thread
        self._calls = 0
        self._arguments, self._results = (
            FastArguments(binding, policy),
            FastResults(binding, policy),
        )
        about = CallContext(*self._results.about)
        about.arguments = self._arguments
        self._about = about
        self.call, self.acall = self._call_cold, self._call_awaited

    def _count_call(self, function: Callable[..., Any]) -> Any:
        """Count a call of *function*; return generated code for later calls, or None."""
        # Of two threads that generate at the same time, either result is kept.
        self._calls += 1
        made = self._generate(function) if self._calls == _FIRST_CALLS else None
        if made is None and self._calls == _FIRST_CALLS:
            self._arguments.make_reader()
        if made is not None and self._in_thread:
            made = self.acall = partial(_call_in_thread, made, self._binding.name)
        elif made is not None and self._awaits:
            self.acall = made
        elif made is not None:
            self.call = made
        return made

    def _generate(self, function: Callable[..., Any]) -> Any:
        """Generate the code of calls of *function*; None if it cannot be generated."""
        binding, arguments, results, about = (
            self._binding, self._arguments, self._results, self._about
        )  # fmt: skip
        if not arguments.prepare(function):
            return None
        assert arguments.plan is not None
        usual = CallContext(*results.about)
        usual.arguments = arguments
        usual.is_usual = True
        helpers = {
            "about": about,
            "absent": object(),
            "CoroutineType": CoroutineType,
            "failed": self._make_failed_outcome,
            "kept": partial(collect_items, binding.name),
            "read_map": arguments.read_map,
            "read_sent_map": arguments.read_sent_map,
            "may_notice": arguments.may_notice,
            "NOT_WHOLE": NOT_WHOLE,
            "note_classes": (tuple, type(None)),
            "Passed": ValidOutcome,
            "plain_classes": PLAIN,
            "refusals": REFUSALS,
            "settled": self._finish_async_call if self._awaits else self._finish_call,
            "taken": arguments.coerce,
            "usual": usual,
            "ToolError": ToolError,
            "Unknown": Unknown,
            "whole": "whole",
            "classes": results.classes,
            "results": results,
        }
        return compile_call(arguments.plan, results.plan, helpers, self._awaits)

    def _call_cold(
        self, function: Callable[..., Any], receiver: object, sent: object, show: Any = None
    ) -> Any:
        """Call without generated code: the first calls, or all if none can be generated."""
        made = self._count_call(function)
        if made is not None:
            return made(function, receiver, sent, show)
        bound = self._arguments.bind(sent)
        if bound is None:
            return None
        args = bound.args if receiver is None else (receiver, *bound.args)
        try:
            returned = function(*args, **bound.kwargs)
        except ToolError as error:
            return self._make_failed_outcome(error, None)
        outcome = None if show is not None else self._make_text_outcome(returned)
        if outcome is None:
            outcome = self._finish_call(returned, None)
        return _show_outcome(outcome, show)

    async def _call_awaited(
        self, function: Callable[..., Any], receiver: object, sent: object, show: Any = None
    ) -> Any:
        """Call a coroutine function, or a plain function in a thread."""
        made = self._count_call(function)
        if made is not None:
            return await made(function, receiver, sent, show)
        bound = self._arguments.bind(sent)
        if bound is None:
            return None
        args = bound.args if receiver is None else (receiver, *bound.args)
        try:
            if self._in_thread:
                returned = await run_plain(self._binding.name, function, *args, **bound.kwargs)
            else:
                returned = function(*args, **bound.kwargs)
                is_plain = type(returned) is CoroutineType
                name = self._binding.name
                returned = await (returned if is_plain else collect_items(name, returned))
        except ToolError as error:
            return self._make_failed_outcome(error, None)
        outcome = None if show is not None else self._make_text_outcome(returned)
        if outcome is None:
            outcome = await self._finish_async_call(returned, None)
        return _show_outcome(outcome, show)

    def _make_text_outcome(self, returned: Any) -> Outcome[Any] | None:
        """Make the outcome of an object with its text if callers read texts; else return None."""
        about, results = self._about, self._results
        if about.as_text and type(returned) in results.classes:
            try:
                return make_valid_outcome(returned, about, (results.text(returned), None, "text"))
            except Unknown:
                pass
        return None

    def _finish_call(self, returned: Any, found: ArgumentWarnings) -> Outcome[Any]:
        """Make the outcome of a call that *returned* a value."""
        if type(returned) not in PLAIN:
            try:
                returned = collect_items(self._binding.name, returned)
            except ToolError as error:
                return self._make_failed_outcome(error, found)
            refuse_awaitable(self._binding.name, returned)
        outcome = self._make_fast_outcome(returned, found)
        return self._make_checked_outcome(returned, found) if outcome is None else outcome

    async def _finish_async_call(self, returned: Any, found: ArgumentWarnings) -> Outcome[Any]:
        """Make the outcome of an awaited call that *returned* a value."""
        if type(returned) not in PLAIN:
            try:
                returned = await collect_async_items(self._binding.name, returned)
            except ToolError as error:
                return self._make_failed_outcome(error, found)
        outcome = self._make_fast_outcome(returned, found)
        return self._make_checked_outcome(returned, found) if outcome is None else outcome

    def _make_fast_outcome(self, returned: Any, found: ArgumentWarnings) -> Outcome[Any] | None:
        """Make the outcome of a call that *returned* a value; None if it needs the slow path."""
        written = self._results.find_value(returned)
        if written is None:
            return None
        value, form = written
        is_same = form == "whole" and value is returned and found is None
        return make_valid_outcome(returned, self._about, None if is_same else (value, found, form))

    def _make_checked_outcome(self, returned: Any, found: ArgumentWarnings) -> Outcome[Any]:
        warnings = self._arguments.warnings(found)
        return make_result_outcome(self._binding, returned, warnings, self._policy)

    def _make_failed_outcome(self, error: ToolError, found: ArgumentWarnings) -> Outcome[Any]:
        warnings = self._arguments.warnings(found)
        return make_tool_error_outcome(self._binding, error, warnings, self._policy)


class CallContext(PassthroughContext):
    """Context shared by the outcomes of the fast path.

    #: arguments: makes the warnings of arguments
    #: as_text: whether a text was asked for last, so that calls keep the text of objects instead of
    #:     their data, which takes several times its memory
    """

    arguments: FastArguments
    as_text = False

    def make_details(self, result: Any, notes: Notes) -> OutcomeDetails:
        """Make the details of the outcome of *result*.

        *notes* holds its value, the findings in the arguments, and the form of the value.
        """
        value, found, form = notes
        details = _CallDetails(self, value, found, form)
        if form in ("text", "noted"):
            details.set_whole(self.get_whole_value(result, notes), value)
        return details

    def make_subject(self, value: Any) -> Subject:
        """Make the subject of the check of *value*, which is complete."""
        return super().make_subject(value)._replace(is_whole=True)

    def get_plain_value(self, result: Any, notes: Notes | None) -> Any:
        """Return the value: *result* itself unless *notes* have another."""
        whole = self.get_whole_value(result, notes)
        if whole is not NOT_WHOLE:
            return whole
        assert notes is not None
        value, _, form = notes
        return to_plain(value) if form == "other" else value

    def may_notice(self, notes: Notes) -> bool:
        """Whether a model may have to read a line about the arguments beside the result."""
        return notes[1] is not None and self.arguments.may_notice(notes[1])

    def find_notice(self, notes: Notes) -> str | None:
        """Find the line about dropped arguments; None for other arguments."""
        return notes[1].notice if type(notes[1]) is DroppedArguments else None

    def write_model_text(self, result: Any, notes: Notes | None) -> str | None:
        """Return the text of an outcome for a model, None if its value must be rewritten."""
        if notes is None:
            return self.showing.text(result)
        value, _, form = notes
        if form == "text":
            return value  # type: ignore[no-any-return]
        if form == "noted":
            return self.showing.text(value.data)
        if form != "whole":
            return None
        # The text tells all of a value that is shown as it is.
        self.as_text = self.showing.tells_all
        return self.showing.text(value)

    def check_noted(self, noted: NotedResult) -> Outcome[Any]:
        """Check *noted*, which has warnings, and return the outcome."""
        t, definitions, policy = self.type, self.definitions, self.policy
        return check_value(t, definitions, noted.value, policy, "output", secrets=self.secrets)

    def get_whole_value(self, result: Any, notes: Notes | None) -> Any:
        """Return the value if it is whole, else `NOT_WHOLE`."""
        if notes is None:
            return result
        value, _, form = notes
        if form == "text":
            # More than the text is asked for.
            self.as_text = False
            import json

            return json.loads(value)
        if form == "noted":
            return value.data
        return value if form == "whole" else NOT_WHOLE


class _CallDetails(OutcomeDetails):
    """Details of the outcome of a call, made when they are first read.

    #: about: what the outcome is of; value: the encoded result; found: in the arguments
    #: form: that of the value
    """

    __slots__ = ("_about", "_form", "_found", "_noted", "_value")

    def __init__(self, about: CallContext, value: Any, found: ArgumentWarnings, form: Form) -> None:
        self.has_errors = False
        self._noted: NotedResult | None = None
        self._form = form
        self._about = about
        self._value = value
        self._found = found

    def set_whole(self, whole: Any, value: Any) -> None:
        """Set the value to *whole*, which was made from *value*."""
        self._value, self._form = whole, "whole"
        self._noted = value if type(value) is NotedResult else None

    def __getattr__(self, name: str) -> Any:
        # Called only for a part that is not set.
        if name not in _LAZY_DETAILS:
            return super().__getattr__(name)
        self.errors, self.warnings = (), self._about.arguments.warnings(self._found)
        self.noticed = self._about.arguments.select_notices(self.warnings)
        self.stage, self.rejected, self.unseen = "output", None, 0
        if self._noted is not None:
            checked = self._about.check_noted(self._noted)
            self.warnings, self.unseen = (*self.warnings, *checked.warnings), checked.unseen
        value = self._value
        self.plain = partial(to_plain, value) if self._form == "other" else lambda: value
        self.subject = self._about.make_subject(value)._replace(is_whole=self._form == "whole")
        return getattr(self, name)


#: The parts that are made later; nothing is left to settle, and the words are the usual ones.
_LAZY_DETAILS = frozenset(OutcomeDetails.__slots__) - {"settle", "words"}

#: Calls of the fast path before code is generated for it, which takes as long as some of them.
_FIRST_CALLS = 4

#: How many modes a tool has fast paths for.
_MOST_MODES = 8


def get_fast_path(
    shared: dict[Any, Any],
    method: str,
    mode: ModeName | Policy | None,
    binding: Binding,
    policy: Policy,
    function: Any,
) -> FastPath | None:
    """Return the fast path of calls by *method*, cached in *shared*; None if there is none.

    *mode* is the argument of these calls, *policy* the effective policy.
    """
    key = method if mode is None else (method, mode)
    if key not in shared and len(shared) < _MOST_MODES:
        awaits = method == "acall"
        in_thread = awaits and not is_coroutine_function(function)
        shared[key] = make_fast_path(binding, policy, awaits, in_thread)
    found: FastPath | None = shared.get(key)
    return found


def make_fast_path(
    binding: Binding, policy: Policy, awaits: bool, in_thread: bool
) -> FastPath | None:
    """Make the fast path of calls under *policy*; None if all calls need the slow path.

    *awaits* is whether they are awaited, and *in_thread* whether the function is a plain one then.
    """
    if policy.on_issue == "skip" or get_host_names(binding):
        return None
    return FastPath(binding, policy, awaits, in_thread)


def _call_in_thread(
    made: Callable[..., Any],
    name: str,
    function: Callable[..., Any],
    receiver: object,
    sent: object,
    show: Any = None,
) -> Any:
    """Call the generated code *made* with a plain *function* that runs in a thread."""
    return made(partial(run_plain, name, function), receiver, sent, show)


def _show_outcome(outcome: Outcome[Any], show: Any) -> Any:
    """Apply *show* to *outcome*, or return *outcome* itself if it is not to be shown."""
    if show is None or type(outcome) is not ValidOutcome or outcome._told is not None:
        return outcome
    shown = show(outcome._about, outcome._result)
    return outcome if shown is NOT_WHOLE else shown
