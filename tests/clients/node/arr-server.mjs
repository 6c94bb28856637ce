// The MCP server `mcp-arr-server`, which was written against the real applications: through its tools an assistant must find in our stand-ins
// what they say they have, and what it does must be what they say was done.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { check } from './checks.mjs';
import { openHousehold } from './household.mjs';

const server = fileURLToPath(new URL('node_modules/mcp-arr-server/dist/index.js', import.meta.url));

const household = await openHousehold(process.argv[2]);
const { radarr, sonarr, lidarr } = household.doors;
const mcp = new Client({ name: 'playhouse-test', version: '1' });
await mcp.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [server],
    env: {
      RADARR_URL: radarr.url, RADARR_API_KEY: radarr.api_key,
      SONARR_URL: sonarr.url, SONARR_API_KEY: sonarr.api_key,
      LIDARR_URL: lidarr.url, LIDARR_API_KEY: lidarr.api_key,
    },
  }),
);

/** What a tool answers, read from the JSON that it hands out as text. */
async function ask(name, args = {}) {
  const { content, isError } = await mcp.callTool({ name, arguments: args });
  assert.ok(!isError, content[0].text);
  return JSON.parse(content[0].text);
}

const says = (statement) => `mcp-arr-server: ${statement}`;
const sorted = (titles) => [...titles].sort();
const namesIn = (answer) => (answer.items ?? answer.movies ?? answer.series ?? answer.artists ?? answer).map((entry) => entry.title ?? entry.artistName ?? entry.name);

await check(says('sees that all three are there'), async () => {
  const status = await ask('arr_status');
  for (const name of ['radarr', 'sonarr', 'lidarr']) assert.match(JSON.stringify(status[name]), /connected":true/);
});

for (const [tool, name] of [['radarr_get_movies', 'radarr'], ['sonarr_get_series', 'sonarr'], ['lidarr_get_artists', 'lidarr']]) {
  await check(says(`lists ${name}'s library as it is`), async () => {
    const { titles } = await household.state(name);
    assert.deepEqual(sorted(namesIn(await ask(tool, { limit: 100 }))), sorted(titles));
  });
}

for (const name of ['radarr', 'sonarr', 'lidarr']) {
  await check(says(`lists ${name}'s queue as it is`), async () => {
    const { queue } = await household.state(name);
    // It asks for unknown items by the names that two of the three know.
    const expected = queue.filter((row) => name !== 'lidarr' || row.parent !== null).map((row) => row.title);
    const answer = await ask(`${name}_get_queue`, { limit: 100 });
    assert.deepEqual(sorted(answer.items.map((row) => row.title)), sorted(expected));
  });
  await check(says(`sees what is in ${name}'s calendar`), async () => {
    assert.ok(JSON.stringify(await ask(`${name}_get_calendar`, { days: 30 })).includes('title'));
  });
}

await check(says('removes a download and blocklists it'), async () => {
  const { queue } = await household.state('radarr');
  const row = queue.find((row) => row.parent !== null && row.downloadId);
  await ask('radarr_delete_queue_item', { queueId: row.id, blocklist: true });
  const after = await household.state('radarr');
  assert.ok(after.queue.every((other) => other.id !== row.id));
  assert.deepEqual(after.blocklist.map((blocked) => blocked.title), [row.title]);
});

await check(says('posts a command, which ends when its time has come'), async () => {
  const { commandId } = await ask('radarr_search_movie', { movieId: 1 });
  const { commands } = await household.settle('radarr');
  assert.equal(commands.find((command) => command.id === commandId).status, 'completed');
});

await mcp.close();
household.close();
