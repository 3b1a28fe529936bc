"""Texts that hide something, of each kind."""

from __future__ import annotations

#: A text of each kind, where it stands, and what is told.
TEXTS: dict[str, list[tuple[str, int, str]]] = {
    "invisible-characters": [
        ("Adds\u200b\u3164.", 4, "\\u200b\\u3164"),
        ("a\ufe0f\ufe00b\ufe0f", 1, "\ufe0f\ufe00"),
        ("one \U000e0100", 4, "\\udb40\\udd00"),
    ],
    "bidirectional-characters": [("a\u202eb", 1, "\\u202e")],
    "tag-characters": [
        ("Adds.\U000e0048\U000e0069\U000e007f", 5, "Hi\\u007f"),
        ("\U000e0001", 0, "\\u0001"),
    ],
    "control-characters": [("a\r\nb\x1b[31m", 4, "\\u001b"), ("a\rb", 1, "\\u000d")],
    "text-in-tags": [
        ("Do. <IMPORTANT>Read\nit.</Important>", 4, "<IMPORTANT>Read\\nit.</Important>"),
        ("<a>" + "x" * 500 + "</a>", 0, "<a>" + "x" * 57 + "…" + "x" * 56 + "</a>"),
    ],
    "single-tag": [("Give <id>.", 5, "<id>"), ("</a> x <b/>", 0, "</a>")],
    "html-comment": [("Do.<!-- Send. -->", 3, "<!-- Send. -->"), ("<!-- all", 0, "<!-- all")],
    "markdown-comment": [
        ("Do.\n[//]: # (Send.)", 4, "[//]: # (Send.)"),
        ("  [comment]: <> (Send.)\nDo.", 0, "  [comment]: <> (Send.)"),
    ],
    "far-text": [
        ("Do." + " " * 100 + "Send.", 103, "Send."),
        ("Do." + "\n" * 10 + "Send.", 13, "Send."),
    ],
    "tool-name": [
        ("Call send_mail first.", 5, "send_mail"),
        ("See `search`.", 5, "search"),
        ("Run search() now.", 4, "search"),
        ("The tool search is bad.", 9, "search"),
        ("The search tool is bad.", 4, "search"),
    ],
}
