"""A signature: parameters, a result, and the definitions of its named types.

What its methods ask of other rooms passes `doors`.  Only verdicts of arguments may be left open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from typesig.algebra import signature_methods
from typesig.algebra.definitions import (
    Definition,
    MisfitDefault,
    MisfitDefaultError,
    check_chains,
    drop_defaults,
    drop_field_defaults,
    iter_fields_with_defaults,
    select_innermost,
    sort_definitions,
)
from typesig.algebra.nodes import ANY, Field, Record, Ref, Type
from typesig.algebra.rows.frozen import DEFAULTS, NAMES, Frozen, make_unsealed_factory
from typesig.algebra.rows.names import check_names
from typesig.algebra.traversal import find_names_leading_to, find_references, substitute, with_types
from typesig.errors import TypesigError
from typesig.limits import MAX_SHOWN

if TYPE_CHECKING:
    from typesig.algebra.loss import Losses
    from typesig.algebra.signature_methods import (
        CheckCache,
        Ledger,
        ModeName,
        NotationName,
        Outcome,
        Policy,
    )


class Signature(Frozen):
    """The parameters and the result of a callable: immutable, hashable, equal by structure.

    `parse`, `extract` and other functions return one. Its `str` is shorthand without descriptions.
    The arguments are the fields, the type of the result, and the named types (a mapping or
    definitions). Raises `TypesigError` if a reference is undefined, a name is defined only by
    itself, or a default does not fit its type.

    #: params: the parameters, fields with `name`, `type`, `required` and `default`
    #: returns: the type of the result
    #: definitions: the named types
    #: extra: the type of other named arguments: `ANY` if open, None if closed
    #: io: whether gram marks the callable as having effects; ignored by equality
    #: secrets: the names of fields with secrets, which no message shows; an empty name is the
    #:     result itself; ignored by equality
    #: losses: what was not read of the source; ignored by equality
    #: keeps_ints: whether an int for a `:float` stays as it came, since the source, JSON Schema,
    #:     has one type of numbers; ignored by equality

    >>> from typesig.algebra.nodes import INT, Field
    >>> str(Signature([Field("id", INT)], INT))
    '(id :int) -> :int'
    """

    __slots__ = (
        "_flags", "_judges", "definitions", "extra", "io", "keeps_ints", "losses", "params",
        "returns", "secrets",
    )  # fmt: skip
    __match_args__ = ("params", "returns", "definitions", "extra")
    params: tuple[Field, ...]
    returns: Type
    definitions: tuple[Definition, ...]
    extra: Type | None
    io: bool
    secrets: frozenset[str]
    losses: Losses
    keeps_ints: bool
    # The bits of all parts; see `get_flags`.
    _flags: int
    # What the checks keep of themselves, once there is any; `typesig.validation.verdicts` fills it.
    _judges: CheckCache | None

    def __new__(
        cls,
        params: Iterable[Field],
        returns: Type,
        definitions: Mapping[str, Type] | Iterable[Definition] = (),
        extra: Type | None = ANY,
        io: bool = False,
        secrets: Iterable[str] = (),
        losses: Losses = (),
        keeps_ints: bool = False,
    ) -> Signature:
        """Return the signature with these parts."""
        made = _new_signature()
        params = tuple(params)
        if params:
            check_names(params)
        kept = sort_definitions(definitions) if definitions else ()
        made._flags = returns.flags
        for part in (*params, *kept, *(() if extra is None else (extra,))):
            made._flags |= part.flags
        made.params, made.returns, made.definitions, made.extra = params, returns, kept, extra
        made.io, made.secrets, made.losses = io, frozenset(secrets), losses
        made.keeps_ints = keeps_ints
        made._judges = None
        made._hash = hash(("Signature", params, returns._hash, kept, extra))
        made.__class__ = Signature
        signature: Signature = made
        signature._check()
        return signature

    def _check(self) -> None:
        """Raise `TypesigError` if a type name is undefined or a default does not fit."""
        if self.definitions or self._flags & NAMES:
            named = self.names
            for whole in (*[f.type for f in self.params], *self._get_outermost_types()):
                # A set difference would visit every definition for each type.
                if free := sorted(name for name in find_references(whole) if name not in named):
                    raise TypesigError(f"the type :{free[0]} is not defined")
            check_chains(named)
        if self._flags & DEFAULTS:
            self._check_defaults()

    def _get_outermost_types(self) -> list[Type]:
        """Return the types of the result, definitions and undeclared arguments."""
        wholes = [self.returns, *[d.type for d in self.definitions]]
        return wholes if self.extra is None else [*wholes, self.extra]

    def _check_defaults(self) -> None:
        """Raise `MisfitDefaultError` with all defaults that do not fit their types."""
        unfit = []
        for field, t in iter_fields_with_defaults(self.params, self._get_outermost_types()):
            assert field.default is not None
            if why := signature_methods.find_default_flaw(t, field.default, self.definitions):
                unfit.append(MisfitDefault(field, why))
        if unfit:
            raise MisfitDefaultError(tuple(unfit))

    def __reduce__(self) -> tuple[Any, ...]:
        return Signature, (
            *self._get_parts(), self.io, self.secrets, self.losses, self.keeps_ints,
        )  # fmt: skip

    @property
    def names(self) -> dict[str, Type]:
        """Types of the definitions, by name."""
        return {d.name: d.type for d in self.definitions}

    @property
    def arguments(self) -> Record:
        """The parameters as the record of named arguments that a call sends."""
        return Record(self.params, self.extra)

    def render(
        self, notation: NotationName = "shorthand", lossy: bool = False, **options: Any
    ) -> Any:
        """Return the signature in *notation*; see `typesig.render`."""
        return signature_methods.notations().render(self, notation, lossy, **options)

    def __str__(self) -> str:
        """Return the signature in shorthand, without descriptions."""
        text: str = signature_methods.shorthand().write_signature(self, described=False)
        return text

    def __repr__(self) -> str:
        """Return the signature in shorthand, at most `MAX_SHOWN` characters of it.

        An uncut text reads back equal, except for titles, which shorthand does not have.
        """
        text: str = signature_methods.shorthand().write_signature(self)
        return f"Signature({text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + '…'!r})"

    def __rich_repr__(self) -> Iterator[str]:
        yield signature_methods.markup().write_visible(self)

    def _repr_html_(self) -> str:
        """Write the signature as HTML code for notebooks."""
        html: str = signature_methods.markup().make_element(
            "code", signature_methods.markup().write_visible(self)
        )
        return html

    def to_json_schema(self, exact: bool = False, inline: bool = False) -> dict[str, Any]:
        """Return the JSON Schema of the result for a model, or an *exact* schema.

        Objects are closed, a list is wrapped in `items` (see `returns_list`), and a field `T?` is
        written as an optional `T`; with *exact* the schema accepts exactly what validation does.
        Named types are written under `$defs`; with *inline* only recursive types are.

        >>> import typesig
        >>> typesig.parse("() -> {sentiment :string}").to_json_schema()["additionalProperties"]
        False
        """
        made: dict[str, Any] = signature_methods.schemas().write_result_schema(self, exact, inline)
        return made

    def input_schema(self, exact: bool = False, inline: bool = False) -> dict[str, Any]:
        """Return the JSON Schema of the named arguments for a model, or an *exact* one.

        For *exact* and *inline* see `to_json_schema`.

        >>> import typesig
        >>> typesig.parse("(age :int?) -> :any").input_schema()
        {'type': 'object', 'properties': {'age': {'type': 'integer'}}}
        """
        made: dict[str, Any] = signature_methods.schemas().write_arguments_schema(
            self, exact, inline
        )
        return made

    def schema_losses(self, exact: bool = False) -> Losses:
        """Return the losses of `input_schema` and `to_json_schema`.

        JSON Schema cannot express all constraints, and a schema omits each constraint that a
        firewalled field could decide. Losses do not name firewalled fields.

        >>> import typesig
        >>> sig = typesig.parse("(rows [{id :int, _rank :int}][unique]) -> :nil")
        >>> print(sig.schema_losses()[0])
        params.rows: unique: a firewalled field could decide it; became the type without it
        """
        made: Losses = signature_methods.schemas().find_schema_losses(self, exact)
        return made

    def returns_list(self) -> bool:
        """Whether the result is a list, which `to_json_schema` wraps in `items`."""
        made: bool = signature_methods.schemas().returns_list(self)
        return made

    def accepts(self, value: object) -> bool:
        """Whether *value* conforms to the result's type: `validate_output` finds no error.

        >>> import typesig
        >>> typesig.parse(":int").accepts("3")
        False
        """
        if (judges := self._judges) is not None and judges.accepts is not None:
            try:
                if judges.accepts(value) is True:
                    return True
            except Exception:
                # A part may be an object of others, whose methods may raise anything.
                pass
        answer: bool = signature_methods.verdicts().is_valid_result(self, value)
        return answer

    def validate_input(
        self, value: object, mode: ModeName | Policy = "enabled", *, ledger: Ledger | None = None
    ) -> Outcome[Any]:
        """Check named arguments, and coerce common mistakes of models.

        *mode* is the name of a mode or a `Policy`. *ledger* counts repairs and refusals.
        """
        quick = None if self._judges is None else self._judges.input
        if quick is not None and ledger is None and mode == "enabled":
            outcome = quick(value)
            if outcome is not None:
                return outcome
        checked: Outcome[Any] = signature_methods.verdicts().validate_input(
            self, value, mode, ledger
        )
        return checked

    def validate_output(self, value: object, mode: ModeName | Policy = "enabled") -> Outcome[Any]:
        """Check *value* as a result, without coercion; `validate` is an alias."""
        quick = None if self._judges is None else self._judges.output
        if quick is not None and mode == "enabled":
            return quick(value)
        checked: Outcome[Any] = signature_methods.verdicts().validate_output(self, value, mode)
        return checked

    #: Another name of the same function.
    validate = validate_output

    def validate_and_coerce(
        self, value: object, mode: ModeName | Policy = "enabled", *, ledger: Ledger | None = None
    ) -> Outcome[Any]:
        """Check a model's answer *value* as a result, coerced like an input.

        *ledger* counts repairs and refusals.
        """
        quick = None if self._judges is None else self._judges.answer
        if quick is not None and ledger is None and mode == "enabled":
            return quick(value)
        checked: Outcome[Any] = signature_methods.verdicts().validate_and_coerce(
            self, value, mode, ledger
        )
        return checked


_new_signature = make_unsealed_factory(Signature)


def get_flags(signature: Signature) -> int:
    """Return the bit flags of all types and names in *signature*."""
    return signature._flags


def get_outer_types(signature: Signature) -> list[Type]:
    """Return the types of the parameters, the result and the undeclared arguments."""
    wholes = [field.type for field in signature.params] + [signature.returns]
    return wholes if signature.extra is None else [*wholes, signature.extra]


def make_type_signature(
    t: Type, definitions: Mapping[str, Type] | Iterable[Definition] = ()
) -> Signature:
    """Return *t* as a signature without parameters."""
    return Signature((), t, definitions)


def get_result_signature(signature: Any) -> Signature:
    """Return the result of *signature* as a signature without parameters.

    Raises `TypesigError` if *signature* is not a signature.
    """
    if not isinstance(signature, Signature):
        shown = getattr(signature, "__name__", type(signature).__name__)
        raise TypesigError(f"a contract is made of a signature, not {shown}; write contract(…)")
    if signature.params or signature.extra != ANY or signature.io or signature.secrets:
        return make_type_signature(signature.returns, signature.definitions)
    return signature


def with_secrets(signature: Signature, secrets: frozenset[str]) -> Signature:
    """Copy *signature* with *secrets*, the names of the fields that hold secrets."""
    return _copy_signature(signature, secrets, signature.losses) if secrets else signature


def add_losses(signature: Signature, losses: Losses) -> Signature:
    """Copy *signature* with *losses*, found when the signature was read."""
    return _copy_signature(signature, signature.secrets, losses) if losses else signature


def _copy_signature(signature: Signature, secrets: frozenset[str], losses: Losses) -> Signature:
    """Copy *signature* with other *secrets* (field names) and *losses*."""
    params, returns, definitions = signature.params, signature.returns, signature.definitions
    extra, io, keeps_ints = signature.extra, signature.io, signature.keeps_ints
    return Signature(params, returns, definitions, extra, io, secrets, losses, keeps_ints)


def with_fitting_defaults(
    params: Iterable[Field],
    returns: Type,
    definitions: Mapping[str, Type],
    extra: Type | None = ANY,
) -> tuple[Signature, tuple[MisfitDefault, ...]]:
    """Build a signature without its misfit defaults; also return the misfit defaults."""
    params = tuple(params)
    found: list[MisfitDefault] = []
    while True:
        try:
            return Signature(params, returns, definitions, extra), tuple(found)
        except MisfitDefaultError as error:
            unfit = select_innermost(error.unfit)
            found.extend(unfit)
            fields = {field for field, _ in unfit}
        params = drop_field_defaults(params, fields)
        params = with_types(params, lambda t, fields=fields: drop_defaults(t, fields))  # type: ignore[misc]
        returns = drop_defaults(returns, fields)
        definitions = {name: drop_defaults(t, fields) for name, t in definitions.items()}
        extra = None if extra is None else drop_defaults(extra, fields)


def join_signatures(params: Signature, returns: Signature) -> Signature:
    """Return the parameters of one signature with the result of another.

    A name that both define differently is renamed in the result.
    """
    mine, refs = join_names(params, returns)
    result = substitute(returns.returns, refs)
    secrets = params.secrets | returns.secrets
    losses = params.losses + returns.losses
    keeps_ints = params.keeps_ints or returns.keeps_ints
    return Signature(
        params.params, result, mine, params.extra, returns.io, secrets, losses, keeps_ints
    )


def join_names(one: Signature, other: Signature) -> tuple[dict[str, Type], dict[str, Type]]:
    """Merge the named types of both signatures; also map names of *other* to new references.

    A name that both define differently is another one in *other*.
    """
    mine, theirs = one.names, other.names
    # A type that refers to a renamed type changes too, though it is written alike.
    shared = {name: t for name, t in theirs.items() if name in mine}
    clashing = find_names_leading_to(
        [name for name, t in shared.items() if mine[name] != t], shared
    )
    renamed = make_unique_names(sorted(clashing), {*mine, *theirs})
    refs: dict[str, Type] = {old: Ref(new) for old, new in renamed.items()}
    for name, t in theirs.items():
        mine[renamed.get(name, name)] = substitute(t, refs)
    return mine, refs


def make_unique_name(name: str, taken: set[str]) -> str:
    """Append to *name* the first number from 2 that makes it differ from all of *taken*."""
    count = 2
    while f"{name}{count}" in taken:
        count += 1
    return f"{name}{count}"


def make_unique_names(names: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """Map each of *names* to a name that differs from all of *taken*, and from the others."""
    every, out = set(taken), dict[str, str]()
    for name in names:
        out[name] = make_unique_name(name, every)
        every.add(out[name])
    return out


def map_types(signature: Signature, step: Callable[[Type], Type]) -> Signature:
    """Return *signature* with *step* applied to each of its outermost types."""
    params = with_types(signature.params, step)
    returns = step(signature.returns)
    named = [(d, step(d.type)) for d in signature.definitions]
    extra = None if signature.extra is None else step(signature.extra)
    same = extra is signature.extra and returns is signature.returns
    same = same and all(new is old for new, old in zip(params, signature.params, strict=True))
    if same and all(t is d.type for d, t in named):
        return signature
    definitions = [Definition(d.name, t) for d, t in named]
    io, secrets, keeps_ints = signature.io, signature.secrets, signature.keeps_ints
    return Signature(params, returns, definitions, extra, io, secrets, keeps_ints=keeps_ints)
