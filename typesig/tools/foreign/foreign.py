"""Tools that others define by schemas, over a function that calls them.

The schemas are not ours to refuse: what the reader cannot express is widened, and told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from typesig.algebra.constructors import make_enum
from typesig.algebra.definitions import drop_default, drop_record_defaults
from typesig.algebra.loss import Loss, Losses, select_changing
from typesig.algebra.nodes import ANY, Enum, Type
from typesig.algebra.rows.frozen import cache_by_identity
from typesig.algebra.signature import Signature, join_signatures, map_types, with_secrets
from typesig.algebra.traversal import transform
from typesig.calls.binding import Binding, Original
from typesig.errors import TypesigError
from typesig.extraction.callables.warnings import HintWarning
from typesig.extraction.python_types.encoders import LeafEncoder
from typesig.extraction.python_types.host_plan import HostParam, HostPlan
from typesig.limits import MAX_TRIED_PROPERTIES, MAX_WARNING
from typesig.notations.json_schema.parser import from_json_schema
from typesig.notations.json_schema.schema_sets import Root, Types, read_several
from typesig.tools.foreign.foreign_texts import Copies, RawTexts, strip_schema
from typesig.tools.foreign.signatures import allow_alternatives, cut_result, without_exclusion
from typesig.tools.tool import Tool


class ForeignDefinition(NamedTuple):
    """A tool definition of an MCP server, an API document or a provider.

    #: name: a legal name; input, output: the schemas, of which there may be no output
    #: lost: what the schemas do not express of what others define
    #: beside: what others have in the definition, by key, for those who take it as it is
    #: called: what others call it, if that is no legal name
    #: depth: how many levels of objects results are told with, or None for all
    """

    name: str
    input: Any
    output: Any = None
    description: str | None = None
    title: str | None = None
    annotations: Mapping[str, Any] = {}
    lost: Losses = ()
    beside: Mapping[str, Any] = {}
    called: str | None = None
    depth: int | None = None


class KnownSchemas(NamedTuple):
    """Signatures of a tool's schemas that were read together with other tools.

    #: input, output: the signatures of its schemas, None for one that is to be read
    #: copies: those of the definitions that its schemas have, by `id`; see `seen_schema`
    """

    input: Signature | None = None
    output: Signature | None = None
    copies: Copies | None = None


UNKNOWN = KnownSchemas()


def read_together(tools: Sequence[ForeignDefinition]) -> list[KnownSchemas]:
    """Read the schemas of *tools*, which share definitions, once."""
    copies: Copies = {}
    types: Types = {}
    found: list[list[Signature | None]] = []
    for which in ("input", "output"):
        roots: list[Root] = []
        places: list[int] = []
        definitions: dict[str, Any] = {}
        for n, defined in enumerate(tools):
            schema = getattr(defined, which)
            own = schema.get("$defs", {}) if isinstance(schema, dict) else None
            is_shared = own is not None and all(
                definitions.setdefault(name, each) is each for name, each in own.items()
            )
            if not is_shared:
                continue
            try:
                seen = strip_schema(schema, RawTexts(), (), copies)
            except (TypesigError, RecursionError):
                # The tool is refused for it.
                continue
            places.append(n)
            roots.append(Root({k: v for k, v in seen.items() if k != "$defs"}, which == "input"))
        shown = {
            name: copies[id(each)][1] for name, each in definitions.items() if id(each) in copies
        }
        read: list[Signature | None] = [None] * len(tools)
        for n, made in zip(places, read_several(roots, shown, types), strict=True):
            read[n] = made
        found.append(read)
    return [KnownSchemas(given, result, copies) for given, result in zip(*found, strict=True)]


def _strip_annotations(annotations: Mapping[str, Any], raw: RawTexts) -> dict[str, Any]:
    """Return *annotations* with texts of one line, without characters that are not seen."""
    return {
        key: _to_line(raw.strip(value, ("annotations", key))) if isinstance(value, str) else value
        for key, value in annotations.items()
    }


def foreign_tool(
    function: Callable[..., Any],
    defined: ForeignDefinition,
    encode: Callable[[Any], Any] | None = None,
    known: KnownSchemas = UNKNOWN,
) -> Tool[..., Any]:
    """Build the tool that calls *function* with arguments as *defined* describes them.

    *encode* returns the data of what *function* returns.  *known* is what was read before.
    Texts for readers lose characters that are not seen.  Raises `TypesigError` for a name or a
    value with such characters, and for a name that no tool can have.
    """
    raw = RawTexts() if defined.called is None else RawTexts({("name",): defined.called})
    try:
        shared = known.copies
        given = strip_schema(defined.input, raw, ("params",), shared)
        result = None
        if defined.output is not None:
            result = strip_schema(defined.output, raw, ("returns",), shared)
    except RecursionError:
        raise TypesigError("its schemas nest too deep") from None
    description, title = defined.description, defined.title
    if description is not None:
        description = raw.strip(description, ("description",))
    if title is not None:
        title = _to_line(raw.strip(title, ("title",)))
    signature, original = _read_schemas(given, result, defined.beside, raw, known, defined.depth)
    made: Tool[..., Any] = Tool(
        _name_function(function, defined.name, description),
        Signature((), signature.returns, signature.definitions),
        name=defined.name,
        description=description or "",
        title=title,
        annotations=_strip_annotations(defined.annotations, raw),
    )
    written = None if encode is None else LeafEncoder(lambda _: True, encode)
    # Theirs is JSON Schema, whose `number` takes integers as they are.
    host = HostPlan(
        _make_params(signature), encode=written, secrets=signature.secrets, exact=True, foreign=True
    )
    made.__dict__.update(
        signature=signature,
        description=description,
        warnings=tuple(map(_make_warning, (*defined.lost, *original.losses))),
        binding=Binding(defined.name, _make_checked_signature(signature), host, True, original),
    )
    return made


def _to_line(text: str) -> str:
    """Collapse all whitespace in *text* to single blanks."""
    return " ".join(text.split())


def _make_checked_signature(signature: Signature) -> Signature:
    """Return *signature* for checks, without the defaults that the provider fills in.

    Numbers stay as they are written, so a whole float among the values of an enum has two forms.
    """
    arguments = Signature(signature.params, ANY, signature.names, signature.extra)
    taken, _ = allow_alternatives(arguments)
    if taken is not arguments:
        # What is sent is checked by less than what the server sends back.
        answer = Signature((), signature.returns, signature.names)
        both = join_signatures(taken, answer)
        signature = with_secrets(both, signature.secrets)
    made = map_types(signature, _make_checked_type)
    params = tuple(map(drop_default, made.params))
    return Signature(params, made.returns, made.definitions, made.extra, made.io, made.secrets)


@cache_by_identity
def _make_checked_type(t: Type) -> Type:
    """Widen *t* for the check of values, without record defaults; cached."""
    return transform(
        t, lambda part: without_exclusion(_allow_both_forms(drop_record_defaults(part)))
    )


def _allow_both_forms(t: Type) -> Type:
    """Add the integer form of whole floats to *t*, if it is an enum."""
    if not isinstance(t, Enum) or all(each.kind != "float" for each in t.values):
        return t
    floats = [each for each in (each.thaw() for each in t.values) if isinstance(each, float)]
    return make_enum([*t.values, *(int(each) for each in floats if each.is_integer())])


def _name_function(
    function: Callable[..., Any], name: str, description: str | None
) -> Callable[..., Any]:
    """Set the name and docstring of *function*, and return it."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = description
    return function


