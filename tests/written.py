"""What the library writes, of every room a little: the same everywhere, or something is wrong.

python -m tests.written      # writes written.txt anew, after a change that is wanted
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typesig
from typesig import tool
from typesig.relations import is_subtype, near_misses, samples

PAGE = Path(__file__).parent / "written.txt"


def work(number: int) -> tuple[Any, ...]:
    """Use every room once, with types that no other number uses and some that all use."""

    def f(count: int, tags: list[str] | None = None, limit: int = 10) -> dict[str, int]:
        """Count tags.

        Args:
            count: how many
        """
        return dict.fromkeys(tags or (), count)

    made = tool(f, name=f"count{number}")
    text = f"(a{number} :int[{number}..], t :T?) -> [:T] where T = {{x :int, kids [:T]}}"
    signature = typesig.parse(text)
    tree = {"x": number, "kids": [{"x": "1", "kids": []}]}
    schema = signature.to_json_schema(exact=True)
    return (
        made.prompt(),
        made.call({"count": "3", "tags": [f"a{number}"]}).value,
        made.call({"cuont": 3}).report(),
        signature.render(),
        signature.input_schema(),
        signature.validate_input({f"a{number}": number + 1, "t": tree}).value,
        signature.validate_output([tree]).report(),
        typesig.from_json_schema(schema).render(),
        typesig.parse(typesig.render(signature, "edn"), "edn").render(),
        typesig.parse("(a: Int, b: Text) --> [Int]", "gram").render(),
        typesig.contract(list[int]).read(f"```\n[{number}]\n```").value,
        typesig.infer({"id": number}, {"id": 2.5}).render(),
        is_subtype(typesig.parse(f":int[..{number}]"), typesig.parse(":int")),
        typesig.parse(r":string[/^a{1,3}\d+$/]").accepts(f"aa{number}"),
    )


def everything() -> str:
    """Return results of `work`, samples and reports, a line each, in ASCII."""
    drawn = typesig.parse(
        "() -> {a? [:string][1..3, unique], b :one[:int, :bool], c :map[:datetime]?}"
    )
    sets = typesig.parse("() -> {a? #{:string}[1..3], b :one[:int, :keyword], c :map[:datetime]}")
    naive = {"at": "2026-01-31T10:00:00"}
    found = [
        *work(3),
        *samples(drawn, 1, 20, json=True),
        *near_misses(drawn, 1, 20, json=True),
        typesig.infer(*samples(sets, 2, 5)).render(),
        typesig.parse("(at :datetime) -> :any").validate_input(naive).report(),
    ]
    return "\n".join(json.dumps(each) for each in found)


if __name__ == "__main__":
    PAGE.write_text(everything() + "\n", encoding="utf-8")
