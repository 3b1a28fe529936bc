"""What other libraries do by themselves with what careless models send, and what they install.

    python benchmarks/alone.py                          # all of them, in new environments
    python benchmarks/alone.py FastMCP --keep DIR       # one; keep its environment in DIR
    python benchmarks/alone.py --keep DIR --write       # and write docs/why-not.md

*Calls*: one function, and calls of it with one mistake each, or two; each tool gets the function in
the way that its documentation shows (`peer_adapters`).  *Answers*: one type, and texts that a model
may answer with; each library reads them by its usual way, without asking again.

- *yes*: read as it was meant, or refused where no one reading is plain
- *refused*: an error where a reading is plain; the model can send it again
- *told*: the function ran without a part of what was sent, and the outcome has a warning
- *silent*: the same without a warning
- *wrong*: another value than was meant, or one where no reading is plain

*Installs*: the packages and megabytes in an environment that has nothing else, and the CPU time of
a process that imports what a program begins with, less that of bare Python.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import re
import statistics
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, Literal, NamedTuple

CHECKOUT = Path(__file__).resolve().parent.parent
PAGE = CHECKOUT / "docs" / "why-not.md"
sys.path[:0] = [str(CHECKOUT), str(CHECKOUT / "benchmarks")]

#: By name: what to install, how a program begins, whether it has tools, whether it reads answers.
LIBRARIES = {
    "typesig": (
        "typing_extensions docstring_parser",
        "from typesig import contract, tool",
        True,
        True,
    ),
    "pydantic": ("pydantic", "from pydantic import BaseModel, TypeAdapter", True, True),
    "pydantic-ai": ("pydantic-ai-slim", "from pydantic_ai import Agent, Tool", True, True),
    "FastMCP": ("fastmcp", "from fastmcp import FastMCP", True, False),
    "openai-agents": ("openai-agents", "from agents import Agent, function_tool", True, False),
    "LangChain": ("langchain-core", "from langchain_core.tools import StructuredTool", True, True),
    "instructor": ("instructor", "from instructor import from_provider", False, True),
    "BAML": ("baml-py pydantic", "from baml_py import BamlRuntime", False, True),
    "msgspec": ("msgspec", "import msgspec", False, True),
}

#: What is meant: `None` where the call or the answer has to be refused.
MEANT = {"room": "Elm", "seats": 6, "days": [date(2027, 5, 3)], "note": "", "loud": False}
FITS = {"room": "Elm", "seats": 6, "days": ["2027-05-03"]}


class Case(NamedTuple):
    """A mistake: what is sent, and what is meant."""

    name: str
    sent: Any
    meant: Any


CALLS = (
    Case("no mistake", FITS, MEANT),
    Case("a number as text", {**FITS, "seats": "6"}, MEANT),
    Case("a list as JSON text", {**FITS, "days": '["2027-05-03"]'}, MEANT),
    Case("null for an optional one", {**FITS, "note": None}, MEANT),
    Case("another case of a name", {"Room": "Elm", "seats": 6, "days": ["2027-05-03"]}, MEANT),
    Case("a bool as text", {**FITS, "loud": "True"}, {**MEANT, "loud": True}),
    Case("a misspelt optional name", {**FITS, "nots": "window"}, {**MEANT, "note": "window"}),
    Case("a name that is not there", {**FITS, "price": 5}, MEANT),
    Case("true for a number", {**FITS, "seats": True}, None),
    Case("a date in words", {**FITS, "days": ["3 May"]}, None),
    Case("a required one missing", {"room": "Elm", "days": []}, None),
)
#: Two mistakes in one call: is the model told of both?
TWO = {"room": "Elm", "seats": "a few", "days": ["3 May"]}

VALUE = {"id": 1, "mood": "good", "tags": ["a"], "note": None}
ANSWERS = (
    Case("JSON", '{"id": 1, "mood": "good", "tags": ["a"]}', VALUE),
    Case("in a fence", '```json\n{"id": 1, "mood": "good", "tags": ["a"]}\n```', VALUE),
    Case("prose around it", 'Here it is: {"id": 1, "mood": "good", "tags": ["a"]} Bye!', VALUE),
    Case("reasoning with JSON before it",
         '<think>{"id": 2}?</think>{"id": 1, "mood": "good", "tags": ["a"]}', VALUE),
    Case("a number as text", '{"id": "1", "mood": "good", "tags": ["a"]}', VALUE),
    Case("single quotes", "{'id': 1, 'mood': 'good', 'tags': ['a']}", VALUE),
    Case("a comma too many", '{"id": 1, "mood": "good", "tags": ["a",],}', VALUE),
    Case("names without quotes", '{id: 1, mood: "good", tags: ["a"]}', VALUE),
    Case("a comment within", '{"id": 1, // one\n"mood": "good", "tags": ["a"]}', VALUE),
    Case("a word outside the choices", '{"id": 1, "mood": "fine", "tags": ["a"]}', None),
    Case("a list that was cut", '{"id": 1, "mood": "good", "tags": ["a", "b', None),
    Case("an ellipsis", '{"id": 1, "mood": "good", "tags": ["a", ...]}', None),
    Case("two answers", '{"id": 1, "mood": "good", "tags": ["a"]}\n'
         '{"id": 2, "mood": "bad", "tags": []}', None),
    Case("a fraction for a whole number", '{"id": 1.5, "mood": "good", "tags": ["a"]}', None),
)  # fmt: skip

got: dict[str, Any] = {}


def book(room: str, seats: int, days: list[date], note: str = "", loud: bool = False) -> str:
    """Book a room.

    Args:
        room: its name
    """
    got.update(room=room, seats=seats, days=days, note=note, loud=loud)
    return "booked"


# in the process of one library


def verdicts(name: str) -> dict[str, Any]:
    """Return what the library *name*, which is installed here, does with each mistake."""
    _, _, has_tools, reads = LIBRARIES[name]
    found: dict[str, Any] = {}
    if has_tools:
        call = _typesig_call if name == "typesig" else _call_of(name)
        found["calls"] = {case.name: called(call, case) for case in CALLS}
        found["both"] = both(call)
    if reads:
        readers = READERS[name]()
        found["answers"] = {
            each: {case.name: answered(read, case) for case in ANSWERS}
            for each, read in readers.items()
        }
    return found


def called(call: Callable[[Any], Any], case: Case) -> str:
    """Return what comes of a call."""
    got.clear()
    try:
        warned = call(case.sent)
    except Exception:
        return "yes" if case.meant is None else "refused"
    if case.meant is not None and got == case.meant and repr(got) == repr(case.meant):
        lost = case.name == "a name that is not there" and warned != "warned"
        return "silent" if lost else "yes"
    if case.meant is None:
        return "wrong"
    return "told" if warned == "warned" else "silent"


def both(call: Callable[[Any], Any]) -> str:
    """Return whether the model is told of both mistakes of a call."""
    try:
        call(TWO)
    except Exception as error:
        told = str(error)
        return "both" if "seats" in told and "days" in told else "one"
    return "none"


def _call_of(name: str) -> Callable[[Any], Any]:
    from peer_adapters import PEERS

    return PEERS[name].make(book, None).call


def _typesig_call(arguments: Any) -> str:
    from typesig import tool

    outcome = tool(book).call(json.dumps(arguments))
    if not outcome.ok:
        raise ValueError(outcome.text())
    return "warned" if outcome.warnings else ""


def answered(read: Callable[[str], Any], case: Case) -> str:
    """Return what comes of an answer."""
    try:
        value = read(case.sent)
    except BaseException:
        return "yes" if case.meant is None else "refused"
    same = json.dumps(value, sort_keys=True) == json.dumps(case.meant, sort_keys=True)
    return "yes" if same else "wrong"


def _model() -> Any:
    from pydantic import BaseModel

    class Review(BaseModel):
        id: int
        mood: Literal["good", "bad"]
        tags: list[str]
        note: str | None = None

    return Review


def _typesig_readers() -> dict[str, Callable[[str], Any]]:
    import typesig

    review = typesig.contract('{id :int, mood :enum["good" "bad"], tags [:string], note :string?}')

    def reads(mode: Any) -> Callable[[str], Any]:
        return lambda text: {"note": None, **review.read(text, mode).value}

    return {"typesig": reads(None), "typesig, lenient": reads("lenient")}


def _pydantic_readers() -> dict[str, Callable[[str], Any]]:
    model = _model()
    return {"pydantic": lambda text: model.model_validate_json(text).model_dump()}


def _pydantic_ai_readers() -> dict[str, Callable[[str], Any]]:
    from pydantic_ai import Agent, PromptedOutput
    from pydantic_ai.messages import ModelResponse, TextPart
    from pydantic_ai.models.function import FunctionModel

    def read(text: str) -> Any:
        model = FunctionModel(lambda *_: ModelResponse(parts=[TextPart(text)]))
        agent = Agent(model, output_type=PromptedOutput(_model()), retries=0)
        return agent.run_sync("Review it.").output.model_dump()

    return {"pydantic-ai": read}


def _langchain_readers() -> dict[str, Callable[[str], Any]]:
    from langchain_core.output_parsers import PydanticOutputParser

    parser: Any = PydanticOutputParser(pydantic_object=_model())
    return {"LangChain": lambda text: parser.parse(text).model_dump()}


def _instructor_readers() -> dict[str, Callable[[str], Any]]:
    import httpx
    import instructor
    from openai import OpenAI

    def read(text: str) -> Any:
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        data = {"id": "x", "object": "chat.completion", "created": 0, "model": "x"}
        answer = httpx.Response(200, json={**data, "choices": [choice]})
        transport = httpx.MockTransport(lambda _: answer)
        client: Any = OpenAI(
            api_key="x", http_client=httpx.Client(transport=transport), max_retries=0
        )
        patched: Any = instructor.from_openai(client, mode=instructor.Mode.MD_JSON)
        asked = [{"role": "user", "content": "Review it."}]
        made = patched.chat.completions.create(
            model="x", messages=asked, response_model=_model(), max_retries=0
        )
        return made.model_dump(include={"id", "mood", "tags", "note"})

    return {"instructor": read}


BAML = """
class Review {
 id int
 mood "good" | "bad"
 tags string[]
 note string?
}
client<llm> Nobody {
 provider openai
 options {
  model "x"
  api_key "x"
 }
}
function Ask(text: string) -> Review {
 client Nobody
 prompt #"{{ ctx.output_format }}"#
}
"""


def _baml_readers() -> dict[str, Callable[[str], Any]]:
    from types import ModuleType

    from baml_py import BamlRuntime

    runtime = BamlRuntime.from_files("baml", {"main.baml": BAML}, {})
    classes: Any = ModuleType("classes")
    classes.Review = _model()
    manager = runtime.create_context_manager()

    def read(text: str) -> Any:
        made = runtime.parse_llm_response(
            "Ask", text, classes, classes, classes, False, manager, None, None, {}
        )
        return made.model_dump()

    return {"BAML": read}


def _msgspec_readers() -> dict[str, Callable[[str], Any]]:
    import msgspec

    review = msgspec.defstruct(
        "Review",
        [("id", int), ("mood", Literal["good", "bad"]), ("tags", list[str]),
         ("note", str | None, None)],
    )  # fmt: skip

    def read(text: str) -> Any:
        return msgspec.to_builtins(msgspec.json.decode(text, type=review, strict=False))

    return {"msgspec": read}


READERS: dict[str, Callable[[], dict[str, Callable[[str], Any]]]] = {
    "typesig": _typesig_readers,
    "pydantic": _pydantic_readers,
    "pydantic-ai": _pydantic_ai_readers,
    "LangChain": _langchain_readers,
    "instructor": _instructor_readers,
    "BAML": _baml_readers,
    "msgspec": _msgspec_readers,
}


# outside


def environment(name: str, folder: Path) -> tuple[Path, dict[str, Any]]:
    """Return a Python of its own for the library *name*, and what was installed."""
    import venv  # which CPython under WebAssembly lacks

    home = folder / name
    python = home / "bin" / "python"
    told = home / "installed.json"
    if not told.exists():
        venv.create(home, with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "--disable-pip-version-check"]
        wanted = LIBRARIES[name][0].split()
        subprocess.run([*pip, "install", "-q", *wanted], check=True)
        told.write_text(json.dumps(installed(python, name)))
        needed = ["typing_extensions", "docstring_parser", "annotated-types", "tzdata"]
        more = ["openai", "httpx"] if name == "instructor" else []
        subprocess.run([*pip, "install", "-q", *needed, *more], check=True)
    return python, json.loads(told.read_text())


def installed(python: Path, name: str) -> dict[str, Any]:
    """Return the packages, the megabytes and the version of a library."""
    pip = [str(python), "-m", "pip", "list", "--format=json", "--disable-pip-version-check"]
    listed = json.loads(subprocess.run(pip, check=True, capture_output=True, text=True).stdout)
    packages = [each for each in listed if each["name"] not in ("pip", "setuptools", "wheel")]
    [site] = (python.parent.parent / "lib").glob("python*/site-packages")
    own = CHECKOUT / "typesig" if name == "typesig" else None
    parts = [path for path in site.iterdir() if not path.name.startswith(("pip", "setuptools"))]
    size = sum(
        file.stat().st_size
        for part in [*parts, *([own] if own else [])]
        for file in ([part] if part.is_file() else part.rglob("*"))
        if file.is_file() and file.suffix != ".pyc"
    )
    return {
        "packages": len(packages) + (own is not None),
        "megabytes": size / 1e6,
        "version": next(
            (e["version"] for e in packages if e["name"] == LIBRARIES[name][0].split()[0]), ""
        ),
    }


def started(python: Path, text: str, rounds: int = 7) -> float:
    """Return the milliseconds of CPU time of a process that runs *text*."""
    program = f"import time\n{text}\nprint(time.process_time())"
    found = [
        float(subprocess.run(
            [str(python), "-c", program], check=True, capture_output=True, text=True,
            env={"PYTHONPATH": str(CHECKOUT)},
        ).stdout)
        for _ in range(rounds)
    ]  # fmt: skip
    return 1000 * statistics.median(found)


def tables(found: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Return the tables of the page."""
    tools = [name for name in found if "calls" in found[name]]
    calls = [[case.name, *(found[name]["calls"][case.name] for name in tools)] for case in CALLS]
    calls.append(["two mistakes: told of", *(found[name]["both"] for name in tools)])
    readers = {
        label: rows for name in found for label, rows in found[name].get("answers", {}).items()
    }
    answers = [[case.name, *(rows[case.name] for rows in readers.values())] for case in ANSWERS]
    needs = [
        [name, str(e["packages"]), f"{e['megabytes']:.1f}", f"{e['milliseconds']:.0f}"]
        for name, e in ((name, found[name]["installed"]) for name in found)
    ]
    versions = ", ".join(
        f"{name} {each['installed']['version']}"
        for name, each in found.items()
        if name != "typesig"
    )
    python = ".".join(map(str, sys.version_info[:3]))
    source = f"\nPython {python}, {versions}; `python benchmarks/alone.py`.\n"
    return {
        "calls": _markdown(["sent", *tools], calls),
        "answers": _markdown(["answered", *readers], answers),
        "installs": _markdown(["", "packages", "MB", "imports, ms"], needs) + source,
    }


