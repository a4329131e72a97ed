import { supervisorOf } from '@sluice/contracts';
import { createApp, feedPruning } from '@sluice/http';
import { startRuntime } from '@sluice/runtime';
import { ConfigError, type Log, type RunningService, listenForSignals } from '@sluice/service';
import { kyselyTransactions, openKysely } from '@sluice/service/kysely';
import { secretBox } from '@sluice/system/secrets';
import { loopbackPlace, type Registry, type VolumeDriver } from '@sluice/drivers';
import { Counter } from '@prometheus-io/client';
import { createAgentApi } from './api/agent-api.ts';
import { createSupervisorApi } from './api/supervisor-api.ts';
import { lowered } from './compute/capacity.ts';
import {
  fresherThanSeconds,
  newestSeconds,
  placeOf,
  thresholdsOf,
  type SupervisorEnvironment,
} from './config.ts';
import type { Core } from './core.ts';
import { scheduleJobs } from './jobs.ts';
import { channels } from '@sluice/region-store/signals';
import type { Database, Tables } from '@sluice/region-store/tables';
import { agentSettings, checkDrivers, createDrivers, programsOf } from './drivers.ts';
import { enrolmentService } from './features/byoc/enrolment.service.ts';
import { consumeCommands } from './features/commands/commands.consumer.ts';
import { commandsService } from './features/commands/commands.service.ts';
import { openValues } from './features/configs/stored-values.ts';
import { linkQueue } from './features/network/link-keeper.ts';
import { measureRegion } from './features/deployments/region-metrics.ts';
import { snapshotSettler } from './features/snapshots/settle.ts';
import { taskAdvancer } from './features/tasks/advance.ts';
import { streamIntake } from './features/streams/stream-intake.service.ts';
import { observationsOf } from './features/telemetry/observations.ts';
import { telemetryIntake, type TelemetryIntake } from './features/telemetry/intake.service.ts';
import { regionExposition } from './features/telemetry/region-exposition.ts';
import { telemetryJobs } from './features/telemetry/retention.ts';
import type { Phase } from './reconciler/phases/phase.ts';
import { installedPhases, provisioningPhases } from './reconciler/phases/registry.ts';
import { observer } from './reconciler/observe.ts';
import { driverCalls } from './reconciler/driver-calls.ts';
import { measureQueueOf, reconcilerMetrics } from './reconciler/metrics.ts';
import { certificateKeeper } from './reconciler/certificates.ts';
import { clusterPreparer } from './reconciler/clusters.ts';
import { watchNodes } from './reconciler/node-changes.ts';
import { Reconciler } from './reconciler/reconciler.ts';
import { stepExecutor } from './reconciler/execute-step.ts';
import { findApplied } from './features/configs/configs.store.ts';
import { recordObservations } from './features/telemetry/health-alerts.store.ts';
import type { HeartbeatGrace } from '@sluice/region-store/silence.store';
import { pruningRules } from './pruning.ts';
import type { NodeBatch } from './features/telemetry/telemetry-intake.store.ts';
import { volumeChange } from './volume-work/completion.ts';
import { volumeMetrics } from './volume-work/metrics.ts';
import { volumeSteps } from './volume-work/steps.ts';
import { volumeQueue } from './volume-work/volume-worker.ts';
import { stopMeters } from './spending/restored-usage.ts';
import { askForAccess } from './features/access-rules/access-revisions.store.ts';
import { noBackups } from './drivers/backup-support.ts';

/** What the reconciler works with; tests put in their own. */
export interface ReconcilerParts {
  drivers: typeof createDrivers;
  phases: readonly Phase[];
  registry: Registry;
}