def _make_params(signature: Signature) -> tuple[HostParam, ...]:
    """Build the host parameters of a function that takes `**arguments`."""
    named = [
        HostParam(field.name, "KEYWORD_ONLY", optional=not field.required)
        for field in signature.params
    ]
    # Without it, undeclared names are dropped with a warning.
    rest = [] if signature.extra is None else [HostParam("", "VAR_KEYWORD", optional=True)]
    return (*named, *rest)


def _read_schemas(
    given: Any,
    result: Any,
    beside: Mapping[str, Any],
    raw: RawTexts,
    known: KnownSchemas,
    depth: int | None,
) -> tuple[Signature, Original]:
    """Join the schemas *given* and *result* to a signature; return the originals too."""
    arguments, lost = _read_arguments(given, known.input)
    answer, also = _read_result(result, known.output)
    if depth is not None:
        answer, cut = cut_result(answer, depth)
        if cut:
            # The schema that others are told is that of what is left.
            result, also = answer.to_json_schema(exact=True), (*also, *cut)
    whole = join_signatures(arguments, answer)
    return whole, Original(given, result, (*lost, *also), beside, raw)


def _read_arguments(given: Any, known: Signature | None) -> tuple[Signature, Losses]:
    """Return the signature of the argument schema, and the losses that change it.

    Raises `TypesigError` if its parameters cannot be kept: a tool without them is called wrongly.
    """
    try:
        read = from_json_schema(given, None, lossy=True) if known is None else known
        lost: Losses = tuple(select_changing(read.losses))
    except TypesigError as error:
        found = _read_by_property(given)
        if found is None:
            raise TypesigError(f"its parameters cannot be kept: {error}") from None
        read, lost = found
    _, more = allow_alternatives(read)
    return read, (*lost, *more)


