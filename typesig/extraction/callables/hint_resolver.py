"""Resolve the names in hints: the scope of a hint, and hints that are written as text.

The text is parsed, and its syntax tree is walked and looked up name by name; nothing is evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, ForwardRef

from typesig.extraction.callables.generics import BARE, UNIONS
from typesig.extraction.callables.warnings import get_exception_message
from typesig.limits import MAX_HINT_TEXT, MAX_HINTS
from typesig.sentinels import ABSENT

if TYPE_CHECKING:
    import ast

    from typesig.extraction.callables.type_checking_names import BlockAssignment, TypeCheckingNames


class HintResolutionError(Exception):
    """A hint cannot be resolved; the text names the part or gives the reason.

    #: remedy: what to do about it
    """

    remedy = "import it where the function is defined, or give an explicit signature"


class HintReadError(HintResolutionError):
    """Reading an object in a hint raised an exception; the text has its message."""

    remedy = "correct it, or give an explicit signature"


class HintSizeError(HintResolutionError):
    """A hint has more parts than a signature may have."""

    remedy = "write a smaller type, or an explicit signature"


class HintPlaceholder:
    """A placeholder for a part of a hint that cannot be resolved, when the rest can.

    #: text: the part as written; reason: why
    """

    def __init__(self, text: str, reason: HintResolutionError) -> None:
        self.text = text
        self.reason = reason

    def __repr__(self) -> str:
        return self.text

    def __call__(self) -> None:
        """Do nothing; typing accepts callables as types."""


class HintScope:
    """The namespaces in which the names of a hint are looked up, the innermost first.

    #: module: the module of the hint, whose imports for type checkers count too
    #: around: a scope with the same names for type checkers, or None
    #: known: resolved hints by their text, since each is requested several times
    """

    __slots__ = ("_named", "around", "known", "module", "spaces")

    def __init__(
        self, *spaces: Mapping[str, Any], module: Any = None, around: HintScope | None = None
    ) -> None:
        self.spaces = spaces
        self.module = module
        self.around = around
        self.known: dict[str, Any] = {}
        self._named: TypeCheckingNames | None = None

    def for_module(self, module: Any) -> HintScope:
        """Return the scope of *module*, in which this scope's names are valid, too."""
        return HintScope(vars(module), *self.spaces, module=module, around=self)

    @property
    def named(self) -> TypeCheckingNames:
        """The resolver of names imported or assigned under `TYPE_CHECKING`."""
        if self._named is None:
            # Few hints have such names.
            from typesig.extraction.callables.type_checking_names import TypeCheckingNames

            self._named = (
                self.around.named
                if self.around
                else TypeCheckingNames(partial(_resolve_assigned, around=self))
            )
        return self._named

    def look_up(self, name: str) -> Any:
        """Return the object *name* in this scope; raise `HintResolutionError` if none."""
        for space in self.spaces:
            if name in space:
                return space[name]
        import builtins

        found = getattr(builtins, name, ABSENT)
        if found is ABSENT and self.module is not None:
            found = _find_for_checkers(self.module, name, self)
        if found is ABSENT:
            raise HintResolutionError(f"the name {name} is not defined in the scope of the hint")
        return found


def _find_for_checkers(module: Any, name: str, scope: HintScope) -> Any:
    """Look up *name* in the TYPE_CHECKING blocks of *module*; `ABSENT` if not found.

    *scope* is the scope of the hint that has the name.
    """
    # Few hints have such names.
    from typesig.extraction.callables.type_checking_names import (
        BlockAssignment,
        find_checking_name,
    )

    found = find_checking_name(module, name, ABSENT)
    if not isinstance(found, BlockAssignment):
        return found
    try:
        return scope.named.resolve_name(found)
    except (HintReadError, HintSizeError):
        raise
    except (HintResolutionError, NameError, RecursionError):
        return ABSENT


#: The classes of hints that are written as text.
TEXT = (str, ForwardRef)


def resolve_if_text(hint: Any, scope: HintScope) -> Any:
    """Resolve *hint* if it is text; text that cannot be resolved is returned."""
    if isinstance(hint, TEXT):
        try:
            return resolve(hint if isinstance(hint, str) else hint.__forward_arg__, scope)
        except HintResolutionError:
            return hint
    return hint


