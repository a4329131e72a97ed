import type { ApiKeyId } from '@sluice/contracts';
import type { Authorizer, Log, Principal } from '@sluice/service-kit';
import type { Database } from '../../database.ts';
import { noteUse } from './api-keys.store.ts';

const intervalMilliseconds = 5_000;

/** Remembers when each key was last accepted and stores it once in a while: a request does not wait for it. */
export function rememberUse(
  database: Database,
  now: () => Date,
  log: Log,
): { through(authorize: Authorizer<Principal>): Authorizer<Principal>; stop(): Promise<void> } {
  let uses = new Map<ApiKeyId, Date>();
  const store = async () => {
    if (uses.size === 0) return;
    const stored = uses;
    uses = new Map();
    await noteUse(database, stored).catch((error: unknown) =>
      log.warn('the last use of some API keys was not stored', { error }),
    );
  };
  const timer = setInterval(() => void store(), intervalMilliseconds);
  return {
    through: (authorize) => async (request, declaration) => {
      const principal = await authorize(request, declaration);
      if (principal.apiKey) uses.set(principal.apiKey.id, now());
      return principal;
    },
    async stop() {
      clearInterval(timer);
      await store();
    },
  };
}
