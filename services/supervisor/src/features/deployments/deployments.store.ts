import type { DeploymentShape, DeploymentId, DivisionId, EnvironmentId, TenantId } from '@sluice/contracts';
import { sql, type Selectable } from 'kysely';
import type { Database, Tables } from '../../database.ts';

export type Deployment = Omit<Selectable<Tables['deployments']>, 'shape'> & { shape: DeploymentShape };

export async function findDeployment(db: Database, id: DeploymentId): Promise<Deployment | undefined> {
  return await db.selectFrom('deployments').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locks the deployment until the transaction ends. */
export async function lockDeployment(db: Database, id: DeploymentId): Promise<Deployment | undefined> {
  return await db.selectFrom('deployments').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export interface Place {
  tenant: TenantId;
  division: DivisionId;
  environment: EnvironmentId;
}

/** Where a deployment belongs; `id` is any number of up to 63 bits, as a path has it. */
export async function findPlace(db: Database, id: string): Promise<Place | undefined> {
  return await db
    .selectFrom('deployments')
    .select(['tenant_id as tenant', 'division_id as division', 'environment_id as environment'])
    .where(sql<boolean>`id = ${id}::bigint`)
    .executeTakeFirst();
}

export type Node = Selectable<Tables['nodes']>;

export async function nodesOf(db: Database, deploymentId: DeploymentId): Promise<Node[]> {
  return await db
    .selectFrom('nodes')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .orderBy('position')
    .execute();
}

export async function dnsRecordsOf(
  db: Database,
  deploymentId: DeploymentId,
): Promise<{ domain: string; address: string }[]> {
  return await db
    .selectFrom('dns_records')
    .select(['domain', 'address'])
    .where('deployment_id', '=', deploymentId)
    .orderBy('domain')
    .execute();
}
