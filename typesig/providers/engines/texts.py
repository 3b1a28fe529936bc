"""Texts: lengths, patterns, formats, and constants that are left out."""

from __future__ import annotations

from typesig.algebra import nodes
from typesig.algebra.constructors import make_both, make_refined
from typesig.algebra.rows.constraints import Constraint
from typesig.notations.json_schema.keywords import IPV6, NEVER, SPELLINGS
from typesig.patterns import measure_width, parse_pattern, to_whole_pattern
from typesig.providers.engines.engine import Path
from typesig.providers.engines.lowering_state import LoweringState, get_constants
from typesig.providers.engines.word_exclusion import exclude_words
from typesig.relations.limits.bounds import Limit, TextLimits, read_text_limits
from typesig.relations.limits.normal_form import Parts

# Patterns of formats that JSON Schema has a name for and engines have not, or take loosely; each
# with what it lets through beyond the format, or empty.
_DAYS = (
    "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
)
_FOURTH = "(?:0[48]|[2468][048]|[13579][26])"
_LEAP = f"(?:[0-9]{{2}}{_FOURTH}|{_FOURTH}00)-02-29"
# There is no year 0.
_YEAR = "(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)"

_DATE = f"(?:{_YEAR}-{_DAYS}|{_LEAP})"
_BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_TIME = (
    "(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?"
    "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)
_POINTER = "(?:/(?:[^~/]|~[01])*)*"
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST = f"{_LABEL}(?:\\.{_LABEL})*"
_WORD = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LOCAL = f'(?:{_WORD}(?:\\.{_WORD})*|"(?:[ !#-\\[\\]-~]|\\\\[ -~])*")'
_IN_URI = "[!#-;=?-\\[\\]_a-z~]"
_CLOCK = "T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)"
_SPAN = "(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)"

PATTERNS: dict[str, tuple[str, str]] = {
    "date": (f"^{_DATE}$", ""),
    "date-time": (f"^{_DATE}[Tt]{_TIME}$", "such a text, with a second 60 in each minute"),
    "time": (f"^{_TIME}$", "such a text, with a second 60 in each minute"),
    "ipv4": (f"^(?:{_BYTE}\\.){{3}}{_BYTE}$", ""),
    "duration": (f"^P(?:[0-9]+W|{_SPAN}(?:{_CLOCK})?|{_CLOCK})$", ""),
    "email": (
        f"^{_LOCAL}@(?:{_HOST}|\\[[0-9A-Za-z.:]*\\])$",
        "such a text of any length or address",
    ),
    "hostname": (f"^{_HOST}$", "such a name of any length or script"),
    "ipv6": (f"^(?:{IPV6})$", ""),
    "uri": (f"^[A-Za-z][A-Za-z0-9+.-]*:{_IN_URI}*$", "a scheme and the characters of a URI"),
    "uri-reference": (f"^{_IN_URI}*$", "the characters of a URI"),
    "uuid": ("^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$", ""),
    "json-pointer": (f"^{_POINTER}$", ""),
    "relative-json-pointer": (f"^(?:0|[1-9][0-9]*)(?:#|{_POINTER})$", ""),
}


def lower_texts(settler: LoweringState, others: Parts, limits: list[Limit], at: Path) -> nodes.Type:
    """Lower the type of texts within *limits* and outside *others*."""
    found = read_text_limits(limits)
    if found.high is not None and found.low > found.high:
        return NEVER
    low, high = settler.limit_size((found.low, found.high), at)
    if found.not_formats or found.not_patterns:
        settler.lose(at, "texts without a pattern or a format", "any text")
    parts = _collect_patterns(settler, found, others, at)
    lengths = []
    if low > 0:
        lengths.append(Constraint("at_least", low))
    if high is not None:
        lengths.append(Constraint("at_most", high))
    if lengths and parts and not settler.enforced.lengths_beside:
        if not _is_implied(parts, low, high):
            settler.lose(at, "a length beside a pattern or a format", "the pattern or the format")
        lengths = []
    if lengths and not _counts(settler, low, high, bool(parts), at):
        settler.lose(at, "a length", "any length")
        lengths = []
    if len(parts) > 1 and not settler.enforced.many_patterns:
        settler.lose(at, "several patterns or formats", "the first of them")
        del parts[1:]
    first = make_refined(nodes.STRING, [*lengths, *parts[:1]])
    return make_both([first, *[make_refined(nodes.STRING, [each]) for each in parts[1:]]])


def _counts(
    settler: LoweringState, low: int, high: int | None, has_pattern: bool, at: Path
) -> bool:
    """Whether the engine enforces a length from *low* to *high*; it may cost escapes, a loss."""
    raw = settler.enforced.raw_length
    if not raw or has_pattern:
        return settler.enforced.lengths
    if max(low, high or 0) > raw:
        return False
    settler.drop(at, "a character that JSON escapes, within a length")
    return True


def _collect_patterns(
    settler: LoweringState, found: TextLimits, others: Parts, at: Path
) -> list[Constraint]:
    """Collect the pattern and format constraints in *found* that the engine supports."""
    out: list[Constraint] = []
    for name in found.formats:
        out += _lower_format(settler, name, at)
    for text in found.patterns:
        out += _lower_pattern(settler, text, at)
    words = [value.value for value in get_constants(others, "string")]
    if words:
        without = exclude_words(words)
        if without is None:
            settler.lose(at, "texts that are left out", "any text")
        else:
            out += _lower_pattern(settler, without, at)
    return list(dict.fromkeys(out))


def _lower_format(settler: LoweringState, name: str, at: Path) -> list[Constraint]:
    """Constraints the engine enforces for the format *name*; losses are recorded."""
    spelled = SPELLINGS[name]
    written = spelled.get("format")
    if written is None:
        return _lower_pattern(settler, spelled["pattern"], at)
    loose = settler.enforced.formats.get(written)
    if loose == "":
        return [Constraint("format", name)]
    own, beyond = PATTERNS.get(written, ("", ""))
    if own and loose is None and settler.enforced.takes(own):
        if beyond:
            settler.lose(at, f"the format {name}", beyond)
        return [Constraint("pattern", own)]
    settler.lose(at, f"the format {name}", loose or "any text")
    return [] if loose is None else [Constraint("format", name)]


def _lower_pattern(settler: LoweringState, text: str, at: Path) -> list[Constraint]:
    """Make a list with the constraint for the pattern *text*, empty if unsupported."""
    if settler.enforced.takes(text):
        if settler.enforced.narrows(text):
            settler.drop(at, "a character that JSON escapes, within a pattern")
        return [Constraint("pattern", text)]
    settler.lose(at, f"the pattern {text}", "any text")
    return []


def _is_implied(parts: list[Constraint], low: int, high: int | None) -> bool:
    """Whether the first pattern of *parts* implies a length from *low* to *high*."""
    text = parts[0].argument.value
    if parts[0].name != "pattern" or to_whole_pattern(text) is None:
        return False
    least, most = measure_width(parse_pattern(text))
    return least >= low and (high is None or (most is not None and most <= high))
