"""The short way of a call: what needs no reading, coercing, decoding or encoding gets none.

It is taken where a predicate tells that the checks would find nothing, or where the check of the
arguments has only warnings, which are written when they are read; else `call` is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from types import CoroutineType
from typing import Any

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
from typesig.validation.fast.program import predicate, shortcut, shortcut_of_arguments, walk
from typesig.validation.issues import Issue
from typesig.validation.json_text import BadJson, read_json
from typesig.validation.outcome import Outcome, Told, passed
from typesig.validation.plain import plain
from typesig.validation.policy import Policy
from typesig.validation.run import Checker, Found, Run
from typesig.validation.secrets import secrets_of_result, without_secrets
from typesig.validation.subject import About
from typesig.validation.verdicts import settled, walked

#: What the check of arguments found, which is warnings.
Warned = Sequence[Found]

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
        "_name",
        "_names",
        "_nil",
        "_plain_result",
        "_policy",
        "_result",
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
        check: Checker | None = None
        if nested.extras == extras:
            check = walk(signature.arguments, signature.definitions, nested)
        self._check = check or compiled_arguments(signature, nested, extras, False)
        self._names = frozenset(field.name for field in signature.params)
        # The defaults that are the same after the check of them; without others a call is long.
        self._defaults: list[tuple[str, Callable[[], Any] | None]] = []
        for field in signature.params:
            if field.default is not None:
                judge = predicate(field.type, signature.definitions, nested)
                is_same = judge(field.default.thaw()) is True
                self._defaults.append((field.name, field.default.thaw if is_same else None))
        self._decodes = [(p.name, for_many(p.decode)) for p in host.params if p.decode]
        self._nil = [param.name for param in host.params if param.nil]
        self._changes = bool(self._decodes or self._nil or self._defaults)
        wraps = signature.extra in (ANY, None) and "arguments_from_wrapper" in policy.coercions
        self._name = self._binding.name if wraps else None

    def _prepare_result(self) -> None:
        signature, host = self._binding.signature, self._binding.host
        output = outcome_policy(self._binding, self._policy)
        t, definitions = signature.returns, signature.definitions
        secrets = secrets_of_result(host.secrets)
        self._about = About("output", t, definitions, output, secrets=secrets)
        writes = host.encode is not None and not self._binding.explicit
        is_read = writes or host.pair or host.bounds
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

    def _data(self, sent: object) -> dict[str, Any] | None:
        """Return the named arguments in *sent*, or None if it takes the long way."""
        data: Any = {} if sent is None else sent
        if type(data) is str:
            try:
                data = read_json(data)
            except BadJson:
                return None
        if type(data) is not dict:
            return None
        return None if self._name is not None and may_be_wrapped(data, self._name) else data

    def _taken(self, sent: object) -> Taken | None:
        """Return what the function takes by name, or None if *sent* takes the long way."""
        data = self._data(sent)
        if data is None:
            return None
        if self._arguments.passes(data):
            return self._given(data, ()) if self._changes else (data, ())
        run = Run(self._policy.max_issues)
        value = walked(self._check, self._filled(data), run)
        # The long way tells what is wrong.
        return None if run.errors else self._given(value, run.found)

    def _filled(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return *data* with the defaults that the check would fill in, if they are scalars.

        What reads other names, or counts what is filled in, is left to the check.
        """
        absent = [(name, thaw) for name, thaw in self._defaults if name not in data]
        if not absent or not data.keys() <= self._names:
            return data
        filled = dict(data)
        for name, thaw in absent:
            if thaw is None or type(value := thaw()) not in _SCALARS:
                return data
            filled[name] = value
        return filled

    def _given(self, data: dict[str, Any], found: Warned) -> Taken | None:
        """Return the checked *data* as the function takes it, None if a decoder refuses it."""
        out: dict[str, Any] = dict(data)
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
        if not found:
            return ()
        signature, secrets = self._binding.signature, self._binding.host.secrets
        _, warnings = settled(list(found), self._policy, "input")
        return tuple(without_secrets(warnings, signature.arguments, signature.names, secrets))

    def _outcome(self, returned: Any, found: Warned) -> Outcome[Any] | None:
        """Return the outcome of a call that *returned* a value, None if it takes the long way."""
        value = self._encoded(returned)
        if value is _LONG:
            return None
        if value is returned and not found:
            return passed(value, self._about)
        # The value is plain as it is, or was encoded; the texts of warnings are made when read.
        settle = partial(self._settled, found) if found else _nothing
        subject = self._about.subject(value)
        made = partial(plain, value)
        return passed(returned, None, Told(settle, False, "output", None, 0, made, subject))

    def _settled(self, found: Warned) -> tuple[tuple[Issue, ...], tuple[Issue, ...]]:
        return (), self._warnings(found)

    def _encoded(self, returned: Any) -> Any:
        """Return the value that the predicate of the result passes, `_LONG` if it is not known."""
        result = self._result
        if result is None:
            return _LONG
        cls = type(returned)
        if cls in _PLAIN:
            quick = self._plain_result
            if quick is not None and (cls is not list or len(returned) <= self._widest):
                if quick.passes(returned):
                    return returned
            if is_plain(returned):
                return returned if result.passes(returned) else _LONG
        if not self._encodes:
            return _LONG
        try:
            value = encode(returned)
        except (HostError, RecursionError):
            return _LONG
        return value if result.passes(value) else _LONG


#: The value of a result that takes the long way.
_LONG: Any = object()


def _nothing() -> tuple[tuple[Issue, ...], tuple[Issue, ...]]:
    return (), ()


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
