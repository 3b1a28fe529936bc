"""The words of a class are kept: its docstring, its name, and what its fields say."""

# The hints of tools in functions are read as they are: no postponed annotations.

import dataclasses
import enum
import json
import math
from collections.abc import Callable, Iterator
from datetime import date
from typing import Annotated, Any, NamedTuple, Protocol, TypedDict

import attrs
import msgspec
import pydantic.dataclasses
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

import typesig
from tests.generators import LAW
from typesig.limits import MAX_EXAMPLES


def of_dataclass(doc: str | None) -> Any:
    return dataclasses.make_dataclass("Person", [("name", str)], namespace={"__doc__": doc})


def of_typed_dict(doc: str | None) -> Any:
    class Person(TypedDict):
        name: str

    Person.__doc__ = doc
    return Person


def of_named_tuple(doc: str | None) -> Any:
    class Person(NamedTuple):
        name: str

    if doc is not None:
        Person.__doc__ = doc
    return Person


def of_protocol(doc: str | None) -> Any:
    class Person(Protocol):
        name: str

    Person.__doc__ = doc
    return Person


def of_attrs(doc: str | None) -> Any:
    return attrs.make_class("Person", {"name": attrs.field(type=str)}, class_body={"__doc__": doc})


def of_pydantic(doc: str | None) -> Any:
    class Person(BaseModel):
        name: str

    Person.__doc__ = doc
    return Person


def of_msgspec(doc: str | None) -> Any:
    return msgspec.defstruct("Person", [("name", str)], namespace={"__doc__": doc})


KINDS = [
    of_dataclass,
    of_typed_dict,
    of_named_tuple,
    of_protocol,
    of_attrs,
    of_pydantic,
    of_msgspec,
]
kinds = pytest.mark.parametrize("make", KINDS)
WORDS = st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), min_size=1, max_size=5).map(" ".join)


@kinds
@LAW
@given(words=WORDS)
def test_the_first_paragraph_of_a_docstring_is_in_what_a_model_reads(
    make: Callable[..., Any], words: str
) -> None:
    made = typesig.contract(make(f"A person, {words}.\n\nMore is for programmers."))
    said = f"A person, {words}."
    schema = made.to_json_schema()

    assert (said, "Person") == (schema["description"], schema["title"])
    assert made.prompt().startswith("Answer with JSON for Person that fits: ({name :string}")
    for style in ("signature", "compact", "call", "typescript", "python"):
        assert said in made.prompt(style)
    for provider in ("openai", "anthropic", "gemini"):
        assert said in json.dumps(made.project(provider).definition)


@kinds
@LAW
@given(words=WORDS)
def test_the_docstring_is_kept_in_parameters_and_within_other_types(
    make: Callable[..., Any], words: str
) -> None:
    cls = make(f"A person, {words}.")
    said = f"A person, {words}."

    @typesig.tool
    def greet(person: cls, people: list[cls], maybe: cls | None = None) -> int:
        """Greet.

        Args:
            person: who is greeted
            maybe: one more
        """
        return 1

    properties = greet.signature.input_schema()["properties"]

    assert f"who is greeted. {said}" == properties["person"]["description"]
    assert said == properties["people"]["items"]["description"]
    assert f"one more. {said}" == properties["maybe"]["description"]
    assert 1 == greet.call({"person": {"name": "Ida"}, "people": [{"name": "Omar"}]}).value


@kinds
def test_a_class_without_a_docstring_has_its_name_only(make: Callable[..., Any]) -> None:
    made = typesig.contract(make(None))
    schema = made.to_json_schema()

    assert "Person" == schema["title"]
    assert "description" not in schema
    assert "Answer with JSON for Person that fits: {name :string}" == made.prompt()
    assert "Person" == made.project("openai").definition["json_schema"]["name"]


def test_a_projection_has_the_name_of_the_class_as_far_as_it_is_legal() -> None:
    class Box(BaseModel):
        model_config = ConfigDict(title="A box")
        n: int

    def name(hint: Any) -> str:
        found: str = typesig.contract(hint).project("openai").definition["json_schema"]["name"]
        return found

    assert "A_box" == name(Box)
    assert "answer" == name(list[Box])
    assert "answer" == name("{n :int}")
    assert "answer" == name(int)
    assert "Pet" == name(typesig.from_json_schema({"title": "Pet", "type": "object"}))


def test_the_text_of_a_place_stands_before_that_of_its_class() -> None:
    class Line(TypedDict):
        """A line."""

        sku: str

    @dataclasses.dataclass
    class Order:
        """An order.

        Attributes:
            first: the first one!
            second: not this
            rest: the others
        """

        first: Line
        second: Annotated[Line, "the second one"]
        rest: list[Line]

    properties = typesig.contract(Order).to_json_schema()["properties"]

    assert "the first one! A line." == properties["first"]["description"]
    assert "the second one. A line." == properties["second"]["description"]
    assert "the others" == properties["rest"]["description"]
    assert "A line." == properties["rest"]["items"]["description"]


