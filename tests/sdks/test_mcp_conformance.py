"""The official conformance suite of the protocol judges `typesig serve` and `typesig.mcp.connect`.

It is the package `@modelcontextprotocol/conformance` of npm, which the variable
`TYPESIG_CONFORMANCE` names the folder of; the step `sdks` of .ci/run installs it there, with a node
that it runs on.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("mcp")

FOLDER = Path(os.environ.get("TYPESIG_CONFORMANCE", ""))
pytestmark = [
    pytest.mark.needs_process,
    pytest.mark.skipif(
        "TYPESIG_CONFORMANCE" not in os.environ, reason="the conformance suite is not installed"
    ),
]

ROOT = Path(__file__).parents[2]


def names(text: str) -> list[str]:
    return text.split()


#: The scenarios for servers that typesig passes.
SERVER = names("""
server-initialize server-session-lifecycle server-stateless logging-set-level ping tools-list
tools-call-simple-text tools-call-image tools-call-audio tools-call-embedded-resource
tools-call-mixed-content tools-call-with-logging tools-call-error tools-call-with-progress
tools-call-sampling tools-call-elicitation json-schema-2020-12 elicitation-sep1034-defaults
elicitation-sep1330-enums server-sse-multiple-streams dns-rebinding-protection
http-header-validation http-custom-header-server-validation
input-required-result-basic-elicitation input-required-result-basic-sampling
input-required-result-basic-list-roots input-required-result-request-state
input-required-result-multiple-input-requests input-required-result-multi-round
input-required-result-missing-input-response input-required-result-result-type
input-required-result-unsupported-methods input-required-result-tampered-state
input-required-result-capability-check input-required-result-ignore-extra-params
input-required-result-validate-input
""")

#: The scenarios for clients that typesig passes.
CLIENT = names("""
initialize tools_call elicitation-sep1034-client-defaults sse-retry request-metadata
sep-2322-client-request-state http-standard-headers http-custom-headers http-invalid-tool-headers
json-schema-ref-no-deref json-schema-2020-12-preservation
""")

#: Why the scenarios whose names match do not apply.
OTHERS = {
    r"resources-.*|sep-2164-.*|prompts-.*|completion-complete|input-required-result-non-tool-request":
        "typesig serves tools; a proxy passes on what another server has beside them",
    r"caching": "it lists resources and prompts, too; the tools that it lists have their hints",
    r"server-sse-polling": "no event is kept to be sent again, which servers need not do",
    r"tasks-.*": "an extension: a served call is no task",
    r"sep-2640-.*": "an extension: typesig has no skills",
    r"auth/.*": "typesig.mcp.connect sends the headers that it is given, and does not log in",
    r"authorization-.*": "typesig is no server that others log in at",
}  # fmt: skip


def ran(*arguments: str, timeout: float = 100) -> subprocess.CompletedProcess[str]:
    """Run the suite with *arguments*."""
    program = FOLDER / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    node = FOLDER / "node_modules/.bin/node"
    return subprocess.run(
        [str(node), str(program), *arguments],
        capture_output=True,
        text=True,
        timeout=timeout,
        cwd=ROOT,
        check=False,
    )


def test_each_scenario_is_run_or_has_a_reason() -> None:
    listed = re.findall(r"^  - (\S+) ", ran("list").stdout, re.MULTILINE)
    others = [each for each in listed if each not in SERVER and each not in CLIENT]

    assert len(listed) > 100
    assert set(SERVER) | set(CLIENT) <= set(listed)
    assert [] == [each for each in others if not any(re.fullmatch(why, each) for why in OTHERS)]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve the tools of the scenarios, and return the address."""
    target = "tests.sdks.conformance.server:server"
    command = [sys.executable, "-m", "typesig", "serve", target, "--http", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        yield line.split(" at ")[1].split(";")[0]
        process.terminate()
        process.stderr.read()


@pytest.mark.parametrize("scenario", SERVER)
def test_a_server_conforms(scenario: str, address: str, tmp_path: Path) -> None:
    run = ran("server", "--url", address, "--scenario", scenario, "-o", str(tmp_path))

    assert 0 == run.returncode, run.stdout + run.stderr


@pytest.mark.parametrize("scenario", CLIENT)
def test_a_client_conforms(scenario: str, tmp_path: Path) -> None:
    command = f"{sys.executable} -m tests.sdks.conformance.client"
    run = ran("client", "--command", command, "--scenario", scenario, "-o", str(tmp_path))

    assert 0 == run.returncode, run.stdout + run.stderr
