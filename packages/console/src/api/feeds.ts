import { useEffect, useSyncExternalStore } from 'react';
import type { QueryClient } from '@tanstack/react-query';
import { followChanges, type RegionName } from '@sluice/client';
import { affectedBy } from './affected.ts';
import { sluice } from './client.ts';
import { regionLayer, type Layer } from './keys.ts';
import { queryClient } from './query-client.ts';
import { feedName, isLive, setLive, subscribeToFeeds } from './feed-state.ts';

/** changes that follow each other closely are one */
const gatherMs = 200;

interface Feed {
  users: number;
  stop: AbortController;
}

const feeds = new Map<string, Feed>();

/** Follows what changes in a tenant and reads again what is shown, as long as it is mounted. With a region, that region's changes. */
export function useFeed(tenantId: number, region?: RegionName): void {
  const layer: Layer = region ? regionLayer(region) : 'main';
  useEffect(() => {
    const name = feedName(layer, tenantId);
    const feed = feeds.get(name) ?? { users: 0, stop: new AbortController() };
    if (feed.users++ === 0) {
      feeds.set(name, feed);
      void follow(queryClient, layer, tenantId, feed.stop.signal);
    }
    return () => {
      if (--feed.users > 0) return;
      feed.stop.abort();
      feeds.delete(name);
      setLive(name, false);
    };
  }, [layer, tenantId]);
}

/** Whether changes come by the feed now; without it queries poll. */
export function useIsLive(tenantId: number, layer: Layer = 'main'): boolean {
  return useSyncExternalStore(subscribeToFeeds, () => isLive(feedName(layer, tenantId)));
}

async function follow(
  client: QueryClient,
  layer: Layer,
  tenantId: number,
  signal: AbortSignal,
): Promise<void> {
  const name = feedName(layer, tenantId);
  const [cloud = '', region = ''] = layer.split('/');
  const gather = gatherer(client);
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
        void client.invalidateQueries({ queryKey: [layer, tenantId] });
      },
      onReconnect: () => setLive(name, false),
    });
    for await (const change of changes) for (const key of affectedBy(layer, tenantId, change)) gather(key);
  } catch {
    // the right is gone or the page is left: queries poll, and say themselves what is wrong
    setLive(name, false);
  }
}

function gatherer(client: QueryClient): (key: readonly unknown[]) => void {
  const waiting = new Map<string, readonly unknown[]>();
  return (key) => {
    if (waiting.size === 0)
      setTimeout(() => {
        for (const queryKey of waiting.values()) void client.invalidateQueries({ queryKey });
        waiting.clear();
      }, gatherMs);
    waiting.set(JSON.stringify(key), key);
  };
}
