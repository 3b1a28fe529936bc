"""Hints to types: one ordered table of readers, most specific first.

To add a kind of hint, write a reader and add its row to `READERS`; a host type that becomes
one scalar is a row of `leaves.LEAVES` instead.
"""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Callable
from functools import cache, partial
from typing import Any, ForwardRef

from typesig.algebra.constructors import maybe, refined
from typesig.algebra.nodes import ANY, BOOL, DATETIME, INT, NIL, STRING, Maybe, Refined, Type
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Const
from typesig.errors import TypesigError
from typesig.extraction.callables.aliases import TextName, generic_of, is_alias, key_of, size_of
from typesig.extraction.callables.generics import LITERAL, UNIONS
from typesig.extraction.callables.options import Options
from typesig.extraction.callables.resolve import HintScope, Missing, Unresolved, resolve
from typesig.extraction.callables.warnings import hint_text
from typesig.extraction.hints import (
    choice_hints,
    container_hints,
    media_hints,
    metadata,
    record_hints,
)
from typesig.extraction.hints.common_hints import common_in
from typesig.extraction.hints.context import Findings, HintContext, HostType
from typesig.extraction.hints.fields import TEXT, fitting_examples
from typesig.extraction.hints.notes import titled, with_examples
from typesig.extraction.hints.recursion import closed, within_itself
from typesig.extraction.hosts.enums import is_enum
from typesig.extraction.hosts.host_leaves import (
    Leaf,
    decoder_of_descendant,
    decoder_of_leaf,
    leaf_above,
    leaf_of,
)
from typesig.extraction.libraries import libraries
from typesig.limits import MAX_EXAMPLES, MAX_HINT_DEPTH, MAX_HINTS

#: A reader of one kind of hint: takes the context, the hint, its origin and its arguments.
Reader = Callable[[HintContext, Any, Any, tuple[Any, ...]], HostType]
#: A test for one kind of hint: takes the hint and its origin.
_Test = Callable[[Any, Any], bool]


def context_of(
    options: Options, scope: HintScope, owner: Any = None, variables: dict[Any, Any] | None = None
) -> HintContext:
    """Return the context in which reading the hints of one callable begins.

    *owner* is the class that it was defined in; *variables* is what type variables stand for.
    """
    known = () if variables is None else (variables,)
    return HintContext(options, Findings(), read_hint, _constant, scope, owner, variables=known)


def _constant(default: Any) -> Const:
    # Loaded for the defaults of classes only: it writes values as calls do.
    from typesig.extraction.defaults import constant_of

    return constant_of(default)


def read_hint(context: HintContext, hint: Any) -> HostType:
    """Return the type that *hint* stands for: `:any` with a warning if it has none."""
    common = common_in(context, hint)
    if common is not None:
        return common
    if len(context.aliases) + context.depth > MAX_HINT_DEPTH:
        return context.fall_back(hint, "it nests too deep", "give an explicit signature")
    context.findings.hints += 1
    if context.findings.hints > MAX_HINTS:
        return context.too_many(hint)
    try:
        return _read_one(context, hint)
    except (TypesigError, MemoryError):
        raise
    except Exception as error:
        # A hint is an object of others, and its attributes may be code of theirs.
        return context.raises(hint, error)


def _read_one(context: HintContext, hint: Any) -> HostType:
    if context.options.results and context.output:
        from typesig.extraction.result_data import read_result_data

        data = read_result_data(context.deeper(), hint)
        if data is not None:
            return data
    if isinstance(hint, type):
        if type(hint) is type and hint in _PLAIN:
            return _PLAIN[hint]
        leaf = leaf_of(hint)
        if leaf is not None:
            t = _type_of_leaf(context, leaf)
            return HostType(t, decoder_of_leaf(leaf, hint), t is NIL)
    inner = context.deeper()
    origin, arguments = origin_of(hint)
    if origin is not None and origin in _SINGLE_READER:
        return _reader_of(origin)(inner, hint, origin, arguments)
    is_class = type(hint) is type
    if origin is None and not is_class and type(getattr(hint, "__metadata__", ())) is not tuple:
        # An object that has any attribute that it is asked for.
        return context.no_form(hint)
    for fits, reader in READERS:
        if fits(hint, origin):
            return reader(inner, hint, origin, arguments)
    return context.no_form(hint)