def _read_result(result: Any, known: Signature | None) -> tuple[Signature, Losses]:
    """Return the signature of the result schema, and the losses that change it."""
    try:
        signature = from_json_schema(None, result, lossy=True) if known is None else known
    except TypesigError as error:
        return from_json_schema(None, None), (make_refusal_loss(("output",), error),)
    return signature, tuple(select_changing(signature.losses))


def _read_by_property(given: Any) -> tuple[Signature, Losses] | None:
    """Read the arguments schema *given*, with refused properties widened.

    Properties that are refused by themselves are widened; it is None if that is not enough.
    """
    properties = given.get("properties") if isinstance(given, dict) else None
    if not isinstance(properties, dict):
        return None
    kept: dict[str, Any] = {}
    lost: list[Loss] = []
    for name, each in properties.items():
        kept[name] = each
        try:
            if len(properties) > MAX_TRIED_PROPERTIES:
                raise TypesigError("it has too many parameters for each to be tried by itself")
            alone = {**given, "properties": {name: each}, "required": []}
            from_json_schema(alone, None, lossy=True)
        except TypesigError as error:
            told = each.get("description") if isinstance(each, dict) else None
            kept[name] = {"description": told} if isinstance(told, str) else True
            lost.append(make_refusal_loss(("input", "properties", name), error))
    found = _read_whole({**given, "properties": kept})
    if found is None:
        # What applies to them together is refused: the names are kept alone.
        words = {"type": "object", "required": given.get("required", [])}
        found = _read_whole({**words, "properties": dict.fromkeys(properties, True)})
        lost = [
            make_refusal_loss(
                ("input",), TypesigError("what its parameters have together is refused")
            )
        ]
    return None if found is None else (found, (*lost, *select_changing(found.losses)))


def _read_whole(given: Any) -> Signature | None:
    """Read the JSON Schema *given* as a signature; None if it is refused."""
    try:
        return from_json_schema(given, None, lossy=True)
    except TypesigError:
        return None


def make_refusal_loss(path: tuple[str, ...], error: TypesigError) -> Loss:
    """Loss for *error*, which refused a part of a schema."""
    return Loss("widened", path, "the schema", str(error), "anything")


def _make_warning(loss: Loss) -> HintWarning:
    """Convert *loss*, an inexpressible part of a schema, into a hint warning."""
    place, why = ".".join(loss.path), f"{loss.what}: {loss.why}"
    return HintWarning(place, "", why[:MAX_WARNING], f"it became {loss.became}", "partial")
