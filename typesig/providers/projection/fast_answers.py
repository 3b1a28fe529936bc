"""The fast path of `handle` and `ahandle`: answers of the common form, without injected values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from typesig.calls.protocols import FastCall
from typesig.limits import MAX_CALLS
from typesig.providers.generated.fast_answer_reader import make_fast_reader
from typesig.providers.projection.replies import (
    SHOWN,
    add_call_note,
    build_reply,
    make_reply,
    merge_errors,
)
from typesig.providers.projection.tool_projection import ProjectedTool
from typesig.providers.rows.calls import Reply, WireCall
from typesig.providers.rows.provider import ProviderName
from typesig.providers.vendors.registry import find_vendor
from typesig.validation.issues.words import JSON_SCHEMA
from typesig.validation.outcome.constructors import ValidOutcome
from typesig.validation.outcome.outcome import apply_words


class ProjectionLike(Protocol):
    """The members of a projection that are needed to run calls."""

    @property
    def provider(self) -> ProviderName:
        """The name of the provider in whose format calls are written."""
        ...

    @property
    def tools(self) -> Mapping[str, ProjectedTool]:
        """The projected tools, by the names that models use in calls."""
        ...


class _ReadyTool(NamedTuple):
    """A tool whose calls need nothing from their host."""

    tool: ProjectedTool
    fast: FastCall


class FastAnswers:
    """Answers of one projection that are answered without the generic steps of `CallHandler`.

    *awaits* is whether coroutine functions can be awaited.
    """

    __slots__ = ("_awaits", "_form", "_read", "_ready", "_show", "_tools")

    def __init__(self, projection: ProjectionLike, awaits: bool) -> None:
        self._awaits = awaits
        self._tools = projection.tools
        self._form = form = find_vendor(projection.provider).calls
        self._read = make_fast_reader(form.answers)
        self._show = None if form.takes_texts and form.takes_data else SHOWN[form.takes_texts]
        self._ready: dict[str, _ReadyTool] = {}

    def _read_calls(self, message: object) -> list[WireCall] | None:
        """Read the calls in *message*; return None if it is left to `CallHandler`."""
        calls = self._read(message)
        if calls is None or len(calls) > MAX_CALLS:
            return None
        ready = self._ready
        for call in calls:
            if call.name not in ready and not self._prepare_tool(call.name):
                return None
        return calls

    def _prepare_tool(self, name: str) -> bool:
        """Prepare the tool called *name*; return whether calls of it are fast."""
        one = self._tools.get(name)
        if one is None or one.needs or (one.is_async and not self._awaits):
            return False
        fast = one.called._get_fast_call("acall" if self._awaits else "call", one.mode)
        self._ready[name] = _ReadyTool(one, fast)
        return True

    def answer(self, message: object) -> list[dict[str, Any]] | None:
        """Answer *message*, with functions that are not coroutine functions; None if unusual."""
        calls = self._read_calls(message)
        if calls is None:
            return None
        done: list[Reply] = []
        raised: list[BaseException] = []
        for call in calls:
            one, fast = self._ready[call.name]
            try:
                quick = fast.find()
                made = None
                if quick is not None:
                    made = quick.call(fast.function, fast.receiver, call.arguments, self._show)
                if made is None:
                    made = one.called.call(call.arguments, mode=one.mode)
                done.append(self._make_reply(call, one, made))
            except Exception as error:
                # Kept, so that the other calls run, too.
                raised.append(add_call_note(error, call))
        if raised:
            raise merge_errors(raised)
        return self._form.write(done)

    async def aanswer(self, message: object) -> list[dict[str, Any]] | None:
        """Answer *message*, also with coroutine functions; None if unusual."""
        calls = self._read_calls(message)
        if calls is None:
            return None
        if len(calls) == 1:
            # It needs no task of its own.
            return self._form.write([await self._run(calls[0])])
        import asyncio

        # If this task is cancelled, so are those, and it ends when they have.
        done = await asyncio.gather(*map(self._run, calls), return_exceptions=True)
        replies = [each for each in done if not isinstance(each, BaseException)]
        if len(replies) < len(done):
            raise merge_errors([each for each in done if isinstance(each, BaseException)])
        return self._form.write(replies)

    async def _run(self, call: WireCall) -> Reply:
        """Run *call* and return its reply."""
        one, fast = self._ready[call.name]
        try:
            quick = fast.find()
            made = None
            if quick is not None:
                made = await quick.acall(fast.function, fast.receiver, call.arguments, self._show)
            if made is None:
                made = await one.called.acall(call.arguments, mode=one.mode)
            return self._make_reply(call, one, made)
        except Exception as error:
            add_call_note(error, call)
            raise

    def _make_reply(self, call: WireCall, one: ProjectedTool, made: Any) -> Reply:
        """Make the reply to *call* from *made*: text, data in a tuple, or an outcome."""
        if type(made) is str:
            return build_reply(Reply, (call, made, False, None, False, (), None, (), ""))
        if type(made) is tuple:
            data = made[0]["items"] if one.result.is_list else made[0]
            data = one.result.encode(data)
            return build_reply(Reply, (call, "", False, data, False, (), None, (), ""))
        if type(made) is not ValidOutcome:
            # The words of one that passed are only those of its warnings.
            apply_words(made, JSON_SCHEMA)
        return make_reply(self._form, call, one, made)
