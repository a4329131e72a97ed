import { mostUses, type ApiKeyId } from '@sluice/contracts';
import { repeat } from '@sluice/controller';
import { type Sql, type Log, system } from '@sluice/service';
import type { Caller } from '@sluice/grants';
import type { UnitOfWork } from '@sluice/messaging';
import type { Authorizer } from './api.ts';

/** When each API key was last accepted, by the key's id. */
export type KeyUses = ReadonlyMap<ApiKeyId, Date>;

export interface KeyUsageOptions {
  /** Takes over what has been recorded since the last time. What it rejects is kept and handed over again. */
  store: (uses: KeyUses) => Promise<void>;
  everyMilliseconds: number;
  now: () => Date;
  log: Log;
}

export interface KeyUsageTracker {
  /** An authorizer that also records the use; a request never waits for its being stored. */
  through(authorize: Authorizer<Caller>): Authorizer<Caller>;
  /** Hands over what is left. */
  stop(): Promise<void>;
}

/** Records when each key was last accepted, and has it stored once in a while. */
export function trackKeyUsage({ store, everyMilliseconds, now, log }: KeyUsageOptions): KeyUsageTracker {
  let uses = new Map<ApiKeyId, Date>();
  const flush = async () => {
    if (uses.size === 0) return;
    const recorded = uses;
    uses = new Map();
    await store(recorded).catch((error: unknown) => {
      log.warn('the last use of some API keys was not stored yet', { error });
      // newer uses win over those that are taken back
      uses = new Map([...recorded, ...uses]);
    });
  };
  // what could not be stored was logged
  const storing = repeat({ every: everyMilliseconds / 1_000, run: flush, failed: () => undefined });
  return {
    through: (authorize) => async (request, declaration) => {
      const caller = await authorize(request, declaration);
      if (caller.apiKey) uses.set(caller.apiKey.id, now());
      return caller;
    },
    async stop() {
      await storing.stop();
      await flush();
    },
  };
}

/** How services other than main-api store uses: they report them to it. */
export function reportKeyUsage<Handle extends Sql>(work: UnitOfWork<Handle>): KeyUsageOptions['store'] {
  return async (uses) => {
    const all = [...uses].map(([id, at]) => ({ id, used_at: at.toISOString() }));
    await work(system, async (tx) => {
      for (let first = 0; first < all.length; first += mostUses)
        tx.report('api_keys_used', { uses: all.slice(first, first + mostUses) });
    });
  };
}
