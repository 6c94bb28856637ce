// What every client of the Node world is asked to do in the household, in the order in which a person would.

import assert from 'node:assert/strict';
import { check, refusalOf } from './checks.mjs';
import { scene } from './scene.mjs';

/** Claude drops a whole connector over one tool whose name does not match, so no name may. */
const NAME_EVERY_HOST_TAKES = /^[a-zA-Z0-9_-]{1,64}$/;

/** What a client shows of a refusal when it passes on the server's own words. Some keep them to themselves. */
const SERVERS_OWN_WORDS = {
  missingScope: /This key does not have the 'tv' scope\./,
  unknownKey: /Invalid access key\./,
};

/**
 * Makes the visit with a client. `openSession(key)` opens a session as those of `sessions.mjs` are; `shown` gives what the
 * client shows its user of a refusal where that is not the server's own words.
 */
export async function visitTheHousehold(client, openSession, shown = {}) {
  const expected = { ...SERVERS_OWN_WORDS, ...shown };
  const says = (statement) => `${client}: ${statement}`;

  await withSession(says('connects with the household key'), openSession, scene.house_key, async (session) => {
    await check(says('lists the TV tools, all under names that every host takes'), async () => {
      const names = (await session.listTools()).map((tool) => tool.name);
      assert.ok(names.includes('tv_list_devices') && names.includes('tv_send_key'), `listed: ${names}`);
      assert.deepEqual(names.filter((name) => !NAME_EVERY_HOST_TAKES.test(name)), []);
    });
    await check(says('sees which TVs are on and which is off'), async () => {
      const { devices } = structured(await session.callTool('tv_list_devices', {}));
      assert.equal(onlineFlagOf(devices, scene.tv_on), true);
      assert.equal(onlineFlagOf(devices, scene.tv_off), false);
    });
    await check(says('presses a key on a TV'), async () => {
      structured(await session.callTool('tv_send_key', { tv: scene.tv_on, key: 'UP' }));
    });
    await check(says('opens a title on a TV'), async () => {
      const title = { tv: scene.tv_on, title: 'Stranger Things', season: 1, episode: 1, country: 'US', observe: false };
      const { launched, resolved } = structured(await session.callTool('tv_play_title', title));
      assert.equal(launched, true);
      assert.equal(resolved.matched.title, 'Stranger Things');
    });
    await check(says('hands the model words to act on when the TV is off'), async () => {
      const words = wordsOfFailure(await session.callTool('tv_send_key', { tv: scene.tv_off, key: 'UP' }));
      assert.match(words, new RegExp(scene.tv_off));
    });
    await check(says('hands the model words to act on when there is no such key'), async () => {
      const words = wordsOfFailure(await session.callTool('tv_send_key', { tv: scene.tv_on, key: 'SIDEWAYS' }));
      assert.match(words, /VOL_UP/, 'the words should name the keys there are');
    });
  });

  await withSession(says("connects with a TV's own token"), openSession, scene.tv_token, async (session) => {
    await check(says('reaches that TV and no other, without naming it'), async () => {
      const { devices } = structured(await session.callTool('tv_list_devices', {}));
      assert.deepEqual(devices.map(nameOf), [scene.tv_on]);
      structured(await session.callTool('tv_send_key', { key: 'UP' }));
    });
  });

  await withSession(says('connects with a key that has no TV scope'), openSession, scene.key_without_tv, async (session) => {
    await check(says('shows its user that the scope is missing'), async () => {
      const words = await refusalOf(() => session.callTool('tv_list_devices', {}));
      assert.match(words, expected.missingScope);
    });
    await check(says('goes on in the same session after the refusal'), async () => {
      const names = (await session.listTools()).map((tool) => tool.name);
      assert.ok(!names.includes('tv_list_devices'), `listed: ${names}`);
    });
  });

  await check(says('shows its user that the key is unknown'), async () => {
    assert.match(await refusalOf(() => openSession(scene.unknown_key)), expected.unknownKey);
  });
}

/** Opens a session, which is a check of its own, and closes it whatever happens in it. */
async function withSession(statement, openSession, key, body) {
  let session;
  await check(statement, async () => {
    session = await openSession(key);
  });
  if (!session) return;
  try {
    await body(session);
  } finally {
    await session.close();
  }
}

function structured(result) {
  assert.ok(!result.isError, `expected success, got ${JSON.stringify(result)}`);
  assert.ok(result.structuredContent, 'a tool with an output schema answers structured content');
  assert.ok(textOf(result), 'the same facts also come as text');
  return result.structuredContent;
}

function wordsOfFailure(result) {
  assert.equal(result.isError, true, `expected a failure, got ${JSON.stringify(result)}`);
  assert.equal(result.structuredContent, undefined, 'a failure does not pretend to meet the output schema');
  return textOf(result);
}

function textOf(result) {
  return result.content.filter((part) => part.type === 'text').map((part) => part.text).join('\n');
}

function nameOf(device) {
  return device.name ?? device.id;
}

function onlineFlagOf(devices, name) {
  return devices.find((device) => nameOf(device) === name)?.online;
}
