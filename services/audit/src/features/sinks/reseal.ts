import type { TenantId } from '@sluice/contracts';
import type { SecretBox } from '@sluice/system/secrets';
import type { Database } from '../../database/tables.ts';
import { resealSink, sealedSinksAfter } from '../../stores/sinks.store.ts';

const batch = 500;

export interface Resealed {
  /** how many were encrypted anew */
  resealed: number;
  /** whose settings could not be read, such as since their key is gone */
  unreadable: TenantId[];
}

/**
 * Encrypts the settings of all sinks under the newest key, so that the older ones can go. What somebody changes meanwhile is under
 * the newest already, where the replicas have it; it can be run again at any time.
 */
export async function resealSinks(database: Database, secrets: SecretBox): Promise<Resealed> {
  const done: Resealed = { resealed: 0, unreadable: [] };
  let after: TenantId | 0 = 0;
  for (;;) {
    const sinks = await sealedSinksAfter(database, after, batch);
    for (const sink of sinks) {
      const settings = await opened(secrets, sink.sealed_settings);
      if (settings === undefined) done.unreadable.push(sink.tenant_id);
      else if (settings !== null) {
        const isStored = await resealSink(database, sink, await secrets.seal(settings));
        if (isStored) done.resealed++;
      }
    }
    const last = sinks.at(-1);
    if (!last) return done;
    after = last.tenant_id;
  }
}

/** @returns null for what the newest key has encrypted, undefined for what no key opens */
async function opened(secrets: SecretBox, sealed: string): Promise<string | null | undefined> {
  try {
    return secrets.isNewest(sealed) ? null : await secrets.open(sealed);
  } catch {
    return undefined;
  }
}
