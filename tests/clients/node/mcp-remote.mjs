// mcp-remote as Claude Desktop starts it: a process on standard input and output that forwards to the server, in the era
// that the second argument names. The host's side is played by the TypeScript SDK 1.x.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { scene, visitTheHousehold } from './visit.mjs';

const era = process.argv[3];
const program = fileURLToPath(new URL('node_modules/.bin/mcp-remote', import.meta.url));

async function openSession(key) {
  const mcp = new Client({ name: 'playhouse-test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      program, scene.mcp_url,
      '--transport', 'http-only', '--protocol', era, '--allow-http',
      '--header', `Authorization:Bearer ${key}`,
    ],
    stderr: 'pipe',
  });
  const log = text(transport.stderr);
  try {
    await mcp.connect(transport);
  } catch (error) {
    await transport.close();
    throw new Error(`${error.message}\n${await log}`);
  }
  return {
    listTools: async () => (await mcp.listTools()).tools,
    callTool: (name, args) => mcp.callTool({ name, arguments: args }),
    close: () => mcp.close(),
  };
}

await visitTheHousehold(`mcp-remote, ${era}`, openSession, {
  // It takes a 401 for an invitation to register itself, and ends with the 404 that it gets for that.
  unknownKey: /Dynamic Client Registration rejected \(HTTP 404\)/,
});
