import sys
from collections.abc import Callable
from typing import TypeVar, overload

from typesig import bridges as bridges
from typesig import contracts as contracts
from typesig import mcp as mcp
from typesig import openapi as openapi
from typesig import relations as relations
from typesig.algebra.signature import Signature as Signature
from typesig.calls.functions import ToolError as ToolError
from typesig.errors import TypesigError as TypesigError
from typesig.extraction.extract import extract as extract
from typesig.extraction.hints.metadata import Injected as Injected
from typesig.extraction.hints.metadata import Visible as Visible
from typesig.extraction.python_types.media import Media as Media
from typesig.notations.json_schema.parser import from_json_schema as from_json_schema
from typesig.notations.registry import parse as parse
from typesig.notations.registry import render as render
from typesig.providers.dialects.dialect import Dialect as Dialect
from typesig.providers.projection.projection import Projection as Projection
from typesig.relations.inference import infer as infer
from typesig.tools.answers.contract import Contract as Contract
from typesig.tools.answers.contract_factory import contract as contract
from typesig.tools.answers.conversation import Answer as Answer
from typesig.tools.collection import tools_of as tools_of
from typesig.tools.decorator import tool as tool
from typesig.tools.streams.stream import Stream as Stream
from typesig.tools.tool import Tool as Tool
from typesig.tools.toolset import Toolset as Toolset
from typesig.validation.issues.issues import Issue as Issue
from typesig.validation.issues.issues import ValidationError as ValidationError
from typesig.validation.issues.ledger import Ledger as Ledger
from typesig.validation.outcome.outcome import Outcome as Outcome
from typesig.validation.policy import Policy as Policy
from typesig.validation.stream.partial import Partial as Partial
from typesig.validation.verdicts import coerce as coerce

if sys.platform == "jedi":
    F = TypeVar("F")
    @overload
    def tool(function: F, /) -> F: ...
    @overload
    def tool(signature: object = None, /, **options: object) -> Callable[[F], F]: ...

__version__: str
__all__ = [
    "Answer",
    "Contract",
    "Dialect",
    "Injected",
    "Issue",
    "Ledger",
    "Media",
    "Outcome",
    "Partial",
    "Policy",
    "Projection",
    "Signature",
    "Stream",
    "Tool",
    "ToolError",
    "Toolset",
    "TypesigError",
    "ValidationError",
    "Visible",
    "coerce",
    "contract",
    "extract",
    "from_json_schema",
    "infer",
    "parse",
    "render",
    "tool",
    "tools_of",
]
