"""A signature: parameters, a result, and the definitions of the named types used.

Its methods are doors into the rooms below (notations, validation): each imports its room when it
is called, the one place where the order of rooms is turned around, so that a signature can be
asked what it can do while the algebra itself depends on nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from typesig.algebra.frozen import NAMES, Frozen, set_part
from typesig.algebra.nodes import ANY, Field, Record, Ref, Type, check_names
from typesig.algebra.traversal import level, references, substitute, with_types
from typesig.errors import TooDeep, TypesigError
from typesig.limits import MAX_CHAIN

if TYPE_CHECKING:
    from typesig.notations.notation import NotationName
    from typesig.validation.outcome import Outcome
    from typesig.validation.policy import Policy


class Definition(Frozen):
    """A name and the type that it stands for."""

    __slots__ = ("name", "type")
    __match_args__ = ("name", "type")
    _DEPTH = 0
    name: str
    type: Type

    def __init__(self, name: str, type: Type) -> None:
        self._fill(name, type)


class Signature(Frozen):
    """What a callable takes and gives.

    Takes fields, the result's type, and the types of the names used (a mapping, or definitions).
    Raises `TypesigError` where a reference is undefined or a name is defined by itself alone.

    #: extra: the type of other named arguments: `ANY` where they are open, None where closed
    #: io: gram's mark for an effect; no part of equality

    >>> from typesig.algebra.nodes import INT, Field
    >>> str(Signature([Field("id", INT)], INT))
    '(id :int) -> :int'
    """

    __slots__ = ("definitions", "extra", "io", "params", "returns")
    __match_args__ = ("params", "returns", "definitions", "extra")
    params: tuple[Field, ...]
    returns: Type
    definitions: tuple[Definition, ...]
    extra: Type | None
    io: bool

    def __init__(
        self,
        params: Iterable[Field],
        returns: Type,
        definitions: Mapping[str, Type] | Iterable[Definition] = (),
        extra: Type | None = ANY,
        io: bool = False,
    ) -> None:
        params = tuple(params)
        check_names(params)
        kept = _ordered(definitions) if definitions else ()
        depth, flags = returns.depth, returns.flags
        for part in (*params, *kept, *(() if extra is None else (extra,))):
            flags |= part.flags
            if part.depth > depth:
                depth = part.depth
        set_part(self, "params", params)
        set_part(self, "returns", returns)
        set_part(self, "definitions", kept)
        set_part(self, "extra", extra)
        set_part(self, "io", io)
        self._seal(depth, flags, hash(("Signature", params, returns._hash, kept, extra)))
        self._check()

    def _check(self) -> None:
        if not self.definitions and not self.flags & NAMES:
            return
        named = self.names
        wholes = [f.type for f in self.params] + [self.returns, *named.values()]
        if self.extra is not None:
            wholes.append(self.extra)
        for whole in wholes:
            # Not by the difference of the two, which would look at every definition each time.
            if free := sorted(name for name in references(whole) if name not in named):
                raise TypesigError(f"the type :{free[0]} is not defined")
        _check_chains(named)

    def __reduce__(self) -> tuple[Any, ...]:
        return Signature, (*self._parts(), self.io)

    @property
    def names(self) -> dict[str, Type]:
        """The definitions by name."""
        return {d.name: d.type for d in self.definitions}

    @property
    def arguments(self) -> Record:
        """The parameters as the record of named arguments that a call sends."""
        return Record(self.params, self.extra)

    def render(
        self, notation: NotationName = "shorthand", lossy: bool = False, **options: Any
    ) -> Any:
        """Return the signature in *notation*; see `typesig.render`."""
        from typesig.notations import render

        return render(self, notation, lossy, **options)

    def __str__(self) -> str:
        """Return the shorthand without descriptions, for people."""
        from typesig.notations.shorthand.writer import signature_text

        return signature_text(self, described=False)

    def to_json_schema(self, exact: bool = False, inline: bool = False) -> dict[str, Any]:
        """Return the JSON Schema of the result, as a model is given it (seeds 002 and 004).

        Objects are closed, a list is wrapped in `items` (`returns_list` tells), `T?` shows `T` and
        is not required; with *exact* it says what validation does.  Named types stand under
        `$defs`, or in their places with *inline*, save those that contain themselves.

        >>> import typesig
        >>> typesig.parse("() -> {sentiment :string}").to_json_schema()["additionalProperties"]
        False
        """
        from typesig.notations.json_schema.exported import result_schema

        return result_schema(self, exact, inline)

    def input_schema(self, exact: bool = False, inline: bool = False) -> dict[str, Any]:
        """Return the JSON Schema of the named arguments, as a model is given it (seed 002).

        *exact* and *inline* are those of `to_json_schema`.

        >>> import typesig
        >>> typesig.parse("(age :int?) -> :any").input_schema()
        {'type': 'object', 'properties': {'age': {'type': 'integer'}}}
        """
        from typesig.notations.json_schema.exported import arguments_schema

        return arguments_schema(self, exact, inline)

    def returns_list(self) -> bool:
        """Tell whether the result is a list, which `to_json_schema` wraps in `items`."""
        from typesig.notations.json_schema.exported import returns_list

        return returns_list(self)

    def accepts(self, value: object) -> bool:
        """Tell whether *value* is a result to the letter: `validate_output` finds no error.

        >>> import typesig
        >>> typesig.parse(":int").accepts("3")
        False
        """
        return self.validate_output(value).ok

    def validate_input(self, value: object, mode: str | Policy = "enabled") -> Outcome[Any]:
        """Return the outcome of checking named arguments, coercing what models often get wrong.

        *mode* is enabled, warn_only, strict, disabled, or a `Policy`.
        """
        from typesig.validation.verdicts import validate_input

        return validate_input(self, value, mode)

    def validate_output(self, value: object, mode: str | Policy = "enabled") -> Outcome[Any]:
        """Return the outcome of checking a result; nothing is coerced."""
        from typesig.validation.verdicts import validate_output

        return validate_output(self, value, mode)

    def validate(self, value: object, mode: str | Policy = "enabled") -> Outcome[Any]:
        """Return the same as `validate_output` (seed 004's name)."""
        return self.validate_output(value, mode)

    def validate_and_coerce(self, value: object, mode: str | Policy = "enabled") -> Outcome[Any]:
        """Return the outcome of checking a result as a model answers it: coerced like input."""
        from typesig.validation.verdicts import validate_and_coerce

        return validate_and_coerce(self, value, mode)


def _ordered(
    definitions: Mapping[str, Type] | Iterable[Definition],
) -> tuple[Definition, ...]:
    items: Iterable[Any] = definitions
    if isinstance(definitions, Mapping):
        named = cast("Mapping[str, Type]", definitions)
        items = [Definition(name, t) for name, t in named.items()]
    return tuple(sorted(items, key=lambda definition: definition.name))


def _check_chains(named: Mapping[str, Type]) -> None:
    """Raise where names lead to names without end, or beyond the limit."""
    # Within one value: lists, maps and records are not entered, nor names followed.
    leads = {
        name: [part.name for part in level(t, {}, negations=True) if isinstance(part, Ref)]
        for name, t in named.items()
    }
    length: dict[str, int] = {}
    for start in named:
        path: list[tuple[str, int]] = [(start, 0)]
        while path:
            name, tried = path.pop()
            if tried < len(leads[name]):
                path.append((name, tried + 1))
                following = leads[name][tried]
                if any(following == known for known, _ in path):
                    raise TypesigError(
                        f"the type :{following} is defined by itself alone; put a list, a map or "
                        "a record in between"
                    )
                if following not in length:
                    path.append((following, 0))
            else:
                length[name] = 1 + max([length[n] for n in leads[name]], default=0)
            if len(path) > MAX_CHAIN or length.get(name, 0) > MAX_CHAIN:
                raise TooDeep(f"a name may lead to a name {MAX_CHAIN} times, :{start} does more")


def lone(t: Type, definitions: Mapping[str, Type] | Iterable[Definition] = ()) -> Signature:
    """Return *t* as a signature without parameters."""
    return Signature((), t, definitions)


def joined(params: Signature, returns: Signature) -> Signature:
    """Return the parameters of one signature with the result of another.

    A name that both define differently is renamed in the result.
    """
    mine, theirs = params.names, returns.names
    clashing = {name for name, t in theirs.items() if mine.get(name, t) != t}
    # What leads to a renamed type is another one too, though it is written alike.
    while more := {
        name
        for name in (mine.keys() & theirs.keys()) - clashing
        if references(theirs[name]) & clashing
    }:
        clashing |= more
    renamed: dict[str, str] = {}
    for name in theirs:
        if name in clashing:
            renamed[name] = fresh_name(name, mine.keys() | theirs.keys() | set(renamed.values()))
    refs: dict[str, Type] = {old: Ref(new) for old, new in renamed.items()}
    for name, t in theirs.items():
        mine[renamed.get(name, name)] = substitute(t, refs)
    result = substitute(returns.returns, refs)
    return Signature(params.params, result, mine, params.extra, returns.io)


def fresh_name(name: str, taken: set[str]) -> str:
    """Return *name* with the first number from 2 that makes it none of *taken*."""
    count = 2
    while f"{name}{count}" in taken:
        count += 1
    return f"{name}{count}"


def mapped(signature: Signature, step: Callable[[Type], Type]) -> Signature:
    """Return *signature* with *step* applied to each whole type in it."""
    params = with_types(signature.params, step)
    returns = step(signature.returns)
    named = [(d, step(d.type)) for d in signature.definitions]
    extra = None if signature.extra is None else step(signature.extra)
    same = extra is signature.extra and returns is signature.returns
    same = same and all(new is old for new, old in zip(params, signature.params, strict=True))
    if same and all(t is d.type for d, t in named):
        return signature
    definitions = [Definition(d.name, t) for d, t in named]
    return Signature(params, returns, definitions, extra, signature.io)
