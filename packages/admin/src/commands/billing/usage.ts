import { changes, integer } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import type { Command } from 'commander';
import type { Admin } from '../../admin.ts';
import { month } from '../../arguments.ts';
import { explain, firstOfMonth, monthText, reconcile, type Gap, type Interval } from '../../billing/usage.ts';

interface MonthFlag {
  month?: Date;
}

/** `sluice-admin billing explain` and `reconcile` */
export function usage(command: Command, admin: Admin): void {
  const add = (verb: string, description: string) =>
    command
      .command(verb)
      .description(description)
      .option('--month <month>', 'such as 2026-11; this month unless given', month);

  add('explain', 'Show the intervals behind what a deployment has cost in a month')
    .argument('<deployment>', 'its id', integer)
    .action((id: number, { month: from = firstOfMonth(new Date()) }: MonthFlag) =>
      admin.withDatabase(async (sql) => {
        const found = await explain(sql, id, from);
        if (!admin.output.isForPeople) return await admin.output.value(found);
        if (found.intervals.length > 0) await admin.output.list(found.intervals, intervalView);
        admin.say(`Deployment ${id} has cost $${found.total_usd} in ${monthText(from)}.`);
      }, 'main-api'),
    );

  changes(add('reconcile', 'Find times that deployments ran without usage, and ask their regions for it again')).action(
    ({ month: from = firstOfMonth(new Date()) }: MonthFlag) =>
      admin.withDatabase(async (sql) => {
        const { regions, gaps, asked } = await reconcile(sql, from, admin.isDry);
        if (!admin.output.isForPeople) return await admin.output.value({ regions, gaps });
        for (const { place, usage_to } of regions)
          admin.say(`${place} has reported usage until ${usage_to?.toISOString() ?? 'no time'}.`);
        if (gaps.length > 0) await admin.output.list(gaps, gapView);
        else admin.say(`Nothing is missing in ${monthText(from)}.`);
        if (asked > 0)
          admin.say(`Usage of ${asked} deployments ${admin.isDry ? 'would be' : 'is'} asked for again.`);
        if (gaps.some(({ deployment_id }) => deployment_id === null))
          admin.say(
            'Deployments that are gone are not asked for: their regions have reported them with their deletion.',
          );
      }, 'main-api'),
  );
}

const intervalView: View<Interval> = {
  columns: [
    { header: 'FROM', value: ({ started_at }) => started_at.toISOString() },
    { header: 'TO', value: ({ ended_at }) => ended_at.toISOString() },
    { header: 'SECONDS', value: ({ seconds }) => Number(seconds) },
    { header: 'TIER', value: ({ tier }) => tier },
    { header: 'NODES', value: ({ nodes }) => nodes },
    { header: 'STORAGE', value: ({ storage_type }) => storage_type },
    { header: 'GB', value: ({ storage_size }) => storage_size },
    { header: 'LIST', value: ({ price_list }) => price_list },
    { header: 'USD A MONTH', value: ({ monthly_usd }) => monthly_usd },
    { header: 'USD', value: ({ amount_usd }) => amount_usd },
  ],
  name: ({ started_at }) => started_at.toISOString(),
};

const gapView: View<Gap> = {
  columns: [
    { header: 'REGION', value: ({ place }) => place },
    { header: 'TENANT', value: ({ tenant_id }) => tenant_id ?? 'gone' },
    { header: 'DEPLOYMENT', value: ({ deployment_id }) => deployment_id ?? 'gone' },
    { header: 'FROM', value: ({ started_at }) => started_at.toISOString() },
    { header: 'TO', value: ({ ended_at }) => ended_at.toISOString() },
    { header: 'UID', value: ({ deployment_uid }) => deployment_uid, wide: true },
  ],
  name: ({ deployment_uid }) => deployment_uid,
};
