"""Each regular expression of the package takes time that is linear in its text.

`USES` has a row for each place that compiles or runs one; a test finds the places.  An expression is
tried with texts that repeat a unit, before and after something that makes it fail at the end: an
expression with more than one way to read such a text takes quadratic time or worse.
"""

from __future__ import annotations

import ast
import re
import types
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import NamedTuple

import pytest

import typesig
from typesig import Media, TypesigError, tool
from typesig.algebra.rows import pattern_budget
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.formats import FORMATS
from typesig.calls import decoding
from typesig.errors import TooLarge, message_text
from typesig.extraction.callables.aliases import name_in
from typesig.extraction.docstrings import list_sections
from typesig.loaded_json import is_odd
from typesig.notations.texts import tables
from typesig.openapi import making
from typesig.patterns.automaton import Automaton
from typesig.patterns.backtracking import _max_read, _PathCounter
from typesig.patterns.charset import ALL, _case_groups, caseless
from typesig.patterns.reader import parse_pattern
from typesig.patterns.search import analyzed
from typesig.providers.dialects.lexer import Lexer
from typesig.providers.dialects.reading import members
from typesig.providers.rows.names import NameRule, legal_names
from typesig.providers.vendors import gemini_arguments
from typesig.tools import explicit
from typesig.validation.issues import remedies
from typesig.validation.mending.frames import only_word, says_nothing

PACKAGE = Path(typesig.__file__).parent

CALLS = {
    "compile", "match", "search", "fullmatch", "split", "sub", "subn", "findall", "finditer",
}  # fmt: skip


def places_of(path: Path) -> Iterator[str]:
    """Yield the module with the name or the function that compiles or runs an expression."""
    module = path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".")

    def visit(node: ast.AST, name: str) -> Iterator[str]:
        match node:
            case ast.FunctionDef(name=name):
                pass
            case (
                ast.Assign(targets=[ast.Name(id=bound)]) | ast.AnnAssign(target=ast.Name(id=bound))
            ) if not name:
                name = bound
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=attr)) if attr in CALLS:
                yield f"{module}.{name}"
            case _:
                pass
        for child in ast.iter_child_nodes(node):
            yield from visit(child, name)

    yield from visit(ast.parse(path.read_text(encoding="utf-8")), "")


class Bound(NamedTuple):
    """An expression that is bound to a name, and the methods that run it.

    #: units: what texts repeat, beside `UNITS`; before: what they begin with
    """

    uses: tuple[str, ...]
    units: tuple[str, ...] = ()
    before: tuple[str, ...] = ()


class Run(NamedTuple):
    """A function that runs an expression."""

    run: Callable[[str], object]
    units: tuple[str, ...] = ()
    before: tuple[str, ...] = ()


class Cut(NamedTuple):
    """Why an expression never has a long text."""

    reason: str


def _legal_name(text: str) -> dict[str, str]:
    return legal_names([text], NameRule("A-Za-z_", "A-Za-z0-9_", 1 << 30))


def _media(text: str) -> object:
    try:
        return Media(text, b"", text)
    except TypesigError as error:
        return error


def _odd(text: str) -> object:
    return is_odd(text.encode(errors="surrogatepass"))


_WINDOW = Cut("only the last 200 characters before a mistake, or a few at it")
_DOCUMENTED = Cut("a type in a docstring has at most MAX_DOCUMENTED characters")
_LINE = Cut("the reader of docstrings is tried as a whole in test_growth_extraction")
_PATTERN = Cut("matched at one place of a pattern of at most MAX_PATTERN characters")
_DRAWN = Cut("what a rehearsal has drawn itself, of a bounded size")
_FORMAT = Cut("the rows of formats are tried below")
_NEAR = Cut("the reader of text that is nearly JSON is tried as a whole in test_answers_growth")
_ARRIVING = Cut("the reading of texts in pieces is tried as a whole in test_streaming_growth")
_KEPT = Cut("only the last characters before a place are searched, and a mark has at most so many")
_SYNTAX = Cut("the readers of broken texts are tried in test_growth_texts")


def _unquoted_or_not(text: str) -> None:
    try:
        gemini_arguments._unquoted(text, text)
    except TypesigError:
        pass


def _framed(text: str) -> None:
    only_word(text, {"a": 1, "yes": 2})
    says_nothing(text)


_AMOUNTS = ("1h", "1 h ", "1 h, ", "1h and ", "1.5", "hours")

_FRAMES = Run(_framed, ("yes", "is the answer", "sure. ", "**", "(", "<answer>", "`a`", '"a"'))

