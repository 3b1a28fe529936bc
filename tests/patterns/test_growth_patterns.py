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
from contextlib import suppress
from datetime import time, timedelta
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import NamedTuple

import pytest

import typesig
from tests import parse_tables as tables
from typesig import Media, TypesigError, tool
from typesig.algebra.rows import pattern_budget
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.formats import FORMATS
from typesig.calls import decoding
from typesig.errors import TooLarge, format_message
from typesig.extraction.callables.generics import make_name
from typesig.extraction.docstrings import sections
from typesig.extraction.python_types import text_readers
from typesig.json_backends import is_odd
from typesig.openapi import tool_builder
from typesig.patterns.automaton import Automaton
from typesig.patterns.backtracking import _find_max_read, _PathCounter
from typesig.patterns.charset import ALL, _build_case_groups, ignore_case
from typesig.patterns.reader import parse_pattern
from typesig.patterns.search import analyze_pattern
from typesig.providers.dialect_parsing import members
from typesig.providers.dialects.lexer import Lexer
from typesig.providers.registry.provider import NameRule, make_legal_names
from typesig.providers.vendors import gemini_arguments
from typesig.tools import explicit
from typesig.validation.issues import suggestions
from typesig.validation.plan import leaf_rows
from typesig.validation.repair.framing import find_only_word, is_filler

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
    return make_legal_names([text], NameRule("A-Za-z_", "A-Za-z0-9_", 1 << 30))


def _media(text: str) -> object:
    try:
        return Media(text, b"", text)
    except TypesigError as error:
        return error


def _odd(text: str) -> object:
    return is_odd(text.encode(errors="surrogatepass"))


_WINDOW = Cut("only the last 200 characters before a mistake, or a few at it")
_DOCUMENTED = Cut("a type in a docstring has at most MAX_DOCUMENTED characters")
_PATTERN = Cut("matched at one place of a pattern of at most MAX_PATTERN characters")
_DRAWN = Cut("what a rehearsal has drawn itself, of a bounded size")
_FORMAT = Cut("the rows of formats are tried below")
_NEAR = Cut("the reader of text that is nearly JSON is tried as a whole in test_repair_growth")
_ARRIVING = Cut(
    "the reading of texts in pieces is tried as a whole in test_incremental_reader_growth"
)
_KEPT = Cut("only the last characters before a place are searched, and a mark has at most so many")
_SYNTAX = Cut("the readers of broken texts are tried in test_signature_reader_growth")


def _unquoted_or_not(text: str) -> None:
    try:
        gemini_arguments._parse_quoted(text, text)
    except TypesigError:
        pass


def _framed(text: str) -> None:
    find_only_word(text, {"a": 1, "yes": 2})
    is_filler(text)


