// How each client that keeps a session opens one with a key. A session is
// `{ listTools(): tool[], callTool(name, arguments): result, listResources(): resource[], readResource(uri): contents,
// listPrompts(): prompt[], getPrompt(name, arguments): messages, close() }`, and throws what the client shows its user.

import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { scene } from './scene.mjs';

const INFO = { name: 'playhouse-test', version: '1' };

const mcpRemote = fileURLToPath(new URL('node_modules/.bin/mcp-remote', import.meta.url));

export async function openTypeScriptV1(key) {
  const mcp = new ClientV1(INFO);
  await mcp.connect(new TransportV1(new URL(scene.mcp_url), withKey(key)));
  return sessionOf(mcp);
}

/** `mode` is how the client settles on a revision: `legacy`, `auto` or `{ pin: revision }`. */
export async function openTypeScriptV2(key, mode) {
  const mcp = new ClientV2(INFO, { versionNegotiation: { mode } });
  await mcp.connect(new TransportV2(new URL(scene.mcp_url), withKey(key)));
  return { ...sessionOf(mcp), revision: mcp.getNegotiatedProtocolVersion() };
}

/** mcp-remote as Claude Desktop starts it: a process on standard input and output, under a host of the SDK 1.x. */
export async function openMcpRemote(key, protocol) {
  const mcp = new ClientV1(INFO);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      mcpRemote, scene.mcp_url,
      '--transport', 'http-only', '--protocol', protocol, '--allow-http',
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
  return sessionOf(mcp);
}

function withKey(key) {
  return { requestInit: { headers: { Authorization: `Bearer ${key}` } } };
}

function sessionOf(mcp) {
  return {
    listTools: async () => (await mcp.listTools()).tools,
    callTool: (name, args) => mcp.callTool({ name, arguments: args }),
    listResources: async () => (await mcp.listResources()).resources,
    readResource: async (uri) => (await mcp.readResource({ uri })).contents,
    listPrompts: async () => (await mcp.listPrompts()).prompts,
    getPrompt: async (name, args) => (await mcp.getPrompt({ name, arguments: args })).messages,
    close: () => mcp.close(),
  };
}
