"""Our formats and those of `jsonschema`: where they differ, ours is as the standard has it."""

from __future__ import annotations

import sys
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW
from tests.judge import MENDED, OWN
from typesig.algebra.rows.formats import FORMATS
from typesig.notations.json_schema.keywords import BY_NAME
from typesig.relations.sampling.text_samples import FORMAT_TEXTS

needs_own_formats = pytest.mark.skipif(
    # The newest checker of hostnames, which WebAssembly has, wants a domain.
    sys.platform == "emscripten" or not BY_NAME.keys() <= OWN.checkers.keys(),
    reason="jsonschema asserts these formats with its extra format-nongpl, which is not installed",
)

#: Texts of which our format says other than `jsonschema`: name, text, ours, and why ours is right.
DIFFERENCES = [
    ("date-time", "1998-12-31T23:59:60Z", True, "RFC 3339, section 5.7: leap seconds"),
    ("date-time", "1998-12-31T15:59:60-08:00", True, "RFC 3339, section 5.8"),
    ("time", "23:59:60Z", True, "RFC 3339, section 5.7"),
    ("duration", "PT1H1S", False, "RFC 3339, appendix A: no part is left out between two others"),
    ("duration", "P1Y1D", False, "RFC 3339, appendix A"),
    ("duration", "-P1D", False, "RFC 3339, appendix A: there is no sign"),
    ("duration", "P0.5Y", False, "RFC 3339, appendix A: whole numbers"),
    ("email", "@", False, "RFC 5321, section 4.1.2: a local part has a character"),
    ("email", "a@-b", False, "RFC 5321, section 4.1.2: a label begins with a letter or a digit"),
    ("email", "a@b@c", False, "RFC 5321, section 4.1.2: only quotes may contain an at sign"),
    ("hostname", "a.b.", False, "RFC 952: there is no dot at the end"),
    ("hostname", "a٠", False, "RFC 952: letters and digits of ASCII"),
    ("regex", r"\p{L}", True, "ECMA-262, section 22.2.1"),
    ("regex", "(?<a>x)", True, "ECMA-262, section 22.2.1"),
    ("regex", "(?#a)", False, "ECMA-262, section 22.2.1"),
    ("relative-json-pointer", "٠", False, "Relative JSON Pointers, section 3: digits of ASCII"),
    ("uri", "a://b\n", False, "RFC 3986, section 2: there is no line feed"),
    ("uri-reference", "\n", False, "RFC 3986, section 2"),
    ("uuid", "123e4567-e89b-12d3-a456-42661417400٠", False, "RFC 9562, section 4"),
]


@needs_own_formats
@pytest.mark.parametrize(("name", "text", "ours", "why"), DIFFERENCES)
def test_a_format_differs_from_that_of_jsonschema_where_a_standard_says_so(name, text, ours, why):
    assert ours is FORMATS[BY_NAME[name]](text), why
    assert OWN.conforms(text, name) is not ours


@needs_own_formats
@pytest.mark.parametrize("name", sorted(BY_NAME.keys() - {"regex"}))
@LAW
@given(seed=st.integers(0, 2**32), size=st.integers(0, 40))
def test_jsonschema_accepts_every_text_of_a_format(name, seed, size):
    text = FORMAT_TEXTS[BY_NAME[name]].make(Random(seed), size)

    assert OWN.conforms(MENDED.get(name, str)(text), name) or not FORMATS[BY_NAME[name]](text)


#: Texts that both refuse or both accept, of the formats where one of the two was wrong once.
AGREED = [
    ("date-time", "2026-01-31 10:00:00Z", False),
    ("date-time", "2026-01-31T10:00:00.1234567890Z", True),
    ("date-time", "nonsense", False),
    ("time", "10:00:00.1234567890+05:30", True),
    ("uri", "http://[1]/", False),
    ("uri", "http://[::1]/", True),
    ("uri-reference", "//[v1.a]", True),
    ("email", '"a b"@c.de', True),
    ("email", "a@[127.0.0.1]", True),
]


@needs_own_formats
@pytest.mark.parametrize(("name", "text", "expected"), AGREED)
def test_a_format_is_as_that_of_jsonschema(name, text, expected):
    assert expected is FORMATS[BY_NAME[name]](text)
    assert expected is OWN.conforms(text, name)
