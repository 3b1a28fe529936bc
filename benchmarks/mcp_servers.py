"""Real MCP servers and the tools that they list: packages of npm and PyPI, and how each is started.

Used by `mcp_tools.py`.  To add a server, add a row to `SERVERS` (npm) or `PYTHON_SERVERS` (PyPI);
the row has the settings that the server needs to start without an account: dummy values of the
right form.  Packages of npm are installed without their install scripts, so that none installs a
browser; each package of PyPI has an environment of its own.

`python mcp_servers.py PACKAGE FOLDER` lists the tools of one server as JSON.  It runs in its own
process, so that only this process needs the `mcp` client.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any, NamedTuple

#: The time limits in seconds of npm, and of a server that starts and lists its tools.
INSTALLING = 300
LISTING = 60
UUID = "6f1c2a3e-0b7d-4c55-9a51-0d7c7c1f2b3a"


class Server(NamedTuple):
    """A package, its arguments and environment, and the name of its command.

    The name of a package of PyPI begins with `pypi:`.
    """

    package: str
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}  # noqa: RUF012
    command: str = ""


SERVERS = (
    Server("@modelcontextprotocol/server-filesystem", (".",)),
    Server("@modelcontextprotocol/server-memory"),
    Server("@modelcontextprotocol/server-everything"),
    Server("@modelcontextprotocol/server-sequential-thinking"),
    Server("@modelcontextprotocol/server-github", env={"GITHUB_PERSONAL_ACCESS_TOKEN": "x"}),
    Server("@modelcontextprotocol/server-gitlab", env={"GITLAB_PERSONAL_ACCESS_TOKEN": "x"}),
    Server(
        "@modelcontextprotocol/server-slack",
        env={"SLACK_BOT_TOKEN": "xoxb-x", "SLACK_TEAM_ID": "T01234567"},
    ),
    Server("@modelcontextprotocol/server-postgres", ("postgresql://localhost/none",)),
    Server("@modelcontextprotocol/server-google-maps", env={"GOOGLE_MAPS_API_KEY": "x"}),
    Server("@brave/brave-search-mcp-server", ("--transport", "stdio"), {"BRAVE_API_KEY": "x"}),
    Server("@playwright/mcp"),
    Server("chrome-devtools-mcp"),
    Server("@notionhq/notion-mcp-server", env={"NOTION_TOKEN": "ntn_x"}),
    Server("@sentry/mcp-server", ("--access-token=x",), {"OPENAI_API_KEY": "x"}),
    Server("@upstash/context7-mcp"),
    Server("mcp-server-kubernetes"),
    Server("firecrawl-mcp", env={"FIRECRAWL_API_KEY": "fc-x"}),
    Server("tavily-mcp", env={"TAVILY_API_KEY": "tvly-x"}),
    Server("exa-mcp-server", env={"EXA_API_KEY": UUID}),
    Server(
        "@zereight/mcp-gitlab",
        env={"GITLAB_PERSONAL_ACCESS_TOKEN": "x", "USE_PIPELINE": "true", "USE_MILESTONE": "true"},
    ),
    Server("figma-developer-mcp", ("--stdio", "--figma-api-key=x")),
    Server("@antv/mcp-server-chart"),
    Server("@currents/mcp", env={"CURRENTS_API_KEY": "x"}),
    Server("@eslint/mcp"),
    Server("@mapbox/mcp-server", env={"MAPBOX_ACCESS_TOKEN": "pk.eyJ1IjoieCJ9.x"}),
    Server("airtable-mcp-server", env={"AIRTABLE_API_KEY": "pat.x"}),
    Server("@hubspot/mcp-server", env={"PRIVATE_APP_ACCESS_TOKEN": "pat-x"}),
    Server("@supabase/mcp-server-supabase", ("--access-token=sbp_x",)),
    Server("mongodb-mcp-server", env={"MDB_MCP_TELEMETRY": "disabled"}),
    Server("@circleci/mcp-server-circleci", env={"CIRCLECI_TOKEN": "x"}),
    Server("@heroku/mcp-server", env={"HEROKU_API_KEY": UUID}),
    Server(
        "@line/line-bot-mcp-server", env={"CHANNEL_ACCESS_TOKEN": "x", "DESTINATION_USER_ID": "U"}
    ),
    Server("@postman/postman-mcp-server", ("--full",), {"POSTMAN_API_KEY": "PMAK-x"}),
    Server("@mondaydotcomorg/monday-api-mcp", ("-t", "x")),
    Server(
        "@elastic/mcp-server-elasticsearch",
        env={"ES_URL": "http://localhost:9200", "ES_API_KEY": "x"},
    ),
    Server("@pinecone-database/mcp", env={"PINECONE_API_KEY": "pcsk_x"}),
    Server("@wonderwhy-er/desktop-commander"),
    Server("@apify/actors-mcp-server", env={"APIFY_TOKEN": "apify_api_x"}),
    Server("@angiejones/mcp-selenium"),
    Server("@cablate/mcp-google-map", ("--stdio",), {"GOOGLE_MAPS_API_KEY": "x"}),
    Server(
        "@baruchiro/paperless-mcp",
        env={"PAPERLESS_URL": "http://localhost:1", "PAPERLESS_API_KEY": "x"},
    ),
    Server("@brightdata/mcp", env={"API_TOKEN": "x", "PRO_MODE": "true"}),
    Server(
        "@browserstack/mcp-server",
        env={"BROWSERSTACK_USERNAME": "x", "BROWSERSTACK_ACCESS_KEY": "x"},
    ),
    Server("@aashari/mcp-server-atlassian-bitbucket"),
)


PYTHON_SERVERS = (
    Server("pypi:mcp-server-git", ("--repository", ".")),
    Server("pypi:mcp-server-time", ("--local-timezone", "UTC")),
    Server("pypi:mcp-server-fetch"),
    Server("pypi:duckduckgo-mcp-server"),
    Server("pypi:arxiv-mcp-server"),
    Server("pypi:excel-mcp-server", ("stdio",)),
    Server("pypi:office-word-mcp-server", command="word_mcp_server"),
    Server(
        "pypi:mcp-atlassian",
        env={
            "JIRA_URL": "https://jira.invalid", "JIRA_PERSONAL_TOKEN": "x",
            "CONFLUENCE_URL": "https://confluence.invalid", "CONFLUENCE_PERSONAL_TOKEN": "x",
        },
    ),
    Server("pypi:mcp-clickhouse", env={"CLICKHOUSE_HOST": "localhost", "CLICKHOUSE_USER": "x"}),
    Server("pypi:mcp-grafana", env={"GRAFANA_URL": "http://localhost:3000"}),
)  # fmt: skip


def row_of(package: str) -> Server:
    """Return the row of *package*, or a new one without arguments."""
    known = (*SERVERS, *PYTHON_SERVERS)
    return next((each for each in known if each.package == package), Server(package))


def tools_of(server: Server, folder: Path, python: str) -> list[dict[str, Any]]:
    """Install *server* below *folder*, start it, and return the tools that it lists.

    Raises RuntimeError with the last line of output if it fails.
    """
    home = folder / server.package.replace("/", "_").replace("@", "_").replace(":", "_")
    home.mkdir(parents=True, exist_ok=True)
    if server.package.startswith("pypi:"):
        if not (home / "venv").exists():
            venv.create(home / "venv", with_pip=True)
            pip = [str(_python_script(home, "python")), "-m", "pip", "install", "--quiet"]
            _run([*pip, server.package.removeprefix("pypi:")], home, INSTALLING)
            _run(["git", "init", "--quiet", "."], home, LISTING)
    elif not (home / "node_modules").exists():
        npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        _run([*npm, "--prefix", str(home), server.package], home, INSTALLING)
    told = _run([python, __file__, server.package, str(home)], home, LISTING)
    found: list[dict[str, Any]] = json.loads(told)
    return [{"server": server.package, **tool} for tool in found]


def _run(command: list[str], home: Path, seconds: int) -> str:
    try:
        run = subprocess.run(
            command, cwd=home, capture_output=True, text=True, timeout=seconds,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"no answer in {seconds} seconds") from None
    if run.returncode:
        lines = [line.strip() for line in run.stderr.splitlines() if line.strip()]
        telling = [line for line in lines if re.search(r"(Error|error|Exception): ", line)]
        telling = telling or lines or ["no message"]
        raise RuntimeError(f"status {run.returncode}: {telling[-1]:.160}")
    return run.stdout


# in the process that has the client


async def listed(server: Server, home: Path) -> list[dict[str, Any]]:
    """Return the tools that *server*, installed in *home*, tells the official client."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client
    from mcp.types import PaginatedRequestParams

    if server.package.startswith("pypi:"):
        name = server.package.removeprefix("pypi:")
        command = [str(_python_script(home, server.command or name))]
    else:
        script = home / "node_modules" / server.package / _script(server, home)
        command = ["node", str(script)]
    parameters = StdioServerParameters(
        command=command[0],
        args=[*command[1:], *server.args],
        env={"HOME": str(home), "PATH": os.environ["PATH"], **server.env},
        cwd=str(home),
    )
    found: list[dict[str, Any]] = []
    async with stdio_client(parameters) as (reads, writes), ClientSession(reads, writes) as session:
        await session.initialize()
        cursor: str | None = None
        while True:
            page = await session.list_tools(params=PaginatedRequestParams(cursor=cursor))
            for tool in page.tools:
                told = tool.model_dump(by_alias=True, mode="json")
                names = ("inputSchema", "outputSchema", "description")
                found.append({"tool": told["name"], **{name: told.get(name) for name in names}})
            cursor = page.model_dump(by_alias=True).get("nextCursor")
            if not cursor:
                return found


def _python_script(home: Path, name: str) -> Path:
    """Return the command *name* of the environment of a package of PyPI."""
    return home / "venv" / ("Scripts" if os.name == "nt" else "bin") / name


def _script(server: Server, home: Path) -> str:
    """Return the script of the command that is named, or of the first command."""
    package = json.loads((home / "node_modules" / server.package / "package.json").read_text())
    commands = package["bin"]
    if isinstance(commands, str):
        return commands
    return str(commands[server.command] if server.command else next(iter(commands.values())))


if __name__ == "__main__":
    print(json.dumps(asyncio.run(listed(row_of(sys.argv[1]), Path(sys.argv[2])))))
    sys.stdout.flush()
    # A server with a running timer must not keep this process alive.
    os._exit(0)
