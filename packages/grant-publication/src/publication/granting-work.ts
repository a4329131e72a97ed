import type { TenantId } from '@sluice/contracts';
import type { UnitOfWork } from '@sluice/messaging';
import { Problem, problem, system, type Origin } from '@sluice/service';
import type { Database, Granting } from '@sluice/main-store/database';
import { isUnderReview, setFrozen, storeGrants, type GrantChange } from '../grants.store.ts';
import type { GrantPublisher } from './grant-publisher.ts';

const batchSize = 1_000;

/**
 * Units of work that can change grants: one that does is done when they are in force on all layers. So is one that finds
 * nothing to change because it was changed before: a repeated deletion waits for what the first has begun.
 */
export function grantingWork(
  work: UnitOfWork<Database>,
  publisher: Pick<GrantPublisher, 'settle' | 'settleRemovals'>,
): UnitOfWork<Database & Granting> {
  return async (origin: Origin & { tenantId?: TenantId }, task) => {
    const changed = new Set<string>();
    try {
      const result = await work(origin, (tx) => task(Object.assign(tx, grantingIn(tx, origin, changed))));
      await publisher.settle(changed);
      return result;
    } catch (error) {
      const nothingThere = error instanceof Problem && error.code === 'not_found';
      if (nothingThere && origin.tenantId) await publisher.settleRemovals(origin.tenantId);
      throw error;
    }
  };
}

/** @param changed to which the keys are added of what is changed */
function grantingIn(tx: Database, origin: Origin, changed: Set<string>): Granting {
  return {
    async setGrants(changes) {
      if (origin !== system && (await isUnderReview(tx)))
        throw problem('unavailable', {
          detail: 'The database was restored; what tokens may do is being compared. Try again shortly.',
        });
      let batch: GrantChange[] = [];
      const store = async () => {
        if (batch.length > 0) await storeGrants(tx, batch);
        batch = [];
      };
      for (const change of changes) {
        batch.push(change);
        changed.add(change[0]);
        if (batch.length === batchSize) await store();
      }
      await store();
    },
    async setFrozen(keys, frozen) {
      for (const key of keys) changed.add(key);
      await setFrozen(tx, keys, frozen);
    },
  };
}
