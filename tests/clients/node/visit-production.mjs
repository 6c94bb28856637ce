// What a client of the Node world is asked to do in the demo's production office: as its coordinator, then as a vendor.

import assert from 'node:assert/strict';
import { check, refusalOf } from './checks.mjs';
import { scene } from './scene.mjs';

const RESOURCES = ['approvals', 'deliveries', 'departments', 'production', 'schedule', 'script'];
const PROMPTS = ['how_to_submit_work', 'pending_turnovers', 'scene_status', 'whats_changed'];
const TOOLS_FOR_BOTH_KEYS = ['get_character_bundle', 'get_scene_bundle', 'list_turnovers', 'submit_turnover'];
/** What a client shows of a refusal when it passes the office's own bytes on; some show the status alone. */
const DOOR_IS_CLOSED = /This key is bound to an engagement and cannot use this endpoint\.|Forbidden|403/;

/** Makes the visit with a client; `openSession(key)` opens a session as those of `sessions.mjs` are. */
export async function visitTheProduction(client, openSession) {
  const says = (statement) => `${client}: ${statement}`;

  const office = await openSession(scene.production.key);
  try {
    await check(says('lists the tools of the production office and calls them'), async () => {
      const names = (await office.listTools()).map((tool) => tool.name);
      assert.ok(TOOLS_FOR_BOTH_KEYS.every((name) => names.includes(name)) && names.includes('list_scenes'), `listed: ${names}`);
      const production = await office.callTool('get_production', {});
      assert.equal(production.structuredContent.title, 'Kestrel');
      assert.deepEqual(JSON.parse(production.content[0].text), production.structuredContent);
      const scenes = await office.callTool('list_scenes', {});
      assert.equal(scenes.structuredContent, undefined, 'a list comes as text only');
      assert.ok(JSON.parse(scenes.content[0].text).some((row) => row.number === '4A'));
    });
    await check(says('lists the resources and reads each under both of its addresses'), async () => {
      const resources = await office.listResources();
      assert.deepEqual(resources.map(({ uri }) => uri).sort(), RESOURCES.map((name) => `playhouse://${name}`));
      for (const name of RESOURCES) {
        for (const uri of [`playhouse://${name}`, `throughline://${name}`]) {
          const [content] = await office.readResource(uri);
          assert.equal(content.uri, uri);
          JSON.parse(content.text);
        }
      }
    });
    await check(says('lists the prompts and fills one in'), async () => {
      assert.deepEqual((await office.listPrompts()).map(({ name }) => name).sort(), PROMPTS);
      const [message] = await office.getPrompt('scene_status', { node_id: '104' });
      assert.match(message.content.text, /get_scene_bundle with node_id 104/);
    });
  } finally {
    await office.close();
  }

  const vendor = await openSession(scene.production.vendor_key);
  try {
    await check(says("is shown a vendor's own turnover only"), async () => {
      const names = (await vendor.listTools()).map((tool) => tool.name);
      assert.deepEqual(names, TOOLS_FOR_BOTH_KEYS);
      const turnovers = JSON.parse((await vendor.callTool('list_turnovers', {})).content[0].text);
      assert.deepEqual(turnovers.map(({ code }) => code), ['TO-101-01']);
    });
    await check(says('shows a vendor that the whole script is not theirs'), async () => {
      assert.match(await refusalOf(() => vendor.readResource('playhouse://script')), DOOR_IS_CLOSED);
    });
  } finally {
    await vendor.close();
  }
}
