import type { DeploymentId } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from './tables.ts';

/** The notifications of replicas among each other through PostgreSQL; the payload is the deployment's id. */
export const channels = {
  /** the reconciler should turn to it now */
  due: 'deployment_due',
  /** the desired state of its agents has changed */
  desired: 'deployment_desired',
  /** one of its agents has applied a revision */
  applied: 'deployment_applied',
  /** something is to be done with its volumes */
  volumes: 'deployment_volumes',
  /** what its views show has changed; triggers notify (migration 002) */
  changed: 'deployment_changed',
  /** a peering, an endpoint service or an attachment of it is to be looked at now */
  links: 'deployment_links',
} as const;

type Channel = Exclude<(typeof channels)[keyof typeof channels], 'deployment_changed'>;

/** Notifies all replicas; inside of a transaction when it commits. */
export async function notify(db: Database, channel: Channel, deploymentId: DeploymentId): Promise<void> {
  await sql`SELECT pg_notify(${channel}, ${String(deploymentId)})`.execute(db);
}

/** Notifies all replicas of each of the deployments. */
export async function notifyAll(
  db: Database,
  channel: Channel,
  deploymentIds: readonly DeploymentId[],
): Promise<void> {
  await sql`SELECT pg_notify(${channel}, id::text) FROM unnest(${deploymentIds}::bigint[]) AS id`.execute(db);
}
