"""Validation: nine workloads, typesig against compiled validators.

Each figure is CPU time, the smallest of several rounds, in which each case runs one after the
other, so that a slow phase of the machine affects all.  A ratio is the peer's time divided by that
of typesig: above 1 typesig is faster.

- W1: `{"id": 42, "name": "Alice"}`; W2: the same with `"42"`, coerced
- W3: the input of a typical tool: a record with an optional, an enum, a union, a list of records
- W4: 10,000 rows of `{id :int, title :string, score :float, tags [:string]}`
- W4c: the same with each id quoted, coerced; W5: W4 with one bad value in row 9,999
- W6: a record of 100 fields; W7: 20 levels of records; W8: 1,000 bad rows, all errors with paths

typesig is timed as a user calls it: `validate_output` with its outcome (`validate_and_coerce` for
W2 and W4c); `accepts` is the bare predicate.  Where values are wrong, reading `errors` is part of
the work.  Valid data comes back as the same object, where pydantic makes a copy; the column
`+ copy` adds a copy of the data to our time (`pickle` of it, the fastest whole copy in Python).

    python -m pip install pydantic msgspec cattrs jsonschema-rs fastjsonschema
    python benchmarks/validation.py               # all workloads; half a minute
    python benchmarks/validation.py W1 W4         # some
"""

from __future__ import annotations

import gc
import importlib
import pickle
import sys
import time
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, NotRequired

from typing_extensions import TypedDict

import typesig

Run = Callable[[], Any]


class Person(TypedDict):
    id: int
    name: str


class Filter(TypedDict):
    field: str
    value: int | str


class Query(TypedDict):
    query: str
    limit: int
    order: Literal["asc", "desc"]
    after: NotRequired[str | None]
    exact: bool
    filters: list[Filter]


class Row(TypedDict):
    id: int
    title: str
    score: float
    tags: list[str]


Wide = TypedDict("Wide", {f"field{n}": int if n % 2 else str for n in range(100)})


def deep_type(levels: int) -> Any:
    t: Any = TypedDict("Level0", {"id": int, "name": str})
    for n in range(1, levels):
        t = TypedDict(f"Level{n}", {"id": int, "child": t})  # type: ignore[operator]  # noqa: UP013
    return t


def deep_value(levels: int) -> Any:
    value: Any = {"id": 0, "name": "leaf"}
    for n in range(1, levels):
        value = {"id": n, "child": value}
    return value


def rows(count: int, **changed: Any) -> list[Any]:
    return [
        {"id": n, "title": f"row {n}", "score": n / 7, "tags": ["a", "bb", "ccc"], **changed}
        for n in range(count)
    ]


ALICE = {"id": 42, "name": "Alice"}
QUERY = {
    "query": "budget",
    "limit": 10,
    "order": "asc",
    "after": None,
    "exact": True,
    "filters": [{"field": "year", "value": 2027}, {"field": "status", "value": "open"}],
}
GOOD = rows(10_000)
QUOTED = [{**row, "id": str(row["id"])} for row in GOOD]
ONE_BAD = [*GOOD[:9_999], {**GOOD[9_999], "score": "high"}]
ALL_BAD = rows(1_000, score="high")
WIDE = {f"field{n}": n if n % 2 else str(n) for n in range(100)}


class Work(NamedTuple):
    """A workload: its hint and value; how often one round repeats it.

    #: mode: what is asked: valid, coerced or wrong
    """

    hint: Any
    value: Any
    repeat: int
    mode: Literal["valid", "coerced", "wrong"] = "valid"


WORKS = {
    "W1": Work(Person, ALICE, 20_000),
    "W2": Work(Person, {"id": "42", "name": "Alice"}, 5_000, "coerced"),
    "W3": Work(Query, QUERY, 5_000),
    "W4": Work(list[Row], GOOD, 2),
    "W4c": Work(list[Row], QUOTED, 2, "coerced"),
    "W5": Work(list[Row], ONE_BAD, 2, "wrong"),
    "W6": Work(Wide, WIDE, 1_000),
    "W7": Work(deep_type(20), deep_value(20), 2_000),
    "W8": Work(list[Row], ALL_BAD, 5, "wrong"),
}
ROUNDS = 7


def ours(work: Work) -> dict[str, Run]:
    signature = typesig.contract(work.hint, max_depth=30).signature
    value = work.value
    if work.mode == "coerced":
        return {"typesig": lambda: signature.validate_and_coerce(value).result}
    if work.mode == "wrong":
        return {"typesig": lambda: signature.validate_output(value).errors}
    copied = pickle.dumps(value, -1)
    return {
        "typesig": lambda: signature.validate_output(value),
        "accepts": lambda: signature.accepts(value),
        "+ copy": lambda: (signature.validate_output(value), pickle.loads(copied)),
    }


def pydantic_cases(work: Work) -> dict[str, Run]:
    pydantic = importlib.import_module("pydantic")
    adapter = pydantic.TypeAdapter(work.hint)
    core = adapter.validator
    value, strict = work.value, work.mode != "coerced"

    def wrong(validate: Callable[..., Any]) -> Run:
        def run() -> Any:
            try:
                return validate(value, strict=True)
            except pydantic.ValidationError as error:
                return error.errors(include_url=False)

        return run

    if work.mode == "wrong":
        return {
            "pydantic": wrong(adapter.validate_python),
            "pydantic core": wrong(core.validate_python),
        }
    return {
        "pydantic": lambda: adapter.validate_python(value, strict=strict),
        "pydantic lax": lambda: adapter.validate_python(value),
        "pydantic core": lambda: core.validate_python(value, strict=strict),
    }