def _parsed(parser: text_readers.Parser) -> Run:
    def run(text: str) -> None:
        with suppress(ValueError, OverflowError):
            parser.parse(text)

    return Run(run, ("1", "0", "1D", "T1", "-1"), ("P", "PT", "2026-01-01T10:00:00.", "1."))


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
    "contracts.hidden._INVISIBLE": Bound(("finditer",), ("\u200b", "\ufe00", "\ufe00a")),
    "contracts.hidden._DIRECTIONS": Bound(("finditer",), ("\u202e",)),
    "contracts.hidden._TAG_CHARACTERS": Bound(("finditer",), ("\U000e0041",)),
    "contracts.hidden._CONTROLS": Bound(("finditer",), ("\x1b", "\r")),
    "contracts.hidden._TAG": Bound(("finditer",), ("<a", "<a ", "</a>"), ("<a", "</")),
    "contracts.hidden._REFERENCE": Bound(("finditer",), ("[a]:", "\n[a", "]"), ("[", "[a")),
    "contracts.hidden._BLANKS": Bound(("finditer",)),
    "contracts.hidden._WORD": Bound(("finditer",)),
    "json_backends._EXPONENT": Run(_odd, ("1e", "e1", "e")),
    "json_backends._SMALL": Run(_odd, ("0.0000", "0.", "00")),
    "errors.format_message": Run(format_message, ("a ", " a")),
    "providers.rewriting.descriptions._SURROGATE": Bound(("search", "sub"), ("\ud800",)),
    "providers.registry.answers._CALL": Bound(
        ("fullmatch",), ("call", "_call", "Call"), ("call", "a")
    ),
    "providers.registry.provider._SURROGATE": Bound(("search", "sub"), ("\ud800",)),
    "providers.registry.provider._get_first_character": Run(_legal_name, ("_", "é")),
    "providers.registry.provider._make_candidate": Run(_legal_name, ("\ud800", "é", "_")),
    "providers.registry.provider._has_legal_characters": Run(_legal_name, ("a", "é")),
    "providers.rewriting.rewriter._INTEGER": Bound(("fullmatch",), ("1",), ("-",)),
    "mcp.transport.frames._FIRST": Cut("the first 400 characters of a frame"),
    "mcp.transport.frames._LAST": Cut("the last 400 characters of a frame"),
    "extraction.docstrings.simple_docs._CHOICES": Bound(
        ("search",),
        (
            " (choices: [",
            "[",
        ),
        ("(choices: [",),
    ),
    "extraction.docstrings.sections._BULLET": Bound(("match",), ("- ",), ("*",)),
    "extraction.docstrings.sections._CALLS": Bound(("fullmatch",), (":calls: ",), (":calls: ",)),
    "extraction.docstrings.sections._ITEM": Bound(
        ("fullmatch",),
        (
            "- a",
            "*",
            "(",
        ),
        (
            "- x",
            "* x (",
            "- **x",
        ),
    ),
    "extraction.docstrings.sections._LINK": Bound(
        ("sub",),
        (
            "`a <",
            "` ",
        ),
        (
            "`",
            "`a ",
        ),
    ),
    "extraction.docstrings.sections._NAMED": Bound(
        ("fullmatch",),
        (
            "a ",
            "*",
        ),
        (
            "a",
            "*a ",
        ),
    ),
    "extraction.docstrings.sections._OPTIONAL": Bound(
        ("sub",),
        (
            "*(optional)",
            "(",
        ),
        ("(optional",),
    ),
    "extraction.docstrings.sections._SECTION_TITLE": Bound(
        ("fullmatch",),
        (
            "**",
            "Args",
        ),
        (
            "**Args",
            ":param",
        ),
    ),
    "extraction.parameter_types._LEADING": Bound(("match",)),
    "extraction.parameter_types._REQUIRED": Bound(("search",), ("[", "(required"), ("[",)),
    "extraction.docstrings.docstrings._FIELD": Bound(
        ("fullmatch",),
        (
            ":raises ",
            "@",
        ),
        (
            ":raises",
            ":raises a",
        ),
    ),
    "extraction.docstrings.docstrings._RULE": Bound(("fullmatch",), ("---",), ("---",)),
    "extraction.docstrings.type_phrases._OBJECT": _DOCUMENTED,
    "extraction.docstrings.sections._write_item": Run(
        lambda text: sections._write_item("a", text, [])
    ),
    "extraction.python_types.text_readers.make_moment_parser": _parsed(
        text_readers.make_moment_parser()
    ),
    "extraction.python_types.text_readers._make_time": _parsed(text_readers._make_time(time)),
    "extraction.python_types.text_readers._make_duration": _parsed(
        text_readers._make_duration(timedelta)
    ),
    "extraction.python_types.text_readers._make_decimal": _parsed(
        text_readers._make_decimal(Decimal)
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
    "tools.search._WORDS": Bound(("findall",), ("a_", "日", "é")),
    "tools.search._CASES": Bound(("split",), ("A", "aA", "Aa")),
    "validation.outcome.feedback._FIREWALLED": Bound(("search",), ("'-", '"_', "{_", ", _")),
    "notations.json_schema.references._INDEX": Bound(("fullmatch",), ("12",)),
    "notations.json_schema.references._PARTS": Bound(
        ("fullmatch",), ("a:", "//", "/", "?", "#"), ("http://", "a:", "#", "?")
    ),
    "openapi.requests._COOKIE": Bound(("fullmatch",), ("a=b",)),
    "providers.vendors.anthropic._BLOCK": Bound(("fullmatch",), ("tool_use", "_tool_result")),
    "providers.vendors.anthropic._EVENT": Bound(("fullmatch",), ("message_", "a")),
    "providers.vendors.openai._OWN_ITEM": Bound(("fullmatch",), ("_call", "mcp_")),
    "providers.vendors.openai._RESULT": Bound(("fullmatch",), ("_call_output", "_call")),
    "validation.repair.framing.ALONE": Bound(("match",), ("}", "]\n", ", "), (" ",)),
    "validation.repair.framing.CLAUSE": Bound(("match",), ("a ", "a, "), ("a",)),
    "validation.repair.framing.LEAVING_OUT": Bound(("search",), ("more ", "so ", "..", "a")),
    "validation.repair.framing.REMARK": Bound(("match",), ("// ", "#"), ("//", " #")),
    "validation.repair.framing.REMARKS": Bound(
        ("fullmatch",), ("*/", "-->", "/*", "// "), ("/*", "<!--", " //")
    ),
    "validation.repair.framing.SHORT_FENCE": Bound(("match",), ("`", "\n"), ("``",)),
    "validation.repair.framing.SURPLUS": Bound(("match",), ("}", "] ", ","), ("}",)),
    "validation.repair.lone_json._ENDED": Bound(("match",), (" ", "\n"), (" ", ". ", "..")),
    "validation.repair.lone_json._FIRST_KEY": Bound(("match",), (" ", "a"), ("[ {", '{"')),
    "validation.repair.lone_json._ONLY_TICKS": Bound(("match",), (" ", "`", "~"), (" `",)),
    "validation.repair.lone_json._SIGN": Bound(("search",), (" ", "a"), ("a",)),
    "validation.repair.lone_json._TICKS": Bound(("match",), ("`", "~"), ("`",)),
    "validation.repair.framing._MAY_DENY": Bound(("search",), ("no ", "n", "wit"), ("no",)),
    "validation.repair.lenient_json._EMPTY": Bound(("match",), (" ", "[] "), ("[", "[]{")),
    "validation.repair.lenient_json._END": Bound(("match",), (" ", ";", "\n"), (" ;",)),
    "validation.repair.lenient_json.FENCE": Bound(
        ("match",), ("`", "\n", "json"), ("```", "```json")
    ),
    "validation.repair.lenient_json.PARENTHESES": Bound(
        ("match",), (" ", "print"), ("print", "cb ")
    ),
    "validation.coercions._INTEGER": Bound(("fullmatch",), ("1", "0"), ("-", "1")),
    "validation.stream.scanner._READABLE": Bound(("match",), ("\\\\", "a\\n", "\\u0041")),
    "contracts.rehearsals.mistakes.CHANGES": _DRAWN,
    "contracts.rehearsals.mistakes._to_camel_case": _DRAWN,
    "contracts.rehearsals.mistakes.MISTAKES": _DRAWN,
    "contracts.rehearsals.mistakes.WORD": _DRAWN,
    "providers.vendors.gemini_arguments._STEP": Bound(
        ("match",), (".a", "[1]", "\\'", '\\"'), (".", "['", '["', "[")
    ),
    "providers.vendors.gemini_arguments._parse_quoted": Run(
        lambda text: _unquoted_or_not(f"'{text}'"), ("\\'", "\\\\")
    ),
    "validation.repair.framing.BLANK": _NEAR,
    "validation.repair.framing.BRACKETS": _NEAR,
    "validation.repair.framing.CLOSED_THOUGHT": _NEAR,
    "validation.repair.framing.INDEX": _NEAR,
    "validation.repair.framing.INTRODUCED": _NEAR,
    "validation.repair.framing.JSON_BEGINS": _NEAR,
    "validation.repair.framing.KEY_BEFORE": _NEAR,
    "validation.repair.framing.MARK": _NEAR,
    "validation.repair.framing.NO_VALUE": _NEAR,
    "validation.repair.framing.THOUGHT": _NEAR,
    "validation.repair.candidates._read_fence": _NEAR,
    "validation.repair.framing.GAP": Bound(
        ("match",), ("//a\n", "/**/", "/*", "#a\n", ", "), (",", "/*", "//", ",#")
    ),
    "validation.repair.framing.GOES_ON": Bound(("search",), ("and so ", "no ", "no more", "more")),
    "validation.repair.lenient_json._GROUPED": _NEAR,
    "validation.repair.lenient_json._SCALAR_AHEAD": _NEAR,
    "validation.repair.lenient_text._CODE": _NEAR,
    "validation.repair.lenient_text._DRIVE": _NEAR,
    "validation.repair.lenient_json._BARE_KEY": _NEAR,
    "validation.repair.lenient_json._BARE_TEXT": _NEAR,
    "validation.repair.lenient_json._BLANK": _NEAR,
    "validation.repair.lenient_json._COMMENT": _NEAR,
    "validation.repair.lenient_json.ELLIPSIS": _NEAR,
    "validation.repair.lenient_json._NUMBER": _NEAR,
    "validation.repair.lenient_json._ODD_BLANK": _NEAR,
    "validation.repair.lenient_json._ODD_NUMBER": _NEAR,
    "validation.repair.lenient_json._SEPARATOR": _NEAR,
    "validation.repair.lenient_json._TAIL": _NEAR,
    "validation.repair.lenient_json._WORD": _NEAR,
    "validation.repair.lenient_text.KEY_AHEAD": _NEAR,
    "validation.repair.lenient_text._AFTER_ITEM": _NEAR,
    "validation.repair.lenient_text._AFTER_KEY": _NEAR,
    "validation.repair.lenient_text._AFTER_LONE": _NEAR,
    "validation.repair.lenient_text._AFTER_VALUE": _NEAR,
    "validation.repair.lenient_text._COLON": _NEAR,
    "validation.repair.lenient_text._HEX": _NEAR,
    "validation.repair.lenient_text._make_quote_style": _NEAR,
    "validation.repair.framing.IN_PATH": _NEAR,
    "validation.repair.framing._BREAK": Bound(("split",), (". ", ":"), (".",)),
    "validation.repair.framing._CLAUSE": Cut("the last 40 characters before a bracket"),
    "validation.repair.framing._FENCE": Bound(("fullmatch",), ("`", "~", "a"), ("```",)),
    "validation.repair.framing._FIRST": Bound(("split",)),
    "validation.repair.framing._GOES_ON": Bound(("match",)),
    "validation.repair.framing._MARKUP": _FRAMES,
    "validation.repair.framing._SAYS": Bound(
        ("fullmatch",), ("sh", "s", "h", "t", "d", "c"), ("s", "c")
    ),
    "validation.repair.framing._SAYS_NOTHING": Bound(("fullmatch",), ("s", "h", "t", "sht")),
    "validation.repair.framing._SENTENCES": _FRAMES,
    "validation.repair.framing._TOKEN": Bound(("finditer",), ("a'", "a-", "’")),
    "validation.repair.framing._may_differ": _FRAMES,
    "validation.outcome.visibility._KEY": Bound(
        ("findall",), ("a\\", "a:", "a =", "\\\\"), ("a", "a\\")
    ),
    "validation.issues.excerpt._BARE": Bound(("match",), ("1-",), ("-", "1-")),
    "validation.check.scalar_checks._PARTS": Bound(("findall",), ("aA", "Aa")),
    "validation.coercions._ISO": Cut(
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
    "extraction.docstrings.type_phrases._ROLE": _DOCUMENTED,
    "extraction.docstrings.type_phrases._TAIL": _DOCUMENTED,
    "extraction.docstrings.type_phrases._ASIDE": _DOCUMENTED,
    "extraction.docstrings.type_phrases._SHAPE": _DOCUMENTED,
    "extraction.docstrings.type_phrases._ARTICLE": _DOCUMENTED,
    "extraction.docstrings.type_phrases._INSTANCE": _DOCUMENTED,
    "extraction.docstrings.type_phrases._LITERAL": _DOCUMENTED,
    "extraction.docstrings.type_phrases._DOTTED": _DOCUMENTED,
    "extraction.docstrings.type_phrases._PHRASES": _DOCUMENTED,
    "extraction.docstrings.type_phrases._split": _DOCUMENTED,
    "extraction.docstrings.type_phrases._quote_phrase": _DOCUMENTED,
    "extraction.docstrings.type_phrases._parse_items": _DOCUMENTED,
    "extraction.callables.generics.make_name": Run(make_name),
    "extraction.python_types.leaves._compile_regex": Cut(
        "the argument of a hint of re.Pattern is compiled, never run"
    ),
    "extraction.python_types.leaves._parse_duration": Run(
        lambda text: re.fullmatch(
            import_module("typesig.extraction.python_types.leaves")._DURATION, text
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
    "extraction.docstrings.sections.iter_parts": Run(
        lambda text: [
            *import_module("typesig.extraction.docstrings.sections").iter_parts("google", text)
        ],
        ("\n    a", "    a"),
        ("Args:\n",),
    ),
    "extraction.docstrings.docs._CLASS": Bound(("match", "search"), ("class ",)),
    "extraction.docstrings.docs._QUOTED": Bound(("search",), ("\n\t", "\n \t")),
    "extraction.docstrings.docs._OUTERMOST": Bound(("search", "findall"), ("\n", "\n ", "\n#")),
    "extraction.docstrings.docs._iter_stops": Cut(
        "a source file has at most MAX_SOURCE characters, tried by class"
    ),
    "extraction.callables.warnings.format_hint": Cut("the text of a hint, which a developer wrote"),
    "notations.compact.writer._BREAK": Bound(("search", "sub"), ("\r", "\n")),
    "notations.compact.remedies.explain_token": _WINDOW,
    "notations.edn.__init__._NAME": Bound(("fullmatch",), ("a/", "#", ":a")),
    "notations.edn.__init__._LIKE_A_NUMBER": Bound(("search",), ("/", "/+.")),
    "notations.edn.__init__.PIECES": Bound(("finditer",)),
    "notations.edn.reader._WORD": Bound(("match",)),
    "notations.edn.reader._SIGN": Bound(("match",)),
    "notations.edn.reader.explain_word": _SYNTAX,
    "notations.edn.reader.explain_end": _SYNTAX,
    "notations.edn.rules._ESCAPE": Bound(("finditer",), ("\\u",)),
    "notations.edn.writer._HALVES": Bound(("sub",), ("\ud800",)),
    "notations.gram.remedies._PIECES": Bound(("finditer",)),
    "notations.gram.remedies._TYPE": _WINDOW,
    "notations.gram.remedies._explain_met": _SYNTAX,
    "notations.gram.remedies._lacks_result": _SYNTAX,
    "notations.texts.signature_reader.find_row": _WINDOW,
    "notations.texts.notation.check_text": Run(
        lambda text: [
            [*re.finditer(import_module(f"typesig.notations.{name}")._PIECES, text)]
            for name in ("compact", "gram", "shorthand")
        ]
    ),
    "notations.texts.quoting.escape_surrogates": Run(
        import_module("typesig.notations.texts.quoting").escape_surrogates, ("\ud800",)
    ),
    "notations.texts.table_reader.__init__": Cut("the terminals of the grammars are tried below"),
    "notations.texts.table_reader._make_matcher": Cut(
        "the terminals of the grammars are tried below"
    ),
    "notations.shorthand.remedies._BARE": Bound(("match",)),
    "notations.shorthand.remedies._COMMENTED": Bound(("search",), ("(a", "[\n")),
    "notations.shorthand.remedies._NAMED": _WINDOW,
    "notations.shorthand.remedies._STRING": Bound(("match",), (), ('"',)),
    "notations.shorthand.remedies.explain_token": _WINDOW,
    "openapi.tool_builder._make_short_name": Run(
        lambda text: tool_builder._make_short_name(types.SimpleNamespace(method="GET", path=text))  # type: ignore[arg-type]
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
    "patterns.search._build_python_search": Cut(
        "patterns of others, whose search is proved bounded"
    ),
    "providers.dialect_parsing.balanced_body._BEGUN": Bound(
        ("match",), ("[{", "a."), ("[", '{"name"')
    ),
    "providers.dialect_parsing.balanced_body._CALLED": Bound(
        ("match",), ("a.", " ", "[a("), ("[", "[a(")
    ),
    "providers.dialect_parsing.balanced_body._LISTED": Bound(("match",), (), ("[",)),
    "providers.dialect_parsing.balanced_body._NAMED": _WINDOW,
    "providers.dialect_parsing.detection._CALL": Bound(
        ("finditer",), ('{"name"', '{ "name": "', '"arguments"'), ("{", '{"name": "', '{"name":"a"')
    ),
    "providers.dialect_parsing.tag_body._CDATA": Bound(
        ("fullmatch",), ("<![CDATA[", "]]>"), ("<![CDATA[",)
    ),
    "providers.dialect_parsing.members._quote_bare": Run(
        lambda text: members._quote_bare(text, "<|"), ("<|", "<", "{a:", ", a"), ("<|", "{a", '"')
    ),
    "providers.dialects.call_writer._MARK": Bound(("findall",), ("<a", "[A", "[/"), ("<", "[")),
    "providers.dialects.call_writer._PLACE": Bound(("sub",), ("{name}", "{na"), ("{",)),
    "providers.dialects.response_templates._PLACEHOLDER": Bound(
        ("fullmatch",), ("a.", "a"), ("{",)
    ),
    "providers.projection.replies._VERSION": Bound(("sub",), ("_20260101", "_"), ("_",)),
    "providers.dialects.call_writer._BETWEEN_NAMES": Bound(("split",), (".-",)),
    "extraction.python_types.media.__init__": Run(_media, ("a/", "/a", "a.")),
    "extraction.python_types.media.to_media": Run(_media, ("a/", "/a", "a.")),
    "providers.dialects.lexer.__init__": Run(
        lambda text: Lexer(("<a>", "<ab>"), True).next(text, 0, True), ("<a", "<ab", "\\")
    ),
    "providers.dialect_parsing.members._BARE_KEY": Bound(("sub",), (", ", ",a"), ("{", "{a")),
    "providers.dialect_parsing.members._NAME": Bound(("fullmatch",)),
    "providers.dialect_parsing.members._PIECE": Bound(("finditer", "match")),
    "tools.explicit._is_only_result": Run(
        lambda text: explicit._is_only_result(text, typesig.parse("-> :int")),
        (";\n", "; ;", " ;"),
        ("(",),
    ),
    "calls.decoding._repeats_value": Run(lambda text: decoding._repeats_value(text, [text, "a"])),
    "calls.functions._compile_name_pattern": Bound(("match",)),
    "listings.template._PLACEHOLDER": Bound(("finditer",)),
    "listings.template._PATH": Bound(("fullmatch",)),
    "validation.issues.suggestions._DIGIT": Bound(("sub",)),
    "validation.issues.suggestions._mask_digits": Run(
        suggestions._mask_digits, (".0", "+00:00"), (".",)
    ),
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
    "validation.coercions._INT": Bound(("fullmatch",)),
    "validation.coercions._FLOAT": Bound(("fullmatch",), (), ("1.", "1e")),
    "validation.stream.incremental_reader._BLANK": _ARRIVING,
    "validation.stream.incremental_reader._COMMENT": _KEPT,
    "validation.stream.incremental_reader._ENDS": _ARRIVING,
    "validation.stream.incremental_reader._MARK": _ARRIVING,
    "validation.stream.scanner._BETWEEN": Bound(("match",)),
    "validation.stream.scanner._BLANK": Bound(("match",)),
    "validation.stream.scanner._PLAIN": Bound(("match",)),
    "validation.stream.scanner._WORD": Bound(("match",)),
    "listings.listing_parser._PIECES": Bound(("finditer",)),
    "listings.listing_parser._REFERENCE": Bound(("findall",)),
    "validation.json_text.PIECES": Bound(("finditer",)),
    "validation.plan.leaf_rows._make_url_writer": Run(
        leaf_rows._make_url_writer(str, lambda text: text),
        ("a@", ":1", "a/", "%20", "?a", "a:"),
        ("s://", "s://a", "s://a:1", "s://a/", "s://a?", "s://a#"),
    ),
    "validation.tables._BARE": Bound(("match",)),
    "validation.tables._SCALAR": Bound(("fullmatch",), ("1", ".1", "e1"), ("-", "1.", "1e")),
    "validation.tables._STRING": Bound(("match",), ("\\n", "\\"), ('"',)),
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
    counter = _PathCounter(Automaton(node), _find_max_read(node))

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
    enough = 2 * analyze_pattern("abc").steps + 1
    monkeypatch.setattr(pattern_budget, "MAX_PATTERN_WORK", enough)
    with pattern_budget.limit_pattern_work():
        pattern_budget.check_pattern("abc")
        pattern_budget.check_pattern("abc")
        with pattern_budget.limit_pattern_work():
            pattern_budget.check_pattern("bcd")
            with pytest.raises(TooLarge):
                pattern_budget.check_pattern("cde")
        with pytest.raises(TooLarge):
            pattern_budget.check_pattern("abc")
    with pattern_budget.limit_pattern_work():
        pattern_budget.check_pattern("bcd")


@pytest.mark.parametrize("unit", [r"\p{L}", r"[^\p{L}]", r"[\p{Lu}\d]", r"(?:\p{Ll})"])
def test_the_sets_of_a_pattern_have_a_limited_number_of_ranges(unit: str) -> None:
    assert parse_pattern(unit * 20)
    with pytest.raises(TooLarge) as raised:
        parse_pattern(unit * 900)

    assert str(raised.value).startswith("the sets of a pattern may have 50000 ranges of characters")


def test_a_small_set_and_a_large_one_are_caseless_alike() -> None:
    for group in _build_case_groups():
        both = {(code, code) for code in group}
        for code in group:
            assert both <= {
                (c, c) for low, high in ignore_case(((code, code),)) for c in range(low, high + 1)
            }
    assert ((0x30, 0x39),) == ignore_case(((0x30, 0x39),))
    assert ALL == ignore_case(ALL)
    # Only the Kelvin and the Angstrom sign, and the numerals of Rome, are like others in it.
    large = ignore_case(((0x2100, 0x2180), (0x4E00, 0x9FFF)))
    assert {ord("k"), ord("K"), ord("å"), 0x2170} <= {c for a, b in large for c in range(a, b + 1)}
    assert not any(low <= ord("x") <= high for low, high in large)
