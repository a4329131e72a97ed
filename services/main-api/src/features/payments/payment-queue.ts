import type { Job } from '@sluice/controller';
import { WorkQueue } from '@sluice/controller';
import type { ServiceRuntime } from '@sluice/runtime';
import { figures } from '@sluice/service';
import type { Core } from '../../core.ts';
import { collect } from './collection.ts';
import { listUncollected, overdueFigures } from './collections.store.ts';
import { finishWork, leaseWork, renewWork, requestWork, type PaymentWorkRow } from './payment-work.store.ts';
import { detachCard, lookUpIntent, refreshCard } from './saved-cards.ts';

/** calls that one replica makes at the same time */
const lanes = { size: 8, slow: 8 };
const leaseSeconds = 60;
const uncollectedAtOnce = 500;

/** Does what the payment provider is called for. Work that fails is due again when its lease ends. */
export function paymentQueue(core: Core, { metrics, log }: Pick<ServiceRuntime, 'metrics' | 'log'>) {
  const { database, now } = core;
  return new WorkQueue<PaymentWorkRow & { key: string; group: number }, PaymentWorkRow>({
    name: 'payments',
    source: {
      async leaseDue({ all }) {
        const rows = await leaseWork(database, now(), leaseSeconds, all);
        return rows.map((row) => ({ ...row, key: `${row.kind} ${row.subject}`, group: row.tenant_id }));
      },
    },
    lanes,
    leaseSeconds,
    renew: (held) => renewWork(database, held, leaseSeconds),
    async run(item) {
      const due = await carryOut(core, item);
      await finishWork(database, item, due);
      return due === null ? undefined : Math.max(0, (due.getTime() - now().getTime()) / 1_000);
    },
    pollSeconds: 2,
    stopSeconds: 5,
    metrics,
    log,
  });
}

async function carryOut(core: Core, { kind, subject, tenant_id }: PaymentWorkRow): Promise<Date | null> {
  const { paymentProvider: provider, now } = core;
  if (kind === 'invoice') return await collect(core, Number(subject), tenant_id);
  // it waits for an installation that has a provider again
  if (!provider) return new Date(now().getTime() + 24 * 3_600_000);
  if (kind === 'intent') return await lookUpIntent(core, provider, subject);
  return await (kind === 'card' ? refreshCard : detachCard)(core, provider, subject);
}

/** Has issued invoices collected, and measures what is overdue. */
export function collectionsJob(
  { database, now, paymentRequired }: Pick<Core, 'database' | 'now' | 'paymentRequired'>,
  metrics: ServiceRuntime['metrics'],
  requested: () => void,
): Job {
  figures(
    metrics,
    {
      amount: { name: 'sluice_billing_overdue_usd', help: 'US dollars of invoices that are overdue' },
      tenants: { name: 'sluice_billing_overdue_tenants', help: 'Tenants with invoices that are overdue' },
    },
    async () => {
      const { amount = 0, tenants = 0 } = (await overdueFigures(database)) ?? {};
      return { amount: Number(amount), tenants };
    },
  );
  return {
    name: 'collections',
    every: 60,
    async run() {
      const rows = await listUncollected(database, paymentRequired, uncollectedAtOnce);
      for (const { id, tenant_id } of rows)
        await requestWork(database, { kind: 'invoice', subject: String(id), tenant_id }, now());
      if (rows.length > 0) requested();
    },
  };
}
