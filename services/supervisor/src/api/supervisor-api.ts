import { listenForSignals, sqlOf } from '@sluice/service';
import { idOf, type DeploymentId } from '@sluice/contracts';
import {
  ChangeFeeds,
  createApi,
  keyAuthorizer,
  loadApiDocument,
  reportKeyUsage,
  trackKeyUsage,
  Waiting,
  type Handlers,
} from '@sluice/http';
import { heartbeatResolution } from '../config.ts';
import type { Core } from '../core.ts';
import { channels } from '@sluice/region-store/signals';
import { accessRulesOperations } from '../features/access-rules/access-rules.operations.ts';
import { accessRulesService } from '../features/access-rules/access-rules.service.ts';
import { createAppliedRevisions } from '../features/access-rules/applied-revisions.ts';
import { backupsOperations } from '../features/backups/backups.operations.ts';
import { backupSchedulesService } from '../features/backups/backup-schedules.service.ts';
import { backupsService } from '../features/backups/backups.service.ts';
import { brokerSessionsOperations } from '../features/broker-sessions/broker-sessions.operations.ts';
import { brokerSessions } from '../features/broker-sessions/broker-sessions.service.ts';
import { byocOperations } from '../features/byoc/byoc.operations.ts';
import { enrolmentOperations } from '../features/byoc/enrolment.operations.ts';
import { byocService } from '../features/byoc/byoc.service.ts';
import { configsOperations } from '../features/configs/configs.operations.ts';
import { configsService } from '../features/configs/configs.service.ts';
import { certificatesOperations } from '../features/certificates/certificates.operations.ts';
import { certificatesService } from '../features/certificates/certificates.service.ts';
import { encryptionOperations } from '../features/encryption/encryption.operations.ts';
import { encryptionService } from '../features/encryption/encryption.service.ts';
import { credentialsOperations } from '../features/credentials/credentials.operations.ts';
import { credentialsService } from '../features/credentials/credentials.service.ts';
import { connectorsOperations } from '../features/connectors/connectors.operations.ts';
import { connectorsService } from '../features/connectors/connectors.service.ts';
import type { ViewOptions } from '../features/deployments/deployment-view.ts';
import { deploymentsOperations } from '../features/deployments/deployments.operations.ts';
import { deploymentsService } from '../features/deployments/deployments.service.ts';
import { cloudANetworkOperations } from '../features/network/cloud-a.operations.ts';
import { cloudBNetworkOperations } from '../features/network/cloud-b.operations.ts';
import { eventsOperations, kinds } from '../features/events/events.operations.ts';
import { linksService } from '../features/network/links.service.ts';
import { networkOperations } from '../features/network/network.operations.ts';
import { networkService } from '../features/network/network.service.ts';
import { downloadLinks } from '../features/snapshots/download-links.ts';
import { snapshotsOperations } from '../features/snapshots/snapshots.operations.ts';
import { snapshotsService } from '../features/snapshots/snapshots.service.ts';
import { streamsOperations } from '../features/streams/streams.operations.ts';
import { streamsService } from '../features/streams/streams.service.ts';
import { summariesOperations } from '../features/summaries/summaries.operations.ts';
import { summariesService } from '../features/summaries/summaries.service.ts';
import { logStreams } from '../features/telemetry/log-streams.ts';
import { telemetryOperations } from '../features/telemetry/telemetry.operations.ts';
import { telemetryService } from '../features/telemetry/telemetry.service.ts';
import { tasksOperations } from '../features/tasks/tasks.operations.ts';
import { tasksService } from '../features/tasks/tasks.service.ts';
import type { operations } from '../generated/api.ts';
import { findDeployment, findPlace, subjectsOf } from '@sluice/region-store/deployments.store';

/** An agent that has missed this many heartbeats is not waited for. */
const missedHeartbeats = 3;

