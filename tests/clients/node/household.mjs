// A household's arr applications, stood in for by our own program: started here, asked what they did, ended with this one.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export async function openHousehold(program) {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the household has ended');
    return JSON.parse(value);
  };
  const order = (verb, name) => {
    child.stdin.write(`${verb} ${name}\n`);
    return read();
  };
  return {
    /** Address and key by the application's name. */
    doors: await read(),
    /** Queue, history, commands … as the application itself has them. */
    state: (name) => order('state', name),
    /** The same, once all commands have ended. */
    settle: (name) => order('settle', name),
    close: () => child.stdin.end(),
  };
}
