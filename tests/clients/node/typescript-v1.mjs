// The TypeScript SDK 1.x, which most hosts in the field still carry: opens with `initialize`.

import { openTypeScriptV1 } from './sessions.mjs';
import { visitTheProduction } from './visit-production.mjs';
import { visitTheHousehold } from './visit.mjs';

await visitTheHousehold('TypeScript SDK 1', openTypeScriptV1);
await visitTheProduction('TypeScript SDK 1', openTypeScriptV1);
