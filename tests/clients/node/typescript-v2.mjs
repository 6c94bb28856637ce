// The TypeScript client 2.x in the era that the second argument names: it opens with `initialize` unless told otherwise,
// `auto` asks for the stateless revision first, and `pinned` takes nothing else.

import assert from 'node:assert/strict';
import { openTypeScriptV2 } from './sessions.mjs';
import { visitTheProduction } from './visit-production.mjs';
import { visitTheHousehold } from './visit.mjs';

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
  const session = await openTypeScriptV2(key, mode);
  assert.equal(session.revision, revision);
  return session;
}

await visitTheHousehold(`TypeScript client 2, ${era}`, openSession, shown);
await visitTheProduction(`TypeScript client 2, ${era}`, openSession);
