import { firstOfMonth } from '@sluice/contracts';
import type { Command } from 'commander';
import { changes, integer } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import type { Admin } from '../../admin.ts';
import { month as monthOf } from '../../arguments.ts';
import {
  explainUsage,
  reconcileUsage,
  type Gap,
  type Interval,
  type Reconciled,
} from '../../billing-usage.ts';

interface MonthFlags {
  month?: Date;
}

export function usage(command: Command, admin: Admin): void {
  const ofMonth = (one: Command) =>
    one.option('--month <month>', 'such as 2026-11; by default the running one', monthOf);

  ofMonth(
    command.command('explain').description('Show the intervals behind what a deployment has cost in a month'),
  )
    .argument('<deployment>', 'its id', integer)
    .action((id: number, { month = firstOfMonth(new Date()) }: MonthFlags) =>
      admin.withDatabase(async (sql) => {
        const explained = await explainUsage(sql, id, month);
        if (!admin.output.isForPeople) return await admin.output.value(explained);
        if (explained.intervals.length > 0) await admin.output.list(explained.intervals, intervalsView);
        const { length } = explained.intervals;
        admin.say(
          length === 0
            ? `Deployment ${id} has used nothing in ${monthText(month)}.`
            : `Deployment ${id} has cost $${explained.total_usd} in ${monthText(month)}.`,
        );
      }, 'main-api'),
    );

  changes(
    ofMonth(
      command.command('reconcile').description('Find usage that is missing, and have it reported again'),
    ),
  ).action(({ month = firstOfMonth(new Date()) }: MonthFlags) =>
    admin.withDatabase(async (sql) => {
      const reconciled = await reconcileUsage(sql, month, admin.isDry);
      if (!admin.output.isForPeople) return await admin.output.value(reconciled);
      if (reconciled.gaps.length > 0) await admin.output.list(reconciled.gaps, gapsView);
      admin.say(summaryOf(reconciled, month, admin.isDry));
    }, 'main-api'),
  );
}

const monthText = (time: Date) => time.toISOString().slice(0, 'yyyy-mm'.length);

function summaryOf({ regions, gaps, requested }: Reconciled, month: Date, isDry: boolean): string {
  const done = isDry ? 'would be asked for again' : 'is asked for again';
  return [
    ...regions.map(
      ({ place, usage_to }) => `${place} has reported usage until ${usage_to?.toISOString() ?? 'no time'}.`,
    ),
    ...(gaps.length === 0 ? [`Nothing is missing in ${monthText(month)}.`] : []),
    ...(requested === 0 ? [] : [`Usage of ${requested} deployments ${done}.`]),
    ...(gaps.some(({ deployment_id }) => deployment_id === null)
      ? ['Deployments that are gone are not asked for: their regions have reported them with their deletion.']
      : []),
  ].join('\n');
}

const intervalsView: View<Interval> = {
  columns: [
    { header: 'FROM', value: ({ started_at }) => started_at.toISOString() },
    { header: 'TO', value: ({ ended_at }) => ended_at.toISOString() },
    { header: 'SECONDS', value: ({ seconds }) => Number(seconds) },
    { header: 'TIER', value: ({ tier }) => tier },
    { header: 'NODES', value: ({ nodes }) => nodes },
    {
      header: 'STORAGE',
      value: ({ storage_type, storage_size }) =>
        storage_size === null ? storage_type : `${storage_type} ${storage_size} GB`,
    },
    { header: 'LIST', value: ({ price_list }) => price_list },
    { header: 'USD A MONTH', value: ({ monthly_usd }) => monthly_usd },
    { header: 'USD', value: ({ amount_usd }) => amount_usd },
  ],
  name: ({ started_at }) => started_at.toISOString(),
};

const gapsView: View<Gap> = {
  columns: [
    { header: 'REGION', value: ({ place }) => place },
    { header: 'TENANT', value: ({ tenant_id }) => tenant_id ?? 'gone' },
    {
      header: 'DEPLOYMENT',
      value: ({ deployment_id, deployment_uid }) => deployment_id ?? `${deployment_uid}, gone`,
    },
    { header: 'FROM', value: ({ started_at }) => started_at.toISOString() },
    { header: 'TO', value: ({ ended_at }) => ended_at.toISOString() },
  ],
  name: ({ deployment_uid }) => deployment_uid,
};
