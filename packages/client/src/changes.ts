import type { SluiceClient } from './client.ts';
import type { RegionName } from './addresses.ts';
import { clientError } from './error.ts';
import { readEvents } from './events.ts';
import { reopened, silenceMs, streamEnded, type ReopenOptions } from './reopened.ts';

/** Something was created, updated or deleted. A later change of the same object has a higher `revision`. */
export interface Change {
  type: 'change';
  /** such as `deployment` or `api_key`; more may come with later releases */
  kind: string;
  /** null where there is one of the kind only */
  id: number | null;
  change: 'created' | 'updated' | 'deleted';
  revision: number;
  division_id: number | null;
  environment_id: number | null;
  deployment_id: number | null;
  changed_at: string;
}

/** Changes may be missing: what is shown has to be read again. */
export interface ChangeReset {
  type: 'reset';
  reason: string;
}

export interface ChangesOptions extends ReopenOptions {
  client: SluiceClient;
  path: { tenant_id: number };
  /** the region whose changes are followed, or the address of its supervisor; without it those of the Main API */
  region?: RegionName | string;
  /** from where on, as `onPosition` has said */
  lastEventId?: string;
  /** called with how far changes have come, for a later `lastEventId` */
  onPosition?: (lastEventId: string) => void;
  /** called when the stream is there: changes of what is read from now on are in it */
  onConnect?: () => void;
}

/**
 * What changes in a tenant, as it does, of one layer. A stream that breaks off is made again and goes on where it was; where the service
 * cannot tell what was missed, a `reset` says so. A change may come twice.
 * @throws SluiceError when changes may not be read (any more), or the stream is away for too long; the reason of the signal
 */
export async function* followChanges(
  options: ChangesOptions,
): AsyncGenerator<Change | ChangeReset, void, undefined> {
  const { path, region, signal, onPosition, onConnect } = options;
  const client = region === undefined ? options.client : options.client.at(region);
  const layer = region === undefined ? 'main-api' : 'supervisor';
  let { lastEventId } = options;
  const onId = (id: string) => {
    lastEventId = id;
    onPosition?.(id);
  };
  yield* reopened(options, async function* (connected) {
    const { data } = await client.get<{ 200: ReadableStream }, unknown, true>({
      url: `/${layer}/tenants/{tenant_id}/events/stream`,
      path,
      headers: { ...(lastEventId && { 'last-event-id': lastEventId }) },
      parseAs: 'stream',
      signal: signal ?? null,
    });
    connected();
    onConnect?.();
    for await (const { event, data: text } of readEvents(new Response(data), { silenceMs, signal, onId })) {
      const content = JSON.parse(text) as Change & { reason?: string };
      if (event === 'change') yield { ...content, type: 'change' };
      else if (event === 'reset') yield { type: 'reset', reason: content.reason ?? '' };
      else if (event === 'end')
        throw streamEnded(content.reason ?? '', 'changes', `/tenants/${path.tenant_id}/events/stream`);
    }
    // something in between has ended it
    throw clientError('connection_failed', 'The stream has ended.', { retryable: true });
  });
}