def _markdown(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def copied() -> dict[str, str]:
    """Return the tables that other pages have, which other programs write."""
    reference = CHECKOUT / "docs" / "reference"
    peers = (reference / "peers.md").read_text(encoding="utf-8")
    speed = (reference / "speed.md").read_text(encoding="utf-8")
    hints = peers[peers.index("| tool |") :].partition("\n\n")[0]
    calls = speed.partition("<!-- figures: calls -->\n\n")[2].partition("\n\n<!-- end")[0]
    return {"hints": f"{hints}\n", "time": f"{calls}\n"}


def page(text: str, made: dict[str, str]) -> str:
    """Return the *text* of the page with its tables written anew; a table not in *made* stays."""
    marked = re.compile(r"(<!-- alone: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
    made = {**copied(), **made}
    return marked.sub(
        lambda found: f"{found[1]}\n{made.get(found[2], found[3].strip() + chr(10))}\n{found[4]}",
        text,
    )


def write(made: dict[str, str]) -> None:
    """Write the page with the tables *made*, and those that are copied from other pages."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), made), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--inside")
    asked = parser.parse_args()
    if asked.inside:
        out = os.fdopen(os.dup(1), "w")
        os.dup2(2, 1)  # what libraries print must not mix with the verdicts
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        print(json.dumps(verdicts(asked.inside)), file=out)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.keep or Path(temporary)
        found: dict[str, dict[str, Any]] = {}
        for name in asked.names or LIBRARIES:
            python, needs = environment(name, folder)
            run = [str(python), __file__, "--inside", name]
            told = subprocess.run(run, check=True, stdout=subprocess.PIPE, cwd=CHECKOUT).stdout
            needs["milliseconds"] = started(python, LIBRARIES[name][1]) - started(python, "pass")
            found[name] = {**json.loads(told), "installed": needs}
    made = tables(found)
    if asked.write:
        write(made)
    print(*made.values(), sep="\n")


if __name__ == "__main__":
    main()
