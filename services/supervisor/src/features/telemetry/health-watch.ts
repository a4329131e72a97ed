import type { Job } from '@sluice/controller';
import { system, figures } from '@sluice/service';
import { subjectsOf } from '@sluice/region-store/deployments.store';
import type { Shared, Tx } from '../shared.ts';
import { countLagging, takeDueLag, type DueLag } from './consumer-alerts.store.ts';
import {
  alertKinds,
  countRaised,
  takeDue,
  tidyAlerts,
  type AlertTimes,
  type Due,
} from './health-alerts.store.ts';
import type { Thresholds } from './observations.ts';

export interface HealthWatchOptions extends Pick<Shared, 'database' | 'work' | 'metrics'> {
  times: AlertTimes;
  thresholds: Thresholds;
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
  const alerts = {
    name: 'sluice_health_alerts',
    help: 'Health alerts of nodes, of what runs on them and of consumers that are raised and not resolved',
    labelNames: ['kind'],
  };
  figures(metrics, { alerts }, async () => {
    const counts = new Map((await countRaised(database)).map(({ kind, count }) => [kind, count]));
    const ofNodes = alertKinds.map((kind) => ({ labels: { kind }, value: counts.get(kind) ?? 0 }));
    return {
      alerts: [...ofNodes, { labels: { kind: 'consumer_lag' }, value: await countLagging(database) }],
    };
  });

  return { name: 'health_alerts', every: 5, run: () => emitAlerts(options) };
}

/** Looks once. */
export async function emitAlerts({ database, work, times, thresholds }: HealthWatchOptions): Promise<void> {
  await tidyAlerts(database);
  await work(system, async (tx) => {
    for (const due of await takeDue(tx.db, times)) emitAlert(tx, due, thresholds);
    for (const due of await takeDueLag(tx.db, times)) emitLag(tx, due);
  });
}

function emitAlert(tx: Tx, due: Due, thresholds: Thresholds): void {
  const { kind, raises, deployment, node_id, node_name, value } = due;
  const { name, code } = deployment.spec;
  const about = subjectsOf(deployment);
  const alert = {
    name,
    code,
    node: { id: node_id, name: node_name },
    since: new Date(due.since).toISOString(),
  };
  if (kind !== 'unreachable') {
    const [raised, resolved] = measured[kind];
    tx.emit(raises ? raised : resolved, about, {
      ...alert,
      percent: value ?? 0,
      threshold: thresholds[kind],
    });
    return;
  }
  const { connector_instance_id: id, connector_instance_name, connector_key } = due;
  tx.emit(raises ? 'node_unreachable' : 'node_reachable', about, {
    ...alert,
    runtime: due.runtime,
    ...(id !== null &&
      connector_instance_name !== null &&
      connector_key !== null && { connector_instance_id: id, connector_instance_name, connector_key }),
  });
}

function emitLag(tx: Tx, { raises, deployment, since, ...lag }: DueLag): void {
  const { name, code } = deployment.spec;
  const { stream, consumer, pending, threshold } = lag;
  tx.emit(raises ? 'consumer_lag_high' : 'consumer_lag_high_resolved', subjectsOf(deployment), {
    ...{ name, code, stream, consumer, pending, threshold },
    since: new Date(since).toISOString(),
  });
}
