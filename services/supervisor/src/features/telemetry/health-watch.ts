import type { Job } from '@sluice/controller';
import type { UnitOfWork } from '@sluice/messaging';
import { system } from '@sluice/service';
import { Gauge, type Registry } from 'prom-client';
import type { Database, Transaction } from '../../database/tables.ts';
import { subjectsOf } from '../../stores/deployments.store.ts';
import {
  alertKinds,
  countRaised,
  takeDue,
  tidyAlerts,
  type AlertTimes,
  type Due,
} from '../../stores/health-alerts.store.ts';
import type { Thresholds } from './observations.ts';

export interface HealthWatchOptions {
  database: Database;
  work: UnitOfWork<Transaction>;
  times: AlertTimes;
  thresholds: Thresholds;
  metrics: Registry;
}

const measured = {
  cpu: ['high_cpu_usage', 'cpu_usage_resolved'],
  memory: ['high_memory_usage', 'memory_usage_resolved'],
  disk: ['high_disk_usage', 'disk_usage_resolved'],
} as const;

/**
 * Raises an alert once something has been beyond its threshold for long enough, and resolves it once (interface, 6.1). What it goes by
 * is in the database, so it does not matter which replica looks, nor when one has started.
 */
export function healthAlertsJob(options: HealthWatchOptions): Job {
  const { database, metrics } = options;
  new Gauge({
    name: 'sluice_health_alerts',
    help: 'Health alerts of nodes and of what runs on them that are raised and not resolved',
    labelNames: ['kind'],
    registers: [metrics],
    async collect() {
      const counts = await countRaised(database).catch(() => null);
      if (counts === null) return;
      for (const kind of alertKinds) this.set({ kind }, counts.find((one) => one.kind === kind)?.count ?? 0);
    },
  });

  return { name: 'health_alerts', every: 5, run: () => tellAlerts(options) };
}

/** Looks once. */
export async function tellAlerts({ database, work, times, thresholds }: HealthWatchOptions): Promise<void> {
  await tidyAlerts(database);
  await work(system, async (tx) => {
    for (const due of await takeDue(tx.db, times)) tell(tx, due, thresholds);
  });
}

type Emitting = Parameters<Parameters<HealthWatchOptions['work']>[1]>[0];

function tell(tx: Emitting, due: Due, thresholds: Thresholds): void {
  const { kind, raises, deployment, node_id, node_name, value } = due;
  const { name, code } = deployment.shape;
  const about = subjectsOf(deployment);
  const told = {
    name,
    code,
    node: { id: node_id, name: node_name },
    since: new Date(due.since).toISOString(),
  };
  if (kind !== 'unreachable') {
    const [raised, resolved] = measured[kind];
    tx.emit(raises ? raised : resolved, about, { ...told, percent: value ?? 0, threshold: thresholds[kind] });
    return;
  }
  const { connector_instance_id: id, connector_instance_name, connector_key } = due;
  tx.emit(raises ? 'node_unreachable' : 'node_reachable', about, {
    ...told,
    runtime: due.runtime,
    ...(id !== null &&
      connector_instance_name !== null &&
      connector_key !== null && { connector_instance_id: id, connector_instance_name, connector_key }),
  });
}
