import { randomUUID } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  compileRole,
  systemRoles,
  type BrokerResources,
  type Cause,
  type Cloud,
  type CommandData,
  type CommandType,
  type DeploymentIdentity,
  type DeploymentShape,
  type Grant,
  type RolePermissionsInput,
  type SystemRoleName,
  type Topology,
  idOf,
  type DeploymentId,
  type UserId,
} from '@sluice/contracts';
import { GrantLeases } from '@sluice/grants';
import { aGrant, newestGrant, publishGrant, say } from '@sluice/testing';

const cause: Cause = { author: { id: idOf<UserId>(5), name: 'Ada' }, api_key: null, correlation_id: null };

/** Plays main-api's part: publishes commands for the region, and grants. */
export async function playMainApi(
  nats: NatsConnection,
  names: Topology,
  { cloud, region }: { cloud: Cloud; region: string } = { cloud: 'cloud_a', region: 'us-east-1' },
) {
  const leases = new GrantLeases(nats, names, 2);
  await leases.open();

  async function command<Type extends CommandType>(type: Type, content: CommandData<Type>): Promise<void> {
    const correlation_id = 'cause' in content ? content.cause.correlation_id : null;
    const message = { id: randomUUID(), type, occurred_at: new Date(), correlation_id, data: content };
    const subject = names.subjects.command(cloud, region, type);
    await say({ nats }, 'main-api', subject, message);
  }

  /** of deployments that were applied */
  const uids = new Map<number, string>();

  return {
    apply: (
      deployment: DeploymentShape,
      generation = 1,
      more: Partial<Omit<CommandData<'deployment_apply'>, 'generation' | 'deployment'>> = {},
    ) => {
      uids.set(deployment.id, deployment.uid);
      return command('deployment_apply', { generation, deployment, cause, ...more });
    },
    remove: (
      deploymentId: number,
      more: Partial<Omit<CommandData<'deployment_delete'>, 'deployment_id'>> = {},
    ) => {
      const uid = more.uid ?? uids.get(deploymentId);
      if (uid === undefined) throw new Error(`no deployment ${deploymentId} was applied`);
      return command('deployment_delete', {
        deployment_id: idOf<DeploymentId>(deploymentId),
        cause,
        ...more,
        uid,
      });
    },

    /** Asks for another tier, as far as `resources` say what that is. */
    upgrade: (
      { id, tenant_id, uid, storage }: DeploymentShape,
      resources: BrokerResources,
      more: Partial<CommandData<'upgrade_deployment'>> = {},
    ) =>
      command('upgrade_deployment', {
        ...{ deployment_id: id, tenant_id, uid, storage, cause },
        ...{ generation: 2, upgrade_id: randomUUID(), tier: 'large', tier_resources: resources },
        ...more,
      }),

    /** Asks for the nodes of a shape that has been applied. */
    extend: (
      { id, tenant_id, uid, nodes }: DeploymentShape,
      more: Pick<CommandData<'extend_deployment'>, 'generation' | 'upgrade_id'>,
    ) =>
      command('extend_deployment', {
        ...{ deployment_id: id, tenant_id, uid, cause, nodes_after: nodes.length, ...more },
      }),

    /** Says that it knows nothing of a deployment. */
    disown: (deploymentId: number, identity: DeploymentIdentity) =>
      command('deployment_unknown', { deployment_id: idOf<DeploymentId>(deploymentId), ...identity }),

    /** Wants an instance of a connector on a deployment. */
    activate: (activation: Omit<CommandData<'connector_activate'>, 'cause'>) =>
      command('connector_activate', { cause, ...activation }),

    /** Wants an instance deleted that was deleted before. */
    deleteInstance: (named: CommandData<'connector_delete'>) => command('connector_delete', named),

    /** Publishes a grant for a new key and answers the key once all replicas know it. */
    async key(
      role: SystemRoleName | RolePermissionsInput = 'admin',
      more: Partial<Grant> = {},
    ): Promise<string> {
      const permissions = compileRole(typeof role === 'string' ? systemRoles[role] : role);
      const token = await publishGrant({ nats, topology: names }, aGrant({ permissions, ...more }));
      await leases.waitUntilApplied(await newestGrant({ nats, topology: names }));
      return token;
    },

    close: () => leases.close(),
  };
}
