import type { Authorizer } from '../http/api.ts';
import type { Log } from '../log.ts';
import type { Outgoing, UnitOfWork } from '../messaging/outbox.ts';
import type { Sql } from '../database/sql.ts';
import type { Principal } from './principal.ts';

/** When each API key was last accepted, by the key's id. */
export type Uses = ReadonlyMap<number, Date>;

export interface UseOptions {
  /** Takes over what has been noted since the last time. What it rejects is kept and handed over again. */
  store: (uses: Uses) => Promise<void>;
  everyMilliseconds: number;
  now: () => Date;
  log: Log;
}

export interface RememberedUses {
  /** An authorizer that also notes the use; a request never waits for its being stored. */
  through(authorize: Authorizer<Principal>): Authorizer<Principal>;
  /** Hands over what is left. */
  stop(): Promise<void>;
}

/** Remembers when each key was last accepted, and has it stored once in a while. */
export function rememberUses({ store, everyMilliseconds, now, log }: UseOptions): RememberedUses {
  let uses = new Map<number, Date>();
  let storing = Promise.resolve();
  const handOver = async () => {
    if (uses.size === 0) return;
    const noted = uses;
    uses = new Map();
    await store(noted).catch((error: unknown) => {
      log.warn('the last use of some API keys was not stored yet', { error });
      // newer uses win over those that are taken back
      uses = new Map([...noted, ...uses]);
    });
  };
  const timer = setInterval(() => {
    storing = storing.then(handOver);
  }, everyMilliseconds);
  return {
    through: (authorize) => async (request, declaration) => {
      const principal = await authorize(request, declaration);
      if (principal.apiKey) uses.set(principal.apiKey.id, now());
      return principal;
    },
    async stop() {
      clearInterval(timer);
      await storing.then(handOver);
    },
  };
}

/** How services other than main-api store uses: they report them to it. */
export function reportUses<Handle extends Sql>(work: UnitOfWork<Handle>): UseOptions['store'] {
  return async (uses) => {
    const report = { uses: [...uses].map(([id, at]) => ({ id, used_at: at.toISOString() })) };
    await work({ author: null, api_key: null, correlation_id: null }, async (tx: Handle & Outgoing) =>
      tx.report('api_keys_used', report),
    );
  };
}
