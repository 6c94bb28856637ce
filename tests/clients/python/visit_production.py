"""What every Python client is asked to do in the demo's production office: the visit of `node/visit-production.mjs`, check by check."""

import json

from visit import SCENE, check, refusal_of, text_of

RESOURCES = ["approvals", "deliveries", "departments", "production", "schedule", "script"]
PROMPTS = ["how_to_submit_work", "pending_turnovers", "scene_status", "whats_changed"]
TOOLS_FOR_BOTH_KEYS = ["get_character_bundle", "get_scene_bundle", "list_turnovers", "submit_turnover"]


async def visit_the_production(client, open_session):
    """Makes the visit. `open_session(key)` gives an object with the library's own `list_…`, `read_resource` and `get_prompt` as `mcp`."""
    production = SCENE["production"]
    async with open_session(production["key"]) as session:
        with check(f"{client}: lists the tools of the production office and calls them"):
            names = await session.list_tools()
            assert {*TOOLS_FOR_BOTH_KEYS, "list_scenes"} <= set(names), names
            shown = await session.call_tool("get_production", {})
            assert json.loads(text_of(shown))["title"] == "Kestrel", shown
            scenes = json.loads(text_of(await session.call_tool("list_scenes", {})))
            assert any(row["number"] == "4A" for row in scenes), scenes
        with check(f"{client}: lists the resources and reads each under both of its addresses"):
            listed = sorted(str(resource.uri) for resource in (await session.mcp.list_resources()).resources)
            assert listed == [f"playhouse://{name}" for name in RESOURCES], listed
            for name in RESOURCES:
                for uri in (f"playhouse://{name}", f"throughline://{name}"):
                    json.loads((await session.mcp.read_resource(uri)).contents[0].text)
        with check(f"{client}: lists the prompts and fills one in"):
            listed = sorted(prompt.name for prompt in (await session.mcp.list_prompts()).prompts)
            assert listed == PROMPTS, listed
            prompt = await session.mcp.get_prompt("scene_status", {"node_id": "104"})
            assert "get_scene_bundle with node_id 104" in prompt.messages[0].content.text, prompt

    async with open_session(production["vendor_key"]) as session:
        with check(f"{client}: is shown a vendor's own turnover only"):
            assert await session.list_tools() == TOOLS_FOR_BOTH_KEYS
            turnovers = json.loads(text_of(await session.call_tool("list_turnovers", {})))
            assert [turnover["code"] for turnover in turnovers] == ["TO-101-01"], turnovers

    async def read_the_script_as_a_vendor():
        async with open_session(production["vendor_key"]) as session:
            return await session.mcp.read_resource("playhouse://script")

    with check(f"{client}: is refused the whole script as a vendor"):
        # Most of what these libraries let their user see of a plain refusal is that there was one.
        await refusal_of(read_the_script_as_a_vendor)
