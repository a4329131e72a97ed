import {
  idOf,
  mostConnectorInstances,
  type AccessRuleId,
  type AgentIdentity,
  type AgentOperations,
  type DeploymentId,
  type DesiredState,
  type Enrolment,
  type NodeId,
  type NodeTask,
  type TaskId,
  type TaskResult,
} from '@sluice/contracts';
import { endsTls, tlsChoices } from '@sluice/contracts/broker-schemas';
import type { QueryOf } from '@sluice/http';
import { problem, type Signals } from '@sluice/service';
import { brokerValues, ofOneNode } from '../../compute/capacity.ts';
import { tokenHash, type BrokerPlace } from '@sluice/drivers';
import { desiredCluster } from './desired-cluster.ts';
import { channels, notify } from '@sluice/region-store/signals';
import { listRules } from '../access-rules/access-rules.store.ts';
import { traceOf } from '@sluice/region-store/deployments.store';
import { listFormerCredentials } from '../access-rules/former-credentials.store.ts';
import { listConnectorInstances } from '../connectors/connector-instances.store.ts';
import { enrolKey, findNodeByToken } from '@sluice/region-store/nodes.store';
import { desiredEncryption } from '../encryption/keys.ts';
import { appliedConnectorConfigs } from '../configs/applied-connectors.ts';
import { openValues } from '../configs/stored-values.ts';
import { listWantedOfNode } from '@sluice/region-store/snapshots.store';
import { listTasksOfNode, type Task } from '@sluice/region-store/tasks.store';
import { scheduleNow } from '@sluice/region-store/reconciliations.store';
import { unknownAgent, type Agent } from './agent-authorizer.ts';
import { recordMachine } from '@sluice/region-store/enrolments.store';
import { heartbeatBatches } from './heartbeat-batches.ts';
import { machinesOf } from './machines.ts';
import { findDesired, type DesiredDeployment } from './desired-state.store.ts';
import { recordAppliedRevision } from './heartbeats.store.ts';
import type { Shared } from '../shared.ts';

export interface AgentsOptions extends Pick<Shared, 'database' | 'secrets' | 'now'> {
  /** sent when the desired state of a deployment's agents has changed */
  desired: Signals;
  /** name of the broker product that agents run */
  brokerRuntime: string;
  heartbeatSeconds: number;
  /** how nodes are to be watched */
  telemetry: NonNullable<DesiredState['telemetry']>;
  /** where brokers of a cluster find each other */
  brokerPlace: BrokerPlace;
  /** blocks from which gateways see this supervisor's own connections to brokers */
  relaySources: readonly string[];
  /** what the ZIP of a broker's data folder may have */
  archiveBytes: number;
  /** a node's last heartbeat is known to within this time */
  resolutionSeconds: number;
  taskResult: (agent: Agent, id: TaskId, result: TaskResult) => Promise<void>;
  /** aborted when the supervisor stops: waiting requests are answered then */
  stopping: AbortSignal;
}

type FormerLogins = NonNullable<DesiredState['broker']['former_credentials']>;

export type AgentsService = ReturnType<typeof agentsService>;

/** The supervisor checks the rules itself for those whose sessions it relays; no rule of a customer has this id. */
const relayRulesOf = (sources: readonly string[]): DesiredState['access_rules'] =>
  sources.length === 0
    ? []
    : [
        {
          id: idOf<AccessRuleId>(Number.MAX_SAFE_INTEGER),
          protocols: ['broker_websocket'],
          cidr_blocks: [...sources],
          valid_to: null,
        },
      ];