/** What clients call, with their API keys. */
export async function createSupervisorApi(core: Core) {
  const { runtime, environment, database, work } = core;
  const { grants, now, log } = runtime;
  const usage = trackKeyUsage({ store: reportKeyUsage(work), everyMilliseconds: 60_000, now, log });
  runtime.onStop(() => usage.stop());
  const document = await loadApiDocument(new URL('../../openapi/', import.meta.url));
  const feeds = new ChangeFeeds({
    ...{ sql: sqlOf(runtime.pool), environment, document, kinds },
    ...{ stopping: runtime.stopping, metrics: runtime.metrics, log },
  });
  const recheck = keyAuthorizer({
    grants,
    now,
    publicUrl: environment.PUBLIC_URL,
    locate: async ({ deployment_id }) =>
      deployment_id === undefined ? undefined : ((await findPlace(database, deployment_id)) ?? null),
  });
  const router = createApi({
    document,
    handlers: {
      ...(await supervisorHandlers(core)),
      ...eventsOperations(feeds),
    } satisfies Handlers<operations>,
    authorize: usage.through(recheck),
    recheck,
    validateResponses: environment.VALIDATE_RESPONSES,
    refused: runtime.recordRefusals(work, async ({ db }, tenantId, { deployment_id: id }) => {
      const found = id === undefined ? undefined : await findDeployment(db, idOf<DeploymentId>(id));
      return found?.spec.tenant_id === tenantId ? subjectsOf(found) : {};
    }),
    waiting: new Waiting({
      changes: await listenForSignals(runtime.notifications, channels.changed),
      leaving: runtime.leaving,
    }),
    ...runtime.guards,
  });
  return { document, router };
}

type OtherOperations = Omit<operations, 'streamRegionEvents'>;

async function supervisorHandlers(core: Core): Promise<Handlers<OtherOperations>> {
  const { runtime, environment, database, work, secrets, advanceTasks, enrolments, backupSupport } = core;
  const { notifications, now } = runtime;
  const telemetryOptions = { database, sampleDays: environment.TELEMETRY_SAMPLE_DAYS, now };
  const view: ViewOptions = {
    baseDomain: environment.BASE_DOMAIN,
    gatewayHost: environment.GATEWAY_HOST,
  };
  const appliedRevisions = createAppliedRevisions({
    database,
    applied: await listenForSignals(notifications, channels.applied),
    silenceSeconds: environment.HEARTBEAT_SECONDS * missedHeartbeats + heartbeatResolution(environment),
    now,
  });
  const links = linksService({ database, work, now });
  const sessions = brokerSessions({
    ...{ database, work, view, leaving: runtime.leaving, log: runtime.log },
    origins: [environment.PUBLIC_URL, environment.CONSOLE_URL ?? []].flat().map((url) => new URL(url).origin),
    limits: {
      sessions: environment.BROKER_SESSIONS,
      ofCaller: environment.BROKER_SESSIONS_PER_CALLER,
      bytesPerSecond: environment.BROKER_SESSION_BYTES,
      idleSeconds: environment.BROKER_SESSION_IDLE_SECONDS,
    },
  });
  runtime.onStop(() => sessions.stop());
  const handlers: Handlers<OtherOperations> = {
    ...deploymentsOperations(deploymentsService({ database, work, view, now })),
    ...accessRulesOperations(accessRulesService({ database, work, appliedRevisions, now })),
    ...backupsOperations(
      backupsService({ database, work, backupSupport }),
      backupSchedulesService({ database, work, backupSupport, now }),
      environment.REGION,
    ),
    ...byocOperations(
      byocService({ cloud: environment.CLOUD, region: environment.REGION }, core.drivers.tryAccess),
    ),
    ...enrolmentOperations(enrolments),
    ...configsOperations(
      configsService({ database, work, secrets, brokerRuntime: environment.BROKER_RUNTIME, now }),
    ),
    ...certificatesOperations(certificatesService({ database, work, now })),
    ...encryptionOperations(encryptionService({ work, secrets })),
    ...credentialsOperations(credentialsService({ database, work, secrets, now })),
    ...connectorsOperations(connectorsService({ database, work })),
    ...networkOperations(networkService({ database, view })),
    ...cloudANetworkOperations(links),
    ...cloudBNetworkOperations(links),
    ...tasksOperations(
      tasksService({
        ...{ database, work, advance: advanceTasks },
        deadlineSeconds: environment.TASK_DEADLINE_SECONDS,
      }),
    ),
    ...snapshotsOperations(
      snapshotsService({
        ...{ database, work, now },
        links: downloadLinks({ secrets, publicUrl: environment.PUBLIC_URL, now }),
        deadlineSeconds: environment.SNAPSHOT_DEADLINE_SECONDS,
      }),
      database,
    ),
    ...brokerSessionsOperations(sessions),
    ...streamsOperations(streamsService(telemetryOptions)),
    ...summariesOperations(summariesService(database)),
    ...telemetryOperations(
      telemetryService(telemetryOptions),
      logStreams({ database, stopping: runtime.stopping, log: runtime.log }),
    ),
  };
  return handlers;
}
