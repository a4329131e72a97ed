import { followChanges } from '@sluice/client';
import { affectedBy } from './affected.ts';
import { sluice } from './client.ts';
import { feedName, setLive } from './feed-state.ts';
import type { Layer } from './keys.ts';
import { queryClient } from './query-client.ts';

/** changes that follow each other closely are one */
const gatherMs = 200;

/** Reads again what changes in a tenant affect, until the signal is aborted or the right to read changes is gone. */
export async function follow(layer: Layer, tenantId: number, signal: AbortSignal): Promise<void> {
  const name = feedName(layer, tenantId);
  const [cloud = '', region = ''] = layer.split('/');
  const gather = gatherer();
  try {
    const changes = followChanges({
      client: sluice,
      path: { tenant_id: tenantId },
      ...(layer !== 'main' && { region: { cloud, region } }),
      signal,
      maxOutageMs: Number.POSITIVE_INFINITY,
      onConnect: () => {
        setLive(name, true);
        // what changed before the feed was there
        void queryClient.invalidateQueries({ queryKey: [layer, tenantId] });
      },
      onReconnect: () => setLive(name, false),
    });
    for await (const change of changes) for (const key of affectedBy(layer, tenantId, change)) gather(key);
  } catch {
    // the right is gone or the page is left: queries poll, and say themselves what is wrong
    setLive(name, false);
  }
}

function gatherer(): (key: readonly unknown[]) => void {
  const waiting = new Map<string, readonly unknown[]>();
  return (key) => {
    if (waiting.size === 0)
      setTimeout(() => {
        for (const queryKey of waiting.values()) void queryClient.invalidateQueries({ queryKey });
        waiting.clear();
      }, gatherMs);
    waiting.set(JSON.stringify(key), key);
  };
}
