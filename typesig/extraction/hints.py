"""Hints to types: one ordered table of readers, most specific first.

To add a kind of hint, write a reader (the reading, the hint to a `Read`) and add its row to
`readers`; a host type that is one scalar is a row of `leaves.LEAVES` instead.
"""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Callable
from functools import cache
from typing import Any, ForwardRef

from typesig.algebra.constraints import Constraint
from typesig.algebra.constructors import enum, maybe, negated, noted, refined, union
from typesig.algebra.nodes import ANY, BOOL, FLOAT, INT, NIL, STRING, Enum, Ref, Type
from typesig.algebra.values import Const, const
from typesig.errors import TypesigError
from typesig.extraction import metadata, plans
from typesig.extraction.leaves import decoder, descendant, is_enum, leaf_above, leaf_of
from typesig.extraction.reading import Read, Reading
from typesig.extraction.resolve import HintScope, Missing, Unresolved, resolve
from typesig.limits import MAX_FLAG_BITS, MAX_HINT_DEPTH

#: What a reader of hints is: the reading, the hint, its origin and arguments.
Reader = Callable[[Reading, Any, Any, tuple[Any, ...]], Read]
_Match = Callable[[Any, Any], bool]

#: What no value is of.
NEVER = negated(ANY)
_BASE64 = refined(STRING, [Constraint("format", "base64")])


def read(reading: Reading, hint: Any) -> Read:
    """Return the type that *hint* stands for, `:any` with a warning where there is none."""
    if len(reading.aliases) + reading.depth > MAX_HINT_DEPTH:
        return reading.fall_back(hint, "it nests too deep", "give an explicit signature")
    reading.depth += 1
    try:
        if isinstance(hint, type):
            if type(hint) is type and hint in _MOST:
                return _MOST[hint]
            leaf = leaf_of(hint)
            if leaf is not None:
                kind = leaf.ptc_runner if reading.ptc_runner else leaf.type
                return Read(kind, decoder(leaf, hint), kind is NIL)
        origin, arguments = origin_of(hint)
        if origin is not None and origin in _ALIKE:
            return _reader_of(origin)(reading, hint, origin, arguments)
        for fits, reader in readers():
            if fits(hint, origin):
                return reader(reading, hint, origin, arguments)
        return _unknown(reading, hint)
    finally:
        reading.depth -= 1


#: What most hints are, whatever the profile.
_MOST: dict[type, Read] = {str: Read(STRING), int: Read(INT), bool: Read(BOOL)}


