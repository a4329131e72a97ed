import { statusesThatAre } from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import { Gauge, type Registry } from '@prometheus-io/client';
import type { Core } from '../../core.ts';
import type { Database } from '@sluice/main-store/database';
import { daysAfter } from '@sluice/billing/months';

/** regions report once an hour */
const hoursLate = 2;
const days = 3;

/**
 * Looks for usage that is missing: deployments that ran within the last days without an interval, and how far regions are behind.
 * `sluice-admin billing reconcile` shows them and asks for what is missing.
 */
export function missingUsageJob({ database, now }: Pick<Core, 'database' | 'now'>, metrics: Registry): Job {
  const missing = new Gauge({
    name: 'sluice_usage_missing_deployments',
    help: 'Deployments that ran within the last three days, until two hours ago, without usage that is stored',
    registers: [metrics],
  });
  const behind = new Gauge({
    name: 'sluice_usage_behind_seconds',
    help: 'For how long a region has not reported that all usage is reported',
    labelNames: ['cloud', 'region'],
    registers: [metrics],
  });
  return {
    name: 'missing_usage',
    every: 600,
    async run() {
      const at = now();
      missing.set(await countMissing(database, daysAfter(at, -days), daysAfter(at, -hoursLate / 24)));
      behind.reset();
      for (const { cloud, region, usage_to } of await listUsageTo(database))
        behind.set({ cloud, region }, Math.max(0, (at.getTime() - usage_to.getTime()) / 1000));
    },
  };
}

async function countMissing(db: Database, from: Date, to: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'SELECT count(DISTINCT deployment_uid) AS count FROM usage_gaps($1, $2, $3)',
    [statusesThatAre('billable'), from, to],
  );
  return row?.count ?? 0;
}

/** Of the regions that report usage. */
const listUsageTo = (db: Database) =>
  db.query<{ cloud: string; region: string; usage_to: Date }>(
    'SELECT cloud, region, usage_to FROM regions WHERE usage_to IS NOT NULL',
  );