class Person(BaseModel):
    """Somebody who works here."""

    name: str = Field(title="Full name", examples=["Ida", "Omar"])
    age: int = Field(description="in years", examples=[3])
    born: date = Field(examples=[date(2000, 1, 2)])
    nick: Annotated[str, Field(title="Nick", examples=["x"])] = "a"
    plain: Annotated[int, Field(description="no more")] = 1


def test_titles_and_examples_of_fields_are_kept() -> None:
    properties = typesig.contract(Person).to_json_schema()["properties"]

    assert {"type": "string", "title": "Full name", "description": 'Examples: "Ida", "Omar"'} == properties["name"]  # fmt: skip
    assert "in years. Examples: 3" == properties["age"]["description"]
    assert 'Examples: "2000-01-02"' == properties["born"]["description"]
    assert ("Nick", 'Examples: "x"') == (
        properties["nick"]["title"],
        properties["nick"]["description"],
    )
    assert "no more" == properties["plain"]["description"]
    assert 'name :string "Examples: \\"Ida\\", \\"Omar\\""' in typesig.contract(Person).prompt()


class Stated(BaseModel):
    """What is stated."""

    model_config = ConfigDict(title="The Stated")

    n: int


class Silent(BaseModel):
    model_config = ConfigDict(title="The Silent")

    n: int


@pydantic.dataclasses.dataclass(config=ConfigDict(title="The Data"))
class StatedData:
    n: int


class Unstated(BaseModel):
    n: int


STATED: dict[Any, str | None] = {
    Stated: "The Stated",
    Silent: "The Silent",
    StatedData: "The Data",
    Unstated: None,
}
AROUND: list[Callable[[Any], Any]] = [
    lambda cls: cls,
    lambda cls: cls | None,
    lambda cls: list[cls],
    lambda cls: dict[str, cls],
    lambda cls: tuple[int, cls],
    lambda cls: cls | int,
]


