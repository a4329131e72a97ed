import { join } from 'node:path';
import { waitUntil } from '@sluice/controller/retry';
import { isAlive, processIdentitySchema, readIfPresent, sendSignal, takeLock } from '@sluice/system';
import { parsed } from './parsed.ts';

/** Time limits of an agent's end, before it is forced and before it is given up. Milliseconds. */
const patience = 5_000;

const recordSchema = processIdentitySchema.extend({
  build: processIdentitySchema.shape.process_start.optional(),
});

/**
 * Makes this process the agent of a folder in which another one may be at work: that one is ended, and nothing with it.
 * Returns false when it does not end.
 */
export async function takeOver(home: string): Promise<boolean> {
  const begun = performance.now();
  let asked = false;
  return await waitUntil(
    async () => {
      if ((await takeLock('agent', home)) !== null) return 'taken';
      const waited = performance.now() - begun;
      if (waited > 2 * patience) return 'given up';
      if (!asked || waited > patience) asked = await end(home, waited > patience);
      return null;
    },
    { everyMs: 10 },
  ).then((outcome) => outcome === 'taken');
}

/** @returns false if there was no record of an agent: one that has just begun has not written it yet */
async function end(home: string, force: boolean): Promise<boolean> {
  const record = parsed(recordSchema, await readIfPresent(join(home, 'agent.pid')));
  if (record === null || !(await isAlive(record))) return false;
  // agents that do not tell their build would take the broker with them
  sendSignal(record.pid, force || record.build === undefined ? 'SIGKILL' : 'SIGTERM');
  return true;
}
