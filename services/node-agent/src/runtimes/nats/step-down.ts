import { setTimeout as sleep } from 'node:timers/promises';
import { groupsLedBy, type ClusterJsz } from './cluster-state.ts';

/** How long it may take until others lead, and between two looks. Milliseconds. */
const handOverLimit = 4_000;
const betweenLooks = 50;

/**
 * Has the server hand over what it leads and take no more clients (its "lame duck mode"): the others agree on leaders within a moment,
 * while after its end they would first have to miss it for some seconds.
 */
export async function stepDown(pid: number, name: string, jsz: () => Promise<ClusterJsz>): Promise<void> {
  if (groupsLedBy(await jsz(), name) === 0) return;
  process.kill(pid, 'SIGUSR2');
  const until = performance.now() + handOverLimit;
  while (performance.now() < until) {
    await sleep(betweenLooks);
    if (groupsLedBy(await jsz(), name) === 0) return;
  }
}
