"""The site as it was built, served to a real browser.

TYPESIG_SITE is the folder of the site, and TYPESIG_BROWSER the path of a chromium; the step `site` of
.ci/run sets both.
"""

from __future__ import annotations

import functools
import http.server
import os
import threading
from collections.abc import Iterator
from typing import Any

import pytest

SITE = os.environ.get("TYPESIG_SITE", "")
BROWSER = os.environ.get("TYPESIG_BROWSER", "")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None: ...


@pytest.fixture(scope="session")
def origin() -> Iterator[str]:
    handler = functools.partial(_Quiet, directory=SITE)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=BROWSER, args=options)
        yield started
        started.close()
