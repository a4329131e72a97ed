import { idOf, type Cause, type Id, type TenantId } from '@sluice/contracts';
import type { UnitOfWork } from '@sluice/messaging';
import { problem, type KyselyTransaction } from '@sluice/service';
import type { Tables, Transaction } from './database/tables.ts';
import { lockChannelsOf } from './stores/channels.store.ts';
import { beginRequest, endRequest } from './stores/requests.store.ts';

/** What every request of main-api that changes something says of itself. */
export interface ChangeRequest {
  tenant_id: TenantId;
  cause: Cause;
  once: string | null;
}

/**
 * How a request changes something: under the lock of its tenant, before main-api has given up on it, and once however often
 * it comes. @returns what `work` has made, this time or before
 */
export type Change = <Made extends Id | void>(
  request: ChangeRequest,
  until: Date,
  work: (tx: Transaction) => Promise<Made>,
) => Promise<Made>;

export function changes(unitOfWork: UnitOfWork<KyselyTransaction<Tables>>): Change {
  return async <Made extends Id | void>(
    { tenant_id, cause, once }: ChangeRequest,
    until: Date,
    work: (tx: Transaction) => Promise<Made>,
  ) =>
    unitOfWork({ cause, tenantId: tenant_id }, async (tx): Promise<Made> => {
      await lockChannelsOf(tx.db, tenant_id);
      const earlier = once === null ? undefined : await beginRequest(tx.db, once);
      if (earlier) return (earlier.made_id === null ? undefined : idOf(earlier.made_id)) as Made;
      const made = await work(tx);
      if (once !== null && typeof made === 'number') await endRequest(tx.db, once, made);
      // main-api may have answered by now that nothing is known of it
      if (until.getTime() < Date.now()) throw problem('unavailable');
      return made;
    });
}
