import { setTimeout as pause } from 'node:timers/promises';

/** how long a service may take with what was decided here, in milliseconds */
const patience = 30_000;
const lookMilliseconds = 200;

/** Looks until a service has carried out what was decided here, or takes too long. @returns the last look */
export async function untilDone<Found>(
  look: () => Promise<Found>,
  isDone: (found: Found) => boolean,
): Promise<Found> {
  const deadline = performance.now() + patience;
  for (;;) {
    const found = await look();
    if (isDone(found) || performance.now() > deadline) return found;
    await pause(lookMilliseconds);
  }
}
