import type {
  AgentIdentity,
  AgentOperations,
  DesiredState,
  Enrolment,
  Heartbeat,
  NodeId,
} from '@sluice/contracts';
import { problem, type QueryOf, type SecretBox } from '@sluice/service-kit';
import { tokenHash } from '../../compute/enrolment-token.ts';
import { channels, notify, type DeploymentSignals } from '../../database/signals.ts';
import type { Database } from '../../database/tables.ts';
import { listRules } from '../../stores/access-rules.store.ts';
import {
  enrolKey,
  findDesired,
  findNodeByToken,
  recordAppliedRevision,
  recordHeartbeat,
  type DesiredDeployment,
} from '../../stores/nodes.store.ts';
import type { Agent } from './agent-authorizer.ts';

export interface AgentsOptions {
  database: Database;
  secrets: SecretBox;
  /** sent when what a deployment's agents are told has changed */
  desired: DeploymentSignals;
  /** name of the broker product that agents run */
  brokerRuntime: string;
  heartbeatSeconds: number;
  /** aborted when the supervisor stops: whoever waits is answered then */
  stopping: AbortSignal;
  now: () => Date;
}

export type AgentsService = ReturnType<typeof agentsService>;

/** What a broker may store, as its settings (BROKER_*) say it. */
function brokerValues({ broker_disk, broker_memory }: DesiredDeployment['limits']): Record<string, string> {
  return {
    ...(broker_disk !== undefined && { BROKER_STREAM_MAX_DISK: String(broker_disk) }),
    ...(broker_memory !== undefined && { BROKER_STREAM_MAX_MEMORY: String(broker_memory) }),
  };
}

/** A request that is held reads the database again after this time, in case a signal got lost. */
const recheckMilliseconds = 5_000;

/** What node agents and their supervisor say to each other (packages/contracts/openapi/agent.yaml). */
export function agentsService(options: AgentsOptions) {
  const { database, secrets, desired, brokerRuntime, heartbeatSeconds, stopping, now } = options;

  async function stateOf(nodeId: NodeId, deployment: DesiredDeployment): Promise<DesiredState> {
    const { id, name, node_name, revision, username, sealed_password } = deployment;
    const rules = await listRules(database, id);
    return {
      revision,
      node: { id: nodeId, name: node_name },
      deployment: { id, name },
      broker: {
        runtime: brokerRuntime,
        state: 'running',
        credentials: { username, password: await secrets.open(sealed_password) },
        values: brokerValues(deployment.limits),
      },
      access_rules: rules.map(({ id: ruleId, protocols, cidr_blocks, valid_to }) => ({
        id: ruleId,
        protocols,
        cidr_blocks,
        valid_to: valid_to?.toISOString() ?? null,
      })),
      heartbeat_seconds: heartbeatSeconds,
    };
  }

  return {
    /** Enrols the key for the token's node. The same token and key again are answered alike. */
    async enrol({ token, public_key }: Enrolment): Promise<AgentIdentity> {
      const hash = tokenHash(token);
      const enrolled = await enrolKey(database, hash, public_key, now());
      const node = await findNodeByToken(database, hash);
      if (!node?.public_key) throw problem('enrolment_token_invalid');
      if (node.public_key.x !== public_key.x) throw problem('enrolment_token_used');
      if (enrolled) await notify(database, channels.due, node.deployment_id);
      return { node_id: node.id, deployment_id: node.deployment_id };
    },

    /**
     * The node's desired state as soon as its revision differs from `revision`; undefined when that takes longer than
     * `wait` seconds, or the request or the supervisor ends.
     */
    async desiredState(
      { nodeId, deploymentId, key }: Agent,
      { revision = 0, wait = 30 }: QueryOf<AgentOperations['getDesiredState']>,
      gone: AbortSignal,
    ): Promise<DesiredState | undefined> {
      if (await recordAppliedRevision(database, nodeId, deploymentId, revision)) {
        await notify(database, channels.applied, deploymentId);
        await notify(database, channels.due, deploymentId);
      }
      const deadline = performance.now() + wait * 1000;
      const ended = AbortSignal.any([gone, stopping]);
      for (;;) {
        const watch = desired.watch(deploymentId);
        try {
          const deployment = await findDesired(database, nodeId, key);
          if (!deployment)
            throw problem('unauthenticated', { detail: 'The node has been removed, or its key revoked.' });
          if (deployment.revision !== revision) return await stateOf(nodeId, deployment);
          const left = deadline - performance.now();
          if (left <= 0 || ended.aborted) return undefined;
          await watch.signalled(Math.min(left, recheckMilliseconds), ended);
        } finally {
          watch.end();
        }
      }
    },

    /** Takes in how a node is; the reconciler hears of what matters to it. */
    async heartbeat({ nodeId, deploymentId, key }: Agent, heartbeat: Heartbeat): Promise<void> {
      if (!(await recordHeartbeat(database, nodeId, key, heartbeat, now()))) return;
      await notify(database, channels.applied, deploymentId);
      await notify(database, channels.due, deploymentId);
    },
  };
}