/** Starts one replica of a region's supervisor. Replicas share a database. */
export async function startSupervisor(
  environment: SupervisorEnvironment,
  log: Log,
  parts: Partial<ReconcilerParts> = {},
): Promise<RunningService> {
  // without a certificate brokers take clients without TLS, which is not allowed here
  if (environment.CERTIFICATE_DRIVER === 'none' && !environment.BROKER_PLAIN_TEXT)
    throw new ConfigError('CERTIFICATE_DRIVER: none needs BROKER_PLAIN_TEXT=true');
  checkDrivers(environment, parts.registry);
  const migrations = new URL('../migrations/', import.meta.url);
  const runtime = await startRuntime(supervisorOf(placeOf(environment)), environment, migrations, log, {
    restored: async (sql) => {
      await stopMeters(sql);
      await askForAccess(sql);
    },
  });
  const database = openKysely<Tables>(runtime.pool);
  const work = runtime.unitOfWork(kyselyTransactions(database));
  const secrets = secretBox(environment.SECRETS_KEYS);
  const heartbeatGrace = heartbeatGraceOf(environment);
  const advanceTasks = taskAdvancer({ heartbeatGrace, now: runtime.now });
  const settleSnapshots = snapshotSettler({ database, work, heartbeatGrace });
  const enrolments = enrolmentService({
    ...{ work, place: agentSettings(environment), now: runtime.now, programs: programsOf(environment) },
  });
  const { drivers: create, phases } = { drivers: createDrivers, phases: provisioningPhases, ...parts };
  const drivers = await create(environment, log, runtime.stopping, database, parts.registry);
  const core = {
    ...{ runtime, environment, database, work, secrets, advanceTasks, settleSnapshots, enrolments },
    drivers,
    backupSupport: drivers.backupSupport ?? noBackups,
  };

  runtime.prune([...pruningRules(environment.TOMBSTONE_KEEP_DAYS), feedPruning(environment)]);

  const telemetry = telemetryJobs({ database, sampleDays: environment.TELEMETRY_SAMPLE_DAYS, log });
  for (const job of telemetry.jobs) runtime.schedule.add(job);
  const service = await serve(core, telemetry.prepared);
  measureRegion(runtime.metrics, database);
  await scheduleJobs(core, heartbeatGrace);
  await startReconciler(core, installedPhases(drivers, phases));
  await startConsumer(core);
  return service;
}

async function serve(core: Core, prepared: Promise<void>): Promise<RunningService> {
  const { runtime, environment } = core;
  const supervisor = await createSupervisorApi(core);
  const agents = await createAgentApi(core, {
    telemetry: intakeOf(core, prepared),
    streams: streamIntake({ database: core.database, prepared, now: runtime.now }),
  });
  const app = createApp({
    document: supervisor.document,
    furtherDocuments: { '/agent/v1/openapi.json': agents.document },
    routers: [agents.router, supervisor.router],
    limit: runtime.guards.limit,
    readiness: runtime.readiness,
    metrics: runtime.metrics,
    metricScopes: {
      nodes: regionExposition({ database: core.database, freshSeconds: newestSeconds(environment) }),
    },
    service: runtime.service,
    log: runtime.log,
    trustedProxies: environment.TRUSTED_PROXIES,
    leaving: runtime.leaving,
  });
  return await runtime.serve(app);
}

/** What takes in telemetry: it is stored together with what alerts go by. */
function intakeOf({ runtime, environment, database }: Core, prepared: Promise<void>): TelemetryIntake {
  const thresholds = thresholdsOf(environment);
  const gapSeconds = fresherThanSeconds(environment);
  const watch = (tx: Database, batches: readonly NodeBatch[]) =>
    recordObservations(tx, observationsOf(batches, thresholds), gapSeconds);
  return telemetryIntake({ database, prepared, watch, now: runtime.now });
}

/** Grace period: time in which the region was down does not count against agents. */
const heartbeatGraceOf = (environment: SupervisorEnvironment): HeartbeatGrace => ({
  least: Math.min(30, environment.TASK_DEADLINE_SECONDS / 4),
  gap: environment.NODE_UNREACHABLE_SECONDS / 4,
});

