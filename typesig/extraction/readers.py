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

from typesig.algebra.constructors import make_maybe, make_refined
from typesig.algebra.nodes import ANY, BOOL, DATETIME, INT, NIL, STRING, Maybe, Refinement, Type
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Const
from typesig.errors import TypesigError
from typesig.extraction.callables.generics import (
    LITERAL,
    UNIONS,
    TextHintName,
    count_arguments,
    get_generic,
    is_alias,
    make_key,
)
from typesig.extraction.callables.hint_resolver import (
    TEXT,
    HintPlaceholder,
    HintResolutionError,
    HintScope,
    resolve,
)
from typesig.extraction.callables.options import Options
from typesig.extraction.callables.warnings import format_hint
from typesig.extraction.hints import (
    choice_hints,
    container_hints,
    metadata,
    record_hints,
    result_hints,
)
from typesig.extraction.hints.common_hints import read_common
from typesig.extraction.hints.context import Findings, HintContext, HostType
from typesig.extraction.hints.fields import iter_fitting_examples
from typesig.extraction.hints.metadata import add_title, with_examples
from typesig.extraction.hints.record_hints import read_recursive, read_recursive_use
from typesig.extraction.libraries import libraries
from typesig.extraction.python_types.leaves import (
    HostLeaf,
    find_leaf,
    get_leaf,
    is_enum,
    make_descendant_decoder,
    make_leaf_decoder,
)
from typesig.limits import MAX_EXAMPLES, MAX_HINT_DEPTH, MAX_HINTS

#: A reader of one kind of hint: takes the context, the hint, its origin and its arguments.
Reader = Callable[[HintContext, Any, Any, tuple[Any, ...]], HostType]
#: A test for one kind of hint: takes the hint and its origin.
_Test = Callable[[Any, Any], bool]


def make_context(
    options: Options, scope: HintScope, owner: Any = None, variables: dict[Any, Any] | None = None
) -> HintContext:
    """Return the initial context for the hints of one callable.

    *owner* is the class that it was defined in; *variables* is what type variables stand for.
    """
    known = () if variables is None else (variables,)
    return HintContext(
        options, Findings(), read_hint, _read_constant, scope, owner, variables=known
    )


def _read_constant(default: Any) -> Const:
    """Convert *default*, the default of a field or parameter, to a constant."""
    # Loaded for the defaults of classes only: it writes values as calls do.
    from typesig.extraction.encoder import make_constant

    return make_constant(default)


def read_hint(context: HintContext, hint: Any) -> HostType:
    """Return the type of *hint*: `:any` with a warning if it has none."""
    common = read_common(context, hint)
    if common is not None:
        return common
    if len(context.aliases) + context.depth > MAX_HINT_DEPTH:
        return context.fall_back(hint, "it nests too deep", "give an explicit signature")
    context.findings.hints += 1
    if context.findings.hints > MAX_HINTS:
        return context.fall_back_at_hint_limit(hint)
    try:
        return _read_one(context, hint)
    except (TypesigError, MemoryError):
        raise
    except Exception as error:
        # A hint is an object of others, and its attributes may be code of theirs.
        return context.fall_back_on_error(hint, error)


def _read_one(context: HintContext, hint: Any) -> HostType:
    """Read *hint* by the reader for its form, without limits on depth and number."""
    if context.options.results and context.output:
        from typesig.extraction.serializer import read_result_data

        data = read_result_data(context.for_inner_hint(), hint)
        if data is not None:
            return data
    if isinstance(hint, type):
        if type(hint) is type and hint in _PLAIN:
            return _PLAIN[hint]
        leaf = get_leaf(hint)
        if leaf is not None:
            t = _get_leaf_type(context, leaf)
            return HostType(t, make_leaf_decoder(leaf, hint), t is NIL)
    inner = context.for_inner_hint()
    origin, arguments = split_generic(hint)
    if origin is not None and origin in _SINGLE_READER:
        return _find_reader(origin)(inner, hint, origin, arguments)
    is_class = type(hint) is type
    if origin is None and not is_class and type(getattr(hint, "__metadata__", ())) is not tuple:
        # An object that has any attribute that it is asked for.
        return context.fall_back_without_form(hint)
    for fits, reader in READERS:
        if fits(hint, origin):
            return reader(inner, hint, origin, arguments)
    return context.fall_back_without_form(hint)


