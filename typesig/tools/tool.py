"""A tool: a function with its contract, which can still be called as the plain function."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import AsyncIterable, Callable, Coroutine, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from typesig.algebra.signature import Signature
from typesig.calls.binding import Binding, binding_of, get_host_names
from typesig.calls.functions import (
    ToolError,
    can_read_later,
    check_annotations,
    check_mode,
    check_name,
    check_texts,
    get_attributes,
    get_function_with_code,
    get_plain_function,
    is_coroutine_function,
    write_example_parameters,
    write_mode,
)
from typesig.errors import ExtractionError, TypesigError, format_value
from typesig.extraction.callables.callables import read_callee
from typesig.extraction.callables.options import Options
from typesig.extraction.callables.scopes import get_annotations
from typesig.extraction.callables.warnings import HintWarning, ReadGuard
from typesig.extraction.extract import extract_callee
from typesig.tools.pending_tool import PendingTool

# Modules for calls, listings and explicit signatures are loaded when they are first needed, since
# functions are decorated whenever a program starts.
if TYPE_CHECKING:
    from typing import Unpack

    from typesig.calls.arguments import Given
    from typesig.calls.call import BoundArguments
    from typesig.calls.protocols import FastCall
    from typesig.providers.projection.projection import Projection
    from typesig.providers.registry.provider import OtherName, ProviderName
    from typesig.providers.registry.vendor import ToolOptions
    from typesig.tools.streams.stream import Stream
    from typesig.validation.issues.ledger import Ledger
    from typesig.validation.outcome.outcome import Outcome
    from typesig.validation.policy import ModeName, Policy

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
S = TypeVar("S")
Q = ParamSpec("Q")


class Tool(Generic[P, R_co]):
    """A function that a model can call, and that Python code calls as before.

    #: name, description, title, annotations: what the model and its host are told
    #: details: the other paragraphs of the docstring that the description is from, or None
    #: signature: what the model sees; warnings: what it does not express as the hints do
    #: binding: how a call reaches the function; mode: that of calls without one, or None

    >>> from typesig import tool
    >>> @tool
    ... def double(n: int) -> int:
    ...     "Twice n."
    ...     return 2 * n
    >>> double(4), double.call({"n": "4"}).value
    (8, 8)
    """

    name: str
    description: str | None
    details: str | None
    title: str | None
    annotations: Mapping[str, Any]
    signature: Signature
    warnings: tuple[HintWarning, ...]
    binding: Binding
    mode: ModeName | Policy | None
    if TYPE_CHECKING:
        # Not among the annotations, which name what cannot be changed.
        _function: Any
        _pending: PendingTool
        _call: Callable[..., Any]
        _receiver: Any
        _shared: dict[Any, Any]
        _receives: bool

    def __init__(
        self,
        function: Callable[P, R_co],
        signature: object = None,
        *,
        name: str | None = None,
        description: str | None = None,
        title: str | None = None,
        annotations: Mapping[str, Any] | None = None,
        options: Options = Options(),  # noqa: B008 - a frozen value
        mode: ModeName | Policy | None = None,
    ) -> None:
        callee = read_callee(function)
        plain = get_plain_function(function)
        is_plain = type(plain) is types.FunctionType and sys.version_info < (3, 14)
        if not is_plain:
            with ReadGuard(plain):
                functools.update_wrapper(self, plain, updated=())
                if sys.version_info >= (3, 14):
                    # There update_wrapper hands on the function that makes annotations instead.
                    self.__annotations__ = get_annotations(plain)
        if not (name is None and description is None and title is None):
            check_texts(name=name, description=description, title=title)
        given = get_attributes(plain) if is_plain else {}
        given["_function"] = function
        given["_call"] = plain
        given["_receiver"] = None
        # What tools that are bound to instances share with this one.
        given["_shared"] = {}
        given["_receives"] = callee.receives
        given["name"] = check_name(callee.name if name is None else name, name is None)
        given["title"] = title
        given["annotations"] = check_annotations(annotations)
        given["mode"] = check_mode(mode)
        given["_pending"] = PendingTool(callee, signature, description, options)
        # In one step, since `__setattr__` looks at each of these.
        self.__dict__.update(given)
        if signature is not None or options.strict or not can_read_later(callee):
            self._read()

    def _read(self) -> Tool[P, R_co]:
        """Read the tool's hints, and return the tool.

        They are read when they are first needed, so that decorating is fast.  Raises
        `ExtractionError` for a mistake in the hints that cannot be a warning.
        """
        if "binding" in self.__dict__:
            return self
        pending = self._pending
        callee, signature, options = pending.callee, pending.signature, pending.options
        # An explicit signature gives the types that hints cannot.
        found, host = extract_callee(
            callee, options if signature is None else options._replace(strict=False)
        )
        if signature is None:
            if found.signature is None:
                raise ExtractionError(
                    f"{self.name} has no hints",
                    "annotate its parameters, or give a signature: "
                    f'@tool("({write_example_parameters(callee.params)}) -> :any")',
                )
            seen, warnings = found.signature, found.warnings
        else:
            from typesig.tools.explicit import combine

            seen, host, warnings = combine(signature, found, host, callee, self.name, options)
            if options.strict and warnings:
                raise ExtractionError(f"{self.name}: {warnings[0]}")
        given = pending.description
        # In one step, so that no other thread sees only a part.
        self.__dict__.update(
            description=found.description if given is None else found.mark_deprecated(given),
            details=None if given is not None else found.details,
            signature=seen,
            warnings=warnings,
            binding=binding_of(self.name, seen, host, signature is not None, warnings),
        )
        return self

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Return what the function returns."""
        if self._receiver is not None:
            return self._call(self._receiver, *args, **kwargs)  # type: ignore[no-any-return]
        return self._call(*args, **kwargs)  # type: ignore[no-any-return]

    # Type checkers tell a class method, a method and a static method apart by the first parameter.
    @overload
    def __get__(  # type: ignore[misc]  # mypy takes any class for a tool's first parameter
        self: Callable[Concatenate[type[S], Q], R], instance: S | None, owner: type[S]
    ) -> Tool[Q, R]: ...
    @overload
    def __get__(self, instance: None, owner: type) -> Tool[P, R_co]: ...
    @overload
    def __get__(
        self: Callable[Concatenate[S, Q], R], instance: S, owner: type | None = None
    ) -> Tool[Q, R]: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Tool[P, R_co]: ...
    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Return the tool bound to *instance*, as for a method."""
        if isinstance(self._function, staticmethod) or self._receiver is not None:
            return self
        if isinstance(self._function, classmethod):
            return self.bound(owner if instance is None else type(instance))
        return self if instance is None else self.bound(instance)

    def bound(self, receiver: object) -> Tool[..., R_co]:
        """Copy the tool with *receiver* bound as the first argument of its function."""
        try:
            self._read()  # once, not for each bound tool
        except TypesigError:
            # The function can be called without hints; whatever needs them raises this again.
            pass
        other: Tool[..., R_co] = object.__new__(type(self))
        other.__dict__.update({**self.__dict__, "_receiver": receiver})
        return other

    @property
    def needs(self) -> tuple[str, ...]:
        """The names that the host supplies with `given`: injected and firewalled parameters."""
        return tuple(get_host_names(self.binding))

    @property
    def is_async(self) -> bool:
        """Whether the function is a coroutine function."""
        return is_coroutine_function(self._call)

    def call(
        self,
        arguments: object = None,
        *,
        given: Mapping[str, Any] | None = None,
        mode: ModeName | Policy | None = None,
        ledger: Ledger | None = None,
    ) -> Outcome[R_co]:
        """Call the tool with JSON text or named arguments from a model.

        *given* supplies injected and firewalled parameters by name. *mode* defaults to the mode of
        the tool. *ledger* counts repairs and refusals. Raises `TypesigError` for a coroutine
        function, and if *given* lacks a parameter. An exception raised by the function propagates,
        except `ToolError`, which becomes an error outcome.
        """
        is_usual = not given and ledger is None
        if is_usual:
            quick = self._shared.get("call") if mode is None else self._find_quick("call", mode)
        else:
            quick = None
        if quick is not None and (self._receiver is not None or not self._receives):
            outcome: Outcome[R_co] | None = quick.call(self._call, self._receiver, arguments)
            if outcome is not None:
                return outcome
        if self.is_async:
            raise TypesigError(
                f"{self.name} is a coroutine function: write await {self.name}.acall(…)"
            )
        self._check_receiver()
        from typesig.calls import call, running
        from typesig.calls.generated import fast_path as quickly

        policy = call.get_first_policy(mode, self.mode)
        if is_usual and quick is None:
            quick = quickly.get_fast_path(
                self._shared, "call", mode, self.binding, policy, self._call
            )
            made = None if quick is None else quick.call(self._call, self._receiver, arguments)
            if made is not None:
                return made  # type: ignore[no-any-return]
        bound = call.bind(self.binding, arguments, given, policy, ledger)
        if not isinstance(bound, call.BoundArguments):
            return bound
        try:
            returned = self._run(bound)
        except ToolError as error:
            return call.make_tool_error_outcome(self.binding, error, bound.warnings, policy)
        running.refuse_awaitable(self.name, returned)
        return call.make_result_outcome(self.binding, returned, bound.warnings, policy)

    def _get_fast_call(self, method: str, mode: ModeName | Policy | None) -> FastCall:
        """Return the parts of fast calls by *method* in *mode*."""
        from typesig.calls.protocols import FastCall

        is_bound = self._receiver is not None or not self._receives
        key = method if mode is None else (method, mode)
        return FastCall(self._shared if is_bound else {}, key, self._call, self._receiver)

    @overload
    async def acall(
        self: Tool[Q, Coroutine[Any, Any, S]],
        arguments: object = None,
        *,
        given: Mapping[str, Any] | None = None,
        mode: ModeName | Policy | None = None,
        ledger: Ledger | None = None,
    ) -> Outcome[S]: ...
    @overload
    async def acall(
        self,
        arguments: object = None,
        *,
        given: Mapping[str, Any] | None = None,
        mode: ModeName | Policy | None = None,
        ledger: Ledger | None = None,
    ) -> Outcome[R_co]: ...
    async def acall(
        self,
        arguments: object = None,
        *,
        given: Mapping[str, Any] | None = None,
        mode: ModeName | Policy | None = None,
        ledger: Ledger | None = None,
    ) -> Outcome[Any]:
        """Return the same as `call` for a coroutine function; a plain function runs in a thread.

        A cancelled `acall` of a plain function ends when the function does.
        """
        is_usual = not given and ledger is None
        if is_usual:
            quick = self._shared.get("acall") if mode is None else self._find_quick("acall", mode)
        else:
            quick = None
        if quick is not None and (self._receiver is not None or not self._receives):
            outcome: Outcome[Any] | None = await quick.acall(self._call, self._receiver, arguments)
            if outcome is not None:
                return outcome
        self._check_receiver()
        from typesig.calls import call, running
        from typesig.calls.generated import fast_path as quickly

        policy = call.get_first_policy(mode, self.mode)
        if is_usual and quick is None:
            quick = quickly.get_fast_path(
                self._shared, "acall", mode, self.binding, policy, self._call
            )
            function, receiver = self._call, self._receiver
            outcome = None if quick is None else await quick.acall(function, receiver, arguments)
            if outcome is not None:
                return outcome
        bound = call.bind(self.binding, arguments, given, policy, ledger)
        if not isinstance(bound, call.BoundArguments):
            return bound
        try:
            if self.is_async:
                returned = await self._run(bound)
            else:
                receiver = () if self._receiver is None else (self._receiver,)
                returned = await running.run_plain(
                    self.name, self._call, *receiver, *bound.args, **bound.kwargs
                )
            returned = await running.collect_async_items(self.name, returned)
        except ToolError as error:
            return call.make_tool_error_outcome(self.binding, error, bound.warnings, policy)
        return call.make_result_outcome(self.binding, returned, bound.warnings, policy)

    def stream(
        self,
        chunks: Iterable[str | None] | AsyncIterable[str | None] | None = None,
        mode: ModeName | Policy | None = None,
        *,
        ledger: Ledger | None = None,
    ) -> Stream[dict[str, Any]]:
        """Build the stream that reads a call's arguments from *chunks*; see `Stream`.

        Nothing is called: `close` checks the arguments; pass the `text` of the closed stream to
        `call`. *mode* and *ledger* are as for `call`.
        """
        from typesig.tools.streams.stream import make_argument_stream

        return make_argument_stream(self, chunks, mode, ledger)

    def _find_quick(self, method: str, mode: ModeName | Policy | None) -> Any:
        """Generated fast call of *method*, or None."""
        try:
            return self._shared.get((method, mode))
        except TypeError:
            # No mode; the long way tells so.
            return None

    def _check_receiver(self) -> None:
        """Raise `TypesigError` if the tool is a method without an instance."""
        if self._receives and self._receiver is None:
            # From Python 3.13 on, @classmethod does not bind the tool within it.
            raise TypesigError(
                f"{self.name} is a method and has no instance here; call it on one, as in "
                f"x.{self.__name__}.call(…), or write @tool above @classmethod"
            )

    def _run(self, bound: BoundArguments) -> Any:
        """Call the function with the arguments *bound*, and collect returned iterators."""
        from typesig.calls.running import collect_items

        receiver = () if self._receiver is None else (self._receiver,)
        returned = self._call(*receiver, *bound.args, **bound.kwargs)
        return collect_items(self.name, returned)

    def as_function(self, given: Given | None = None) -> Callable[..., Any]:
        """Return a plain function that calls the tool and supplies injected parameters.

        *given* is a dict with these parameters, or a function that returns one for each call. The
        function checks, repairs and decodes its arguments like `call`, and returns the result of
        the tool's function. It raises `ValidationError` with the feedback for a model, and issues a
        `UserWarning` for dropped undeclared names. Raises `TypesigError` if *given* lacks a
        parameter or has an unknown one.
        """
        from typesig.tools.invoke import make_function

        return make_function(self, given)

    def prompt(self, *, details: bool = False) -> str:
        """Return the tool's entry in the listing for a model; see `Toolset.prompt`."""
        from typesig.listings.entries import make_entry

        more = self.details if details else None
        return make_entry(self.name, self.signature, self.description, more)

    def project(
        self, provider: ProviderName | OtherName, **options: Unpack[ToolOptions]
    ) -> Projection:
        """Project the tool to the form of *provider*; see `Toolset.project`."""
        from typesig.tools import make_single_toolset

        return make_single_toolset(self).project(provider, **options)

    def __getattr__(self, name: str) -> Any:
        # inspect needs these attributes of a function; only instances have them, so that the class
        # itself can be inspected too.
        if name in _READ and "_pending" in self.__dict__:
            return self._read().__dict__[name]
        if name in _OF_FUNCTION and "_call" in self.__dict__:
            if name == "__signature__":
                from typesig.tools.invoke import get_signature

                return get_signature(self)
            return getattr(get_function_with_code(self._call), name)
        raise AttributeError(f"{type(self).__name__} has no attribute {format_value(name)}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_READ})

    def __reduce__(self) -> Any:
        if self._receiver is not None:
            return getattr, (self._receiver, self.__name__)
        return self.__qualname__

    def __repr__(self) -> str:
        return f"<tool {self.name}{self.signature}{write_mode(self.mode)}>"

    def __rich_repr__(self) -> Iterator[Any]:
        from typesig.tools.display import parts_of_tool

        yield from parts_of_tool(self)

    def _repr_html_(self) -> str:
        """Return the HTML of the tool for notebooks."""
        from typesig.tools.display import html_of_tool

        return html_of_tool(self)

    def __setattr__(self, name: str, value: Any) -> None:
        if "_pending" in self.__dict__ and name in type(self).__annotations__:
            raise AttributeError(f"a tool's {name} cannot be changed: make another tool")
        object.__setattr__(self, name, value)


#: The attributes that `Tool._read` sets.
_READ = ("binding", "description", "details", "signature", "warnings")
_OF_FUNCTION = ("__signature__", "__code__", "__defaults__", "__kwdefaults__")