/** What node agents and their supervisor say to each other (packages/contracts/openapi/agent.yaml). */
export function agentsService(options: AgentsOptions) {
  const { database, secrets, desired, brokerRuntime, heartbeatSeconds, telemetry, stopping, now } = options;
  const relayRules = relayRulesOf(options.relaySources);
  const heartbeat = heartbeatBatches(options);
  const { requireCustomers, ...machines } = machinesOf(options);

  async function stateOf(nodeId: NodeId, deployment: DesiredDeployment): Promise<DesiredState> {
    const { id, name, node_name, revision, username, sealed_password } = deployment;
    const [rules, tasks] = [await listRules(database, id), await listTasksOfNode(database, id, nodeId)];
    const resources = ofOneNode(deployment.resources, deployment.nodes);
    const { config } = deployment;
    const configured = config ? await openValues(secrets, config) : {};
    const values = brokerValues(resources, configured, brokerRuntime);
    const connectors = await connectorsOf(deployment);
    const cluster = await desiredCluster(secrets, nodeId, deployment, options.brokerPlace);
    // a broker that is to be one of a cluster does not start by itself
    const tls = cluster === undefined ? undefined : await tlsOf(deployment, values);
    const traceparent = traceOf(deployment);
    const snapshots = await listWantedOfNode(database, id, nodeId);
    return {
      revision,
      ...(deployment.leaving && { leave: true }),
      ...(traceparent !== undefined && { traceparent }),
      node: { id: nodeId, name: node_name },
      deployment: { id, name },
      broker: {
        runtime: brokerRuntime,
        state: deployment.broker_stopped ? 'stopped' : 'running',
        stopped_until: deployment.stopped_until?.toISOString() ?? null,
        credentials: { username, password: await secrets.open(sealed_password) },
        values,
        config: config && { id: config.id, name: config.name, version: config.version },
        rate_limit: resources.broker_rate ?? null,
        former_credentials: await formerLogins(id),
        encryption: await desiredEncryption(database, secrets, id),
        ...(tls !== undefined && { tls }),
        ...(cluster !== undefined && { cluster }),
      },
      access_rules: [
        ...rules.map(({ id: ruleId, protocols, cidr_blocks, valid_to }) => ({
          id: ruleId,
          protocols,
          cidr_blocks,
          valid_to: valid_to?.toISOString() ?? null,
        })),
        ...relayRules,
      ],
      heartbeat_seconds: heartbeatSeconds,
      telemetry,
      tasks: tasks.map(nodeTask),
      snapshots: snapshots.map(({ archive, deadline, ...wanted }) => ({
        ...wanted,
        deadline: deadline.toISOString(),
        ...(archive !== null && { archive_bytes: options.archiveBytes }),
      })),
      connectors,
    };
  }

  async function connectorsOf({
    id,
    connectors_stopped,
  }: DesiredDeployment): Promise<DesiredState['connectors']> {
    const instances = await listConnectorInstances(database, id);
    const configs = await appliedConnectorConfigs(database, secrets, id);
    return {
      state: connectors_stopped ? 'stopped' : 'running',
      instances: instances.slice(0, mostConnectorInstances).map((instance) => ({
        id: instance.id,
        type: instance.connector_type,
        connector_key: instance.connector_key,
        key: instance.key,
        config: configs.get(instance.id) ?? null,
      })),
    };
  }

  async function formerLogins(id: DeploymentId): Promise<FormerLogins> {
    const former = await listFormerCredentials(database, id, now());
    return await Promise.all(
      former.map(async ({ username, sealed_password, valid_to }) => ({
        username,
        password: await secrets.open(sealed_password),
        valid_to: valid_to.toISOString(),
      })),
    );
  }

  /**
   * For the broker where it ends TLS, and for the page of the node in any case. Undefined while the broker waits for a certificate: without one
   * no client is let in.
   */
  async function tlsOf(
    deployment: DesiredDeployment,
    values: DesiredState['broker']['values'],
  ): Promise<DesiredState['broker']['tls']> {
    const { certificate, sealed_key, authority, server_name, plain_text } = deployment;
    if (certificate === null || sealed_key === null || authority === null || server_name === null)
      return endsTls(tlsChoices(values, deployment.plain_text)) ? undefined : null;
    return { certificate, private_key: await secrets.open(sealed_key), authority, server_name, plain_text };
  }

  /** Notes that a node is in `revision`, if that is news. */
  async function applied(
    { nodeId, deploymentId, key }: Agent,
    revision: number,
    known: DesiredDeployment,
  ): Promise<void> {
    if (known.applied_revision === Math.min(revision, known.revision)) return;
    await database.transaction().execute(async (tx) => {
      if (!(await recordAppliedRevision(tx, nodeId, key, revision))) return;
      await notify(tx, channels.applied, deploymentId);
      await scheduleNow(tx, deploymentId, now());
    });
  }

  return {
    /** Enrols the key for the token's node. The same token and key again are answered alike. */
    async enrol({ token, public_key, machine }: Enrolment): Promise<AgentIdentity> {
      const hash = tokenHash(token);
      const named = machine && (await findNodeByToken(database, hash));
      if (named) await requireCustomers(named.id);
      if (machine?.holds_data === false) await machines.refuseEmpty(hash);
      const enrolled = await enrolKey(database, hash, public_key, now());
      const node = await findNodeByToken(database, hash);
      if (!node?.public_key) throw problem('enrolment_token_invalid');
      if (node.public_key.x !== public_key.x) throw problem('enrolment_token_used');
      if (machine) await recordMachine(database, node.id, public_key.x, machine);
      if (enrolled) await scheduleNow(database, node.deployment_id, now());
      return { node_id: node.id, deployment_id: node.deployment_id };
    },

    /**
     * The node's desired state as soon as its revision differs from `revision`; undefined when that takes longer than `wait` seconds, or
     * the request or the supervisor ends.
     */
    async desiredState(
      { nodeId, deploymentId, key }: Agent,
      { revision = 0, wait = 30 }: QueryOf<AgentOperations['getDesiredState']>,
      gone: AbortSignal,
    ): Promise<DesiredState | undefined> {
      const deadline = performance.now() + wait * 1000;
      const ended = AbortSignal.any([gone, stopping]);
      for (;;) {
        const watch = desired.watch(deploymentId);
        try {
          const deployment = await findDesired(database, nodeId, key);
          if (!deployment) throw unknownAgent();
          await applied({ nodeId, deploymentId, key }, revision, deployment);
          // what a restored database has of the rules may be older than what the node has
          const isKnown = deployment.access_question === null;
          if (isKnown && deployment.revision !== revision) return await stateOf(nodeId, deployment);
          const left = deadline - performance.now();
          // a signal that is lost costs the rest of the wait: the next request reads the database again
          if (left <= 0 || !(await watch.signalled(left, ended))) return undefined;
        } finally {
          watch.end();
        }
      }
    },

    ...machines,

    /** Takes in how a node is; the reconciler hears of what matters to it. */
    heartbeat,

    /** Takes in a node's report of a task. */
    taskResult: options.taskResult,
  };
}

function nodeTask({ id, runtime, action, config_id, deadline }: Task): NodeTask {
  return { id, runtime, action, config_id, deadline: deadline.toISOString() };
}