#: Hints that read the same in every profile.
_PLAIN: dict[type, HostType] = {
    str: HostType(STRING),
    int: HostType(INT),
    bool: HostType(BOOL),
    type(None): HostType(NIL, None, True),
}


def split_generic(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Split the generic *hint* into its origin, None if not generic, and its arguments."""
    kind = type(hint)
    if kind is types.GenericAlias and hint.__origin__ in _SINGLE_READER:
        return hint.__origin__, hint.__args__
    if kind in UNIONS:
        return typing.Union, hint.__args__
    if kind is LITERAL:
        return typing.Literal, hint.__args__
    origin = typing.get_origin(hint)
    return origin, typing.get_args(hint) if origin is not None else ()


def _get_leaf_type(context: HintContext, leaf: HostLeaf) -> Type:
    """Return the type of *leaf*, a plain string for some types in profile "ptc_runner"."""
    t = leaf.type
    # There are texts of no format, and no datetimes.
    return STRING if context.ptc_runner and (isinstance(t, Refinement) or t == DATETIME) else t


# names


def _read_text(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    """Resolve and read *hint*, which is text or a forward reference."""
    text = hint if isinstance(hint, str) else hint.__forward_arg__
    try:
        found = resolve(text, context.scope)
    except HintResolutionError as error:
        return _fall_back_unresolved(context, text, error)
    origin = typing.get_origin(found)
    home = getattr(origin, "__module__", "")
    is_generic = home in ("types", "typing", "builtins", "collections", "collections.abc")
    if not (is_generic or isinstance(found, TEXT)):
        # The readers of records, aliases and variables notice when they are read within themselves.
        return context.read(found)
    # `Tree = dict[str, "Tree"]` would never end, and would double with each level.
    return read_recursive(context, text, TextHintName(text, found), lambda inner: inner.read(found))


def _fall_back_unresolved(context: HintContext, text: str, error: HintResolutionError) -> HostType:
    """Return the fallback type for *text*, a hint not resolved because of *error*."""
    if context.documented:
        # Docstrings are written for people.
        from typesig.extraction.docstrings.type_phrases import names_object

        context.findings.formless |= names_object(text)
        return context.fall_back(text, "the docstring's text is not a type", "write a hint")
    return context.fall_back(text, str(error), error.remedy)


def _read_alias(context: HintContext, hint: Any, origin: Any, arguments: Any) -> HostType:
    """Read a `type` alias, recursive or generic, by its value for *arguments*."""
    alias = hint if origin is None else origin
    try:
        value, params = alias.__value__, alias.__type_params__
    except NameError as error:
        return context.fall_back(hint, str(error), "import it where the alias is defined")
    arguments = tuple([context.substitute_variables(argument) for argument in arguments])
    key = make_key(alias, arguments)
    # An alias may stand in its own argument, as in `L[L[int]]`, whose arguments are fewer.
    size = count_arguments(key)
    around = sum([get_generic(a) == alias and count_arguments(a) <= size for a in context.aliases])
    if around and not context.options.recursive:
        return read_recursive_use(context, hint, key)
    if around >= max(1, context.options.max_depth) and key not in context.aliases:
        # `type Nest[T] = T | Nest[list[T]]` has no end.
        reason = "it refers to itself with other arguments each time"
        return context.fall_back(hint, reason, "give an explicit signature")
    variables = dict(zip(params, arguments, strict=False))

    def read(inner: HintContext) -> HostType:
        within = inner._replace(variables=(*inner.variables, variables))
        return _read_in_home(within, alias, value)

    return read_recursive(context, hint, key, read)


def _read_variable(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    """Read the type variable *hint* by its value, default, bound or constraints."""
    for place in reversed(range(len(context.variables))):
        known = context.variables[place]
        if hint in known:
            # Within its own value, the variable is that of the hints around.
            others = {each: value for each, value in known.items() if each is not hint}
            variables = (*context.variables[:place], others)
            return context._replace(variables=variables).read(known[hint])
    bound = hint.__default__ if getattr(hint, "has_default", bool)() else hint.__bound__
    if bound is not None:
        read = partial(_read_in_home, owner=hint, hint=bound)
        return read_recursive(context, hint, hint, read)
    if hint.__constraints__:
        read = partial(choice_hints.read_branches, branches=hint.__constraints__)
        return read_recursive(context, hint, hint, read)
    return context.fall_back(hint, "the type variable has no bound", "bind it, or write Any")


def _read_in_home(context: HintContext, owner: Any, hint: Any) -> HostType:
    """Read *hint* in the scope of the module that defines *owner*."""
    module = sys.modules.get(getattr(owner, "__module__", None) or "")
    if module is None:
        return context.read(hint)
    scope = context.scope.for_module(module)
    return context._replace(scope=scope).read(hint)


# hints that stand around another


_REMEDY = "put it beside the hint that it is meant for"


def _read_annotated(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    """Read an `Annotated` *hint* with the bounds and descriptions in its metadata."""
    # Most hints have no metadata.
    from typesig.extraction import bounds

    notes = metadata.read_metadata(hint.__metadata__)
    libraries.warn_of_unused(context, hint)
    for item in notes.unread:
        remedy = "write its bounds with annotated-types, or an explicit signature"
        why = "is not understood and left out"
        if isinstance(item, HintPlaceholder):
            why = f"is left out: {item.reason}"
        context.warn(hint, f"the metadata {format_hint(item)[:60]} {why}", remedy)
    if context.ptc_runner and (notes.bounds or notes.constraints):
        context.warn(
            hint,
            'profile="ptc_runner" has no bounds, so they are left out',
            "check them in the function",
        )
        notes = notes._replace(bounds=(), constraints=())
    if notes.strict and get_leaf(hint.__origin__) is not None:
        context.add_strict_place()
    notes = notes._replace(text=context.check_text(notes.text))
    found = bounds.read_bounded(context, hint, notes)
    if notes.media is not None:
        found = result_hints.read_media_mark(context, hint, found, notes.media)
    kept: Type = found.type
    for constraint in notes.constraints:
        own = any(constraint is item for item in hint.__metadata__)
        if not own and bounds.has_own_text(context, hint):
            # A library that states it never checks the text that JSON has.
            context.warn(hint, f"{constraint.row.word} does not apply to it", _REMEDY)
        else:
            kept = _add_constraint(context, hint, kept, constraint)
    if notes.examples:
        shown = iter_fitting_examples(context, hint, kept, notes.examples[:MAX_EXAMPLES])
        kept = with_examples(kept, [*shown], len(notes.examples) <= MAX_EXAMPLES)
    return found._replace(type=add_title(kept, notes.title))


def _add_constraint(context: HintContext, hint: Any, t: Type, constraint: Constraint) -> Type:
    """Add *constraint* to *t*, or warn about *hint* if it does not apply to *t*."""
    try:
        if isinstance(t, Maybe):
            return make_maybe(make_refined(t.inner, [constraint]))
        return make_refined(t, [constraint])
    except TypesigError as error:
        context.warn(hint, str(error), _REMEDY)
        return t


def _read_last(context: HintContext, _hint: Any, _origin: Any, arguments: Any) -> HostType:
    """Read the last of *arguments*, such as the result in `Coroutine[Y, S, R]`."""
    return context.read(arguments[-1]) if arguments else HostType(ANY)


def _read_new_type(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    """Read *hint*, a `NewType`, by its supertype."""
    read = partial(_read_in_home, owner=hint, hint=hint.__supertype__)
    return read_recursive(context, hint, hint, read)


# other hints


def _make_constant_reader(found: HostType) -> Reader:
    """Return a reader that always returns *found*."""
    return lambda _context, _hint, _origin, _arguments: found


def _read_self(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    """Read `Self` as the innermost class around *context*."""
    owner, arguments = context.records[-1] if context.records else (context.owner, ())
    if owner is None:
        return context.fall_back(hint, "there is no class here", "name the class")
    return context.read(owner[arguments] if arguments else owner)


def _read_descendant(context: HintContext, hint: Any, _origin: Any, _arguments: Any) -> HostType:
    """Read *hint*, a subclass of a scalar host class, as its base class's type."""
    leaf = find_leaf(hint)
    assert leaf is not None
    return HostType(_get_leaf_type(context, leaf), make_descendant_decoder(leaf, hint))


# the table


def _is_instance(*classes: type) -> _Test:
    """Make a test for hints that are objects of any of *classes*."""
    return lambda hint, _origin: isinstance(hint, classes)


def _is_form(*names: str) -> _Test:
    """Build the test for special forms of typing or typing_extensions in *names*."""

    def is_listed(hint: Any, origin: Any) -> bool:
        form = hint if origin is None else origin
        if getattr(form, "__module__", "") not in ("typing", "typing_extensions"):
            return False
        return (getattr(form, "__name__", None) or getattr(form, "_name", None)) in names

    return is_listed


#: Origins of generic hints that one row reads, whatever their arguments.
_SINGLE_READER = (list, dict, set, frozenset, tuple, typing.Literal, typing.Union, types.UnionType)


@cache
def _find_reader(origin: Any) -> Reader:
    """Return the reader of the generic hints of *origin*, one of `_SINGLE_READER`."""
    return next(reader for fits, reader in READERS if fits(origin, origin))


#: Each kind of hint: its test, given a hint and its origin, and its reader.  The first test that
#: the hint passes decides.
READERS: tuple[tuple[_Test, Reader], ...] = (
    (_is_instance(str, ForwardRef), _read_text),
    (
        _is_instance(HintPlaceholder),
        lambda context, hint, *_: _fall_back_unresolved(context, hint.text, hint.reason),
    ),
    (_is_form("Any"), _make_constant_reader(HostType(ANY))),
    (lambda hint, _: hint is None, _make_constant_reader(HostType(NIL, None, True))),
    (libraries.is_read_by_pydantic, libraries.read_asked),
    (record_hints.is_typed_dict, record_hints.read_typed_dict),
    (lambda hint, _: hasattr(hint, "__metadata__"), _read_annotated),
    (lambda _, origin: origin in (typing.Union, types.UnionType), choice_hints.read_union),
    (_is_form("Literal"), choice_hints.read_literal),
    (_is_form("Required", "NotRequired", "ReadOnly", "Final", "ClassVar"), _read_last),
    (_is_form("Self"), _read_self),
    (
        lambda hint, _: type(hint).__name__ == "InitVar",
        lambda context, hint, *_: context.read(hint.type),
    ),
    (container_hints.is_named("Awaitable", "Coroutine"), _read_last),
    (_is_form("LiteralString"), _make_constant_reader(HostType(STRING))),
    (_is_form("Never", "NoReturn"), _make_constant_reader(HostType(choice_hints.NEVER))),
    (_is_form("TypeGuard", "TypeIs"), _make_constant_reader(HostType(BOOL))),
    (lambda hint, _: hasattr(hint, "__supertype__"), _read_new_type),
    (lambda hint, origin: is_alias(hint if origin is None else origin), _read_alias),
    (lambda hint, _: type(hint).__name__ == "TypeVar", _read_variable),
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
    (result_hints.is_media, result_hints.read_media),
    (lambda hint, _: find_leaf(hint) is not None, _read_descendant),
    (libraries.is_structured, libraries.read_structured),
)
