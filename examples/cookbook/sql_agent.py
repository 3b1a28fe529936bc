"""A model asks a database in SQL: it can read some columns of some tables, and change nothing."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import Any

import typesig
from typesig import Injected, ToolError, tool

#: What the model may read; everything else is refused by SQLite itself.
READABLE = {("customers", "id"), ("customers", "city"), ("orders", "customer"), ("orders", "total")}


def allowed(action: int, table: str | None, column: str | None, *_: object) -> int:
    reads = action == sqlite3.SQLITE_READ and (table, column) in READABLE
    plain = action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_FUNCTION)
    return sqlite3.SQLITE_OK if reads or plain else sqlite3.SQLITE_DENY


def database() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.row_factory = sqlite3.Row
    db.executescript("""
        create table customers (id integer, city text, email text);
        create table orders (customer integer, total real);
        insert into customers values (1, 'Oslo', 'ann@a.example'), (2, 'Bonn', 'bob@b.example');
        insert into orders values (1, 20.5), (1, 4.5), (2, 7.0);
    """)
    db.set_authorizer(allowed)
    # A statement that takes more steps than this is stopped.
    db.set_progress_handler(lambda: True, 1_000_000)
    return db


@tool(annotations={"readOnlyHint": True})
def query(sql: str, db: Injected[sqlite3.Connection]) -> list[dict[str, Any]]:
    """Run a SELECT on customers(id, city) and orders(customer, total)."""
    try:
        return [dict(row) for row in db.execute(sql).fetchmany(100)]
    except sqlite3.Error as error:
        raise ToolError(f"{error}; read only the columns above") from None


WIRE = typesig.tools_of([query]).project("openai")


def asks(sql: str) -> dict[str, Any]:
    """Return what a model sends: here it is a script."""
    function = {"name": "query", "arguments": json.dumps({"sql": sql})}
    return {"tool_calls": [{"id": "call_1", "type": "function", "function": function}]}


SENT = (
    "select city, email from customers",
    "delete from orders",
    "select city, sum(total) as total from customers join orders on customer = id group by city",
)


def demo() -> None:
    with closing(database()) as db:
        for sql in SENT:
            print("model:", sql)
            for message in WIRE.handle(asks(sql), given={"db": db}):
                print(message["content"])


if __name__ == "__main__":
    demo()
