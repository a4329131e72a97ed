import type { ChannelOwner } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { problem } from '@sluice/service';
import type { Core } from '../../core.ts';
import { findDivision } from '../../stores/divisions.store.ts';
import { lockTenant } from '../../stores/tenants.store.ts';

export type UnsubscribeService = ReturnType<typeof unsubscribeService>;

/** Links of mails by which their readers unsubscribe (interface, 6.2). The notifier has made them, and says what they are about. */
export function unsubscribeService({ notifier, work }: Pick<Core, 'notifier' | 'work'>) {
  return {
    /** @returns whether the address is unsubscribed. @throws Problem `link_invalid`, `unavailable` */
    isUnsubscribed: async (token: string) => (await notifier.ask('find_unsubscribe', { token })).unsubscribed,

    /** @throws Problem `link_invalid`, `unavailable`; `not_found` when the tenant or division is being deleted */
    async set(caller: Caller, token: string, unsubscribed: boolean): Promise<void> {
      const found = await notifier.ask('find_unsubscribe', { token });
      // a click that comes again waits for nothing
      if (found.unsubscribed === unsubscribed) return;
      const { tenant_id, division_id } = found;
      await work(caller, async (tx) => {
        await lockTenant(tx, tenant_id);
        const owner: ChannelOwner = { tenant_id, division: null };
        if (division_id !== null) {
          const division = await findDivision(tx, { tenant_id, division_id });
          if (!division) throw problem('not_found');
          owner.division = { id: division.id, name: division.name };
        }
        await notifier.change(caller, 'set_unsubscribe', owner, { token, unsubscribed });
      });
    },
  };
}
