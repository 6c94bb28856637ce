// The keys, tokens and TVs of the running demo, as `set-the-scene.mjs` wrote them: the first argument of every program.

import { readFileSync } from 'node:fs';

export const scene = JSON.parse(readFileSync(process.argv[2], 'utf8'));