async function startReconciler(core: Core, phases: readonly Phase[]): Promise<void> {
  const { runtime, environment, database, work, secrets, drivers, backupSupport } = core;
  const { notifications, now, log, instance } = runtime;
  const limits = {
    observe: environment.DRIVER_OBSERVE_SECONDS,
    ensureNode: environment.DRIVER_ENSURE_SECONDS,
    removeNode: environment.DRIVER_REMOVE_SECONDS,
    network: environment.DRIVER_NETWORK_SECONDS,
    certificate: environment.DRIVER_CERTIFICATE_SECONDS,
  };
  const metrics = reconcilerMetrics(runtime.metrics, database);
  const deadlineSeconds = environment.PROVISIONING_DEADLINE_SECONDS;
  const callDriver = driverCalls(database, limits, metrics);
  const obtainCertificate = certificateKeeper({
    ...{ database, work, callDriver, secrets, now },
    ...(drivers.certificates && { certificates: drivers.certificates }),
    baseDomain: environment.BASE_DOMAIN,
    gatewayHost: environment.GATEWAY_HOST,
    privateGatewayHost: environment.GATEWAY_PRIVATE_HOST,
    renewAt: environment.CERTIFICATE_RENEW_AT,
  });
  const leaseSeconds = environment.RECONCILER_LEASE_SECONDS;
  const reconciler = new Reconciler({
    ...{ database, notifications, holder: instance, leaseSeconds, phases },
    observe: observer({
      ...{ database, phases, callDriver, deadlineSeconds },
      enrolmentSeconds: environment.ENROLMENT_DEADLINE_SECONDS,
      ...drivers,
      configuredResources: async (id) => {
        const config = await findApplied(database, id, 'broker');
        const configured = config ? await openValues(secrets, config) : {};
        return (resources) => lowered(resources, configured, environment.BROKER_RUNTIME);
      },
    }),
    executeStep: stepExecutor({
      ...{ database, work, phases, callDriver, obtainCertificate, steps: metrics.step, now },
      backupSupport,
      prepareCluster: clusterPreparer(secrets, drivers.compute.brokerPlace ?? loopbackPlace),
      ...drivers,
    }),
    slots: environment.RECONCILER_SLOTS,
    reconciliations: metrics.reconciliation,
    metrics: runtime.metrics,
    log,
  });
  measureQueueOf(runtime.metrics, reconciler.queue);
  const unwatch = watchNodes(runtime.schedule, drivers.compute, database);
  await reconciler.queue.start();
  const links = linkQueue({
    ...{ database, work, notifications, now, metrics: runtime.metrics, log },
    driver: drivers.network.links,
    callSeconds: environment.DRIVER_NETWORK_SECONDS,
  });
  await links.start();
  runtime.onStop(() => links.stop());
  runtime.onStop(async () => {
    unwatch?.();
    await reconciler.queue.stop();
  });
  if (drivers.volumes) await startVolumeWork(core, drivers.volumes);
}

/** Carries out backups and restores. */
async function startVolumeWork(
  { runtime, environment, database, work }: Core,
  volumes: VolumeDriver,
): Promise<void> {
  const { notifications, now, log } = runtime;
  const applied = await listenForSignals(notifications, channels.applied);
  const takeStep = volumeSteps({
    ...{ database, change: volumeChange(work), volumes, now },
    count: volumeMetrics(runtime.metrics, database),
    nodeSeconds: environment.TASK_DEADLINE_SECONDS,
    copySeconds: environment.BACKUP_COPY_SECONDS,
  });
  const leaseSeconds = environment.RECONCILER_LEASE_SECONDS;
  const queue = volumeQueue({
    ...{ database, notifications, applied, takeStep, leaseSeconds, metrics: runtime.metrics, log },
  });
  await queue.start();
  runtime.onStop(() => queue.stop());
}

async function startConsumer({ runtime, environment, work, secrets }: Core): Promise<void> {
  const place = placeOf(environment);
  const mismatches = new Counter({
    name: 'sluice_identity_mismatches_total',
    help: 'Shapes that were refused since their id, or that of a node, is that of another deployment here',
    registers: [runtime.metrics],
  });
  const commands = commandsService({
    ...place,
    secrets,
    plainText: environment.BROKER_PLAIN_TEXT,
    byocDriver: environment.BYOC_DRIVER,
    onMismatch: () => mismatches.inc(),
    unknownSeconds: environment.UNKNOWN_DEPLOYMENT_SECONDS,
    taskDeadlineSeconds: environment.TASK_DEADLINE_SECONDS,
    now: runtime.now,
    log: runtime.log,
  });
  await consumeCommands(runtime, place, work, commands, environment.COMMAND_UNREADABLE_SECONDS);
}
