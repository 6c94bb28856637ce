// mcp-remote, through which Claude Desktop reaches a server with a key, in the era that the second argument names.

import { openMcpRemote } from './sessions.mjs';
import { visitTheHousehold } from './visit.mjs';

const protocol = process.argv[3];

await visitTheHousehold(`mcp-remote, ${protocol}`, (key) => openMcpRemote(key, protocol), {
  // It takes a 401 for an invitation to register itself, and ends with the 404 that it gets for that.
  unknownKey: /Dynamic Client Registration rejected \(HTTP 404\)/,
});
