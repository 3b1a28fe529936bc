"""The metaschemas: the schemas of JSON Schema itself, by draft, which any schema may refer to.

The documents are those of <https://json-schema.org/specification-links>, one file for a draft: an
object of them by URI.  Their license is in the file LICENSE beside them.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

_DRAFTS = {
    "https://json-schema.org/draft/2020-12/": "2020-12",
    "https://json-schema.org/draft/2019-09/": "2019-09",
    "http://json-schema.org/draft-07/": "draft-07",
    "http://json-schema.org/draft-06/": "draft-06",
    "http://json-schema.org/draft-04/": "draft-04",
}


def load_metaschema(uri: str) -> Any:
    """Return the metaschema document with the URI *uri*, or None if it is unknown.

    >>> load_metaschema("http://json-schema.org/draft-07/schema")["title"]
    'Core schema meta-schema'
    """
    draft = next((name for start, name in _DRAFTS.items() if uri.startswith(start)), None)
    return None if draft is None else _load_documents(draft).get(uri)


@lru_cache(maxsize=len(_DRAFTS))
def _load_documents(draft: str) -> dict[str, Any]:
    """Load the metaschemas of the JSON Schema *draft*, by URI."""
    # Loads as the parse tables do: importing importlib.resources would take 10 ms more.
    import pkgutil

    data = pkgutil.get_data(__name__, f"{draft}.json")
    assert data is not None
    found: dict[str, Any] = json.loads(data)
    return found
