"""Delegation of unchecked data to pydantic: models, and lists and maps of models.

Where a schema of pydantic is known that accepts only what the check accepts, data is validated by
that, in one pass.  Data that it refuses is checked and decoded as usual, which makes the messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, TypeGuard, assert_never

from typesig.algebra.nodes import List, Type, strip_annotations
from typesig.codegen import Constants, Lines
from typesig.extraction.libraries.pydantic_strict import ValueShape, build_strict_model
from typesig.extraction.libraries.pydantic_validators import (
    NoStrictSchemaError,
    make_data_validator,
)
from typesig.extraction.python_types.decoders import (
    Decode,
    DictFactory,
    ItemsDecoder,
    RecordDecoder,
)
from typesig.json_backends import UNREAD
from typesig.limits import MAX_VALUES
from typesig.sentinels import ABSENT
from typesig.validation.plan.operations import Run
from typesig.validation.plan.read_leaves import ValueReader
from typesig.validation.policy import Policy

#: The most items of a list within a model, and of a map: fewer for longer lists of models, so that
#: lists that stand at many places cannot make more than `MAX_VALUES` values.
_LIMITS = (10_000, 1_000, 200, 50)

#: The shapes within each other: CPython allows 20 nested blocks.
_DEEPEST = 18

#: The models that are validated at once; of a longer list, the first are tried before the others.
_AT_ONCE = 500

#: Models, with the validators that they had.
Classes: TypeAlias = tuple[tuple[Any, Any], ...]

#: The calls before a schema is made, which takes as long as some of them.
_FIRST_CALLS = 4


class DataReader(Protocol):
    """Data of one type, checked and decoded; see `Handed.read`."""

    takes_text: Literal[False]

    def find_plan(self, policy: Policy) -> Any:
        """Return the plan under *policy*, or None."""

    def read(self, data: Any, policy: Policy, is_counted: bool = False) -> Any:
        """Return the object for *data*, or `UNREAD`."""


class _ValidationPlan(NamedTuple):
    """The validation of data of a type by pydantic.

    #: validate: makes the models; settle: adjusts them, and returns whether they equal those of the
    #:     decoders
    #: classes: the models
    """

    validate: Callable[[Any], Any]
    settle: Callable[[Any, Any], bool]
    classes: Classes


class PydanticDelegate:
    """Data of one type that pydantic validates before it is checked.

    #: type, decode: of a model; is_list: whether the data is a list of them
    #: takes_text: whether its text is delegated, too; see `pydantic_texts`
    #: others: reads what is not handed over, or None
    #: cold: reads the first data, before a schema is made, or None
    """

    __slots__ = ("_calls", "_plans", "cold", "decode", "is_list", "others", "type")

    takes_text: Literal[True] = True

    def __init__(
        self,
        t: Type,
        decode: RecordDecoder,
        is_list: bool,
        others: DataReader | None = None,
        cold: DataReader | None = None,
    ) -> None:
        self.others = others
        self.cold = cold
        self.type = t
        self.decode = decode
        self.is_list = is_list
        self._calls = 0
        # By limit; None where no schema is known.
        self._plans: dict[int, tuple[float, _ValidationPlan] | None] = {}

    @property
    def is_used(self) -> bool:
        """Whether data has been read often enough to make a schema."""
        return self._calls >= _FIRST_CALLS

    def is_known(self) -> bool:
        """Whether a schema is known; it is made now, and used from the first data on."""
        self._calls = _FIRST_CALLS
        return self._get_plan(0) is not None

    def read(self, data: Any, policy: Policy, is_counted: bool = False) -> Any:
        """Validate *data* by pydantic; return `UNREAD` if it must be checked first.

        The check would find nothing in it under *policy*.  *is_counted* is whether it has at most
        `MAX_VALUES` values, each where it stands.
        """
        many = self.is_list
        if policy.verbose or not policy.decoding:
            # There may be a warning of a text that is decoded, or an error.
            return UNREAD
        if type(data) is not (list if many else dict):
            return UNREAD
        if not (self.is_used or (many and len(data) >= _AT_ONCE)):
            self._calls += 1
            return UNREAD if self.cold is None else self.cold.read(data, policy, is_counted)
        way = self._get_plan(0 if is_counted else len(data) if many else 1)
        made = UNREAD if way is None else self._validate(data, way)
        if made is UNREAD and self.others is not None:
            return self.others.read(data, policy, is_counted)
        return made

    def _validate(self, data: Any, way: _ValidationPlan) -> Any:
        """Return what pydantic makes of *data*, or `UNREAD` if it refuses that."""
        validate, settle, classes = way
        many = self.is_list
        for cls, validator in classes:
            if cls.__pydantic_validator__ is not validator:
                return UNREAD
        made: list[Any] = []
        try:
            if not many or len(data) <= _AT_ONCE:
                whole = validate(data)
                return whole if settle(data, whole) else UNREAD
            for start in range(0, len(data), _AT_ONCE):
                rows = data[start : start + _AT_ONCE]
                part = validate(rows)
                if not settle(rows, part):
                    return UNREAD
                made += part
        except Exception:
            # Data that does not fit, or whose own methods raise, which the check does not call.
            return UNREAD
        return made

    def _get_plan(self, count: int) -> _ValidationPlan | None:
        """Return the validation of *count* models; None if they must be checked first.

        With 0, there may be any number of them.
        """
        for limit in _LIMITS if count else (MAX_VALUES,):
            if limit not in self._plans:
                # Of two threads that make it at the same time, either result is kept.
                self._plans[limit] = self._make_plan(limit)
            found = self._plans[limit]
            if found is None:
                return None
            places, way = found
            if places * count < MAX_VALUES:
                return way
        return None

    def _make_plan(self, limit: int) -> tuple[float, _ValidationPlan] | None:
        try:
            places, schema, shape, classes = self.build_strict_schema(limit)
            return places, _ValidationPlan(
                make_data_validator(schema), compile_settle(shape), classes
            )
        except NoStrictSchemaError:
            return None

    def build_strict_schema(self, limit: int) -> tuple[float, dict[str, Any], ValueShape, Classes]:
        """Build the strict schema: the most values in a model, schema, shape and models.

        See `build_strict_model`, which raises `NoStrictSchemaError`.
        """
        build = self.decode.build
        assert isinstance(build, DictFactory)
        made, classes = build_strict_model(self.type, build.model, self.decode, limit)
        schema, shape = made.schema, made.shape
        assert shape is not None
        if self.is_list:
            schema = {"type": "list", "items_schema": schema, "strict": True, "fail_fast": True}
            shape = ValueShape("list", shape)
        if shape.depth > _DEEPEST:
            raise NoStrictSchemaError
        return made.places, schema, shape, classes


def find_delegate(
    t: Type, plan: Decode, others: DataReader | None = None, cold: DataReader | None = None
) -> PydanticDelegate | None:
    """Find the delegate for data of *t*; None if *plan* makes no models of it.

    *others* reads what is not handed over, *cold* the first data.
    """
    t, is_list = strip_annotations(t), False
    if isinstance(t, List) and isinstance(plan, ItemsDecoder):
        t, plan, is_list = (
            strip_annotations(t.item),
            plan.item if plan.build is None else None,
            True,
        )
    parts = is_list, others, cold
    return PydanticDelegate(t, plan, *parts) if is_model_decoder(plan) else None


def is_model_decoder(plan: Decode) -> TypeGuard[RecordDecoder]:
    """Whether *plan* makes a pydantic model that pydantic-core may build directly."""
    build = plan.build if isinstance(plan, RecordDecoder) else None
    return isinstance(build, DictFactory) and build.model is not None


def compile_settle(shape: ValueShape) -> Callable[[Any, Any], bool]:
    """Compile the function that settles validated data of *shape*; see `_SettleWriter`.

    It is generated code, whose source depends on the shape only: names and defaults are values.
    """
    writer = _SettleWriter()
    model = shape.inner
    if shape.kind == "list" and model is not None and not _list_model_parts(model):
        writer.write_scan(model)
    writer.write(shape, "x0", "y0")
    writer.lines.add("return True")
    settle: Callable[[Any, Any], bool] = writer.lines.compile_function(
        "def settle(x0, y0):", "settle"
    )
    return settle


def _list_model_parts(model: ValueShape) -> list[tuple[str, str, ValueShape]]:
    """List the parts of the shape *model* that contain models."""
    return [part for part in model.parts if part[2].has_models]


class _SettleWriter:
    """Writes the lines of `settle`, which compares sent data with the models built from it."""

    __slots__ = ("_count", "_key", "lines")

    def __init__(self) -> None:
        self.lines = Lines(Constants({"drop_default": drop_default}))
        self._key = self.lines.constants.bind_key
        self._count = 0

    def write_scan(self, model: ValueShape) -> None:
        """Write lines that return True if no row of a list has an odd *model*, the common case."""
        odd = self._write_odd_test(model, "x", lambda key: f"x[{key}]")
        with self.lines.open_block("try:"):
            with self.lines.open_block("for x in x0:"):
                self.lines.add(f"if {odd}: break")
            with self.lines.open_block("else:"):
                self.lines.add("return True")
        # An undeclared key stands for a field.
        with self.lines.open_block("except KeyError:"):
            pass

    def _write_odd_test(self, model: ValueShape, x: str, given: Callable[[str], str]) -> str:
        """Expression that is true if *x* may have unknown keys, or fields equal to defaults."""
        odd = [f"type({x}) is not dict", f"len({x}) != {model.size}"]
        for each in model.defaults:
            if each.sent is ABSENT:
                return "True"
            value = given(self._key(each.key))
            is_none = each.sent is None
            odd.append(f"{value} is None" if is_none else f"{value} == {self._bind(each.sent)}")
        return " or ".join(odd)

    def write(self, shape: ValueShape, x: str, y: str) -> None:
        """Write the lines for the data *x* of *shape* and the value *y* built from it."""
        match shape.kind:
            case "maybe":
                with self.lines.open_block(f"if {x} is not None:"):
                    self._write_inner(shape, x, y)
            case "list":
                self._write_items(shape, x, y, "list", f"zip({x}, {y})")
            case "map":
                self._write_items(shape, x, y, "dict", f"zip({x}.values(), {y}.values())")
            case "model":
                self._write_model(shape, x, y)
            case _:
                assert_never(shape.kind)

    def _write_inner(self, shape: ValueShape, x: str, y: str) -> None:
        assert shape.inner is not None
        self.write(shape.inner, x, y)

    def _write_items(self, shape: ValueShape, x: str, y: str, kind: str, pairs: str) -> None:
        # The methods of a subclass are not called.
        self.lines.add(f"if type({x}) is not {kind}: return False")
        own, made = self._new_pair()
        with self.lines.open_block(f"for {own}, {made} in {pairs}:"):
            self._write_inner(shape, own, made)

    def _new_pair(self) -> tuple[str, str]:
        self._count += 1
        return f"x{self._count}", f"y{self._count}"

    def _bind(self, value: Any) -> str:
        return self.lines.constants.bind(value)

    def _write_model(self, shape: ValueShape, x: str, y: str) -> None:
        with self.lines.open_block(
            f"if {self._write_odd_test(shape, x, lambda key: f'{x}.get({key})')}:"
        ):
            self._write_defaults(shape, x, y)
        for key, name, part in _list_model_parts(shape):
            own, made = self._new_pair()
            self.lines.add(f"{own} = {x}.get({self._key(key)})")
            self.lines.add(f"{made} = {y}.__dict__[{self._key(name)}]")
            # An absent part is None.
            part = part if part.kind == "maybe" else ValueShape("maybe", part)
            self.write(part, own, made)

    def _write_defaults(self, shape: ValueShape, x: str, y: str) -> None:
        """Write the lines for a model that may have unknown keys, or fields equal to defaults.

        Its fields that are equal to their defaults are made as if they had not been sent, as the
        decoder of a model does.
        """
        self.lines.add(f"given = {y}.__pydantic_fields_set__")
        # All that was sent has to be there.
        self.lines.add(f"if type({x}) is not dict or len({x}) != len(given): return False")
        for each in shape.defaults:
            sent, name = f"{x}.get({self._key(each.key)}, given)", self._key(each.name)
            if each.sent is None:
                self.lines.add(f"if {sent} is None: given.discard({name})")
                continue
            value = self._bind(each.value)
            if each.sent is ABSENT:
                self.lines.add(f"drop_default(given, {y}.__dict__, {name}, {value})")
                continue
            with self.lines.open_block(f"if {sent} == {self._bind(each.sent)}:"):
                self.lines.add(f"drop_default(given, {y}.__dict__, {name}, {value})")


def drop_default(given: set[str], held: dict[str, Any], name: str, default: Any) -> None:
    """Mark the field *name* as not sent if its value in *held* equals *default*."""
    own = held[name]
    if type(own) is type(default) and own == default:
        given.discard(name)
        # The float -0.0 is equal to 0.0; a list is the model's own.
        held[name] = own if type(own) in (list, dict) else default


# --- The operation of models of pydantic within other data ---


class ModelReader(ValueReader):
    """Reads a model, or a list of models, by pydantic, and other data by *other*.

    #: make_other: makes the operation that reads what pydantic does not take
    """

    __slots__ = ("known", "make_other", "policy")

    def __init__(
        self, known: PydanticDelegate, policy: Policy, make_other: Callable[[], ValueReader]
    ) -> None:
        self.known = known
        self.policy = policy
        self.make_other = make_other

    def closure(self) -> Run:
        """Return the function that passes data to pydantic first."""
        read, policy, make_other = self.known.read, self.policy, self.make_other
        others: list[Run] = []

        def run(value: Any) -> Any:
            # The values of the whole data have been counted.
            made = read(value, policy, True)
            if made is not UNREAD:
                return made
            if not others:
                others.append(make_other().closure())
            return others[0](value)

        return run
