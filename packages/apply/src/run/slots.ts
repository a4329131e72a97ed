import { setTimeout as pause } from 'node:timers/promises';
import { listLimits, SluiceError, type SluiceClient } from '@sluice/client';
import { turns } from '../turns.ts';

const lookMs = 1_000;

interface Slots {
  client: SluiceClient;
  signal: AbortSignal;
  tenantId: number;
  timeoutMs: number;
  say: (text: string) => void;
}

/**
 * The places that the plan has for deployments that are created at a time: `concurrent_deployments_limit`. Who gets one holds it until its
 * request is answered, as the server counts it then.
 * @throws SluiceError `wait_timed_out` where none is free in time
 */
export function createSlots({ client, signal, tenantId, timeoutMs, say }: Slots): () => Promise<() => void> {
  const oneAfterTheOther = turns(1);
  let requested = 0;

  async function isFree(): Promise<boolean> {
    const { data } = await listLimits({ client, signal, path: { tenant_id: tenantId } });
    const found = data.find(({ name }) => name === 'concurrent_deployments_limit');
    return (found?.used ?? 0) + requested < (found?.limit ?? Infinity);
  }

  return () =>
    oneAfterTheOther(async () => {
      const deadline = performance.now() + timeoutMs;
      for (let look = 0; !(await isFree()); look++) {
        if (look === 0) say('As many deployments are being created as the plan allows at a time: waiting.');
        if (performance.now() > deadline)
          throw new SluiceError({
            code: 'wait_timed_out',
            detail: `No deployment could be created within ${timeoutMs / 1_000} s: others are still being created.`,
            retryable: true,
          });
        await pause(lookMs, undefined, { signal });
      }
      requested++;
      return () => void requested--;
    });
}