def _titles(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from [schema["title"]] if isinstance(schema.get("title"), str) else []
        for part in schema.values():
            yield from _titles(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _titles(part)


@LAW
@given(
    cls=st.sampled_from([*STATED]),
    around=st.lists(st.sampled_from(AROUND), min_size=1, max_size=3),
    place=st.sampled_from([None, "What to book"]),
    text=st.sampled_from([None, "what to book"]),
)
def test_the_title_that_a_class_states_stands_wherever_its_values_do(
    cls: Any, around: list[Callable[[Any], Any]], place: str | None, text: str | None
) -> None:
    hint = cls
    for each in around:
        hint = each(hint)
    held = {"__annotations__": {"part": Annotated[hint, Field(title=place, description=text)]}}
    made = typesig.contract(type("Whole", (BaseModel,), {"__module__": __name__, **held}))
    schema = made.to_json_schema()
    [part] = schema["properties"].values()
    own = STATED[cls]
    is_at_place = all(each in AROUND[:2] for each in around)
    expected = [place] if is_at_place and place else [place, own]

    assert [each for each in expected if each] == [*_titles(part)]
    exact = made.signature.to_json_schema(exact=True)
    assert made.signature.returns == typesig.from_json_schema(exact).returns


def test_a_provider_without_titles_reports_that_of_a_class() -> None:
    @typesig.tool
    def f(part: Stated, other: Silent) -> None:
        """Do."""

    wire = typesig.tools_of([f]).project("openai")
    [made] = wire.definitions
    parts = made["function"]["parameters"]["properties"]

    assert ["What is stated.", "The Silent"] == [parts[n]["description"] for n in ("part", "other")]
    assert [("omitted", "the title")] * 2 == [(loss.kind, loss.what) for loss in wire.losses]


def test_examples_of_msgspec_stand_behind_the_text_of_the_field() -> None:
    class Pet(msgspec.Struct):
        """A pet.

        Attributes:
            name: what it is called
        """

        name: Annotated[str, msgspec.Meta(title="Name", examples=["Rex"])]
        legs: Annotated[int, msgspec.Meta(description="how many", examples=[4, 2])]

    properties = typesig.contract(Pet).to_json_schema()["properties"]

    assert 'what it is called. Examples: "Rex"' == properties["name"]["description"]
    assert "Name" == properties["name"]["title"]
    assert "how many. Examples: 4, 2" == properties["legs"]["description"]


def test_examples_are_bounded() -> None:
    many = list(range(MAX_EXAMPLES + 1))
    long = "a" * 5_000

    @typesig.tool
    def f(
        n: Annotated[int, Field(examples=many)], s: Annotated[str, Field(examples=[long])]
    ) -> int:
        """Do."""
        return n

    properties = f.signature.input_schema()["properties"]

    assert "Examples: 0, 1, 2, 3, 4, 5, 6, 7, …" == properties["n"]["description"]
    assert len(properties["s"]["description"]) < 200


class Odd:
    """A value that has no JSON form."""

    def __repr__(self) -> str:
        return "Odd()"


class Unfit(BaseModel):
    count: int = Field(gt=0, title="Count", examples=[-1, 3])
    born: date | None = Field(None, examples=["today", None, "2000-01-02"])
    ratio: float = Field(examples=[math.nan])


def test_examples_that_do_not_fit_are_told_and_not_shown() -> None:
    made = typesig.contract(Unfit)
    properties = made.to_json_schema()["properties"]

    assert "Examples: 3" == properties["count"]["description"]
    assert 'Examples: null, "2000-01-02"' == properties["born"]["description"]
    assert "description" not in properties["ratio"]
    assert [
        "count: Annotated[int, Gt(gt=0), Field(title='Count', examples=[-1, 3])]: the example -1 is "
        "not shown: it does not fit the hint; correct it, or remove it",
        "born: Annotated[datetime.date | None, Field(examples=['today', None, '2000-01-02'])]: the "
        "example 'today' is not shown: it does not fit the hint; correct it, or remove it",
        "ratio: Annotated[float, Field(examples=[nan])]: the example nan is not shown: JSON has no "
        "form for nan; correct it, or remove it",
    ] == [str(warning) for warning in made.warnings]


def test_an_example_that_json_cannot_carry_is_told() -> None:
    @typesig.tool
    def f(x: Annotated[Any, msgspec.Meta(examples=[Odd()])]) -> int:
        """Do."""
        return 1

    assert [
        "x: Annotated[Any, msgspec.Meta(examples=[Odd()])]: the example Odd() is not shown: a "
        "value of Odd has no JSON form; correct it, or remove it"
    ] == [str(warning) for warning in f.warnings]


@LAW
@given(values=st.lists(st.integers() | st.text(max_size=5) | st.booleans(), max_size=5))
def test_the_examples_that_are_shown_are_those_that_fit(values: list[Any]) -> None:
    made = typesig.contract(Annotated[int, msgspec.Meta(examples=values)])
    whole = typesig.contract(int)
    fitting = [each for each in values if whole.read(each, mode="strict").ok]
    told = f"Examples: {', '.join(map(str, fitting))}" if fitting else None

    assert told == made.to_json_schema().get("description")
    assert len(
        {repr(each) for each in values if each not in fitting or isinstance(each, bool)}
    ) == (len(made.warnings))


def of_enum(doc: str | None) -> Any:
    class Size(enum.Enum):
        SMALL = "s"
        LARGE = "l"

    Size.__doc__ = doc
    return Size


def of_flag(doc: str | None) -> Any:
    class Right(enum.Flag):
        READ = 1
        WRITE = 2

    Right.__doc__ = doc
    return Right


CHOICES = [(of_enum, ""), (of_flag, "a sum of 1 READ, 2 WRITE")]


@pytest.mark.parametrize(("make", "more"), CHOICES)
@pytest.mark.parametrize("profile", ["python", "ptc_runner"])
@LAW
@given(words=WORDS)
def test_the_docstring_of_an_enum_is_in_what_a_model_reads(
    make: Callable[..., Any], more: str, profile: Any, words: str
) -> None:
    cls, bare = make(f"How big, {words}.\n\nMore is for programmers."), make(None)
    said = f"How big, {words}. {more}".rstrip()

    @typesig.tool(profile=profile)
    def pack(size: cls, sizes: list[cls], other: bare, maybe: cls | None = None) -> int:
        """Pack.

        Args:
            size: which box
            maybe: one more
        """
        return 1

    properties = pack.signature.input_schema()["properties"]

    assert f"which box. {said}" == properties["size"]["description"]
    assert said == properties["sizes"]["items"]["description"]
    assert f"one more. {said}" == properties["maybe"]["description"]
    assert (more or None) == properties["other"].get("description")


def test_an_answer_is_read_as_ever() -> None:
    sent = {"name": "Ida", "age": "3", "born": "2000-01-02"}
    person = typesig.contract(Person).read(sent).result

    assert Person(name="Ida", age=3, born=date(2000, 1, 2)) == person
    assert typesig.contract(Person).signature == typesig.contract(Person).signature
    assert hash(typesig.contract(Person).signature) == hash(typesig.contract(Person).signature)
