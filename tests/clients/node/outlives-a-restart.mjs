// Sessions that live on while the server is restarted under them. Prints `connected`, waits for a line on standard input,
// which says that the server is back, and goes on calling in the sessions it had.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { check } from './checks.mjs';

const { mcp_url, house_key, tv_on } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const options = { requestInit: { headers: { Authorization: `Bearer ${house_key}` } } };
const info = { name: 'playhouse-test', version: '1' };

const sessions = {
  'TypeScript SDK 1': await connected(new ClientV1(info), new TransportV1(new URL(mcp_url), options)),
  'TypeScript client 2, auto': await connected(
    new Client(info, { versionNegotiation: { mode: 'auto' } }),
    new StreamableHTTPClientTransport(new URL(mcp_url), options),
  ),
};
for (const session of Object.values(sessions)) await pressKey(session);

const instructions = createInterface(process.stdin);
await instructions.question('connected\n');
instructions.close();

for (const [client, session] of Object.entries(sessions)) {
  await check(`${client}: goes on in its session after the server was restarted`, () => pressKey(session));
  await session.close();
}

async function connected(mcp, transport) {
  await mcp.connect(transport);
  return mcp;
}

async function pressKey(mcp) {
  const result = await mcp.callTool({ name: 'tv_send_key', arguments: { tv: tv_on, key: 'UP' } });
  assert.ok(!result.isError, `expected success, got ${JSON.stringify(result)}`);
}
