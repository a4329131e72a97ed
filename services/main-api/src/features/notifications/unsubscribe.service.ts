import type { Caller } from '@sluice/grants';
import { problem } from '@sluice/service';
import type { Core } from '../../core.ts';
import { findDivision } from '@sluice/main-store/divisions.store';
import { setUnsubscribed } from './channels.store.ts';

export type UnsubscribeService = ReturnType<typeof unsubscribeService>;

/** Links of mails by which their readers unsubscribe (interface, 6.2). The notifier has made them, and decides. */
export function unsubscribeService({ notifier, database }: Pick<Core, 'notifier' | 'database'>) {
  return {
    /** @returns true if the address is unsubscribed. */
    isUnsubscribed: async (token: string) => (await notifier('find_unsubscribe', { token })).unsubscribed,

    async set({ cause }: Caller, token: string, unsubscribed: boolean): Promise<void> {
      const { tenant_id, division_id, ...found } = await notifier('find_unsubscribe', { token });
      if (found.unsubscribed === unsubscribed) return;
      const division = division_id === null ? null : await findDivision(database, { tenant_id, division_id });
      if (division === undefined) throw problem('not_found');
      const set = await notifier('set_unsubscribe', {
        ...{ tenant_id, cause, token, unsubscribed },
        division: division && { id: division.id, name: division.name },
      });
      // to be read at once; where this fails, the next inventory of the notifier has it
      const { channels, unsubscribed_at } = set;
      await setUnsubscribed(database, channels, unsubscribed_at === null ? null : new Date(unsubscribed_at));
    },
  };
}
