"""What every Python client is asked to do in the household: the visit of `node/visit.mjs`, check by check."""

import json
import re
import sys
from pathlib import Path

from report import check, finish, words_of

NAME_EVERY_HOST_TAKES = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""Claude drops a whole connector over one tool whose name does not match, so no name may."""

SCENE = json.loads(Path(sys.argv[1]).read_text())
"""The keys, tokens and TVs of the running demo, as `set-the-scene.mjs` wrote them."""


async def visit_the_household(client, open_session, *, missing_scope, unknown_key, outlives_refusal):
    """Makes the visit and ends the program with 1 if a check failed.

    `open_session(key)` is an async context manager that connects one client and gives an object with `list_tools()` (the
    names) and `call_tool(name, arguments)` (the library's own result). `missing_scope` and `unknown_key` are what this
    client lets its user see of these refusals, `outlives_refusal` is whether its session is still good after one.
    """
    async with open_session(SCENE["house_key"]) as session:
        with check(f"{client}: lists the TV tools, all under names that every host takes"):
            names = await session.list_tools()
            assert {"tv_list_devices", "tv_send_key"} <= set(names), names
            assert all(NAME_EVERY_HOST_TAKES.fullmatch(name) for name in names), names
        with check(f"{client}: sees which TVs are on and which is off"):
            devices = structured(await session.call_tool("tv_list_devices", {}))["devices"]
            online = {name_of(device): device["online"] for device in devices}
            assert online[SCENE["tv_on"]] is True and online[SCENE["tv_off"]] is False, online
        with check(f"{client}: presses a key on a TV"):
            structured(await session.call_tool("tv_send_key", {"tv": SCENE["tv_on"], "key": "UP"}))
        with check(f"{client}: opens a title on a TV"):
            title = {"title": "Stranger Things", "season": 1, "episode": 1, "country": "US", "observe": False}
            played = structured(await session.call_tool("tv_play_title", {"tv": SCENE["tv_on"], **title}))
            assert played["launched"] is True and played["resolved"]["matched"]["title"] == "Stranger Things", played
        with check(f"{client}: hands the model words to act on when the TV is off"):
            words = words_of_failure(await session.call_tool("tv_send_key", {"tv": SCENE["tv_off"], "key": "UP"}))
            assert SCENE["tv_off"] in words, words
        with check(f"{client}: hands the model words to act on when there is no such key"):
            words = words_of_failure(await session.call_tool("tv_send_key", {"tv": SCENE["tv_on"], "key": "SIDEWAYS"}))
            assert "VOL_UP" in words, f"the words should name the keys there are: {words}"

    async with open_session(SCENE["tv_token"]) as session:
        with check(f"{client}: reaches one TV and no other with that TV's own token, without naming it"):
            devices = structured(await session.call_tool("tv_list_devices", {}))["devices"]
            assert [name_of(device) for device in devices] == [SCENE["tv_on"]], devices
            structured(await session.call_tool("tv_send_key", {"key": "UP"}))

    async def list_devices_without_the_scope():
        async with open_session(SCENE["key_without_tv"]) as session:
            return await session.call_tool("tv_list_devices", {})

    with check(f"{client}: shows its user that the scope is missing"):
        words = await refusal_of(list_devices_without_the_scope)
        assert missing_scope in words, words

    if outlives_refusal:
        with check(f"{client}: goes on in the same session after the refusal"):
            async with open_session(SCENE["key_without_tv"]) as session:
                await refusal_of(lambda: session.call_tool("tv_list_devices", {}))
                names = await session.list_tools()
                assert "tv_list_devices" not in names, names

    async def connect_with_an_unknown_key():
        async with open_session(SCENE["unknown_key"]) as session:
            return await session.list_tools()

    with check(f"{client}: shows its user that the key is unknown"):
        words = await refusal_of(connect_with_an_unknown_key)
        assert unknown_key in words, words

    finish()


async def refusal_of(call):
    """Awaits a refusal and answers all that the client lets its user see of it. Fails when the call was let through."""
    try:
        answer = await call()
    except Exception as error:
        return "\n".join(words_of(error))
    raise AssertionError(f"expected a refusal, got {answer}")


def structured(result):
    content = result.structured_content if hasattr(result, "structured_content") else result.structuredContent
    assert not failed(result), f"expected success, got {result}"
    assert content, "a tool with an output schema answers structured content"
    assert text_of(result), "the same facts also come as text"
    return content


def words_of_failure(result):
    assert failed(result), f"expected a failure, got {result}"
    return text_of(result)


def failed(result):
    return result.is_error if hasattr(result, "is_error") else result.isError


def text_of(result):
    return "\n".join(part.text for part in result.content if part.type == "text")


def name_of(device):
    return device.get("name", device["id"])
