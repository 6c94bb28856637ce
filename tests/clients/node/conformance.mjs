// The official conformance suite, held to what one revision requires of a server:
// `conformance.mjs SCENE_FILE REVISION BASELINE REPORT_FOLDER`.
//
// The baseline names the checks that need fixture tools, prompts or resources of the suite's own, which a product does not
// have. The suite fails when a check outside it fails, and also when a check in it passes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { check } from './checks.mjs';
import { addKeyOnTheWayTo } from './key-adding-proxy.mjs';
import { scene } from './scene.mjs';

const [, , , revision, baseline, reportFolder] = process.argv;
const suite = fileURLToPath(new URL('node_modules/.bin/conformance', import.meta.url));

const proxy = await addKeyOnTheWayTo(scene.mcp_url, scene.house_key);

await check(`conformance suite: meets ${revision} but for the suite's own fixtures`, async () => {
  const requirements = ['--requirements', revision, '--expected-failures', baseline];
  const run = spawn(process.execPath, [suite, 'server', '--url', proxy.url, ...requirements, '-o', reportFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [report, [exitCode]] = await Promise.all([text(run.stdout), once(run, 'exit')]);
  if (exitCode !== 0) throw new Error(whatWasAmiss(stripVTControlCharacters(report)));
});

proxy.end();

/** The end of the suite's report, from its count on, and why each check failed that the baseline does not name. */
function whatWasAmiss(report) {
  const [, verdict = report] = report.split(/(?=^Total: )/m);
  const unexpected = verdict.split('Unexpected failures (not in baseline):')[1] ?? '';
  const reasons = [...unexpected.matchAll(/✗ (\S+)/g)].flatMap(([, name]) => reasonsOf(name));
  return [verdict, ...reasons].join('\n');
}

/** `name` is `scenario:check`, or the scenario alone when the baseline has nothing of it. */
function reasonsOf(name) {
  const [scenario, onlyCheck] = name.split(':');
  return globSync(`${reportFolder}/server-${scenario}-20*/checks.json`)
    .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')))
    .filter(({ id, status }) => ['FAILURE', 'WARNING'].includes(status) && (!onlyCheck || id === onlyCheck))
    .map(({ id, errorMessage, details }) => `${scenario}:${id}: ${errorMessage ?? JSON.stringify(details)}`);
}
