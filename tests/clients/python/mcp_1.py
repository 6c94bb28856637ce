"""The last of the Python library `mcp` 1.x: opens with `initialize`."""

from contextlib import asynccontextmanager
from types import SimpleNamespace

import anyio
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

from visit import SCENE, visit_the_household
from visit_production import visit_the_production


@asynccontextmanager
async def open_session(key):
    headers = {"Authorization": f"Bearer {key}"}
    async with streamablehttp_client(SCENE["mcp_url"], headers=headers) as (read, write, _), ClientSession(read, write) as mcp:
        await mcp.initialize()

        async def list_tools():
            return [tool.name for tool in (await mcp.list_tools()).tools]

        yield SimpleNamespace(list_tools=list_tools, call_tool=mcp.call_tool, mcp=mcp)


async def visit():
    client = "Python mcp 1"
    await visit_the_production(client, open_session)
    await visit_the_household(
        client,
        open_session,
        # It raises the status of the answer, keeps the body to itself and ends its session over any 4xx.
        missing_scope="403 Forbidden",
        unknown_key="401 Unauthorized",
        outlives_refusal=False,
    )


anyio.run(visit)
