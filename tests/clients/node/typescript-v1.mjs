// The TypeScript SDK 1.x, which most hosts in the field still carry: opens with `initialize`.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { scene, visitTheHousehold } from './visit.mjs';

await visitTheHousehold('TypeScript SDK 1', async (key) => {
  const mcp = new Client({ name: 'playhouse-test', version: '1' });
  const headers = { Authorization: `Bearer ${key}` };
  await mcp.connect(new StreamableHTTPClientTransport(new URL(scene.mcp_url), { requestInit: { headers } }));
  return {
    listTools: async () => (await mcp.listTools()).tools,
    callTool: (name, args) => mcp.callTool({ name, arguments: args }),
    close: () => mcp.close(),
  };
});
