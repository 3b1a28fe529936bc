"""The types that pydantic defines itself: what each is shown as, and what it takes."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Annotated, Any

import pydantic
import pytest

import typesig
from typesig import contract
from typesig.extraction.libraries.pydantic_schemas import with_known_formats

FOUR = "c0a8012e-0000-4000-8000-000000000000"
URI = ":string[1.., uri]"
HOSTS = '(:string[1..] "a URI, of one host or several")'

#: The name of the type, what it is shown as, a sample that it takes and one that it refuses.
TYPES: list[tuple[str, str, Any, Any]] = [
    *[
        (f"UUID{n}", ":string[uuid]", f"c0a8012e-0000-{n}000-8000-000000000000", "c0a8012e")
        for n in (1, 3, 4, 5, 6, 7, 8)
    ],
    ("Base64Bytes", '(:string "base64 text")', "YWJj", "Y"),
    ("Base64Str", '(:string "base64 text")', "YWJj", "Y"),
    ("Base64UrlBytes", '(:string "base64 text in the alphabet for URLs")', "-w==", "Y"),
    ("Base64UrlStr", '(:string "base64 text in the alphabet for URLs")', "YWJj", "Y"),
    ("DirectoryPath", '(:string "the path of a directory that exists")', "/", "/no/such"),
    ("FilePath", '(:string "the path of a file that exists")', __file__, "/no/such"),
    ("NewPath", '(:string "a path")', str(Path(__file__).parent / "new"), "/no/such/new"),
    ("FutureDate", ":string[date]", "2999-01-01", "1999-01-01"),
    ("PastDate", ":string[date]", "1999-01-01", "2999-01-01"),
    ("FutureDatetime", ":string[date-time]", "2999-01-01T00:00:00Z", "1999-01-01T00:00:00Z"),
    ("PastDatetime", ":string[date-time]", "1999-01-01T00:00:00Z", "2999-01-01T00:00:00Z"),
    ("AwareDatetime", ":string[date-time]", "1999-01-01T00:00:00Z", "1999-01-01T00:00:00"),
    (
        "NaiveDatetime",
        '(:string "a date and time without an offset")',
        "1999-01-01T00:00:00",
        "1999-01-01T00:00:00Z",
    ),
    ("FiniteFloat", ":float", 1.5, "x"),
    ("PositiveInt", ":int[>0]", 1, 0),
    ("NegativeInt", ":int[<0]", -1, 0),
    ("NonNegativeInt", ":int[0..]", 0, -1),
    ("NonPositiveInt", ":int[..0]", 0, 1),
    ("PositiveFloat", ":float[>0]", 0.5, 0.0),
    ("NegativeFloat", ":float[<0]", -0.5, 0.0),
    ("NonNegativeFloat", ":float[0..]", 0.0, -0.5),
    ("NonPositiveFloat", ":float[..0]", 0.0, 0.5),
    ("ImportString", ":string", "math.pi", "math.no"),
    ("Json", '(:string "JSON text")', "[1]", "["),
    ("SecretStr", ":string", "abc", 5),
    ("SecretBytes", ":string", "abc", 5),
    ("AnyUrl", URI, "a://b", "x"),
    ("AnyHttpUrl", URI, "http://a.b", "ftp://a.b"),
    ("AnyWebsocketUrl", URI, "ws://a.b", "http://a.b"),
    ("HttpUrl", ":string[1..2083, uri]", "http://a.b", "ftp://a.b"),
    ("WebsocketUrl", ":string[1..2083, uri]", "ws://a.b", "http://a.b"),
    ("FileUrl", URI, "file:///a", "http://a.b"),
    ("FtpUrl", URI, "ftp://a.b", "http://a.b"),
    ("AmqpDsn", URI, "amqp://a", "http://a"),
    ("KafkaDsn", URI, "kafka://a", "http://a"),
    ("RedisDsn", URI, "redis://a", "http://a"),
    ("MySQLDsn", URI, "mysql://a", "http://a"),
    ("MariaDBDsn", URI, "mariadb://a", "http://a"),
    ("MongoDsn", HOSTS, "mongodb://a,b/c", "http://a"),
    ("NatsDsn", HOSTS, "nats://a", "http://a"),
    ("PostgresDsn", HOSTS, "postgres://a,b/c", "http://a"),
    ("IPvAnyAddress", '(:string "an IPv4 or IPv6 address")', "::1", "x"),
    ("IPvAnyInterface", '(:string "an IPv4 or IPv6 interface")', "1.2.3.4/8", "x"),
    ("IPvAnyNetwork", '(:string "an IPv4 or IPv6 network")', "1.0.0.0/8", "x"),
]


@pytest.mark.parametrize(("name", "shown", "taken", "refused"), TYPES, ids=str)
def test_a_type_of_pydantic_is_shown_with_its_format(name, shown, taken, refused):
    hint = getattr(pydantic, name, None)
    if hint is None:
        pytest.skip("this version of pydantic does not have it")
    found = contract(hint)

    assert () == found.warnings
    assert shown == typesig.render(found.signature.returns)
    assert [] == list(found.read(json.dumps(taken)).errors)
    assert found.read(json.dumps(refused)).errors


class Keyed(pydantic.BaseModel):
    ids: list[pydantic.UUID4]
    names: dict[pydantic.UUID4, int] = {}


def test_a_format_of_pydantic_is_kept_in_lists_models_and_keys():
    found = contract(Keyed)

    assert "{ids [:string[uuid]], names :map[:string[uuid] :int] = {}}" == typesig.render(
        found.signature.returns
    )
    assert [uuid.UUID(FOUR)] == found.read({"ids": [FOUR]}).result.ids
    assert {uuid.UUID(FOUR): 1} == contract(dict[pydantic.UUID4, int]).read({FOUR: 1}).result
    assert found.read({"ids": [FOUR.replace("-4", "-1")]}).errors


def test_a_format_in_data_of_a_schema_and_a_description_are_left():
    schema = {
        "type": "string",
        "format": "uuid4",
        "description": "a key",
        "examples": [{"format": "uuid4"}],
    }
    hint = pydantic.WithJsonSchema({"type": "string", "format": "path", "description": "where"})
    found = contract(list[Annotated[str, hint]])

    assert "uuid" == with_known_formats(schema)["format"]
    assert [{"format": "uuid4"}] == with_known_formats(schema)["examples"]
    assert '[(:string "where, a path")]' == typesig.render(found.signature.returns)


def test_any_json_value_of_pydantic_is_shown_without_a_word_on_its_metadata():
    reasons = [warning.reason for warning in contract(pydantic.JsonValue).warnings]

    assert ["it refers to itself, so it became :any"] == reasons


class Needy:
    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> Any:
        raise ImportError("some-package is not installed")


def test_a_type_that_needs_a_package_that_is_not_there_is_any_with_a_warning():
    found = contract(Needy)

    assert ":any" == typesig.render(found.signature.returns)
    assert "some-package is not installed" in found.warnings[0].reason
