import type { TenantId } from '@sluice/contracts';
import { problem } from '@sluice/service';

/** How many exports can be under way on this replica. */
export function exportSlots(most: { ofTenant: number; inAll: number }) {
  const taken = new Map<TenantId, number>();
  let all = 0;
  return {
    /** @returns what gives it back, once. @throws Problem `too_many_exports` */
    take(tenant: TenantId): () => void {
      const own = taken.get(tenant) ?? 0;
      if (own >= most.ofTenant || all >= most.inAll)
        throw problem('too_many_exports', { headers: { 'retry-after': '30' } });
      taken.set(tenant, own + 1);
      all++;
      let isFree = false;
      return () => {
        if (isFree) return;
        isFree = true;
        all--;
        const left = (taken.get(tenant) ?? 1) - 1;
        if (left > 0) taken.set(tenant, left);
        else taken.delete(tenant);
      };
    },
  };
}
