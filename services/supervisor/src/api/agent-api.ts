import { agentApiFolder, type AgentOperations } from '@sluice/contracts';
import { loopbackPlace } from '@sluice/drivers';
import { createApi, loadApiDocument, type Handlers } from '@sluice/http';
import { rateLimitsOf, listenForSignals } from '@sluice/service';
import { heartbeatResolution, relaySourcesOf } from '../config.ts';
import type { Core } from '../core.ts';
import { channels } from '@sluice/region-store/signals';
import { limitedAgents } from '../features/agents/agent-limits.ts';
import { agentAuthorizer, type Agent } from '../features/agents/agent-authorizer.ts';
import { agentsOperations } from '../features/agents/agents.operations.ts';
import { agentsService } from '../features/agents/agents.service.ts';
import { nodeProgramsOperations } from '../features/byoc/enrolment.operations.ts';
import { snapshotIntake } from '../features/snapshots/intake.ts';
import { snapshotIntakeOperations } from '../features/snapshots/snapshots.operations.ts';
import { streamIntakeOperations } from '../features/streams/streams.operations.ts';
import type { StreamIntake } from '../features/streams/stream-intake.service.ts';
import { intakeOperations } from '../features/telemetry/telemetry.operations.ts';
import type { TelemetryIntake } from '../features/telemetry/intake.service.ts';
import { taskResults } from '../features/tasks/advance.ts';

/** What node agents call, with tokens that they sign. */
export async function createAgentApi(
  { runtime, environment, database, work, secrets, advanceTasks, settleSnapshots, enrolments, drivers }: Core,
  intake: { telemetry: TelemetryIntake; streams: StreamIntake },
) {
  const { notifications, stopping, now, log } = runtime;
  const archiveBytes = environment.SNAPSHOT_ARCHIVE_MIB * 2 ** 20;
  const settle = settleSnapshots;
  const agents = agentsService({
    database,
    secrets,
    desired: await listenForSignals(notifications, channels.desired),
    brokerRuntime: environment.BROKER_RUNTIME,
    heartbeatSeconds: environment.HEARTBEAT_SECONDS,
    resolutionSeconds: heartbeatResolution(environment),
    archiveBytes,
    relaySources: relaySourcesOf(environment),
    brokerPlace: drivers.compute.brokerPlace ?? loopbackPlace,
    telemetry: {
      metrics_seconds: environment.METRICS_SECONDS,
      send_seconds: environment.TELEMETRY_SEND_SECONDS,
    },
    taskResult: taskResults(work, advanceTasks),
    stopping,
    now,
  });
  const handlers: Handlers<AgentOperations, Agent> = {
    ...agentsOperations(agents),
    ...nodeProgramsOperations(enrolments),
    ...intakeOperations(intake.telemetry),
    ...streamIntakeOperations(intake.streams),
    ...snapshotIntakeOperations(snapshotIntake({ work, settle, mostBytes: archiveBytes, log })),
  };
  const { authorize, limit } = limitedAgents(agentAuthorizer(database, now), rateLimitsOf(environment));
  const document = await loadApiDocument(agentApiFolder);
  const router = createApi({
    document,
    handlers,
    authorize,
    limit: (request, response, declaration) => {
      // also with a refusal, which may be for the agent's clock
      response.set('svc-time', String(now().getTime()));
      return limit(request, response, declaration);
    },
    validateResponses: environment.VALIDATE_RESPONSES,
    bodySeconds: environment.REQUEST_BODY_SECONDS,
    deadline: { seconds: environment.REQUEST_DEADLINE_SECONDS, log },
  });
  return { document, router };
}