USES: dict[str, Bound | Run | Cut] = {
    "algebra.rows.formats.test": _FORMAT,
    "algebra.rows.formats.is_date": _FORMAT,
    "algebra.rows.formats._is_time": _FORMAT,
    "algebra.rows.formats._is_offset_time": _FORMAT,
    "algebra.rows.formats.is_date_time": _FORMAT,
    "algebra.rows.formats._is_email": _FORMAT,
    "algebra.rows.formats._is_hostname": _FORMAT,
    "algebra.rows.formats._is_ipv4": _FORMAT,
    "algebra.rows.formats._is_uri": _FORMAT,
    "algebra.rows.formats._is_uri_reference": _FORMAT,
    "algebra.rows.formats._is_base64": _FORMAT,
    "algebra.rows.formats._is_decimal": _FORMAT,
    "algebra.rows.formats._is_network": _FORMAT,
    "contracts.rows.hiding._INVISIBLE": Bound(("finditer",), ("\u200b", "\ufe00", "\ufe00a")),
    "contracts.rows.hiding._DIRECTIONS": Bound(("finditer",), ("\u202e",)),
    "contracts.rows.hiding._TAG_CHARACTERS": Bound(("finditer",), ("\U000e0041",)),
    "contracts.rows.hiding._CONTROLS": Bound(("finditer",), ("\x1b", "\r")),
    "contracts.rows.hiding._TAG": Bound(("finditer",), ("<a", "<a ", "</a>"), ("<a", "</")),
    "contracts.rows.hiding._REFERENCE": Bound(("finditer",), ("[a]:", "\n[a", "]"), ("[", "[a")),
    "contracts.rows.hiding._BLANKS": Bound(("finditer",)),
    "contracts.rows.hiding._WORD": Bound(("finditer",)),
    "loaded_json._EXPONENT": Run(_odd, ("1e", "e1", "e")),
    "loaded_json._SMALL": Run(_odd, ("0.0000", "0.", "00")),
    "errors.message_text": Run(message_text, ("a ", " a")),
    "providers.rewriting.describing._SURROGATE": Bound(("search", "sub"), ("\ud800",)),
    "providers.rows.items._CALL": Bound(("fullmatch",), ("call", "_call", "Call"), ("call", "a")),
    "providers.rows.names._SURROGATE": Bound(("search", "sub"), ("\ud800",)),
    "providers.rows.names._beginning": Run(_legal_name, ("_", "é")),
    "providers.rows.names._candidate": Run(_legal_name, ("\ud800", "é", "_")),
    "providers.rows.names._is_made_of": Run(_legal_name, ("a", "é")),
    "providers.rewriting.text_codecs._INTEGER": Bound(("fullmatch",), ("1",), ("-",)),
    "mcp.transport.refusals._TEXT": Bound(("findall",), ('"a" ', '"a', '" '), ('"', '"a"')),
    "mcp.transport.refusals._ODD_ID": Bound(
        ("search",), ('"id"', '"id":', "1 "), ('"id":', '"id":1')
    ),
    "mcp.transport.frames._FIRST": Cut("the first 400 characters of a frame"),
    "mcp.transport.frames._LAST": Cut("the last 400 characters of a frame"),
    "extraction.docstrings.choices._CHOICES": _LINE,
    "extraction.docstrings.list_sections._BULLET": _LINE,
    "extraction.docstrings.list_sections._CALLS": _LINE,
    "extraction.docstrings.list_sections._ITEM": _LINE,
    "extraction.docstrings.list_sections._LINK": _LINE,
    "extraction.docstrings.list_sections._NAMED": _LINE,
    "extraction.docstrings.list_sections._OPTIONAL": _LINE,
    "extraction.docstrings.list_sections._TITLE": _LINE,
    "extraction.docstrings.list_sections._write_item": Run(
        lambda text: list_sections._write_item("a", text, [])
    ),
    "programs.monty._REPRS": Bound(
        ("fullmatch",), ("1, ", "0", " object"), ("<tool ", "<function ", "<a object", "range(")
    ),
    "patterns.grammar._ASSERTION": Bound(("match",)),
    "patterns.grammar._BACK_REFERENCE": Bound(("match",), before=("\\1", "\\k<")),
    "patterns.grammar._ESCAPE": Bound(("match",), before=("\\p{", "\\p{a=", "\\u{")),
    "patterns.grammar._LOW_HALF": Bound(("match",)),
    "patterns.grammar._NAME_ESCAPE": Bound(("finditer", "sub"), ("\\u{61}", "\\u0061", "\\u{")),
    "patterns.grammar._OPENING": Bound(("match",), ("i", "m"), ("(?", "(?i-")),
    "patterns.grammar._PLAIN": Bound(("match",)),
    "patterns.grammar._QUANTIFIER": Bound(("match",), before=("{", "{1,")),
    "tools.searching._WORDS": Bound(("findall",), ("a_", "日", "é")),
    "tools.searching._CASES": Bound(("split",), ("A", "aA", "Aa")),
    "validation.outcome.feedback._FIREWALLED": Bound(("search",), ("'-", '"_', "{_", ", _")),
    "notations.json_schema.keywords.references._INDEX": Bound(("fullmatch",), ("12",)),
    "notations.json_schema.keywords.references._PARTS": Bound(
        ("fullmatch",), ("a:", "//", "/", "?", "#"), ("http://", "a:", "#", "?")
    ),
    "openapi.requests._COOKIE": Bound(("fullmatch",), ("a=b",)),
    "providers.vendors.anthropic._BLOCK": Bound(("fullmatch",), ("tool_use", "_tool_result")),
    "providers.vendors.anthropic._EVENT": Bound(("fullmatch",), ("message_", "a")),
    "providers.vendors.openai._OWN_ITEM": Bound(("fullmatch",), ("_call", "mcp_")),
    "providers.vendors.openai._RESULT": Bound(("fullmatch",), ("_call_output", "_call")),
    "validation.mending.marks.ALONE": Bound(("match",), ("}", "]\n", ", "), (" ",)),
    "validation.mending.marks.CLAUSE": Bound(("match",), ("a ", "a, "), ("a",)),
    "validation.mending.marks.LEAVING_OUT": Bound(("search",), ("more ", "so ", "..", "a")),
    "validation.mending.marks.REMARK": Bound(("match",), ("// ", "#"), ("//", " #")),
    "validation.mending.marks.REMARKS": Bound(
        ("fullmatch",), ("*/", "-->", "/*", "// "), ("/*", "<!--", " //")
    ),
    "validation.mending.marks.SHORT_FENCE": Bound(("match",), ("`", "\n"), ("``",)),
    "validation.mending.marks.SURPLUS": Bound(("match",), ("}", "] ", ","), ("}",)),
    "validation.mending.near_json._EMPTY": Bound(("match",), (" ", "[] "), ("[", "[]{")),
    "validation.mending.near_json._END": Bound(("match",), (" ", ";", "\n"), (" ;",)),
    "validation.mending.near_json._FENCE": Bound(
        ("match",), ("`", "\n", "json"), ("```", "```json")
    ),
    "validation.mending.near_json._PARENTHESES": Bound(
        ("match",), (" ", "print"), ("print", "cb ")
    ),
    "validation.rows.coercions._INTEGER": Bound(("fullmatch",), ("1", "0"), ("-", "1")),
    "validation.stream.scanner._READABLE": Bound(("match",), ("\\\\", "a\\n", "\\u0041")),
    "contracts.rehearsals.changing.CHANGES": _DRAWN,
    "contracts.rehearsals.changing._camel": _DRAWN,
    "contracts.rehearsals.changing.MISTAKES": _DRAWN,
    "contracts.rehearsals.changing.WORD": _DRAWN,
    "providers.vendors.gemini_arguments._STEP": Bound(
        ("match",), (".a", "[1]", "\\'", '\\"'), (".", "['", '["', "[")
    ),
    "providers.vendors.gemini_arguments._unquoted": Run(
        lambda text: _unquoted_or_not(f"'{text}'"), ("\\'", "\\\\")
    ),
    "validation.mending.marks.BLANK": _NEAR,
    "validation.mending.marks.BRACKETS": _NEAR,
    "validation.mending.marks.CLOSED_THOUGHT": _NEAR,
    "validation.mending.marks.INDEX": _NEAR,
    "validation.mending.marks.INTRODUCED": _NEAR,
    "validation.mending.marks.JSON_BEGINS": _NEAR,
    "validation.mending.marks.KEY_BEFORE": _NEAR,
    "validation.mending.marks.MARK": _NEAR,
    "validation.mending.marks.NO_VALUE": _NEAR,
    "validation.mending.marks.THOUGHT": _NEAR,
    "validation.mending.candidates._fence": _NEAR,
    "validation.mending.marks.GAP": Bound(
        ("match",), ("//a\n", "/**/", "/*", "#a\n", ", "), (",", "/*", "//", ",#")
    ),
    "validation.mending.marks.GOES_ON": Bound(("search",), ("and so ", "no ", "no more", "more")),
    "validation.mending.near_json._GROUPED": _NEAR,
    "validation.mending.near_json._SCALAR_AHEAD": _NEAR,
    "validation.mending.near_text._CODE": _NEAR,
    "validation.mending.near_text._DRIVE": _NEAR,
    "validation.mending.near_json._BARE_KEY": _NEAR,
    "validation.mending.near_json._BARE_TEXT": _NEAR,
    "validation.mending.near_json._BLANK": _NEAR,
    "validation.mending.near_json._COMMENT": _NEAR,
    "validation.mending.near_json.ELLIPSIS": _NEAR,
    "validation.mending.near_json._NUMBER": _NEAR,
    "validation.mending.near_json._ODD_BLANK": _NEAR,
    "validation.mending.near_json._ODD_NUMBER": _NEAR,
    "validation.mending.near_json._SEPARATOR": _NEAR,
    "validation.mending.near_json._TAIL": _NEAR,
    "validation.mending.near_json._WORD": _NEAR,
    "validation.mending.near_text.KEY_AHEAD": _NEAR,
    "validation.mending.near_text._AFTER_ITEM": _NEAR,
    "validation.mending.near_text._AFTER_KEY": _NEAR,
    "validation.mending.near_text._AFTER_LONE": _NEAR,
    "validation.mending.near_text._AFTER_VALUE": _NEAR,
    "validation.mending.near_text._COLON": _NEAR,
    "validation.mending.near_text._HEX": _NEAR,
    "validation.mending.near_text._quotes": _NEAR,
    "validation.mending.marks.IN_PATH": _NEAR,
    "validation.mending.frames._BREAK": Bound(("split",), (". ", ":"), (".",)),
    "validation.mending.frames._CLAUSE": Cut("the last 40 characters before a bracket"),
    "validation.mending.frames._FENCE": Bound(("fullmatch",), ("`", "~", "a"), ("```",)),
    "validation.mending.frames._FIRST": Bound(("split",)),
    "validation.mending.frames._GOES_ON": Bound(("match",)),
    "validation.mending.frames._MARKUP": _FRAMES,
    "validation.mending.frames._SAYS": Bound(
        ("fullmatch",), ("sh", "s", "h", "t", "d", "c"), ("s", "c")
    ),
    "validation.mending.frames._SAYS_NOTHING": Bound(("fullmatch",), ("s", "h", "t", "sht")),
    "validation.mending.frames._SENTENCES": _FRAMES,
    "validation.mending.frames._TOKEN": Bound(("finditer",), ("a'", "a-", "’")),
    "validation.mending.frames._may_differ": _FRAMES,
    "validation.rows.secrets._KEY": Bound(("findall",), ("a\\", "a:", "a =", "\\\\"), ("a", "a\\")),
    "validation.issues.excerpt._BARE": Bound(("match",), ("1-",), ("-", "1-")),
    "validation.check.scalar_checks._PARTS": Bound(("findall",), ("aA", "Aa")),
    "validation.rows.coercions._ISO": Cut(
        "a text that is read as a datetime has at most MAX_DATETIME characters"
    ),
    "extraction.docstrings.docstrings._GOOGLE": Bound(("search",), ("Args", "\nArgs ", "\n\t")),
    "extraction.docstrings.docstrings._NUMPY": Bound(
        ("search",), ("Returns\n", "Returns\n---", "Returns \n ")
    ),
    "extraction.docstrings.docstrings._REST": Bound(("search",), ("\n:param", ":param ")),
    "extraction.docstrings.docstrings._ATTRIBUTE": Bound(("search", "sub"), ("\n:ivar", ":var ")),
    "extraction.docstrings.docstrings._EPYDOC": Bound(("search",), ("\n@param", "@type ")),
    "extraction.docstrings.docstrings._RUN": Bound(("sub",), ("a  ", "a\t")),
    "extraction.docstrings.docstrings._BLANK": Bound(("split",), ("\n \t",)),
    "extraction.docstrings.docstrings._BLANKS": Bound(("split",), ("\n \t",)),
    "extraction.docstrings.docstrings._BROKEN": Bound(("sub",), ("\n1", "\n- ", "\n \t")),
    "extraction.docstrings.documented._ROLE": _DOCUMENTED,
    "extraction.docstrings.documented._TAIL": _DOCUMENTED,
    "extraction.docstrings.documented._ASIDE": _DOCUMENTED,
    "extraction.docstrings.documented._SHAPE": _DOCUMENTED,
    "extraction.docstrings.documented._ARTICLE": _DOCUMENTED,
    "extraction.docstrings.documented._INSTANCE": _DOCUMENTED,
    "extraction.docstrings.documented._LITERAL": _DOCUMENTED,
    "extraction.docstrings.documented._DOTTED": _DOCUMENTED,
    "extraction.docstrings.documented._PHRASES": _DOCUMENTED,
    "extraction.docstrings.documented._split": _DOCUMENTED,
    "extraction.docstrings.documented._phrase": _DOCUMENTED,
    "extraction.docstrings.documented._inner": _DOCUMENTED,
    "extraction.callables.aliases.name_in": Run(name_in),
    "extraction.hosts.host_leaves._regex": Cut(
        "the argument of a hint of re.Pattern is compiled, never run"
    ),
    "extraction.hosts.host_leaves._timedelta": Run(
        lambda text: re.fullmatch(
            import_module("typesig.extraction.hosts.host_leaves")._DURATION, text
        ),
        ("1W", "PT1"),
        ("P", "PT"),
    ),
    "extraction.docstrings.docstring_markup._DIRECTIVE": Bound(
        ("fullmatch",), ("a:", "a::", ":: "), (".. ", ".. a:: ")
    ),
    "extraction.docstrings.docstring_markup._FOOTNOTE": Bound(
        ("fullmatch",), ("[", "] ", " a"), (".. [", ".. [a] ")
    ),
    "extraction.docstrings.docstring_markup._TARGET": Bound(
        ("fullmatch",), ("_", ":", "|", "a "), (".. _", ".. |")
    ),
    "extraction.docstrings.docstring_markup._OPTION": Bound(
        ("fullmatch",), (":alt", " "), (":alt: ",)
    ),
    "extraction.docstrings.docstring_markup._MARKED": Bound(
        ("sub",), (":a:`", ":a:`~", ":a:`b<", "a:", "``a", "``a`", "`a <", "`a <b>`_", "|a", "[1]_")
    ),
    "extraction.docstrings.docstring_markup._SIGNS": Bound(
        ("findall",), ("C{", "E{lb", "\n ", "\n\t\n")
    ),
    "extraction.docstrings.simple_docs._ITEM": Bound(("fullmatch",), ("a (", "(a) "), ("a", "a (")),
    "extraction.docstrings.sections._TITLE": Bound(("fullmatch",)),
    "extraction.docstrings.sections._FIELD": Bound(("match",), ("a ", "\ta"), (":a ",)),
    "extraction.docstrings.sections._ROLE": Bound(("match",), ("a:",), (":",)),
    "extraction.docstrings.sections._STARTS": Run(
        lambda text: [
            pattern.split(text)
            for pattern in import_module("typesig.extraction.docstrings.sections")._STARTS.values()
        ],
        ("a\n", "a\n---", "a\n \t"),
    ),
    "extraction.docstrings.sections.parts": Run(
        lambda text: [
            *import_module("typesig.extraction.docstrings.sections").parts("google", text)
        ],
        ("\n    a", "    a"),
        ("Args:\n",),
    ),
    "extraction.docstrings.field_texts._CLASS": Bound(("match", "search"), ("class ",)),
    "extraction.docstrings.field_texts._QUOTED": Bound(("search",), ("\n\t", "\n \t")),
    "extraction.docstrings.field_texts._OUTERMOST": Bound(
        ("search", "findall"), ("\n", "\n ", "\n#")
    ),
    "extraction.docstrings.field_texts._stops": Cut(
        "a source file has at most MAX_SOURCE characters, tried by class"
    ),
    "extraction.callables.warnings.hint_text": Cut("the text of a hint, which a developer wrote"),
    "notations.compact.__init__._pieces": Bound(("finditer",)),
    "notations.compact.expressing._BREAK": Bound(("search", "sub"), ("\r", "\n")),
    "notations.compact.remedies.at_token": _WINDOW,
    "notations.edn.data._NAME": Bound(("fullmatch",), ("a/", "#", ":a")),
    "notations.edn.data._LIKE_A_NUMBER": Bound(("search",), ("/", "/+.")),
    "notations.edn.data.PIECES": Bound(("finditer",)),
    "notations.edn.remedies._WORD": Bound(("match",)),
    "notations.edn.remedies._SIGN": Bound(("match",)),
    "notations.edn.remedies.at_word": _SYNTAX,
    "notations.edn.remedies.at_end": _SYNTAX,
    "notations.edn.rules._ESCAPE": Bound(("finditer",), ("\\u",)),
    "notations.edn.writer._HALVES": Bound(("sub",), ("\ud800",)),
    "notations.gram.__init__._pieces": Bound(("finditer",)),
    "notations.gram.remedies._PIECES": Bound(("finditer",)),
    "notations.gram.remedies._TYPE": _WINDOW,
    "notations.gram.remedies._met": _SYNTAX,
    "notations.gram.remedies._without_result": _SYNTAX,
    "notations.texts.tokens.row_of": _WINDOW,
    "notations.texts.quoting.encodable": Run(
        import_module("typesig.notations.texts.quoting").encodable, ("\ud800",)
    ),
    "notations.shorthand.__init__._pieces": Bound(("finditer",)),
    "notations.texts.table_reader.__init__": Cut("the terminals of the grammars are tried below"),
    "notations.texts.table_reader._matcher": Cut("the terminals of the grammars are tried below"),
    "notations.texts.tables._terminals": Cut("the terminals and the words of our own grammars"),
    "notations.shorthand.remedies._BARE": Bound(("match",)),
    "notations.shorthand.remedies._COMMENTED": Bound(("search",), ("(a", "[\n")),
    "notations.shorthand.remedies._NAMED": _WINDOW,
    "notations.shorthand.remedies._STRING": Bound(("match",), (), ('"',)),
    "notations.shorthand.remedies.at_token": _WINDOW,
    "openapi.making._short_name": Run(
        lambda text: making._short_name(types.SimpleNamespace(method="GET", path=text))  # type: ignore[arg-type]
    ),
    "openapi.operations._TOKEN": Bound(("fullmatch",)),
    "openapi.operations.HEADER": Bound(("fullmatch",)),
    "openapi.requests._TEMPLATE": Bound(("finditer", "findall")),
    "openapi.yaml_text._FLOAT": Bound(("fullmatch",)),
    "openapi.yaml_text._INT": Bound(("fullmatch",)),
    "openapi.yaml_text._NO_NUMBER": Bound(("fullmatch",), (".inf",), ("-.", "-.inf")),
    "openapi.yaml_text._OTHER_BASE": Bound(("fullmatch",), ("a", "7"), ("0x", "0o")),
    "openapi.yaml_text._SURROGATE": Bound(("search",), ("\ud800",)),
    "patterns.reader._COUNT": _PATTERN,
    "patterns.reader._NO_LEAST": _PATTERN,
    "patterns.reader._OPENING": _PATTERN,
    "patterns.reader._POINT": _PATTERN,
    "patterns.reader._PROPERTY": _PATTERN,
    "patterns.reader._LETTER": _PATTERN,
    "patterns.search._python_search": Cut("patterns of others, whose search is proved bounded"),
    "providers.dialects.reading.balanced._BEGUN": Bound(("match",), ("[{", "a."), ("[", '{"name"')),
    "providers.dialects.reading.balanced._CALLED": Bound(
        ("match",), ("a.", " ", "[a("), ("[", "[a(")
    ),
    "providers.dialects.reading.balanced._LISTED": Bound(("match",), (), ("[",)),
    "providers.dialects.reading.balanced._NAMED": _WINDOW,
    "providers.dialects.reading.choosing._CALL": Bound(
        ("finditer",), ('{"name"', '{ "name": "', '"arguments"'), ("{", '{"name": "', '{"name":"a"')
    ),
    "providers.dialects.reading.tagged._CDATA": Bound(
        ("fullmatch",), ("<![CDATA[", "]]>"), ("<![CDATA[",)
    ),
    "providers.dialects.reading.members._quoted": Run(
        lambda text: members._quoted(text, "<|"), ("<|", "<", "{a:", ", a"), ("<|", "{a", '"')
    ),
    "providers.dialects.answers._MARK": Bound(("findall",), ("<a", "[A", "[/"), ("<", "[")),
    "providers.dialects.answers._PLACE": Bound(("sub",), ("{name}", "{na"), ("{",)),
    "providers.dialects.templates._PLACEHOLDER": Bound(("fullmatch",), ("a.", "a"), ("{",)),
    "providers.projection.refusals._VERSION": Bound(("sub",), ("_20260101", "_"), ("_",)),
    "providers.dialects.writing._BETWEEN_NAMES": Bound(("split",), (".-",)),
    "extraction.hosts.media.__init__": Run(_media, ("a/", "/a", "a.")),
    "extraction.hosts.media.media_of": Run(_media, ("a/", "/a", "a.")),
    "providers.dialects.lexer.__init__": Run(
        lambda text: Lexer(("<a>", "<ab>"), True).next(text, 0, True), ("<a", "<ab", "\\")
    ),
    "providers.dialects.reading.members._BARE_KEY": Bound(("sub",), (", ", ",a"), ("{", "{a")),
    "providers.dialects.reading.members._NAME": Bound(("fullmatch",)),
    "providers.dialects.reading.members._PIECE": Bound(("finditer", "match")),
    "tools.explicit._is_only_result": Run(
        lambda text: explicit._is_only_result(text, typesig.parse("-> :int")),
        (";\n", "; ;", " ;"),
        ("(",),
    ),
    "calls.decoding._repeats": Run(lambda text: decoding._repeats(text, [text, "a"])),
    "calls.functions._names": Bound(("match",)),
    "listings.template._PLACEHOLDER": Bound(("finditer",)),
    "listings.template._PATH": Bound(("fullmatch",)),
    "validation.issues.remedies._DIGIT": Bound(("sub",)),
    "validation.issues.remedies._mask_digits": Run(remedies._mask_digits, (".0", "+00:00"), (".",)),
    "validation.issues.time_texts._AMOUNT": Cut("texts that _AMOUNTS has matched"),
    "validation.issues.time_texts._AMOUNTS": Bound(("fullmatch",), _AMOUNTS, ("1", "1 h")),
    "validation.issues.time_texts._BOTH": Bound(("fullmatch",), ("T1", ", ", " 1:", "1 a"), ("a",)),
    "validation.issues.time_texts._CLOCK": Bound(("fullmatch",), ("1",), ("1:00:00.", "1 ")),
    "validation.issues.time_texts._DAY_AHEAD": Bound(("match",)),
    "validation.issues.time_texts._DAY_MONTH": Bound(("fullmatch",)),
    "validation.issues.time_texts._HOURS_MINUTES": Bound(("fullmatch",)),
    "validation.issues.time_texts._ISO": Bound(("fullmatch",), ("1", "."), ("P", "PT", "P1D")),
    "validation.issues.time_texts._MONTH_DAY": Bound(("fullmatch",)),
    "validation.issues.time_texts._YEAR_FIRST": Bound(("fullmatch",), (), ("2026-01-02 ",)),
    "validation.issues.time_texts._YEAR_LAST": Bound(("fullmatch",)),
    "validation.rows.coercions._INT": Bound(("fullmatch",)),
    "validation.rows.coercions._FLOAT": Bound(("fullmatch",), (), ("1.", "1e")),
    "validation.mending.opening._BLANK": _ARRIVING,
    "validation.mending.opening._COMMENT": _KEPT,
    "validation.mending.opening._ENDS": _ARRIVING,
    "validation.mending.opening._MARK": _ARRIVING,
    "validation.stream.scanner._BETWEEN": Bound(("match",)),
    "validation.stream.scanner._BLANK": Bound(("match",)),
    "validation.stream.scanner._PLAIN": Bound(("match",)),
    "validation.stream.scanner._WORD": Bound(("match",)),
    "listings.listed._PIECES": Bound(("finditer",)),
    "listings.listed._REFERENCE": Bound(("findall",)),
    "validation.rows.json_text.PIECES": Bound(("finditer",)),
    "validation.rows.tables._BARE": Bound(("match",)),
    "validation.rows.tables._SCALAR": Bound(("fullmatch",), ("1", ".1", "e1"), ("-", "1.", "1e")),
    "validation.rows.tables._STRING": Bound(("match",), ("\\n", "\\"), ('"',)),
    "validation.outcome.outcome_markup._HIDDEN": Bound(("search",), ("-_", "_-")),
}