def msgspec_cases(work: Work) -> dict[str, Run]:
    msgspec = importlib.import_module("msgspec")
    convert, error = msgspec.convert, msgspec.ValidationError
    value, strict = work.value, work.mode != "coerced"

    def case(hint: Any) -> Run:
        def run() -> Any:
            try:
                return convert(value, hint, strict=strict)
            except error as found:
                return str(found)

        return run

    return {
        "msgspec TypedDict": case(work.hint),
        "msgspec Struct": case(as_struct(work.hint, msgspec)),
    }


def as_struct(hint: Any, msgspec: Any) -> Any:
    """Return *hint* with msgspec's structs for its records."""
    if hint in (Row, Person, Query, Filter, Wide) or hasattr(hint, "__required_keys__"):
        from typing_extensions import get_type_hints

        fields: list[Any] = []
        for name, inner in get_type_hints(hint).items():
            default = () if name in hint.__required_keys__ else (None,)
            fields.append((name, as_struct(inner, msgspec), *default))
        return msgspec.defstruct(hint.__name__, fields)
    if getattr(hint, "__origin__", None) is list:
        return list[as_struct(hint.__args__[0], msgspec)]  # type: ignore[misc]
    return hint


def cattrs_cases(work: Work) -> dict[str, Run]:
    cattrs = importlib.import_module("cattrs")
    converter = cattrs.Converter(detailed_validation=work.mode == "wrong")
    value = work.value

    def run() -> Any:
        try:
            return converter.structure(value, work.hint)
        except Exception as error:
            return cattrs.transform_error(error)

    return {"cattrs": run}


def schema_of(work: Work) -> Any:
    pydantic = importlib.import_module("pydantic")
    return pydantic.TypeAdapter(work.hint).json_schema()


def jsonschema_rs_cases(work: Work) -> dict[str, Run]:
    module = importlib.import_module("jsonschema_rs")
    validator = module.validator_for(schema_of(work))
    if work.mode == "wrong":
        return {"jsonschema-rs": lambda: list(validator.iter_errors(work.value))}
    return {"jsonschema-rs": lambda: validator.is_valid(work.value)}


def fastjsonschema_cases(work: Work) -> dict[str, Run]:
    module = importlib.import_module("fastjsonschema")
    validate = module.compile(schema_of(work))

    def run() -> Any:
        try:
            return validate(work.value)
        except module.JsonSchemaException as error:
            return str(error)

    return {"fastjsonschema": run}


#: The modules of the peers, with the cases that each has; whether it coerces and finds all errors.
PEERS: dict[str, tuple[Callable[[Work], dict[str, Run]], bool]] = {
    "pydantic": (pydantic_cases, True),
    "msgspec": (msgspec_cases, True),
    "cattrs": (cattrs_cases, True),
    "jsonschema_rs": (jsonschema_rs_cases, False),
    "fastjsonschema": (fastjsonschema_cases, False),
}


def cases_of(work: Work, missing: set[str]) -> dict[str, Run]:
    cases = ours(work)
    for module, (made, coerces) in PEERS.items():
        if module in missing or (work.mode == "coerced" and not coerces):
            continue
        try:
            cases.update(made(work))
        except ImportError:
            missing.add(module)
    return cases


def timed(run: Run, repeat: int) -> float:
    start = time.process_time()
    for _ in range(repeat):
        run()
    return (time.process_time() - start) / repeat


def measured(work: Work, missing: set[str]) -> dict[str, float]:
    cases = cases_of(work, missing)
    for run in cases.values():
        for _ in range(20 if work.repeat > 10 else 1):
            run()
    best = dict.fromkeys(cases, float("inf"))
    gc.collect()
    gc.disable()
    for _ in range(ROUNDS):
        for name, run in cases.items():
            best[name] = min(best[name], timed(run, work.repeat))
    gc.enable()
    return best


def main(names: list[str]) -> None:
    missing: set[str] = set()
    found = {name: measured(WORKS[name], missing) for name in names or WORKS}
    columns = list(dict.fromkeys(case for best in found.values() for case in best))
    print(f"{'':18}" + "".join(f"{name:>9}" for name in found))
    own = [f"{best['typesig'] * 1e6:9.2f}" for best in found.values()]
    print(f"{'typesig, µs':18}" + "".join(own))
    for case in columns[1:]:
        cells = []
        for best in found.values():
            ratio = best[case] / best["typesig"] if case in best else None
            cells.append(f"{'—':>9}" if ratio is None else f"{ratio:9.2f}")
        print(f"{case:18}" + "".join(cells))
    versions = [f"Python {sys.version.split()[0]}"]
    for module in [each for each in PEERS if each not in missing]:
        version = getattr(importlib.import_module(module), "__version__", "")
        versions.append(f"{module} {version}".strip())
    print("\nthe peer's time divided by typesig's; " + ", ".join(versions))
    if missing:
        print(f"not installed, and so not measured: {', '.join(sorted(missing))}")


if __name__ == "__main__":
    main(sys.argv[1:])