def resolve(text: str, scope: HintScope) -> Any:
    """Evaluate the hint *text* in *scope*; raise `HintResolutionError` with the reason."""
    # A subclass may compare in a way of its own.
    text = str.__str__(text)
    if text in scope.known:
        return scope.known[text]
    if len(text) > MAX_HINT_TEXT:
        raise HintResolutionError("the text of the hint is too long")
    if text.isascii() and text.isidentifier() and not iskeyword(text):
        # Most hints are names, which need no parser.
        found = _call_reader(scope.look_up, text)
    else:
        parse = _parse_short_hint if len(text) <= _SHORT else _parse_hint
        try:
            found = _evaluate_node(parse(text), scope, hints=True)
        except RecursionError:
            raise HintResolutionError("the text of the hint is nested too deeply") from None
    scope.known[text] = found
    return found


def _parse_hint(text: str) -> ast.expr:
    """Parse the hint *text*; raise `HintResolutionError` if it is not an expression."""
    # Loaded by the first hint that is text, with the parser of Python.
    from typesig.extraction.callables.type_checking_names import parse_syntax

    try:
        tree: ast.expr = parse_syntax(text.strip(), "eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise HintResolutionError("the text is not a hint") from None
    return tree


#: The same short hints, such as `list[str]`, stand in many places; their trees are kept.
_SHORT = 60
_parse_short_hint = lru_cache(maxsize=256)(_parse_hint)


def _evaluate_node(node: ast.expr, scope: HintScope, hints: bool) -> Any:
    """Evaluate *node*; a string is a hint if *hints* is true, else a value."""
    read = _READERS.get(type(node).__name__)
    if read is None:
        raise HintResolutionError(f"a hint cannot contain {type(node).__name__}")
    return _call_reader(read, node, scope, hints)


def _call_reader(read: Callable[..., Any], *arguments: Any) -> Any:
    """Call *read* with *arguments*; raise `HintReadError` if an object of others raises."""
    try:
        return read(*arguments)
    except (HintResolutionError, RecursionError, MemoryError):
        raise
    except Exception as error:
        # A hint names objects of others, such as modules that load their parts when asked.
        raise HintReadError(f"reading it raises {get_exception_message(error)}") from None


def _read_attribute(node: Any, scope: HintScope, hints: bool) -> Any:
    """Evaluate the syntax node of an attribute such as `module.Class` in a text hint."""
    owner = _evaluate_node(node.value, scope, hints)
    found = getattr(owner, node.attr, ABSENT)
    if found is ABSENT and type(owner).__name__ == "module":
        found = _find_for_checkers(owner, node.attr, scope)
    if found is ABSENT:
        raise HintResolutionError(f"there is no {node.attr} in {getattr(owner, '__name__', 'it')}")
    return found


def _read_subscript(node: Any, scope: HintScope, hints: bool) -> Any:
    """Evaluate the syntax node of a subscript such as `list[int]` in a text hint."""
    origin = _evaluate_node(node.value, scope, hints)
    name = getattr(origin, "__name__", None) or getattr(origin, "_name", None) or ""
    parts = node.slice.elts if type(node.slice).__name__ == "Tuple" else [node.slice]
    if name == "Literal":
        arguments = [_evaluate_node(part, scope, hints=False) for part in parts]
    elif name == "Annotated":
        arguments = [_read_part(parts[0], scope)]
        arguments += [_read_part(part, scope, hints=False) for part in parts[1:]]
    else:
        arguments = [_read_part(part, scope) for part in parts]
    _check_size(scope, origin, *arguments)
    whole = type(node.slice).__name__ == "Tuple"
    try:
        return origin[tuple(arguments) if whole else arguments[0]]
    except (TypeError, KeyError, AttributeError, SyntaxError) as error:
        raise HintResolutionError(f"{name or 'it'} takes no such arguments: {error}") from None


def _read_union(node: Any, scope: HintScope, hints: bool) -> Any:
    """Evaluate the syntax node of a union such as `A|B` in a text hint."""
    parts: list[Any] = []
    # `A | B | C` is `(A | B) | C`.
    while type(node).__name__ == "BinOp":
        if type(node.op).__name__ != "BitOr":
            raise HintResolutionError("a hint cannot contain arithmetic")
        parts.append(node.right)
        node = node.left
    from typing import Union

    branches = [_read_part(part, scope) for part in (node, *reversed(parts))]
    _check_size(scope, *branches)
    try:
        return Union[tuple(branches)]  # noqa: UP007 - operands may be text or None
    except (TypeError, SyntaxError) as error:
        # A class may bind a string to the name of a type; typing parses such a string.
        raise HintResolutionError(f"| takes no such arguments: {error}") from None


def _check_size(scope: HintScope, *hints: Any) -> None:
    """Raise `HintSizeError` if *hints* together have more than `MAX_HINTS` parts."""
    inner = [hint for hint in hints if hasattr(hint, "__args__") and not _has_few_parts(hint)]
    if inner and sum([scope.named.count_parts(hint) for hint in inner]) > MAX_HINTS:
        raise HintSizeError(f"it has more than {MAX_HINTS} parts")


def _has_few_parts(hint: Any) -> bool:
    """Whether *hint* is a generic or a union of a few classes, whose parts need no counting."""
    if type(hint) not in _GENERICS or len(hint.__args__) > _FEW_PARTS:
        return False
    return all(isinstance(each, type) for each in hint.__args__)


_GENERICS = frozenset({*BARE, *UNIONS} - {type})
_FEW_PARTS = 8


def _read_part(node: ast.expr, scope: HintScope, hints: bool = True) -> Any:
    """Evaluate the syntax *node* of a part of a hint, or return a `HintPlaceholder`."""
    try:
        return _evaluate_node(node, scope, hints)
    except HintResolutionError as error:
        import ast

        return HintPlaceholder(ast.unparse(node), error)


def _read_negative(node: Any, scope: HintScope, hints: bool) -> Any:
    """Evaluate the syntax node of a negative number in a text hint."""
    value = _evaluate_node(node.operand, scope, hints)
    if type(node.op).__name__ == "USub" and type(value) in (int, float):
        return -value
    raise HintResolutionError("a hint cannot contain arithmetic")


def _list(node: Any, scope: HintScope, hints: bool) -> Any:
    """Evaluate the `ast.List` or `ast.Tuple` *node* as a list of values."""
    return [_evaluate_node(item, scope, hints) for item in node.elts]


def _read_starred(node: Any, scope: HintScope, hints: bool) -> Any:
    """Evaluate the syntax node of a starred hint such as `*Ts` as `Unpack[Ts]`."""
    from typing_extensions import Unpack

    return Unpack[_evaluate_node(node.value, scope, hints)]


#: The packages whose constructors of metadata a hint in text may call.
_PACKAGES_OF_METADATA = ("annotated_types", "typing_extensions", "pydantic", "msgspec", "typesig")


def _call(node: Any, scope: HintScope, hints: bool) -> Any:
    """Evaluate the `ast.Call` *node* of a metadata constructor in a text hint."""
    maker = _evaluate_node(node.func, scope, hints=False)
    home = (getattr(maker, "__module__", "") or "").partition(".")[0]
    if home not in _PACKAGES_OF_METADATA:
        raise HintResolutionError("a hint in text can call only the constructors of known metadata")
    arguments = [_evaluate_node(part, scope, hints=False) for part in node.args]
    named = {k.arg: _evaluate_node(k.value, scope, hints=False) for k in node.keywords if k.arg}
    try:
        return maker(*arguments, **named)
    except (TypeError, ValueError) as error:
        raise HintResolutionError(f"its metadata cannot be constructed: {error}") from None


#: How each kind of syntax node is read; a hint cannot contain the others.
_READERS: dict[str, Callable[[Any, HintScope, bool], Any]] = {
    "Attribute": _read_attribute,
    "BinOp": _read_union,
    "Call": _call,
    "Constant": lambda node, scope, hints: (
        resolve(node.value, scope) if hints and type(node.value) is str else node.value
    ),
    "List": _list,
    "Name": lambda node, scope, hints: scope.look_up(node.id),
    "Starred": _read_starred,
    "Subscript": _read_subscript,
    "Tuple": lambda node, scope, hints: tuple(_list(node, scope, hints)),
    "UnaryOp": _read_negative,
}


def _resolve_assigned(assigned: BlockAssignment, params: dict[str, Any], around: HintScope) -> Any:
    """Evaluate the hint that a TYPE_CHECKING block assigns to a name."""
    home = assigned.home
    return resolve(assigned.text, HintScope(params, vars(home), module=home, around=around))
