"""Tasks of an evaluation: a question, the tools, and the calls that are right."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from typesig.cli.inputs.targets import (
    Functions,
    explain_empty,
    load_listed_tools,
    load_module,
    load_object,
)
from typesig.errors import TypesigError, format_value
from typesig.tools.foreign.definitions import tools_of_definitions
from typesig.tools.toolset import Toolset


class RightCall(NamedTuple):
    """A call that a task asks for: a tool's name, and the right values of each argument.

    #: values: None among those of an argument is that it may be left out
    """

    name: str
    values: Mapping[str, list[Any]]


class RightValues(dict[str, list[Any]]):
    """An object that is right: for each key the values that are."""


class Task(NamedTuple):
    """A question with its tools.

    #: messages: the conversation that ends with the question; right: the calls that it asks for
    """

    id: str
    messages: list[dict[str, Any]]
    tools: Toolset
    right: tuple[RightCall, ...]


#: JSON Schema's names of types for those that the Berkeley leaderboard takes from Python, Java and
#: JavaScript; None for anything.
_STANDARD: dict[str, str | None] = {
    "dict": "object", "HashMap": "object", "Hashtable": "object",
    "float": "number", "double": "number", "Double": "number", "Float": "number",
    "long": "integer", "Long": "integer", "int": "integer", "short": "integer", "byte": "integer",
    "Integer": "integer", "Bigint": "integer",
    "tuple": "array", "list": "array", "Array": "array", "ArrayList": "array", "Queue": "array",
    "Stack": "array", "set": "array",
    "String": "string", "char": "string", "str": "string",
    "Boolean": "boolean", "bool": "boolean",
    "any": None, "Any": None,
}  # fmt: skip


def read_tasks(source: str, answers: str | None, functions: Functions) -> list[Task]:
    """Read the tasks in *source*, a file of JSON lines or a module with `TASKS`.

    *answers* is the file with the right calls by task, as the Berkeley leaderboard has them.
    """
    if not source.endswith((".json", ".jsonl")):
        return _read_module(source, functions)
    truths = {} if answers is None else {r["id"]: r["ground_truth"] for r in _read_rows(answers)}
    return [_read_task(str(n), row, None, truths) for n, row in enumerate(_read_rows(source), 1)]


def _read_module(name: str, functions: Functions) -> list[Task]:
    """Read the tasks of a module; its tools are those of tasks without their own."""
    rows = load_object(name) if ":" in name else getattr(load_module(name), "TASKS", None)
    if not isinstance(rows, list | tuple):
        raise TypesigError(f"{name} has no list TASKS; write one, or module:name of another list")
    known: Toolset | None = None
    if not all(isinstance(row, dict) and "tools" in row for row in rows):
        known = load_listed_tools(name.partition(":")[0], functions)
        if not len(known):
            raise TypesigError(explain_empty(name))
    return [_read_task(str(number), row, known, {}) for number, row in enumerate(rows, 1)]


def _read_rows(path: str) -> list[dict[str, Any]]:
    """Read the objects in the file at *path*, one on each line."""
    try:
        lines = Path(path).read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise TypesigError(f"{path} is not a JSON Lines file: {error}") from None


def _read_task(id: str, row: object, known: Toolset | None, truths: Mapping[Any, Any]) -> Task:
    """Read the task *row*, called *id* unless it says so; *known* are the tools of the module."""
    if not isinstance(row, dict) or "question" not in row:
        raise TypesigError(f"task {id} is not an object with a question, but {format_value(row)}")
    asked = row["question"]
    if isinstance(asked, str):
        asked = [{"role": "user", "content": asked}]
    elif isinstance(asked, list) and asked and isinstance(asked[0], list):
        asked = asked[0]
    given = row.get("tools", row.get("function"))
    tools = known if given is None else _read_tools(id, given)
    if tools is None:
        raise TypesigError(f"task {id} has no tools")
    return Task(str(row.get("id", id)), asked, tools, tuple(_read_right(id, row, truths)))


def _read_tools(id: str, given: object) -> Toolset:
    """Read the tools *given* in the task *id*: a toolset, or definitions."""
    if isinstance(given, Toolset):
        return given
    if not isinstance(given, list):
        raise TypesigError(f"the tools of task {id} are no toolset and no list of definitions")
    return tools_of_definitions([standardize_types(each) for each in given])


def standardize_types(schema: Any) -> Any:
    """Copy *schema* with the type names of JSON Schema for those of other languages."""
    if isinstance(schema, list):
        return [standardize_types(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: standardize_types(value) for key, value in schema.items()}
    if isinstance(out.get("type"), str) and out["type"] in _STANDARD:
        out["type"] = _STANDARD[out["type"]]
        if out["type"] is None:
            del out["type"]
    return out


def _read_right(id: str, row: dict[str, Any], truths: Mapping[Any, Any]) -> Iterator[RightCall]:
    """Yield the right calls of the task *row*."""
    calls: Iterable[Any] = row.get("calls", ())
    if "calls" not in row and row.get("id") in truths:
        for call in truths[row["id"]]:
            for name, values in call.items():
                # There, an empty text among the values is that the argument may be left out.
                yield RightCall(
                    name, {k: [_read_value(v) for v in each] for k, each in values.items()}
                )
        return
    for call in calls:
        if not isinstance(call, dict) or not {"name", "arguments"} <= call.keys():
            raise TypesigError(f"a call of task {id} has no name and arguments")
        yield RightCall(call["name"], {key: [value] for key, value in call["arguments"].items()})


def _read_value(value: Any) -> Any:
    """Read a right value of the leaderboard; None for an argument that may be left out."""
    if isinstance(value, list):
        return [_read_value(each) if isinstance(each, dict) else each for each in value]
    if isinstance(value, dict):
        lists = {key: each if isinstance(each, list) else [each] for key, each in value.items()}
        return RightValues({k: [_read_value(v) for v in each] for k, each in lists.items()})
    return None if value == "" else value