#: Hints that read the same in every profile.
_PLAIN: dict[type, HostType] = {
    str: HostType(STRING),
    int: HostType(INT),
    bool: HostType(BOOL),
    type(None): HostType(NIL, None, True),
}


def origin_of(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the origin and the arguments of a generic hint."""
    kind = type(hint)
    if kind is types.GenericAlias and hint.__origin__ in _SINGLE_READER:
        return hint.__origin__, hint.__args__
    if kind in UNIONS:
        return typing.Union, hint.__args__
    if kind is LITERAL:
        return typing.Literal, hint.__args__
    origin = typing.get_origin(hint)
    return origin, typing.get_args(hint) if origin is not None else ()


def _type_of_leaf(context: HintContext, leaf: Leaf) -> Type:
    t = leaf.type
    # There are texts of no format, and no datetimes.
    return STRING if context.ptc_runner and (isinstance(t, Refined) or t == DATETIME) else t


# names


def _text(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    text = hint if isinstance(hint, str) else hint.__forward_arg__
    try:
        found = resolve(text, context.scope)
    except Unresolved as error:
        return _unresolved(context, text, error)
    origin = typing.get_origin(found)
    home = getattr(origin, "__module__", "")
    is_generic = home in ("types", "typing", "builtins", "collections", "collections.abc")
    if not (is_generic or isinstance(found, TEXT)):
        # The readers of records, aliases and variables notice when they are read within themselves.
        return context.read(found)
    # `Tree = dict[str, "Tree"]` would never end, and would double with each level.
    return closed(context, text, TextName(text, found), lambda inner: inner.read(found))


def _unresolved(context: HintContext, text: str, error: Unresolved) -> HostType:
    if context.documented:
        # Docstrings are written for people.
        from typesig.extraction.docstrings.documented import names_object

        context.findings.formless |= names_object(text)
        return context.fall_back(text, "the docstring's text is not a type", "write a hint")
    return context.fall_back(text, str(error), error.remedy)


def _missing(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    return _unresolved(context, hint.text, hint.reason)


def _alias(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
    alias = hint if origin is None else origin
    try:
        value, params = alias.__value__, alias.__type_params__
    except NameError as error:
        return context.fall_back(hint, str(error), "import it where the alias is defined")
    arguments = tuple([context.bound(argument) for argument in arguments])
    key = key_of(alias, arguments)
    # An alias may stand in its own argument, as in `L[L[int]]`, whose arguments are fewer.
    size = size_of(key)
    around = sum([generic_of(a) == alias and size_of(a) <= size for a in context.aliases])
    if around and not context.options.recursive:
        return within_itself(context, hint, key)
    if around >= max(1, context.options.max_depth) and key not in context.aliases:
        # `type Nest[T] = T | Nest[list[T]]` has no end.
        reason = "it refers to itself with other arguments each time"
        return context.fall_back(hint, reason, "give an explicit signature")
    variables = dict(zip(params, arguments, strict=False))

    def read(inner: HintContext) -> HostType:
        within = inner._replace(variables=(*inner.variables, variables))
        return _read_where_written(within, alias, value)

    return closed(context, hint, key, read)


def _is_alias(hint: Any, origin: Any) -> bool:
    return is_alias(hint if origin is None else origin)


def _variable(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    for place in reversed(range(len(context.variables))):
        known = context.variables[place]
        if hint in known:
            # Within its own value, the variable is that of the hints around.
            others = {each: value for each, value in known.items() if each is not hint}
            variables = (*context.variables[:place], others)
            return context._replace(variables=variables).read(known[hint])
    bound = hint.__default__ if getattr(hint, "has_default", bool)() else hint.__bound__
    if bound is not None:
        read = partial(_read_where_written, owner=hint, hint=bound)
        return closed(context, hint, hint, read)
    if hint.__constraints__:
        read = partial(choice_hints.union_of, branches=hint.__constraints__)
        return closed(context, hint, hint, read)
    return context.fall_back(hint, "the type variable has no bound", "bind it, or write Any")


def _read_where_written(context: HintContext, owner: Any, hint: Any) -> HostType:
    """Return what *hint* stands for in the module that defines *owner*, a variable or an alias."""
    module = sys.modules.get(getattr(owner, "__module__", None) or "")
    if module is None:
        return context.read(hint)
    scope = context.scope.within(module)
    return context._replace(scope=scope).read(hint)


# hints that stand around another


_REMEDY = "put it beside the hint that it is meant for"


def _annotated(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    # Most hints have no metadata.
    from typesig.extraction import bounding

    notes = metadata.read_metadata(hint.__metadata__)
    libraries.warn_of_unused(context, hint)
    for item in notes.unread:
        remedy = "write its bounds with annotated-types, or an explicit signature"
        why = "is not understood and left out"
        if isinstance(item, Missing):
            why = f"is left out: {item.reason}"
        context.warn(hint, f"the metadata {hint_text(item)[:60]} {why}", remedy)
    if context.ptc_runner and (notes.bounds or notes.constraints):
        context.warn(
            hint,
            'profile="ptc_runner" has no bounds, so they are left out',
            "check them in the function",
        )
        notes = notes._replace(bounds=(), constraints=())
    if notes.strict and leaf_of(hint.__origin__) is not None:
        context.add_strict_place()
    notes = notes._replace(text=context.text(notes.text))
    found = bounding.read_bounded(context, hint, notes)
    if notes.media is not None:
        found = media_hints.read_marked(context, hint, found, notes.media)
    kept: Type = found.type
    for constraint in notes.constraints:
        own = any(constraint is item for item in hint.__metadata__)
        if not own and bounding.has_own_text(context, hint):
            # A library that states it never checks the text that JSON has.
            context.warn(hint, f"{constraint.row.word} does not apply to it", _REMEDY)
        else:
            kept = _constrained(context, hint, kept, constraint)
    if notes.examples:
        shown = fitting_examples(context, hint, kept, notes.examples[:MAX_EXAMPLES])
        kept = with_examples(kept, [*shown], len(notes.examples) <= MAX_EXAMPLES)
    return found._replace(type=titled(kept, notes.title))


def _constrained(context: HintContext, hint: Any, t: Type, constraint: Constraint) -> Type:
    try:
        if isinstance(t, Maybe):
            return maybe(refined(t.inner, [constraint]))
        return refined(t, [constraint])
    except TypesigError as error:
        context.warn(hint, str(error), _REMEDY)
        return t


def _last(context: HintContext, _hint: Any, _origin: Any, arguments: Any) -> HostType:
    """Return the type of the last argument: the only one, or what a coroutine returns."""
    return context.read(arguments[-1]) if arguments else HostType(ANY)


def _new_type(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    read = partial(_read_where_written, owner=hint, hint=hint.__supertype__)
    return closed(context, hint, hint, read)


def _init_var(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    return context.read(hint.type)


# other hints


def _constant_reader(found: HostType) -> Reader:
    """Return the reader of hints that all become *found*."""
    return lambda _context, _hint, _origin, _arguments: found


def _self(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    owner, arguments = context.records[-1] if context.records else (context.owner, ())
    if owner is None:
        return context.fall_back(hint, "there is no class here", "name the class")
    return context.read(owner[arguments] if arguments else owner)


def _descendant(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    """Return the type of the leaf that the class *hint* descends from, decoded to that class."""
    leaf = leaf_above(hint)
    assert leaf is not None
    return HostType(_type_of_leaf(context, leaf), decoder_of_descendant(leaf, hint))


# the table


def _is_instance(*classes: type) -> _Test:
    return lambda hint, _origin: isinstance(hint, classes)


def _is_form(*names: str) -> _Test:
    """Return the test for a special form of typing or typing_extensions that has one of *names*."""

    def fits(hint: Any, origin: Any) -> bool:
        form = hint if origin is None else origin
        if getattr(form, "__module__", "") not in ("typing", "typing_extensions"):
            return False
        return (getattr(form, "__name__", None) or getattr(form, "_name", None)) in names

    return fits


#: Origins of generic hints that one row reads, whatever their arguments.
_SINGLE_READER = (list, dict, set, frozenset, tuple, typing.Literal, typing.Union, types.UnionType)


@cache
def _reader_of(origin: Any) -> Reader:
    """Return the reader of the generic hints of *origin*, which is in `_SINGLE_READER`."""
    return next(reader for fits, reader in READERS if fits(origin, origin))


#: Each kind of hint: its test, given a hint and its origin, and its reader.  The first test that
#: the hint passes decides.
READERS: tuple[tuple[_Test, Reader], ...] = (
    (_is_instance(str, ForwardRef), _text),
    (_is_instance(Missing), _missing),
    (_is_form("Any"), _constant_reader(HostType(ANY))),
    (lambda hint, _: hint is None, _constant_reader(HostType(NIL, None, True))),
    (libraries.is_asked, libraries.read_asked),
    (record_hints.is_typed_dict, record_hints.read_typed_dict),
    (lambda hint, _: hasattr(hint, "__metadata__"), _annotated),
    (lambda _, origin: origin in (typing.Union, types.UnionType), choice_hints.read_union),
    (_is_form("Literal"), choice_hints.read_literal),
    (_is_form("Required", "NotRequired", "ReadOnly", "Final", "ClassVar"), _last),
    (_is_form("Self"), _self),
    (lambda hint, _: type(hint).__name__ == "InitVar", _init_var),
    (container_hints.is_named("Awaitable", "Coroutine"), _last),
    (_is_form("LiteralString"), _constant_reader(HostType(STRING))),
    (_is_form("Never", "NoReturn"), _constant_reader(HostType(choice_hints.NEVER))),
    (_is_form("TypeGuard", "TypeIs"), _constant_reader(HostType(BOOL))),
    (lambda hint, _: hasattr(hint, "__supertype__"), _new_type),
    (_is_alias, _alias),
    (lambda hint, _: type(hint).__name__ == "TypeVar", _variable),
    (lambda hint, _: is_enum(hint), choice_hints.read_enum),
    (libraries.is_pydantic, libraries.read_pydantic),
    (libraries.is_attrs, libraries.read_attrs),
    (libraries.is_struct, libraries.read_struct),
    (record_hints.is_dataclass, record_hints.read_dataclass),
    (record_hints.is_protocol, record_hints.read_protocol),
    (container_hints.is_list_protocol, container_hints.read_list),
    (record_hints.is_named_tuple, record_hints.read_named_tuple),
    (container_hints.is_array, container_hints.read_array),
    (container_hints.is_named("type", "Type"), choice_hints.read_type),
    (container_hints.is_named("Hashable"), choice_hints.read_hashable),
    (container_hints.is_named("tuple", "Tuple"), container_hints.read_tuple),
    (container_hints.is_named("Counter"), container_hints.read_counter),
    (container_hints.is_named("defaultdict"), container_hints.read_default_dict),
    (container_hints.is_named(*container_hints.LISTS), container_hints.read_list),
    (container_hints.is_named(*container_hints.SETS), container_hints.read_set),
    (container_hints.is_named(*container_hints.MAPS), container_hints.read_map),
    (container_hints.is_named("ItemsView"), container_hints.read_items_view),
    (media_hints.is_media, media_hints.read_media),
    (lambda hint, _: leaf_above(hint) is not None, _descendant),
    (libraries.is_structured, libraries.read_structured),
)
