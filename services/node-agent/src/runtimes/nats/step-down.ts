import { waitUntil } from '@sluice/controller/retry';
import { groupsLedBy } from './cluster-state.ts';
import type { Jsz } from './monitoring.ts';

/** How long it may take until others lead, and between two looks. Milliseconds. */
const handOverLimit = 4_000;
const betweenLooks = 50;

/**
 * Has the server hand over what it leads and take no more clients (its "lame duck mode"): the others agree on leaders within a moment,
 * while after its end they would first have to miss it for some seconds.
 */
export async function stepDown(pid: number, name: string, jsz: () => Promise<Jsz>): Promise<void> {
  if (groupsLedBy(await jsz(), name) === 0) return;
  process.kill(pid, 'SIGUSR2');
  const until = performance.now() + handOverLimit;
  const isOver = async () => groupsLedBy(await jsz(), name) === 0 || performance.now() > until;
  await waitUntil(isOver, { everyMs: betweenLooks });
}
