"""The short way of a call: what needs no reading, coercing, decoding or encoding gets none.

It is generated code after some calls, which is taken where a predicate tells that the checks would
find nothing, or where the check of the arguments tells all that there is to say of them, which is
written when it is read.  All other calls are those of `typesig.calls.call`.
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
from typesig.calls.generated.quick_arguments import Arguments, Warned
from typesig.calls.generated.quick_drops import DroppedArguments
from typesig.calls.generated.quick_results import PLAIN, Form, NotedResult, Results, Unknown
from typesig.calls.generated.quick_source import call_of
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


class Quick:
    """The short way of calls of one tool under one policy.

    #: call: returns the outcome of a call of a function, with its receiver or None, and what was
    #:     sent; None if it takes the long way; or what it is given to show of it, see `Show`
    #: acall: returns the same of a coroutine function
    """

    __slots__ = (
        "_about", "_arguments", "_awaits", "_binding", "_calls", "_in_thread", "_policy",
        "_results", "acall", "call",
    )  # fmt: skip

    _about: AboutCall
    _arguments: Arguments
    _results: Results
    call: Callable[..., Any]
    acall: Callable[[Callable[..., Any], object, object], Awaitable[Outcome[Any] | None]]

    def __init__(self, binding: Binding, policy: Policy, awaits: bool, in_thread: bool) -> None:
        """*awaits*: whether the call is awaited; *in_thread*: whether its function is plain."""
        self._binding = binding
        self._policy = policy
        self._awaits = awaits
        self._in_thread = in_thread
        self._calls = 0
        self._arguments, self._results = Arguments(binding, policy), Results(binding, policy)
        about = AboutCall(*self._results.about)
        about.arguments = self._arguments
        self._about = about
        self.call, self.acall = self._call_cold, self._call_awaited

    def _counted(self, function: Callable[..., Any]) -> Any:
        """Count a call of *function*; return generated code for those that follow, or None."""
        # Of two threads that generate at the same time, either result is kept.
        self._calls += 1
        made = self._generated(function) if self._calls == _FIRST_CALLS else None
        if made is not None and self._in_thread:
            made = self.acall = partial(_in_thread, made, self._binding.name)
        elif made is not None and self._awaits:
            self.acall = made
        elif made is not None:
            self.call = made
        return made

    def _generated(self, function: Callable[..., Any]) -> Any:
        """Return the generated code of calls of *function*, None if there is none."""
        binding, arguments, results, about = (
            self._binding, self._arguments, self._results, self._about
        )  # fmt: skip
        if not arguments.prepare(function):
            return None
        assert arguments.taking is not None
        usual = AboutCall(*results.about)
        usual.arguments = arguments
        usual.is_usual = True
        helpers = {
            "about": about,
            "absent": object(),
            "CoroutineType": CoroutineType,
            "failed": self._failed,
            "kept": partial(collect_items, binding.name),
            "read_map": arguments.read_map,
            "read_sent_map": arguments.read_sent_map,
            "may_notice": arguments.may_notice,
            "NOT_WHOLE": NOT_WHOLE,
            "note_classes": (tuple, type(None)),
            "Passed": ValidOutcome,
            "plain_classes": PLAIN,
            "refusals": REFUSALS,
            "settled": self._asettled if self._awaits else self._settled,
            "taken": arguments.coerced,
            "usual": usual,
            "ToolError": ToolError,
            "Unknown": Unknown,
            "whole": "whole",
            "classes": results.classes,
            "results": results,
        }
        return call_of(arguments.taking, results.giving, helpers, self._awaits)

    def _call_cold(
        self, function: Callable[..., Any], receiver: object, sent: object, show: Any = None
    ) -> Any:
        """Do the same without generated code, for the first calls, and for all if there is none."""
        made = self._counted(function)
        if made is not None:
            return made(function, receiver, sent, show)
        bound = self._arguments.bind(sent)
        if bound is None:
            return None
        args = bound.args if receiver is None else (receiver, *bound.args)
        try:
            returned = function(*args, **bound.kwargs)
        except ToolError as error:
            return self._failed(error, None)
        return _show_outcome(self._settled(returned, None), show)

    async def _call_awaited(
        self, function: Callable[..., Any], receiver: object, sent: object, show: Any = None
    ) -> Any:
        """Do the same for a coroutine function, or a plain one, which runs in a thread."""
        made = self._counted(function)
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
            return self._failed(error, None)
        return _show_outcome(await self._asettled(returned, None), show)

    def _settled(self, returned: Any, found: Warned) -> Outcome[Any]:
        """Return the outcome of a call that *returned* a value."""
        if type(returned) not in PLAIN:
            try:
                returned = collect_items(self._binding.name, returned)
            except ToolError as error:
                return self._failed(error, found)
            refuse_awaitable(self._binding.name, returned)
        outcome = self._outcome(returned, found)
        return self._long(returned, found) if outcome is None else outcome

    async def _asettled(self, returned: Any, found: Warned) -> Outcome[Any]:
        """Return the same of a value that was awaited."""
        if type(returned) not in PLAIN:
            try:
                returned = await collect_async_items(self._binding.name, returned)
            except ToolError as error:
                return self._failed(error, found)
        outcome = self._outcome(returned, found)
        return self._long(returned, found) if outcome is None else outcome

    def _outcome(self, returned: Any, found: Warned) -> Outcome[Any] | None:
        """Return the outcome of a call that *returned* a value, None if it takes the long way."""
        written = self._results.written(returned)
        if written is None:
            return None
        value, form = written
        is_same = form == "whole" and value is returned and found is None
        return make_valid_outcome(returned, self._about, None if is_same else (value, found, form))

    def _long(self, returned: Any, found: Warned) -> Outcome[Any]:
        warnings = self._arguments.warnings(found)
        return make_result_outcome(self._binding, returned, warnings, self._policy)

    def _failed(self, error: ToolError, found: Warned) -> Outcome[Any]:
        warnings = self._arguments.warnings(found)
        return make_tool_error_outcome(self._binding, error, warnings, self._policy)


class AboutCall(PassthroughContext):
    """What outcomes of the short way share; one that has nothing to tell is of a whole value.

    #: arguments: what knows the warnings of arguments
    #: as_text: whether a text was asked for last, so that calls keep the text of objects instead of
    #:     their data, which takes several times its memory
    """

    arguments: Arguments
    as_text = False

    def make_details(self, result: Any, notes: Notes) -> OutcomeDetails:
        """Return what the outcome of *result* tells.

        *notes* has its value, what was found in the arguments, and the form of the value.
        """
        value, found, form = notes
        details = _Called(self, value, found, form)
        if form in ("text", "noted"):
            details.set_whole(self.get_whole_value(result, notes), value)
        return details

    def make_subject(self, value: Any) -> Subject:
        """Return the subject of the check of *value*, which is whole."""
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
        return self.arguments.may_notice(notes[1])

    def find_notice(self, notes: Notes) -> str | None:
        """Return the line about arguments that were dropped, None for other arguments."""
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
        """Return the outcome of the check of *noted*, which has warnings."""
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


class _Called(OutcomeDetails):
    """What the outcome of a call tells, which is made when it is first asked for.

    #: about: what the outcome is of; value: the encoded result; found: in the arguments
    #: form: that of the value
    """

    __slots__ = ("_about", "_form", "_found", "_noted", "_value")

    def __init__(self, about: AboutCall, value: Any, found: Warned, form: Form) -> None:
        self.has_errors = False
        self._noted: NotedResult | None = None
        self._form = form
        self._about = about
        self._value = value
        self._found = found

    def set_whole(self, whole: Any, value: Any) -> None:
        """Set the value to *whole*; *value* has what it was made of."""
        self._value, self._form = whole, "whole"
        self._noted = value if type(value) is NotedResult else None

    def __getattr__(self, name: str) -> Any:
        # Called only for a part that is not set.
        if name not in _TOLD:
            return super().__getattr__(name)
        self.errors, self.warnings = (), self._about.arguments.warnings(self._found)
        self.noticed = self._about.arguments.noticed(self.warnings)
        self.stage, self.rejected, self.unseen = "output", None, 0
        if self._noted is not None:
            checked = self._about.check_noted(self._noted)
            self.warnings, self.unseen = (*self.warnings, *checked.warnings), checked.unseen
        value = self._value
        self.plain = partial(to_plain, value) if self._form == "other" else lambda: value
        self.subject = self._about.make_subject(value)._replace(is_whole=self._form == "whole")
        return getattr(self, name)


#: The parts that are made later; nothing is left to settle, and the words are the usual ones.
_TOLD = frozenset(OutcomeDetails.__slots__) - {"settle", "words"}

#: Calls of the short way before code is generated for it, which takes as long as some of them.
_FIRST_CALLS = 4

#: How many modes a tool has short ways for.
_MOST_MODES = 8


def prepare(
    shared: dict[Any, Any],
    method: str,
    mode: ModeName | Policy | None,
    binding: Binding,
    policy: Policy,
    function: Any,
) -> Quick | None:
    """Return the short way of calls by *method*, kept in *shared*; None if all of them are long.

    *mode* is what these calls are given, *policy* what holds for them.
    """
    key = method if mode is None else (method, mode)
    if key not in shared and len(shared) < _MOST_MODES:
        awaits = method == "acall"
        in_thread = awaits and not is_coroutine_function(function)
        shared[key] = quick_of(binding, policy, awaits, in_thread)
    found: Quick | None = shared.get(key)
    return found


def quick_of(binding: Binding, policy: Policy, awaits: bool, in_thread: bool) -> Quick | None:
    """Return what calls under *policy* need, or None if all of them take the long way.

    *awaits* is whether they are awaited, and *in_thread* whether the function is a plain one then.
    """
    if policy.on_issue == "skip" or get_host_names(binding):
        return None
    return Quick(binding, policy, awaits, in_thread)


def _in_thread(
    made: Callable[..., Any],
    name: str,
    function: Callable[..., Any],
    receiver: object,
    sent: object,
    show: Any = None,
) -> Any:
    """Return what the generated code *made* does with a plain *function*, run in a thread."""
    return made(partial(run_plain, name, function), receiver, sent, show)


def _show_outcome(outcome: Outcome[Any], show: Any) -> Any:
    """Return what *show* makes of *outcome*, or *outcome* itself if it is not to be shown."""
    if show is None or type(outcome) is not ValidOutcome or outcome._told is not None:
        return outcome
    shown = show(outcome._about, outcome._result)
    return outcome if shown is NOT_WHOLE else shown
