"""The Python library `mcp` 2.x in the era that the second argument names: `auto` asks for the stateless revision first."""

import sys
from contextlib import asynccontextmanager
from types import SimpleNamespace

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from visit import SCENE, visit_the_household
from visit_production import visit_the_production

REVISIONS = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}

era = sys.argv[2]


@asynccontextmanager
async def open_session(key):
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}) as http:
        async with Client(streamable_http_client(SCENE["mcp_url"], http_client=http), mode=era) as mcp:
            # A pinned client sends nothing to find out, so it knows no more than what it was told.
            assert mcp.protocol_version == REVISIONS[era], mcp.protocol_version

            async def list_tools():
                return [tool.name for tool in (await mcp.list_tools()).tools]

            yield SimpleNamespace(list_tools=list_tools, call_tool=mcp.call_tool, mcp=mcp)


async def visit():
    client = f"Python mcp 2, {era}"
    await visit_the_production(client, open_session)
    await visit_the_household(
        client,
        open_session,
        # It reads the body of a refusal only when that is a JSON-RPC error, as the one for a scope is.
        missing_scope="This key does not have the 'tv' scope.",
        unknown_key="Server returned an error response",
        outlives_refusal=True,
    )


anyio.run(visit)