def origin_of(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return what a generic hint is made of: its origin and its arguments."""
    if type(hint) is types.GenericAlias and hint.__origin__ in _ALIKE:
        return hint.__origin__, hint.__args__
    origin = typing.get_origin(hint)
    return origin, typing.get_args(hint) if origin is not None else ()


def _unknown(reading: Reading, hint: Any) -> Read:
    if isinstance(hint, type):
        remedy = "write a dataclass or a TypedDict, Injected[…] where the host supplies it, "
        remedy += "or an explicit signature"
        return reading.fall_back(hint, "the class has no JSON form of its own", remedy)
    return reading.fall_back(hint, "the hint has no JSON form", "give an explicit signature")


# what stands around a type


def _text(reading: Reading, hint: Any, _origin: Any, _arguments: Any) -> Read:
    text = hint if isinstance(hint, str) else hint.__forward_arg__
    try:
        found = resolve(text, reading.scope)
    except Unresolved as error:
        return _lost(reading, text, str(error))
    origin = typing.get_origin(found)
    home = getattr(origin, "__module__", "")
    if home not in ("types", "typing", "builtins", "collections", "collections.abc"):
        # Records, aliases and variables know of themselves whether they are being read.
        return read(reading, found)
    if any(found == known for known in reading.aliases):
        # `Tree = dict[str, "Tree"]`: without an end, and twice as large with each level.
        remedy = "write type X = … and recursive=True, or give an explicit signature"
        return reading.fall_back(text, "it refers to itself", remedy)
    reading.aliases.append(found)
    try:
        return read(reading, found)
    finally:
        reading.aliases.pop()


def _lost(reading: Reading, text: str, reason: str) -> Read:
    if reading.documented:
        # People write them for people.
        return reading.fall_back(text, "the docstring's words are no type", "write a hint")
    remedy = "import it where the function is defined, or give an explicit signature"
    return reading.fall_back(text, reason, remedy)


def _any(_reading: Reading, _hint: Any, _origin: Any, _arguments: Any) -> Read:
    return Read(ANY)


def _missing(reading: Reading, hint: Any, _origin: Any, _arguments: Any) -> Read:
    return _lost(reading, hint.text, hint.reason)


def _self(reading: Reading, hint: Any, _origin: Any, _arguments: Any) -> Read:
    owner = reading.stack[-1][0] if reading.stack else reading.owner
    if owner is None:
        return reading.fall_back(hint, "there is no class here", "name the class")
    return read(reading, owner)


def _init_var(reading: Reading, hint: Any, _origin: Any, _arguments: Any) -> Read:
    return read(reading, hint.type)


def _descendant(reading: Reading, hint: Any, _origin: Any, _arguments: Any) -> Read:
    """Return the leaf that a class descends from, made of its own class."""
    leaf = leaf_above(hint)
    assert leaf is not None
    kind = leaf.ptc_runner if reading.ptc_runner else leaf.type
    return Read(kind, descendant(leaf, hint))


def _nil(_reading: Reading, _hint: Any, _origin: Any, _arguments: Any) -> Read:
    return Read(NIL, None, True)


def _annotated(reading: Reading, hint: Any, _origin: Any, _arguments: Any) -> Read:
    inner = read(reading, hint.__origin__)
    notes = metadata.read_metadata(hint.__metadata__)
    for item in notes.unread:
        remedy = "write its bounds with annotated-types, or an explicit signature"
        why = "is not understood and left out"
        if isinstance(item, Missing):
            why = f"is left out: {item.reason}"
        reading.warn(hint, f"the metadata {str(item)[:60]} {why}", remedy)
    kept: Type = inner.type
    if reading.ptc_runner and notes.constraints:
        reading.warn(
            hint,
            'profile="ptc_runner" has no bounds, so they are left out',
            "check them in the function",
        )
        notes = notes._replace(constraints=())
    for constraint in notes.constraints:
        kept = _constrained(reading, hint, kept, constraint)
    return Read(noted(kept, notes.text), inner.decode, inner.nil)


def _constrained(reading: Reading, hint: Any, t: Type, constraint: Constraint) -> Type:
    from typesig.algebra.nodes import Maybe

    try:
        if isinstance(t, Maybe):
            return maybe(refined(t.inner, [constraint]))
        return refined(t, [constraint])
    except TypesigError as error:
        reading.warn(hint, str(error), "put it beside the hint that it is meant for")
        return t


def _transparent(reading: Reading, hint: Any, _origin: Any, arguments: Any) -> Read:
    return read(reading, arguments[0]) if arguments else Read(ANY)


def _awaited(reading: Reading, _hint: Any, _origin: Any, arguments: Any) -> Read:
    return read(reading, arguments[-1]) if arguments else Read(ANY)


def _new_type(reading: Reading, hint: Any, _origin: Any, _arguments: Any) -> Read:
    return read(reading, hint.__supertype__)


def _alias(reading: Reading, hint: Any, origin: Any, arguments: Any) -> Read:
    alias = hint if origin is None else origin
    if any(alias is known for known in reading.aliases):
        if not reading.options.recursive or arguments:
            return reading.fall_back(
                hint, "it refers to itself", "write recursive=True to keep it by name"
            )
        reading.recursive.add(alias)
        decoders = reading.decoders
        return Read(Ref(reading.name_of(alias)), lambda value: later(decoders, alias, value))
    if alias in reading.recursive:
        return Read(Ref(reading.name_of(alias)), reading.decoders[alias])
    reading.aliases.append(alias)
    variables = dict(zip(alias.__type_params__, arguments, strict=False))
    reading.variables.append(variables)
    try:
        found = _written(reading, alias, alias.__value__)
    except NameError as error:
        return reading.fall_back(hint, str(error), "import it where the alias is defined")
    finally:
        reading.variables.pop()
        reading.aliases.pop()
    if alias not in reading.recursive:
        return found
    reading.decoders[alias] = found.decode
    reading.definitions[reading.name_of(alias)] = found.type
    return found._replace(type=Ref(reading.name_of(alias)))


def later(decoders: dict[Any, plans.Decode], key: Any, value: Any) -> Any:
    """Return *value* decoded by what is known of *key* by now."""
    decode = decoders[key]
    return value if decode is None else decode(value)


def _variable(reading: Reading, hint: Any, _origin: Any, _arguments: Any) -> Read:
    for known in reversed(reading.variables):
        if hint in known:
            return read(reading, known[hint])
    if getattr(hint, "has_default", bool)():
        return _written(reading, hint, hint.__default__)
    if getattr(hint, "__bound__", None) is not None:
        return _written(reading, hint, hint.__bound__)
    if getattr(hint, "__constraints__", ()):
        return _either(reading, hint, None, hint.__constraints__)
    return reading.fall_back(hint, "the type variable has no bound", "bind it, or write Any")


def _written(reading: Reading, owner: Any, hint: Any) -> Read:
    """Return what *hint* stands for where *owner*, a variable or an alias, was written."""
    module = sys.modules.get(getattr(owner, "__module__", None) or "")
    if module is None:
        return read(reading, hint)
    with reading.inside(HintScope(vars(module), *reading.scope.spaces, module=module)):
        return read(reading, hint)


# choices


def _union(reading: Reading, hint: Any, _origin: Any, arguments: Any) -> Read:
    return _either(reading, hint, None, arguments)


def _either(reading: Reading, hint: Any, _origin: Any, arguments: Any) -> Read:
    reads = [read(reading, argument) for argument in arguments]
    nils = [part for part in reads if part.type is NIL]
    kept = [part for part in reads if part.type not in (NIL, NEVER)]
    if len(kept) == len(nils) == 1 and len(reads) == 2:
        # `T | None`, as most unions are.
        return Read(maybe(kept[0].type), plans.maybe(kept[0].decode), True)
    nil = any(part.nil for part in reads)
    # int | float is a float to the model, and whatever it sent to the function.
    if any(part.type == FLOAT for part in kept) and any(part.type == INT for part in kept):
        reading.exact = True
        kept = [Read(FLOAT) if p.type == FLOAT else p for p in kept if p.type != INT]
    if any(p.type == STRING and p.decode is None for p in kept):
        # Any text could be base64: bytes beside text would take what was meant as text.
        kept = [part for part in kept if part.type != _BASE64]
    if not kept:
        return Read(NIL, None, True)
    whole = union([part.type for part in reads if part.type == NIL] + [part.type for part in kept])
    if len(kept) == 1:
        return Read(whole, plans.maybe(kept[0].decode) if nil else kept[0].decode, nil)
    decode = plans.either(tuple((_fits(reading, part.type), part.decode) for part in kept))
    return Read(whole, plans.maybe(decode) if nil else decode, nil)


def _fits(reading: Reading, t: Type) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        from typesig.algebra.signature import lone

        return lone(t, reading.definitions).accepts(value)

    return fits


def _literal(reading: Reading, hint: Any, _origin: Any, arguments: Any) -> Read:
    members: dict[Const, Any] = {}
    nil = False
    for value in arguments:
        if value is None:
            nil = True
            continue
        try:
            if type(value) is bytes:
                known = const(plans.encode(value))
            else:
                known = plans.enum_constant(value) if is_enum(type(value)) else const(value)
        except TypesigError as error:
            return reading.fall_back(hint, str(error), "write values that JSON has")
        members[known] = value
    if not members:
        return Read(NIL, None, True)
    kind: Type = Enum(tuple(members))
    return Read(maybe(kind) if nil else kind, plans.constants(members), nil)


def _enum(reading: Reading, hint: Any, _origin: Any, _arguments: Any) -> Read:
    if _is_flag(hint):
        return _flag(reading, hint)
    members = {plans.enum_constant(member): member for member in hint}
    if not members:
        return reading.fall_back(hint, "the enum has no members", "give it members")
    return Read(enum(members), plans.constants(members))


def _is_flag(hint: Any) -> bool:
    return any(base.__name__ == "Flag" and base.__module__ == "enum" for base in hint.__mro__)


def _flag(reading: Reading, hint: Any) -> Read:
    """Return the numbers that the members of a flag add up to."""
    bits = [member.value for member in hint]

    def made(value: int) -> Any:
        try:
            return hint(value)
        except ValueError as error:
            raise plans.HostError(str(error).partition("\n")[0]) from None

    if len(bits) > MAX_FLAG_BITS and reading.ptc_runner:
        return Read(INT, made)
    if len(bits) > MAX_FLAG_BITS:
        top = 0
        for bit in bits:
            top |= bit
        return Read(refined(INT, [Constraint("at_least", 0), Constraint("at_most", top)]), made)
    sums = {0}
    for bit in bits:
        sums |= {known | bit for known in sums}
    shown = ", ".join(f"{member.value} {member.name}" for member in hint)
    return Read(noted(enum(sorted(sums)), f"a sum of {shown}"), made)


def _hashable(reading: Reading, hint: Any, _origin: Any, _arguments: Any) -> Read:
    """Return what JSON has that can be hashed; a result may be more, such as a tuple."""
    if reading.output:
        return _unknown(reading, hint)
    found = _either(reading, hint, None, (str, int, float, bool))
    return found._replace(type=union([found.type, NIL]))


def _type(reading: Reading, hint: Any, _origin: Any, arguments: Any) -> Read:
    """Return the names of a class and of what descends from it by now."""
    asked = arguments[0] if arguments else Any
    tops = typing.get_args(asked) or (asked,)
    if any(not isinstance(top, type) or top.__module__ in sys.stdlib_module_names for top in tops):
        # What descends from these differs from process to process.
        return _unknown(reading, hint)
    known: dict[str, Any] = {}
    for top in tops:
        for cls in sorted(_descendants(top), key=lambda cls: (cls is not top, cls.__qualname__)):
            known.setdefault(cls.__name__, cls)
    return Read(enum(known), lambda name: known[name])


def _descendants(cls: Any) -> set[Any]:
    below = type.__subclasses__(cls)
    return {cls}.union(*(_descendants(each) for each in below))


def _instance(*classes: type) -> _Match:
    return lambda hint, _origin: isinstance(hint, classes)


def _of(*names: str) -> _Match:
    """Return the test that a hint is made of a special form, of typing or typing_extensions."""

    def fits(hint: Any, origin: Any) -> bool:
        form = hint if origin is None else origin
        if getattr(form, "__module__", "") not in ("typing", "typing_extensions"):
            return False
        return (getattr(form, "__name__", None) or getattr(form, "_name", None)) in names

    return fits


#: Origins of generic hints that one row reads, whatever their arguments.
_ALIKE = (list, dict, set, frozenset, tuple, typing.Literal, typing.Union, types.UnionType)


@cache
def _reader_of(origin: Any) -> Reader:
    """Return the reader of the generic hints of *origin*, one of `_ALIKE`."""
    return next(reader for fits, reader in readers() if fits(origin, origin))


@cache
def readers() -> tuple[tuple[_Match, Reader], ...]:
    """Return the table of readers, made at the first call: its rows need this module."""
    from typesig.extraction import classes, containers, records

    return (
        (_instance(str, ForwardRef), _text),
        (_instance(Missing), _missing),
        (_of("Any"), _any),
        (lambda hint, _: hint is None, _nil),
        (lambda hint, _: hasattr(hint, "__metadata__"), _annotated),
        (lambda hint, origin: origin in (typing.Union, types.UnionType), _union),
        (_of("Literal"), _literal),
        (_of("Required", "NotRequired", "ReadOnly", "Final", "ClassVar"), _transparent),
        (_of("Self"), _self),
        (lambda hint, _: type(hint).__name__ == "InitVar", _init_var),
        (containers.named("Awaitable", "Coroutine"), _awaited),
        (_of("LiteralString"), lambda *_: Read(STRING)),
        (_of("Never", "NoReturn"), lambda *_: Read(NEVER)),
        (_of("TypeGuard", "TypeIs"), lambda *_: Read(BOOL)),
        (lambda hint, _: hasattr(hint, "__supertype__"), _new_type),
        (_is_alias, _alias),
        (lambda hint, _: type(hint).__name__ == "TypeVar", _variable),
        (lambda hint, _: is_enum(hint), _enum),
        (records.is_typed_dict, records.typed_dict),
        (classes.is_pydantic, classes.pydantic),
        (classes.is_attrs, classes.attrs),
        (classes.is_struct, classes.struct),
        (records.is_dataclass, records.dataclass),
        (records.is_protocol, records.protocol),
        (records.is_named_tuple, records.named_tuple),
        (containers.named("type", "Type"), _type),
        (containers.named("Hashable"), _hashable),
        (containers.named("tuple", "Tuple"), containers.positions),
        (containers.named("Counter"), containers.counter),
        (containers.named("defaultdict"), containers.default_dict),
        (containers.named(*containers.LISTS), containers.sequence),
        (containers.named(*containers.SETS), containers.unique),
        (containers.named(*containers.MAPS), containers.mapping),
        (containers.named("ItemsView"), containers.items_view),
        (lambda hint, _: leaf_above(hint) is not None, _descendant),
    )


def _is_alias(hint: Any, origin: Any) -> bool:
    return type(hint if origin is None else origin).__name__ == "TypeAliasType"
