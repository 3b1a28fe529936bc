"""Plans for reading data: operations that check and decode, made from a type and its decoder.

For a value in which the check finds nothing, an operation returns the same as the check and the
decoder.  A part of a type without an operation of its own is left to the checker and the decoder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import strip_annotations
from typesig.algebra.definitions import Definition
from typesig.algebra.rows.frozen import NAMES
from typesig.algebra.rows.values import Const
from typesig.extraction.onepass.object_makers import (
    is_pure,
    is_pure_function,
    is_usual_record,
    make_first_choice,
    make_object_maker,
    make_record_choice,
    match_branches,
)
from typesig.extraction.onepass.pydantic_delegate import (
    ModelReader,
    PydanticDelegate,
    is_model_decoder,
)
from typesig.extraction.python_types.decoders import (
    FLOATS,
    Decode,
    ItemsDecoder,
    LazyDecoder,
    LeafDecoder,
    MapDecoder,
    MembersDecoder,
    NullableDecoder,
    RecordDecoder,
    TupleDecoder,
)
from typesig.extraction.python_types.plan_decoder import CheckedDecoder, decode_by_plan
from typesig.extraction.python_types.text_readers import (
    find_parser,
    find_text_test,
    is_decimal,
    is_moment_decoder,
    make_moment_parser,
    make_plain_moment_parser,
)
from typesig.limits import MAX_FILLED, MAX_GENERATED, MAX_VALUES
from typesig.validation.check.check import Compiler, get_compiler
from typesig.validation.check.scalar_checks import find_format_conversions
from typesig.validation.check.value_classes import (
    CONSTANT_CLASSES,
    ItemsTest,
    find_classes,
    find_length_limit,
)
from typesig.validation.check_state import CheckState
from typesig.validation.plain_data import to_plain
from typesig.validation.plan import read_leaves as leaves
from typesig.validation.plan.read_choices import (
    ClassChoice,
    Depth,
    NullableReader,
    ReferenceReader,
    UsualReader,
)
from typesig.validation.plan.read_leaves import (
    BoundsReader,
    CheckReader,
    MemberReader,
    ResultReader,
    ValueReader,
)
from typesig.validation.plan.read_lists import ListReader, MapReader, SetReader, TupleReader
from typesig.validation.plan.read_records import FieldReader, ObjectMaker, RecordReader
from typesig.validation.policy import Policy


class ReadPlanner:
    """Makes the operations of types that share definitions and a policy.

    #: bound: how long the lists and maps may be
    #: filled: how many fields of records get an empty list or map that is absent
    #: is_pure: whether no user code runs
    #: is_pure_below: the same but for the last object, which is that of the whole type if it is one
    """

    __slots__ = (
        "_compiler", "_depth", "_hands_over", "_is_plain", "_known", "_parts", "_policy", "bound",
        "filled", "is_pure", "is_pure_below", "names",
    )  # fmt: skip

    def __init__(
        self,
        t: nodes.Type,
        definitions: tuple[Definition, ...],
        policy: Policy,
        is_plain: bool = False,
        hands_over: bool = True,
    ) -> None:
        """*t* is the whole type; *is_plain* whether results are plain data, and not decoded.

        *hands_over* is whether pydantic makes models.
        """
        self._is_plain = is_plain
        self._hands_over = hands_over
        self._compiler: Compiler = get_compiler(t, definitions, policy)
        self._policy = policy
        self.names = self._compiler.names
        self._depth = Depth()
        self._known: dict[tuple[str, int], tuple[Decode, ValueReader]] = {}
        self._parts = 0
        self.bound = find_length_limit(t, MAX_FILLED if policy.defaults else MAX_VALUES)
        self.filled = 0
        self.is_pure = self.is_pure_below = True

    def read(self, t: nodes.Type, decode: Decode) -> ValueReader:
        """Return the operation that reads a value of *t*, decoded by *decode*."""
        self._parts += 1
        t = strip_annotations(t)
        found = None if self._parts > MAX_GENERATED else self._find(t, decode)
        return self._read_checked(t, decode) if found is None else found

    def _find(self, t: nodes.Type, decode: Decode) -> ValueReader | None:
        """Return the operation of *t*; None if only the checker can read it."""
        if isinstance(decode, LeafDecoder) and decode is not FLOATS:
            return self._read_leaf(t, decode)
        match t:
            case nodes.Scalar():
                return self._read_scalar(t, decode)
            case nodes.Enum():
                return self._read_enum(t, decode)
            case nodes.Maybe(inner):
                return self._read_maybe(inner, decode)
            case nodes.Refinement(inner):
                return self._read_refined(t, inner, decode)
            case nodes.List(item):
                return self._read_list(item, decode)
            case nodes.Tuple():
                return self._read_tuple(t, decode)
            case nodes.Set(item):
                return self._read_set(item, decode)
            case nodes.MapOf(key, value):
                return self._read_map(key, value, decode)
            case nodes.Record():
                return self._read_record(t, decode)
            case nodes.Union(members):
                return self._read_union(t, members, decode)
            case nodes.Ref(name):
                return self._read_reference(name, decode)
            case nodes.One() | nodes.Both() | nodes.Not() | nodes.ItemCount() | nodes.Annotation():
                return None
            case _:
                assert_never(t)

    def _read_checked(self, t: nodes.Type, decode: Decode, is_sure: bool = False) -> ValueReader:
        """Return the operation that passes a value of *t* to the checker and the decoder.

        *is_sure* is whether the decoder runs no user code.
        """
        self.is_pure &= is_sure or is_pure(decode)
        make: Callable[[Any], Any] | None = to_plain if self._is_plain else None
        if decode is not None:
            make = partial(decode_by_plan, decode)
        depth = self._depth
        count = (lambda: depth.frames) if t.flags & NAMES else None
        return CheckReader(partial(self._compiler.checker, t), make, count)

    def _read_leaf(self, t: nodes.Type, decode: LeafDecoder) -> ValueReader | None:
        """Return the operation that applies the function of *decode* to a value of *t*."""
        self.is_pure &= decode.is_pure or is_pure_function(decode.make)
        if isinstance(decode.make, CheckedDecoder):
            return ResultReader(self.read(t, decode.make.decode), decode.make.pass_on)
        if isinstance(t, nodes.Scalar) and t.name == "datetime":
            moment = self._read_scalar(t, None)
            is_same = is_moment_decoder(decode.make)
            return moment if is_same or moment is None else ResultReader(moment, decode.make)
        if isinstance(t, nodes.Refinement) and t.inner == nodes.STRING:
            parser = find_parser(t.constraints, decode.make)
            if parser is not None:
                other = self._read_checked(t, decode)
                if "decimal_from_number" in self._policy.coercions and is_decimal(t.constraints):
                    other = leaves.NumberReader(decode.make, other)
                return leaves.TextReader(parser.parse, other, parser.parse_list)
            if find_format_conversions(t.constraints, self._policy):
                return None
        return ResultReader(self.read(t, None), decode.make)

    def _read_scalar(self, t: nodes.Scalar, decode: Decode) -> ValueReader | None:
        """Return the operation of a scalar."""
        match t.name:
            case "any":
                return leaves.AnyReader()
            case "string":
                return leaves.ClassReader(str)
            case "bool":
                return leaves.ClassReader(bool)
            case "nil":
                return leaves.ClassReader(type(None))
            case "int":
                return leaves.IntReader()
            case "float":
                is_made = decode is FLOATS or "float_from_int" in self._policy.coercions
                return leaves.FloatReader(keeps_ints=not is_made)
            case "datetime":
                if not self._policy.decoding:
                    return None
                parse, parse_list = (
                    make_plain_moment_parser() if self._is_plain else make_moment_parser()
                )
                return leaves.TextReader(parse, self._read_checked(t, None), parse_list)
            case "map":
                return self._read_map(nodes.STRING, nodes.ANY, decode)
            case "keyword":
                return None
            case _:
                assert_never(t.name)

    def _read_enum(self, t: nodes.Enum, decode: Decode) -> ValueReader | None:
        """Return the operation of constants, which become members of an enum or stay unchanged."""
        known: Mapping[Any, Any] = decode.members if isinstance(decode, MembersDecoder) else {}
        if decode is not None and not known:
            return None
        members: dict[type, dict[Any, Any]] = {}
        for value in t.values:
            cls = CONSTANT_CLASSES.get(value.kind)
            if cls is None:
                return None
            members.setdefault(cls, {})[value.value] = known.get(value, value.value)
        return MemberReader(members, keeps=decode is None)

    def _read_maybe(self, inner: nodes.Type, decode: Decode) -> ValueReader:
        """Return the operation of a value or null."""
        if isinstance(decode, NullableDecoder):
            return NullableReader(self.read(inner, decode.inner))
        if decode is None or isinstance(decode, MembersDecoder):
            return NullableReader(self.read(inner, decode))
        # The decoder may refuse null.
        return self.read(inner, decode)

    def _read_refined(
        self, t: nodes.Refinement, inner: nodes.Type, decode: Decode
    ) -> ValueReader | None:
        """Return the operation of a value with constraints."""
        inner, constraints, policy = strip_annotations(inner), t.constraints, self._policy
        test = find_text_test(constraints) if inner == nodes.STRING and decode is None else None
        if test is not None:
            return leaves.TextReader(test.parse, self._read_checked(t, None), test.parse_list)
        if find_format_conversions(constraints, policy):
            return None
        has_sizes = all(c.row.sort == "size" for c in constraints)
        match inner:
            case nodes.Scalar("string"):
                return BoundsReader(self.read(inner, None), "string", constraints)
            case nodes.Scalar("int"):
                return BoundsReader(self.read(inner, None), "int", constraints)
            case nodes.Scalar("float"):
                return BoundsReader(self.read(inner, decode), "float", constraints, on_result=True)
            case nodes.List() | nodes.Tuple() if has_sizes:
                return BoundsReader(self.read(inner, decode), "list", constraints)
            case nodes.MapOf() if has_sizes:
                return BoundsReader(self.read(inner, decode), "map", constraints)
            case nodes.Set() if has_sizes:
                return BoundsReader(self.read(inner, decode), "set", constraints)
            case _:
                return None

    def _read_list(self, item: nodes.Type, decode: Decode) -> ValueReader | None:
        """Return the operation of a list."""
        if decode is None:
            return ListReader(self.read(item, None), None, self.bound.most, find_test(item, None))
        if not isinstance(decode, ItemsDecoder):
            return None
        if decode.build is None and decode.item is not None:
            models = self._read_model(strip_annotations(item), decode.item, True)
            if models is not None:
                return models
        self.is_pure &= is_pure_function(decode.build)
        test = find_test(item, decode.item)
        return ListReader(self.read(item, decode.item), decode.build, self.bound.most, test)

    def _read_tuple(self, t: nodes.Tuple, decode: Decode) -> ValueReader | None:
        """Return the operation of a list with an item of its own at each place."""
        items, rest, most = t.items, t.rest, self.bound.most
        build: Callable[[Any], Any] | None
        if decode is None:
            decode = TupleDecoder(
                (None,) * len(items), list, None, None if rest is None else len(items)
            )
            build = None
        elif isinstance(decode, TupleDecoder):
            build = decode.build
        else:
            return None
        is_open = None if rest is None else len(items)
        if len(decode.parts) != len(items) or decode.open_at != is_open:
            return None
        reads = tuple([self.read(t, part) for t, part in zip(items, decode.parts, strict=True)])
        behind = None if rest is None else self.read(rest, decode.rest)
        test = None if rest is None else find_test(rest, decode.rest)
        return TupleReader(reads, build, behind, most, test)

    def _read_set(self, item: nodes.Type, decode: Decode) -> ValueReader | None:
        """Return the operation of a set whose items have no parts."""
        build: Callable[[Any], Any] = set
        part: Decode = None
        if isinstance(decode, ItemsDecoder):
            part, build = decode.item, decode.build or list
            self.is_pure &= is_pure_function(build)
        elif decode is not None:
            return None
        inner = strip_annotations(item)
        inner = strip_annotations(inner.inner) if isinstance(inner, nodes.Refinement) else inner
        if not isinstance(inner, nodes.Leaf) or inner in (nodes.ANY, nodes.MAP):
            return None
        if not self._policy.decoding or find_format_conversions(
            getattr(item, "constraints", ()), self._policy
        ):
            return None
        check = self.read(item, None)
        read = check if part is None else self.read(item, part)
        checks = None if check.keeps else check
        made = SetReader(read, build, checks, self.bound.most, find_test(item, part))
        return ResultReader(made, to_plain) if self._is_plain else made

    def _read_map(self, key: nodes.Type, value: nodes.Type, decode: Decode) -> ValueReader | None:
        """Return the operation of a map of any keys."""
        name: Decode = None
        part: Decode = None
        build: Callable[[Any], Any] | None = None
        if isinstance(decode, MapDecoder):
            name, part, build = decode
            self.is_pure &= is_pure_function(build) and is_pure(name)
        elif decode is not None:
            return None
        read = self._read_key(key, name)
        test = find_test(value, part)
        made = MapReader(read, self.read(value, part), build, self.bound.most, test)
        return ResultReader(made, to_plain) if self._is_plain and not read.keeps else made

    def _read_key(self, key: nodes.Type, decode: Decode) -> ValueReader:
        """Return the operation of the keys of a map."""
        if key == nodes.STRING and decode is None:
            return leaves.ClassReader(str)
        check = CheckReader(
            partial(self._compiler._compile_key, key),
            None if decode is None else partial(decode_by_plan, decode),
            is_key=True,
        )
        if not self._policy.decoding:
            return check
        if strip_annotations(key) == nodes.INT and decode is None:
            return leaves.TextReader(_parse_key, check)
        reading, taken = self._compiler.get_key_compiler(key)
        inner = strip_annotations(key)
        is_text = isinstance(inner, nodes.Refinement) and inner.inner == nodes.STRING
        is_known = is_text or isinstance(inner, nodes.Enum)
        if taken != key or not is_known or reading.policy.verbose:
            return check
        return UsualReader(self.read(key, decode), check)

    def _read_record(self, t: nodes.Record, decode: Decode) -> ValueReader | None:
        """Return the operation of a record with declared keys only."""
        if not is_usual_record(t):
            return None
        if decode is None:
            return RecordReader(tuple([self._make_field(f, f.name, None, False) for f in t.fields]))
        if not isinstance(decode, RecordDecoder) or decode.rest is not None:
            return None
        names = [plan.name for plan in decode.fields]
        if names != [field.name for field in t.fields]:
            return None
        model = self._read_model(t, decode)
        if model is not None:
            return model
        fields = tuple([
            self._make_field(field, plan.attribute, plan.decode, plan.nil)
            for field, plan in zip(t.fields, decode.fields, strict=True)
        ])  # fmt: skip
        maker = None if decode.build is None else self._make_maker(decode.build, fields)
        return RecordReader(fields, maker)

    def _make_maker(self, build: Any, fields: tuple[FieldReader, ...]) -> ObjectMaker:
        maker, is_pure = make_object_maker(build, [field.attribute for field in fields])
        self.is_pure_below = self.is_pure
        self.is_pure &= is_pure
        return maker

    def _read_model(
        self, t: nodes.Type, decode: Decode, is_list: bool = False
    ) -> ValueReader | None:
        """Return the operation that reads a pydantic model, or a list of them, by pydantic."""
        if not (self._hands_over and is_model_decoder(decode)):
            return None
        known = PydanticDelegate(t, decode, is_list)
        if not known.is_known():
            return None
        whole: nodes.Type = nodes.List(t) if is_list else t
        plan: Decode = ItemsDecoder(decode) if is_list else decode
        make = partial(self._read_checked, whole, plan, True)
        if not t.flags & NAMES:
            # It runs no function of others, as pydantic's schema is known.
            other = ReadPlanner(whole, (), self._policy, hands_over=False)
            make = partial(other.read, whole, plan)
        return ModelReader(known, self._policy, make)

    def _make_field(
        self, field: nodes.Field, attribute: str, decode: Decode, is_nil: bool
    ) -> FieldReader:
        """Make the field of a record."""
        read = self.read(field.type, decode)
        fill: Callable[[], Any] | None = type(None) if is_nil else None
        is_required = field.required
        if field.default is not None and self._policy.defaults:
            fill = self._make_fill(field.type, field.default, decode)
            # Without it, a map that lacks the field is left to the check.
            is_required = fill is None
        return FieldReader(field.name, attribute, read, is_required, fill)

    def _make_fill(self, t: nodes.Type, default: Const, decode: Decode) -> Callable[[], Any] | None:
        """Make the function that returns *default*, checked and decoded; None for a large one."""
        policy, compiler = self._policy, self._compiler
        if policy.extras == "reject":
            compiler = compiler.with_policy(extras="keep")
        state = CheckState(1)
        made = compiler.place_checker(t)(default.thaw(), state)
        if state.found or (isinstance(made, dict | list | set) and made):
            return None
        if isinstance(made, dict | list | set):
            self.filled += 1
            new = type(made)
            return new if decode is None else lambda: decode_by_plan(decode, new())
        return lambda: decode_by_plan(decode, made)

    def _read_union(
        self, t: nodes.Union, members: tuple[nodes.Type, ...], decode: Decode
    ) -> ValueReader | None:
        """Return the operation of a union that selects its branch by the class of a value."""
        plans = match_branches(members, decode)
        classes = [find_classes(member, self.names, self._policy) for member in members]
        if plans is None or None in classes:
            return None
        places: dict[type, list[int]] = {}
        for place, found in enumerate(classes):
            for cls in found or ():
                places.setdefault(cls, []).append(place)
        checked = self._read_checked(t, decode)
        reads: dict[int, ValueReader] = {}
        by_class: dict[type, ValueReader] = {}
        for cls, held in places.items():
            for place in held:
                if place not in reads:
                    reads[place] = self.read(members[place], plans[place])
            several = [(members[place], reads[place]) for place in held]
            if len(held) == 1:
                by_class[cls] = reads[held[0]]
            else:
                is_map = cls is dict
                made = make_record_choice(several, self.names, checked) if is_map else None
                by_class[cls] = made or make_first_choice(several) or checked
        return by_class[dict] if len(by_class) == 1 and dict in by_class else ClassChoice(by_class)

    def _read_reference(self, name: str, decode: Decode) -> ValueReader:
        """Return the operation of a named type, the same at each of its places."""
        if isinstance(decode, LazyDecoder):
            decode = decode.known[decode.key]
        key = name, id(decode)
        known = self._known.get(key)
        if known is None:
            cost = self.names[name].depth + 1
            # The plan is kept alive, so that its id stays its own.
            reference = ReferenceReader(cost, self._depth)
            self._known[key] = known = decode, reference
            reference.inner = self.read(self.names[name], decode)
        return known[1]


def find_test(t: nodes.Type, decode: Decode) -> ItemsTest | None:
    """Return the test of items of *t* that *decode* does not change; None if there is no test."""
    test = ItemsTest(t) if decode is None or decode is FLOATS else None
    return test if test is not None and test.knows_some else None


def _parse_key(text: str) -> int:
    """Parse the *text* of a key with few digits as an int."""
    if len(text) > _FEW_DIGITS or not text.isascii() or not text.isdigit():
        raise ValueError
    return int(text)


_FEW_DIGITS = 15
