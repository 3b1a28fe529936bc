"""The short way of a call: what needs no reading, coercing, decoding or encoding gets none.

It is taken where a predicate tells that the checks would find nothing, or where the check of the
arguments has only warnings, which are written when they are read; else `call` is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from types import CoroutineType
from typing import Any, TypeAlias

from typesig.algebra.constructors import bare
from typesig.algebra.nodes import ANY, List
from typesig.algebra.shared import Overfull
from typesig.extraction.decoders import HostError, for_many
from typesig.extraction.encoding import encode
from typesig.limits import MAX_UNWATCHED
from typesig.tools.binding import Binding, names_from_host
from typesig.tools.call import (
    asks_keywords,
    outcome_of_result,
    outcome_of_tool_error,
    outcome_policy,
)
from typesig.tools.decoding import REFUSALS, policy_for_host, undeclared_in_call
from typesig.tools.errors import ToolError
from typesig.tools.functions import is_coroutine_function
from typesig.tools.plainness import is_plain, places_in
from typesig.tools.running import kept, kept_from_async, refuse_awaitable, run_in_thread
from typesig.validation.arguments import may_be_wrapped
from typesig.validation.check import compiled_arguments
from typesig.validation.fast.program import predicate, shortcut, shortcut_of_arguments
from typesig.validation.fast.verdicts import Verdict
from typesig.validation.issues import Issue
from typesig.validation.json_text import BadJson, read_json
from typesig.validation.outcome import Outcome, Told, passed
from typesig.validation.plain import plain
from typesig.validation.policy import Policy
from typesig.validation.run import Found, Run
from typesig.validation.secrets import secrets_of_result, without_secrets
from typesig.validation.settled import settled
from typesig.validation.subject import About
from typesig.validation.verdicts import kept_verdict, walked

#: What has the warnings that the check of arguments found, or None if it found nothing.
Warned: TypeAlias = "Outcome[Any] | list[Found] | None"

#: What a function takes by name, and what the check of it found.
Taken = tuple[dict[str, Any], Warned]


class Quick:
    """What the short way of calls of one tool needs, computed once."""

    __slots__ = (
        "_about",
        "_arguments",
        "_awaits",
        "_binding",
        "_changes",
        "_check",
        "_decodes",
        "_defaults",
        "_encodes",
        "_fills",
        "_name",
        "_names",
        "_nil",
        "_plain_result",
        "_policy",
        "_result",
        "_verdict",
        "_widest",
    )

    def __init__(self, binding: Binding, policy: Policy, awaits: bool) -> None:
        self._binding = binding
        self._policy = policy
        self._awaits = awaits
        self._prepare_arguments()
        self._prepare_result()

    def _prepare_arguments(self) -> None:
        policy, signature, host = self._policy, self._binding.signature, self._binding.host
        nested = policy_for_host(policy, self._binding.explicit, host.exact)
        extras = undeclared_in_call(policy)
        self._arguments = shortcut_of_arguments(signature, nested, extras, False, False)
        self._check = compiled_arguments(signature, nested, extras, False)
        self._verdict: Verdict | None = None
        if nested.extras == extras and policy.on_issue == "fail":
            # The check of the record of arguments is the same.
            t, definitions = signature.arguments, signature.definitions
            about = About("input", t, definitions, nested, secrets=host.secrets)
            self._verdict = kept_verdict(about)
        self._names = frozenset(field.name for field in signature.params)
        # Defaults that are scalars and the same after the check of them, and the other defaults:
        # what makes those that are the same; without the rest, a call is long.
        self._fills: dict[str, Any] = {}
        self._defaults: list[tuple[str, Callable[[], Any] | None]] = []
        for field in signature.params:
            if field.default is None:
                continue
            judge = predicate(field.type, signature.definitions, nested)
            default = field.default.thaw()
            is_same = judge(default) is True
            if is_same and type(default) in _SCALARS:
                self._fills[field.name] = default
            else:
                self._defaults.append((field.name, field.default.thaw if is_same else None))
        self._decodes = [(p.name, for_many(p.decode)) for p in host.params if p.decode]
        self._nil = [param.name for param in host.params if param.nil]
        self._changes = bool(self._decodes or self._nil or self._defaults or self._fills)
        wraps = signature.extra in (ANY, None) and "arguments_from_wrapper" in policy.coercions
        self._name = self._binding.name if wraps else None

    def _prepare_result(self) -> None:
        signature, host = self._binding.signature, self._binding.host
        output = outcome_policy(self._binding, self._policy)
        t, definitions = signature.returns, signature.definitions
        secrets = secrets_of_result(host.secrets)
        self._about = About("output", t, definitions, output, secrets=secrets)
        is_read = host.encode is not None or host.pair or host.bounds
        # Other classes of values are told from the hints, or written in another way.
        self._encodes = not host.ptc_runner and not asks_keywords(signature)
        t = bare(t)
        self._result = None if is_read else shortcut(t, definitions, output)
        # What passes this one is plain: it has no undeclared keys.
        item = bare(t.item) if isinstance(t, List) else t
        count = places_in(item)
        closed = output.changed(extras="reject")
        self._plain_result = None if count is None else shortcut(t, definitions, closed)
        self._widest = MAX_UNWATCHED // (count or 1)

    def _taken(self, sent: object) -> Taken | None:
        """Return what the function takes by name, or None if *sent* takes the long way."""
        data: Any = {} if sent is None else sent
        if type(data) is not dict:
            data = _map_in(data)
            if data is None:
                return None
        names = self._names
        is_wrapped = self._name is not None and len(data) == 1 and names.isdisjoint(data)
        if is_wrapped and may_be_wrapped(data, self._name or ""):
            return None
        if self._arguments.passes(data):
            return self._given(data, None) if self._changes else (data, None)
        # What reads other names is left to the check, before which nothing is filled in.
        filled = {**self._fills, **data} if data.keys() <= names else data
        # Where there are errors, the long way tells them.
        if self._verdict is not None:
            outcome = self._verdict(filled)
            if outcome is None or not outcome.ok:
                return None
            return self._given(outcome.result, None if outcome._told is None else outcome)
        run = Run(self._policy.max_issues)
        value = walked(self._check, filled, run)
        return None if run.errors else self._given(value, run.found or None)

    def _given(self, data: dict[str, Any], found: Warned) -> Taken | None:
        """Return the checked *data* as the function takes it, None if a decoder refuses it."""
        out = {**self._fills, **data}
        for name, thaw in self._defaults:
            if name not in out:
                if thaw is None:
                    return None
                out[name] = thaw()
        for name, decode in self._decodes:
            if name in out:
                try:
                    out[name] = decode(out[name])
                except REFUSALS:
                    # The long way tells why.
                    return None
        for name in self._nil:
            out.setdefault(name, None)
        return out, found

    def call(
        self, function: Callable[..., Any], receiver: object, sent: object
    ) -> Outcome[Any] | None:
        """Return the outcome of a call, or None if *sent* takes the long way."""
        taken = self._taken(sent)
        if taken is None:
            return None
        named, found = taken
        try:
            returned = function(**named) if receiver is None else function(receiver, **named)
            if type(returned) not in _PLAIN:
                returned = kept(self._binding.name, returned)
        except ToolError as error:
            return outcome_of_tool_error(self._binding, error, self._warnings(found))
        outcome = self._outcome(returned, found)
        if outcome is not None:
            return outcome
        refuse_awaitable(self._binding.name, returned)
        return outcome_of_result(self._binding, returned, self._warnings(found), self._policy)

    async def acall(
        self, function: Callable[..., Any], receiver: object, sent: object
    ) -> Outcome[Any] | None:
        """Return the same as `call` of a coroutine function; a plain one runs in a thread."""
        taken = self._taken(sent)
        if taken is None:
            return None
        named, found = taken
        name = self._binding.name
        call = function if receiver is None else partial(function, receiver)
        try:
            if self._awaits:
                made = call(**named)
                returned = await (made if type(made) is CoroutineType else kept(name, made))
            else:
                returned = await run_in_thread(lambda: kept(name, call(**named)))
                if inspect.isawaitable(returned):
                    returned = await returned
            if type(returned) not in _PLAIN:
                returned = await kept_from_async(name, returned)
        except ToolError as error:
            return outcome_of_tool_error(self._binding, error, self._warnings(found))
        outcome = self._outcome(returned, found)
        if outcome is not None:
            return outcome
        return outcome_of_result(self._binding, returned, self._warnings(found), self._policy)

    def _warnings(self, found: Warned) -> tuple[Issue, ...]:
        """Return the warnings of the arguments."""
        if found is None:
            return ()
        if isinstance(found, Outcome):
            return found.warnings
        signature, secrets = self._binding.signature, self._binding.host.secrets
        _, warnings = settled(found, self._policy, "input")
        return tuple(without_secrets(warnings, signature.arguments, signature.names, secrets))

    def _outcome(self, returned: Any, found: Warned) -> Outcome[Any] | None:
        """Return the outcome of a call that *returned* a value, None if it takes the long way."""
        value = self._encoded(returned)
        if value is _LONG:
            return None
        if value is returned and found is None:
            return passed(value, self._about)
        return passed(returned, None, _Called(self, value, found))

    def _encoded(self, returned: Any) -> Any:
        """Return the value that the predicate of the result passes, `_LONG` if it is not known."""
        result = self._result
        if result is None:
            return _LONG
        cls = type(returned)
        if cls in _PLAIN:
            quick = self._plain_result
            is_short = cls is not list or len(returned) <= self._widest
            if quick is not None and is_short and quick.passes(returned):
                return returned
            if is_plain(returned):
                return returned if result.passes(returned) else _LONG
        if not self._encodes:
            return _LONG
        try:
            value = encode(returned)
        except (HostError, RecursionError, Overfull):
            return _LONG
        return value if result.passes(value) else _LONG


class _Called(Told):
    """What the outcome of a call tells, which is made when it is first asked for.

    #: quick: what the call was made with; value: the encoded result; found: in the arguments
    """

    __slots__ = ("_found", "_quick", "_value")

    def __init__(self, quick: Quick, value: Any, found: Warned) -> None:
        self.has_errors = False
        self._quick = quick
        self._value = value
        self._found = found

    def __getattr__(self, name: str) -> Any:
        # Called only for a part that is not set.
        if name not in _TOLD:
            raise AttributeError(name)
        self.errors, self.warnings = (), self._quick._warnings(self._found)
        self.stage, self.rejected, self.unseen = "output", None, 0
        self.plain = partial(plain, self._value)
        self.subject = self._quick._about.subject(self._value)
        return getattr(self, name)


#: The parts that are made later; nothing is left to settle.
_TOLD = frozenset(Told.__slots__) - {"settle"}

#: The value of a result that takes the long way.
_LONG: Any = object()


def _map_in(sent: object) -> Any:
    """Return the map that *sent*, JSON text, holds, or None if it is anything else."""
    if type(sent) is not str:
        return None
    try:
        data = read_json(sent)
    except BadJson:
        return None
    return data if type(data) is dict else None


def prepare(
    shared: dict[str, Any], method: str, binding: Binding, policy: Policy, function: Any
) -> None:
    """Put the short way of calls by *method* into *shared*, None if all of them are long."""
    if method not in shared:
        awaits = method == "acall" and is_coroutine_function(function)
        shared[method] = quick_of(binding, policy, awaits)


def quick_of(binding: Binding, policy: Policy, awaits: bool) -> Quick | None:
    """Return what calls under *policy* need, or None if all of them take the long way.

    *awaits* is whether the function is a coroutine function.
    """
    host = binding.host
    is_long = policy.on_issue == "skip" or binding.takes_any or host.spellings
    if is_long or names_from_host(binding) or not all(map(_is_named, host.params)):
        return None
    return Quick(binding, policy, awaits)


def _is_named(param: Any) -> bool:
    """Tell whether *param* is given by its name, or left out."""
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return param.kind in by_name and param.fill is None


_SCALARS = frozenset({str, int, bool, type(None), float})
_PLAIN = _SCALARS | {list, dict}
