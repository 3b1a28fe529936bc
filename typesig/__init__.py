"""Contracts between Python functions and language models: only the public names.

Each name is loaded when it is first used, so that `import typesig` is fast.
"""

from __future__ import annotations

# Type checkers assume that this name is true.  Importing it from typing would take longer than
# everything else here.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typesig import mcp as mcp
    from typesig import openapi as openapi
    from typesig.algebra.loss import Loss as Loss
    from typesig.algebra.rows.values import Keyword as Keyword
    from typesig.algebra.signature import Signature as Signature
    from typesig.calls.errors import ToolError as ToolError
    from typesig.errors import ExtractionError as ExtractionError
    from typesig.errors import SignatureSyntaxError as SignatureSyntaxError
    from typesig.errors import TooDeep as TooDeep
    from typesig.errors import TooLarge as TooLarge
    from typesig.errors import TypesigError as TypesigError
    from typesig.errors import Unsupported as Unsupported
    from typesig.extraction.callables.warnings import HintWarning as HintWarning
    from typesig.extraction.extract import Extraction as Extraction
    from typesig.extraction.extract import extract as extract
    from typesig.extraction.hints.metadata import Injected as Injected
    from typesig.extraction.hints.metadata import Visible as Visible
    from typesig.listings.firewall import render_data as render_data
    from typesig.listings.listed import parse_listing as parse_listing
    from typesig.listings.template import Template as Template
    from typesig.listings.template import placeholders as placeholders
    from typesig.notations import convert as convert
    from typesig.notations import parse as parse
    from typesig.notations import render as render
    from typesig.notations.json_schema.reading.parsing import from_json_schema as from_json_schema
    from typesig.relations.inference.inferring import infer as infer
    from typesig.tools.answers.asking import Answer as Answer
    from typesig.tools.answers.contract import Contract as Contract
    from typesig.tools.answers.contracting import contract as contract
    from typesig.tools.collecting import tools_of as tools_of
    from typesig.tools.decorator import tool as tool
    from typesig.tools.streams.streaming import Stream as Stream
    from typesig.tools.tool import Tool as Tool
    from typesig.tools.toolset import Toolset as Toolset
    from typesig.validation.issues.issues import Issue as Issue
    from typesig.validation.issues.issues import ValidationError as ValidationError
    from typesig.validation.issues.ledger import Ledger as Ledger
    from typesig.validation.outcome.outcome import Outcome as Outcome
    from typesig.validation.rows.keys import normalize_keys as normalize_keys
    from typesig.validation.rows.policy import Policy as Policy
    from typesig.validation.stream.partial import Partial as Partial
    from typesig.validation.verdicts import coerce as coerce

__version__ = "0.1.0"

#: Each public name, and the module that defines it.
_HOMES = {
    "Answer": "tools.answers.asking",
    "Contract": "tools.answers.contract",
    "Extraction": "extraction.extract",
    "ExtractionError": "errors",
    "HintWarning": "extraction.callables.warnings",
    "Injected": "extraction.hints.metadata",
    "Issue": "validation.issues.issues",
    "Keyword": "algebra.rows.values",
    "Ledger": "validation.issues.ledger",
    "Loss": "algebra.loss",
    "Outcome": "validation.outcome.outcome",
    "Partial": "validation.stream.partial",
    "Policy": "validation.rows.policy",
    "Signature": "algebra.signature",
    "SignatureSyntaxError": "errors",
    "Stream": "tools.streams.streaming",
    "Template": "listings.template",
    "TooDeep": "errors",
    "TooLarge": "errors",
    "Tool": "tools.tool",
    "ToolError": "calls.errors",
    "Toolset": "tools.toolset",
    "TypesigError": "errors",
    "Unsupported": "errors",
    "ValidationError": "validation.issues.issues",
    "Visible": "extraction.hints.metadata",
    "coerce": "validation.verdicts",
    "contract": "tools.answers.contracting",
    "convert": "notations",
    "extract": "extraction.extract",
    "from_json_schema": "notations.json_schema.reading.parsing",
    "infer": "relations.inference.inferring",
    "normalize_keys": "validation.rows.keys",
    "parse": "notations",
    "parse_listing": "listings.listed",
    "placeholders": "listings.template",
    "render": "notations",
    "render_data": "listings.firewall",
    "tool": "tools.decorator",
    "tools_of": "tools.collecting",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in ("mcp", "openapi"):
        # Rooms with names of their own: `import typesig` is enough for `typesig.mcp.server`.
        return import_module(f"typesig.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'typesig' has no attribute {name!r}")
    value = getattr(import_module(f"typesig.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
