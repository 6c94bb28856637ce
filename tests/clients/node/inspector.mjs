// The MCP Inspector on its command line, in the era that the second argument names. Every call is a process of its own,
// and the list of tools is linted for what other hosts cannot take.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { scene } from './scene.mjs';
import { visitTheHousehold } from './visit.mjs';

const era = process.argv[3];
const program = fileURLToPath(new URL('node_modules/.bin/mcp-inspector', import.meta.url));

/** The exit codes of the Inspector: a result is still printed when it is one with `isError`. */
const DONE = 0;
const TOOL_FAILED = 5;

async function openSession(key) {
  const call = (...args) => inspect(key, args);
  // It keeps no session, so a first list stands for connecting.
  await call('--method', 'tools/list', '--strict');
  return {
    listTools: async () => (await call('--method', 'tools/list', '--strict')).tools,
    callTool: (name, args) =>
      call('--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)),
    close: () => {},
  };
}

function inspect(key, args) {
  const target = ['--cli', scene.mcp_url, '--transport', 'http', '--protocol-era', era];
  const identity = ['--header', `Authorization: Bearer ${key}`, '--stored-auth-only'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...target, ...identity, ...args, '--format', 'json'], (error, stdout, stderr) => {
      const exitCode = error ? error.code : DONE;
      if ([DONE, TOOL_FAILED].includes(exitCode) && stdout) resolve(JSON.parse(stdout).result);
      else reject(new Error(`exit ${exitCode}: ${stderr}`));
    });
  });
}

await visitTheHousehold(`Inspector, ${era}`, openSession, {
  // It looks the tool up before it calls, and a key is not shown what it may not use.
  missingScope: /Tool 'tv_list_devices' not found on server/,
  unknownKey: era === 'modern' ? /the server requires authorization \(HTTP 401\)/ : /Invalid access key\./,
});
