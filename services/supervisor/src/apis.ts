import { agentApiFolder } from '@sluice/contracts';
import {
  createApi,
  keyAuthorizer,
  loadApiDocument,
  trackKeyUsage,
  reportKeyUsage,
} from '@sluice/service-kit';
import type { Core } from './core.ts';
import { channels } from './database.ts';
import { accessRulesOperations } from './features/access-rules/access-rules.operations.ts';
import { createAccessRules } from './features/access-rules/access-rules.service.ts';
import { createAppliedRevisions } from './features/access-rules/applied-revisions.ts';
import { agentAuthorizer } from './features/agents/agent-authorizer.ts';
import { agentsOperations } from './features/agents/agents.operations.ts';
import { createAgents } from './features/agents/agents.service.ts';
import type { ViewOptions } from './features/deployments/deployment-view.ts';
import { deploymentsOperations } from './features/deployments/deployments.operations.ts';
import { createDeployments } from './features/deployments/deployments.service.ts';
import { findPlace } from './features/deployments/deployments.store.ts';
import { networkOperations } from './features/network/network.operations.ts';
import { createNetwork } from './features/network/network.service.ts';
import { summariesOperations } from './features/summaries/summaries.operations.ts';
import { createSummaries } from './features/summaries/summaries.service.ts';
import { hearSignals } from './signals.ts';

/** An agent that has missed this many heartbeats is not waited for. */
const missedHeartbeats = 3;

/** What clients call, with their API keys. */
export async function createSupervisorApi({ runtime, environment, database, work, secrets }: Core) {
  const { grants, notifications, now, log } = runtime;
  const view: ViewOptions = {
    baseDomain: environment.BASE_DOMAIN,
    gatewayHost: environment.GATEWAY_HOST,
    unreachableSeconds: environment.NODE_UNREACHABLE_SECONDS,
    now,
  };
  const appliedRevisions = createAppliedRevisions({
    database,
    applied: await hearSignals(notifications, channels.applied),
    silenceSeconds: environment.HEARTBEAT_SECONDS * missedHeartbeats,
    now,
  });
  const uses = trackKeyUsage({ store: reportKeyUsage(work), everyMilliseconds: 60_000, now, log });
  runtime.onStop(() => uses.stop());
  const document = await loadApiDocument(new URL('../openapi/', import.meta.url));
  const router = createApi({
    document,
    handlers: {
      ...deploymentsOperations(createDeployments({ database, secrets, view })),
      ...accessRulesOperations(createAccessRules({ database, work, appliedRevisions, now })),
      ...networkOperations(createNetwork({ database, view })),
      ...summariesOperations(createSummaries({ database, view })),
    },
    authorize: uses.through(
      keyAuthorizer({
        grants,
        now,
        locate: async ({ deployment_id }) =>
          deployment_id === undefined ? undefined : ((await findPlace(database, deployment_id)) ?? null),
      }),
    ),
    validateResponses: environment.VALIDATE_RESPONSES,
    ...runtime.guards,
  });
  return { document, router };
}

/** What node agents call, with tokens that they sign. */
export async function createAgentApi({ runtime, environment, database, secrets }: Core) {
  const { notifications, stopping, now } = runtime;
  const agents = createAgents({
    database,
    secrets,
    desired: await hearSignals(notifications, channels.desired),
    brokerRuntime: environment.BROKER_RUNTIME,
    heartbeatSeconds: environment.HEARTBEAT_SECONDS,
    stopping,
    now,
  });
  const document = await loadApiDocument(agentApiFolder);
  const router = createApi({
    document,
    handlers: agentsOperations(agents),
    authorize: agentAuthorizer(database, now),
    validateResponses: environment.VALIDATE_RESPONSES,
  });
  return { document, router };
}
