"""What a model reads of tools: listings in styles and tiers, templates, data in prompts.

In: tools, by what they are called, take and give.  Out: text, and what it costs.  A style is a row
of `STYLES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typesig.lazy_imports import make_lazy_package

if TYPE_CHECKING:
    from typesig.listings.firewall import render_data as render_data
    from typesig.listings.listing_parser import parse_listing as parse_listing
    from typesig.listings.template import Template as Template
    from typesig.listings.template import placeholders as placeholders

#: Each public name, and the module that defines it.
_HOMES = {
    "Template": "typesig.listings.template",
    "parse_listing": "typesig.listings.listing_parser",
    "placeholders": "typesig.listings.template",
    "render_data": "typesig.listings.firewall",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = make_lazy_package(__name__, _HOMES)
