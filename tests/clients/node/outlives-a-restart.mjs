// Sessions that live on while the server is restarted under them. Prints `connected`, waits for a line on standard input,
// which says that the server is back, and goes on calling in the sessions it had.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { check } from './checks.mjs';
import { scene } from './scene.mjs';
import { openMcpRemote, openTypeScriptV1, openTypeScriptV2 } from './sessions.mjs';

const sessions = {
  'TypeScript SDK 1': await openTypeScriptV1(scene.house_key),
  'TypeScript client 2, auto': await openTypeScriptV2(scene.house_key, 'auto'),
  'mcp-remote, legacy': await openMcpRemote(scene.house_key, 'legacy'),
};
for (const session of Object.values(sessions)) await pressKey(session);

console.log('connected');
const instructions = createInterface(process.stdin);
await once(instructions, 'line');
instructions.close();

for (const [client, session] of Object.entries(sessions)) {
  await check(`${client}: goes on in its session after the server was restarted`, () => pressKey(session));
  await session.close();
}

async function pressKey(session) {
  const result = await session.callTool('tv_send_key', { tv: scene.tv_on, key: 'UP' });
  assert.ok(!result.isError, `expected success, got ${JSON.stringify(result)}`);
}
