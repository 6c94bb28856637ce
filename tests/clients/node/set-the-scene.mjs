// Reads the demo's ready file, adds a TV that is paired and never switched on, and writes what the client programs need
// to know: `set-the-scene.mjs READY_FILE SCENE_FILE`.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';

const TV_OFF = 'attic';

const [, , readyFile, sceneFile] = process.argv;
const { base_url, mcp_url, houses } = JSON.parse(readFileSync(readyFile, 'utf8'));
const [household, studio] = houses;
const tvOn = household.tvs[0];
const houseKey = keyThat('has the scope tv', (scopes) => scopes.includes('tv'));

await pair(TV_OFF, keyThat('has the scope house:admin', (scopes) => scopes.includes('house:admin')));

const scene = {
  mcp_url,
  house_key: houseKey,
  key_without_tv: keyThat('lacks the scope tv', (scopes) => !scopes.includes('tv')),
  unknown_key: withLastCharacterChanged(houseKey),
  tv_on: tvOn.name,
  tv_token: tvOn.token,
  tv_off: TV_OFF,
  production: {
    key: studio.keys.find((key) => !key.engagement && key.scopes.includes('submit:turnover')).key,
    vendor_key: studio.keys.find((key) => key.engagement).key,
  },
};
writeFileSync(sceneFile, JSON.stringify(scene, null, 2));

function keyThat(isSo, test) {
  const found = household.keys.find((key) => !key.engagement && test(key.scopes));
  assert.ok(found, `the ready file has no key of the household that ${isSo}`);
  return found.key;
}

/** Does what a TV and then its owner do, but never opens the TV's socket. */
async function pair(name, adminKey) {
  const { code } = await post('/pair/init', {});
  await post('/pair/claim', { code, device_id: name }, { Authorization: `Bearer ${adminKey}` });
}

async function post(path, body, headers = {}) {
  const answer = await fetch(new URL(path, base_url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  assert.ok(answer.ok, `POST ${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

function withLastCharacterChanged(key) {
  return key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
}
