"""Texts of the pages for models: `llms.txt`, `llms-full.txt`, and each page as Markdown.

`llms.txt` has a line for each page of the route: its title, its first sentence, and a link to its
Markdown, such as `how-to/answers.md`.  `llms-full.txt` has the Markdown of all pages.  Tables that
only the site shows are left out: a reader of one page skips them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: Left out: what only a browser shows.
OMITTED = frozenset({"playground.md"})

_FRONT = re.compile(r"\A---\n.*?^---\n\s*", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"^<!--.*?-->\n?", re.MULTILINE | re.DOTALL)
_MARKUP = re.compile(r"^</?(?:div|p|picture|source|img|details|summary)\b.*\n?", re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[([^]]*)\]\([^)]*\)")


def text_of(markdown: str) -> str:
    """*markdown* without front matter, comments and the markup of the layout."""
    return _MARKUP.sub("", _COMMENT.sub("", _FRONT.sub("", markdown))).strip() + "\n"


def first_sentence(text: str) -> str:
    """The first sentence below the title, without links and marks."""
    for part in _FENCED.sub("", text).split("\n\n")[1:]:
        plain = " ".join(_LINK.sub(r"\1", part).split()).replace("**", "")
        if plain and plain[0] not in "#|>":
            return re.split(r"(?<=[.:?]) (?=[A-Z`])", plain)[0].rstrip(":")
    return ""


def sections(nav: Any, title: str = "") -> Iterator[tuple[str, list[str]]]:
    """Yield the parts of the route: a title, and the pages below it."""
    pages: list[str] = []
    below: list[tuple[str, list[str]]] = []
    for entry in nav:
        match entry:
            case str():
                pages.append(entry)
            case dict():
                [(name, value)] = entry.items()
                if isinstance(value, str):
                    pages.append(value)
                else:
                    below += sections(value, f"{title}: {name}" if title else name)
    if pages:
        yield title, pages
    yield from below


def write_texts(nav: Any, name: str, about: str, docs: Path, site: Path) -> None:
    """Write the texts of the pages of *nav* into the folder *site*."""
    short, full = [f"# {name}\n\n> {about}\n"], []
    for title, pages in sections(nav):
        short.append(f"\n## {title}\n\n")
        for page in pages:
            if page in OMITTED:
                continue
            text = text_of((docs / page).read_text("utf-8"))
            heading = text.partition("\n")[0].lstrip("# ")
            short.append(f"- [{heading}]({page}): {first_sentence(text)}\n")
            full.append(f"<!-- {page} -->\n\n{text}")
            target = site / page
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")
    (site / "llms.txt").write_text("".join(short), "utf-8")
    (site / "llms-full.txt").write_text("\n".join(full), "utf-8")


def on_post_build(config: Any, **_: Any) -> None:
    """Write the texts when the site is there."""
    write_texts(
        config["nav"],
        config["site_name"],
        config["site_description"],
        Path(config["docs_dir"]),
        Path(config["site_dir"]),
    )
