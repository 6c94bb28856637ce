// The TypeScript client 2.x in the era that the second argument names: it opens with `initialize` unless told otherwise,
// `auto` asks for the stateless revision first, and `pinned` takes nothing else.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import assert from 'node:assert/strict';
import { scene, visitTheHousehold } from './visit.mjs';

/** While it negotiates, the client keeps the body of a 401 to itself. */
const shownWhileNegotiating = { unknownKey: /the server requires authorization \(HTTP 401\)/ };

const ERAS = {
  legacy: { mode: 'legacy', revision: '2025-11-25', shown: {} },
  auto: { mode: 'auto', revision: '2026-07-28', shown: shownWhileNegotiating },
  pinned: { mode: { pin: '2026-07-28' }, revision: '2026-07-28', shown: shownWhileNegotiating },
};

const era = process.argv[3];
const { mode, revision, shown } = ERAS[era];

async function openSession(key) {
  const mcp = new Client({ name: 'playhouse-test', version: '1' }, { versionNegotiation: { mode } });
  const headers = { Authorization: `Bearer ${key}` };
  await mcp.connect(new StreamableHTTPClientTransport(new URL(scene.mcp_url), { requestInit: { headers } }));
  assert.equal(mcp.getNegotiatedProtocolVersion(), revision);
  return {
    listTools: async () => (await mcp.listTools()).tools,
    callTool: (name, args) => mcp.callTool({ name, arguments: args }),
    close: () => mcp.close(),
  };
}

await visitTheHousehold(`TypeScript client 2, ${era}`, openSession, shown);
