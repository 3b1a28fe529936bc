"""The tools of the loops: rooms that a model can list and book."""

from __future__ import annotations

from datetime import date
from typing import TypedDict

import typesig
from typesig import ToolError, tool


class Room(TypedDict):
    """A room."""

    name: str
    seats: int


ROOMS: list[Room] = [{"name": "Birch", "seats": 6}, {"name": "Elm", "seats": 12}]


@tool
def rooms(seats: int = 1) -> list[Room]:
    """List the rooms.

    Args:
        seats: how many seats are needed
    """
    return [room for room in ROOMS if room["seats"] >= seats]


@tool
def book(room: str, day: date, note: str | None = None) -> str:
    """Book a room for a day.

    Args:
        room: the name of the room
        note: for those who prepare it
    """
    if all(room != each["name"] for each in ROOMS):
        raise ToolError(f"there is no room {room}; call rooms")
    return f"{room} is booked for {day:%A}, {day}"


TOOLS = typesig.tools_of([rooms, book])
QUESTION = "Book a room for eight on 30 June 2027."
