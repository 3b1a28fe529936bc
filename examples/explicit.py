"""An explicit signature defines what the model sees, the hints how arguments are decoded."""

from __future__ import annotations

from datetime import date
from typing import Any

from typesig import tool


@tool('(city :string "its name", day? :string[date] "today if left out") -> {high :int, low :int}')
def forecast(city: str, day: date | None = None) -> dict[str, Any]:
    """Tell the day's temperatures in a city, in degrees Celsius."""
    base = len(city) + (day.day if day is not None else 0)
    return {"high": base + 8, "low": base}


# A signature of only the result keeps the parameters from the hints.
@tool("{mood :enum[calm stormy], confidence :float[0..1]}")
def mood(text: str) -> dict[str, Any]:
    """Tell the mood of a text."""
    return {"mood": "stormy" if "!" in text else "calm", "confidence": 0.75}


def demo() -> None:
    """Print the listings, and the results of two calls."""
    print(forecast.prompt())
    print(forecast.call({"city": "Oslo", "day": "2027-01-31"}).value)
    print(mood.prompt())
    print(mood.call({"text": "Land ahoy!"}).value)


if __name__ == "__main__":
    demo()