@pytest.mark.once
def test_each_place_that_runs_an_expression_has_a_row() -> None:
    found = {place for path in PACKAGE.rglob("*.py") for place in places_of(path)}

    assert found == USES.keys()


#: What the texts repeat.
UNITS = (
    " ", "\n", "\t", "\r\n", "\n ", " \n", "a", "A", "_", "-", "a-", ".", "..", ",", ", ", ":", "::",
    ";", '"', '\\"', "\\", "'", "`", "``", "(", ")", "[", "]", "{", "}", "<", "#", "@", "/", "/a/",
    "%", "%20", "~", "~0", "=", "0", "1", "1.", "+", "e1", "1e", "a.", "a ", "a,", "a: ", "é",
    "\ud800", "---", "---\n", "x\n", "{{", "{{a", "->", "-->", "P1D", "1D", "1H",
)  # fmt: skip


def cpu_time(run: Callable[[str], object], text: str) -> float:
    began = process_time()
    run(text)
    return process_time() - began


def assert_linear(
    run: Callable[[str], object], units: tuple[str, ...] = (), before: tuple[str, ...] = ()
) -> None:
    for unit in (*UNITS, *units):
        for first in ("", *before):
            for last in ("", "\x00"):
                short, long = (first + unit * (n // len(unit)) + last for n in (1_000, 8_000))
                # What takes so little is not quadratic: each step would take a picosecond.
                if cpu_time(run, long) < 0.01:
                    continue
                least, most = (min(cpu_time(run, t) for _ in range(3)) for t in (short, long))
                assert most < 8 * 4 * least, (first, unit, last)


@pytest.mark.once
@pytest.mark.parametrize("place", [at for at, row in USES.items() if not isinstance(row, Cut)])
def test_an_expression_takes_linear_time(place: str) -> None:
    row = USES[place]
    if isinstance(row, Run):
        assert_linear(*row)
        return
    assert isinstance(row, Bound)
    module, _, name = place.rpartition(".")
    found = getattr(import_module(f"typesig.{module}".removesuffix(".__init__")), name)
    # A function compiles the expression when it is first needed.
    pattern = found if isinstance(found, re.Pattern) else found()
    for use in row.uses:
        assert_linear(_runner(pattern, use), row.units, row.before)


def _runner(pattern: re.Pattern[str], use: str) -> Callable[[str], object]:
    match use:
        case "finditer":
            return lambda text: [*pattern.finditer(text)]
        case "sub":
            return lambda text: pattern.sub("", text)
        case _:
            return lambda text: getattr(pattern, use)(text)


@pytest.mark.once
def test_a_regular_expression_is_read_in_linear_time() -> None:
    # A reader in Python takes too long to try all units.
    for unit in (
        "a",
        "(",
        "[",
        "a*",
        "(?<n>a)|",
        "(?:|",
        "\\k<n>",
        "\\d",
        "{1}",
        "|",
        "(?:",
        "a{1,2}",
        "[a-z]",
    ):
        for last in ("", "\x00", ")"):
            short, long = (unit * (n // len(unit)) + last for n in (1_000, 8_000))
            least, most = (
                min(cpu_time(FORMATS["regex"], t) for _ in range(2)) for t in (short, long)
            )
            assert most < 8 * 4 * least + 0.01, (unit, last)


@pytest.mark.once
@pytest.mark.parametrize("name", [name for name in FORMATS if name != "regex"])
def test_a_format_is_tested_in_linear_time(name: str) -> None:
    units = ("a@", "//", "//a:", "[", ":0", "0:", "P1Y", "T1", "1M", "1/", "=", "a.b", "\\.", "%2")
    assert_linear(FORMATS[name], units, ("http://", "P", "PT", "a@", "/", "1.", "{"))


TERMINALS = [
    (package, terminal.name, terminal.pattern.to_regexp())
    for package in tables.PACKAGES
    for terminal in tables.build_parser(package).terminals
]


@pytest.mark.once
@pytest.mark.parametrize(
    ("package", "name", "pattern"), TERMINALS, ids=lambda value: str(value)[:30]
)
def test_a_terminal_of_a_grammar_is_matched_in_linear_time(
    package: str, name: str, pattern: str
) -> None:
    first = {"TEXT": ('"',), "QUOTED": (':"',), "REGEX": ("/",), "KEYWORD": (":", ":a/"),
             "TAG": ("#a",), "SPECIAL": ("##a",), "RATIO": ("1/",), "FLOAT": ("1.", "1e")}  # fmt: skip
    assert_linear(re.compile(pattern).match, ("\\u", "a/", ";\n", "; "), first.get(name, ()))


#: Expressions of ours that our own proof reads: it shows that one path at most is open.
PROVED = [
    r"^[A-Za-z_][A-Za-z0-9_-]*$",
    r"^[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)*$",
    r"^[A-Za-z]*[ \t]*\r?\n",
    r"^[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$",
    r'^"(?:[^"\\\n]|\\.)*"',
]


@pytest.mark.parametrize("pattern", PROVED)
def test_our_own_proof_shows_that_an_expression_is_linear(pattern: str) -> None:
    node = parse_pattern(pattern)
    counter = _PathCounter(Automaton(node), _max_read(node))

    assert 1 == len(counter.open_paths(anchored=True))


def test_a_row_of_semicolons_above_a_result_is_one_comment() -> None:
    @tool(";" * 2_000 + "\n-> :int")
    def count(item: str) -> int:
        """Count the items."""
        return len(item)

    assert "(item :string) -> :int" == str(count.signature)


MANY = {
    "shorthand": lambda patterns: typesig.parse(f"[{', '.join(f':string[/{p}/]' for p in patterns)}]"),
    "keys": lambda patterns: typesig.parse(f"{{{', '.join(f'/{p}/ :int' for p in patterns)}}}"),
    "malli": lambda patterns: typesig.parse([":tuple", *[[":re", p] for p in patterns]]),
    "edn": lambda patterns: typesig.parse(
        "[:tuple " + " ".join(f'[:re "{p}"]' for p in patterns) + "]", "edn"
    ),
    "json schema": lambda patterns: typesig.from_json_schema(
        {"anyOf": [{"type": "string", "pattern": p} for p in patterns]}
    ),
    "tool schema": lambda patterns: typesig.from_json_schema(
        {"properties": {"a": {"patternProperties": {p: {} for p in patterns}}}}, {},
),
}  # fmt: skip

TOO_MANY = (
    "the patterns of a signature may take 2000 steps to read, these take more; write fewer or "
    "shorter patterns"
)


@pytest.mark.parametrize("notation", MANY)
def test_the_patterns_of_a_signature_have_a_budget(
    notation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pattern_budget, "MAX_PATTERN_WORK", 2_000)
    with pytest.raises(TypesigError) as raised:
        MANY[notation]([f"{notation[:2]}{at}x" for at in range(30)])
    assert TOO_MANY in str(raised.value)

    # A pattern that occurs again is read once.
    MANY[notation]([f"^{notation[:2]}$", *["abc"] * (30 if notation != "keys" else 1)])


def test_a_refused_pattern_counts_as_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_budget, "MAX_PATTERN_WORK", 25_000)
    schema = {"anyOf": [{"type": "string", "pattern": f"({at}"} for at in range(9)]}
    losses = typesig.parse(schema, "json_schema", lossy=True).losses

    said = ["may take 25000 steps" in str(loss) for loss in losses]
    assert [False] * 2 + [True] * 7 == said


def test_a_constraint_by_itself_has_no_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_budget, "MAX_PATTERN_WORK", 10)

    assert "abc" == Constraint("pattern", "abc").argument.thaw()


def test_one_budget_is_for_a_whole_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    # Enough for two patterns of three letters, whichever engine searches for them.
    enough = 2 * analyzed("abc").steps + 1
    monkeypatch.setattr(pattern_budget, "MAX_PATTERN_WORK", enough)
    with pattern_budget.bounded_patterns():
        pattern_budget.check_pattern("abc")
        pattern_budget.check_pattern("abc")
        with pattern_budget.bounded_patterns():
            pattern_budget.check_pattern("bcd")
            with pytest.raises(TooLarge):
                pattern_budget.check_pattern("cde")
        with pytest.raises(TooLarge):
            pattern_budget.check_pattern("abc")
    with pattern_budget.bounded_patterns():
        pattern_budget.check_pattern("bcd")


@pytest.mark.parametrize("unit", [r"\p{L}", r"[^\p{L}]", r"[\p{Lu}\d]", r"(?:\p{Ll})"])
def test_the_sets_of_a_pattern_have_a_limited_number_of_ranges(unit: str) -> None:
    assert parse_pattern(unit * 20)
    with pytest.raises(TooLarge) as raised:
        parse_pattern(unit * 900)

    assert str(raised.value).startswith("the sets of a pattern may have 50000 ranges of characters")


def test_a_small_set_and_a_large_one_are_caseless_alike() -> None:
    for group in _case_groups():
        both = {(code, code) for code in group}
        for code in group:
            assert both <= {
                (c, c) for low, high in caseless(((code, code),)) for c in range(low, high + 1)
            }
    assert ((0x30, 0x39),) == caseless(((0x30, 0x39),))
    assert ALL == caseless(ALL)
    # Only the Kelvin and the Angstrom sign, and the numerals of Rome, are like others in it.
    large = caseless(((0x2100, 0x2180), (0x4E00, 0x9FFF)))
    assert {ord("k"), ord("K"), ord("å"), 0x2170} <= {c for a, b in large for c in range(a, b + 1)}
    assert not any(low <= ord("x") <= high for low, high in large)
