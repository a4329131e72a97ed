import { plugins } from '@sluice/connectors';
import { renewalsJob } from './certificates/renewal-watch.ts';
import { fresherThanSeconds, placeOf, thresholdsOf } from './config.ts';
import type { Core } from './core.ts';
import { silenceJob } from './features/agents/silence-watch.ts';
import { maintenancesJob } from './features/maintenances/maintenances.ts';
import { keepInventory } from './features/inventory/inventory.service.ts';
import { orphansJob } from './features/inventory/orphans.ts';
import { snapshotsJob } from './features/snapshots/settle.ts';
import { tasksJob } from './features/tasks/advance.ts';
import { healthAlertsJob } from './features/telemetry/health-watch.ts';
import { spendLimitsJob } from './spending/spend-watch.ts';
import type { HeartbeatGrace } from '@sluice/region-store/silence.store';
import { volumeJobs } from './volume-work/maintenance.ts';

/**
 * Schedules the periodic jobs of the supervisor. Beside these run those of telemetry's tables, which come before the API (app.ts), and
 * `changed_nodes`, which feeds the reconciler's queue.
 */
export async function scheduleJobs(core: Core, heartbeatGrace: HeartbeatGrace): Promise<void> {
  const { runtime, environment, database, work, drivers, advanceTasks, settleSnapshots } = core;
  const { schedule, nats, metrics, now, log } = runtime;
  keepInventory(schedule, {
    ...{ nats, metrics, database, work, seconds: environment.INVENTORY_SECONDS },
    registration: {
      ...placeOf(environment),
      supervisor_url: environment.PUBLIC_URL,
      clusters: true,
      options: drivers.compute.options,
      plugins: plugins.map(({ type, key }) => ({ type, key })),
    },
  });
  const unreachableSeconds = environment.NODE_UNREACHABLE_SECONDS;
  const alertTimes = {
    raise: environment.HEALTH_RAISE_SECONDS,
    resolve: environment.HEALTH_RESOLVE_SECONDS,
    unreachable: unreachableSeconds,
    fresh: fresherThanSeconds(environment),
  };
  const jobs = [
    silenceJob({ database, unreachableSeconds, metrics, now, log }),
    healthAlertsJob({ database, work, times: alertTimes, thresholds: thresholdsOf(environment), metrics }),
    tasksJob({ database, work, advance: advanceTasks, heartbeatGrace, log }),
    snapshotsJob({ database, settle: settleSnapshots, heartbeatGrace, log }),
    spendLimitsJob({ database, work, now, log }),
    renewalsJob({ database, certificates: drivers.certificates, everySeconds: 60, now, log }),
    orphansJob({
      ...{ database, compute: drivers.compute, metrics, log },
      seconds: environment.ORPHANED_NODE_SECONDS,
      callSeconds: environment.DRIVER_REMOVE_SECONDS,
    }),
    ...(drivers.compute.jobs ?? []),
    ...(drivers.certificates?.jobs ?? []),
    ...(drivers.volumes ? volumeJobs({ database, work, volumes: drivers.volumes, now, log }) : []),
  ];
  for (const job of jobs) if (job) schedule.add(job);
  const { wake } = schedule.add(maintenancesJob({ database, work, metrics, now, log }));
  await runtime.notifications.listen('maintenances', wake);
}
