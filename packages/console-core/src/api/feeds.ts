import { useEffect, useSyncExternalStore } from 'react';
import type { RegionName } from '@sluice/client';
import { whenSettled } from '@sluice/ui/lib/idle.ts';
import { regionLayer, type Layer } from './keys.ts';
import { feedName, isLive, setLive, subscribeToFeeds } from './feed-state.ts';

interface Feed {
  users: number;
  stop: AbortController;
}

const feeds = new Map<string, Feed>();

/** What a page shows first comes before its changes. */
const settled = new Promise<void>((resolve) => void whenSettled(resolve, 1_000));

async function begin(layer: Layer, tenantId: number, signal: AbortSignal): Promise<void> {
  await settled;
  if (signal.aborted) return;
  try {
    const { follow } = await import('./follow.ts');
    await follow(layer, tenantId, signal);
  } catch {
    // the code of it is not there: queries poll
  }
}

/** Follows what changes in a tenant and reads again what is shown, as long as it is mounted. With a region, that region's changes. */
export function useFeed(tenantId: number, region?: RegionName): void {
  const layer: Layer = region ? regionLayer(region) : 'main';
  useEffect(() => {
    const name = feedName(layer, tenantId);
    const feed = feeds.get(name) ?? { users: 0, stop: new AbortController() };
    if (feed.users++ === 0) {
      feeds.set(name, feed);
      void begin(layer, tenantId, feed.stop.signal);
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
