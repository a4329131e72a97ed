import type { Job } from '@sluice/controller';
import { system, type Log } from '@sluice/service';
import type { Core } from '../../core.ts';
import { lockTenant, takeUnsentSuspension, updateTenant } from '@sluice/main-store/tenants.store';
import { sendShapes } from '../regions/shapes.ts';

/**
 * Has the regions stop the deployments of tenants that an operator suspends, or start them again, and records it in their audit logs.
 * `sluice-admin billing` changes the row, which is in force at once for what is created, and wakes this.
 */
export function suspensionsJob(core: Pick<Core, 'work' | 'catalogue' | 'prices'> & { log: Log }): Job {
  const sendOne = () =>
    core.work(system, async (tx) => {
      const id = await takeUnsentSuspension(tx);
      if (id === undefined) return false;
      const tenant = await lockTenant(tx, id);
      const { suspended_at, suspension_reason: reason } = tenant;
      await sendShapes(tx, system.cause, core, tenant, { tenant_id: id });
      if (suspended_at) tx.emit('tenant_suspended', { tenant_id: id }, { reason: reason ?? '' });
      else tx.emit('tenant_resumed', { tenant_id: id }, {});
      await updateTenant(tx, id, { suspension_sent: true });
      core.log.warn(suspended_at ? 'a tenant is suspended' : 'a tenant is resumed', {
        tenant_id: id,
        reason,
      });
      return true;
    });
  return {
    name: 'suspensions',
    every: 5,
    async run(signal) {
      while (!signal.aborted && (await sendOne()));
    },
  };
}
