import { mostReportedPlugins, type ConnectorsReport, type DeploymentId } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import {
  listConnectorInstances,
  listConnectorReports,
  type NodeConnectors,
} from './connector-instances.store.ts';
import { stateOf } from './instance-status.ts';

/** How the connectors of a deployment are, as main-api is told. */
export type ConnectorsState = Omit<ConnectorsReport, 'version'>;

/** By what the nodes of a deployment say; undefined where none has said anything. */
export async function findConnectorsState(
  db: Database,
  deploymentId: DeploymentId,
): Promise<ConnectorsState | undefined> {
  const reports = await listConnectorReports(db, deploymentId);
  if (reports.length === 0) return undefined;
  const instances = await listConnectorInstances(db, deploymentId);
  return {
    plugins: pluginsOf(reports),
    instances: instances.map(({ id }) => ({ id, ...stateOf(id, reports) })),
  };
}

/** Those that each of the nodes has, in an order that stays. */
function pluginsOf([first, ...others]: readonly NodeConnectors[]): ConnectorsState['plugins'] {
  const nameOf = ({ type, key }: ConnectorsState['plugins'][number]) => `${type} ${key}`;
  const everywhere = others.map(({ plugins }) => new Set(plugins.map(nameOf)));
  return (first?.plugins ?? [])
    .filter((plugin) => everywhere.every((names) => names.has(nameOf(plugin))))
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
    .slice(0, mostReportedPlugins);
}

/** Whether main-api has been told something else, or nothing yet. */
export async function isToldOtherwise(
  db: Database,
  deploymentId: DeploymentId,
  state: ConnectorsState,
): Promise<boolean> {
  const told = await db
    .selectFrom('connectors_told')
    .select('state')
    .where('deployment_id', '=', deploymentId)
    .executeTakeFirst();
  return told?.state !== JSON.stringify(state);
}

/**
 * Notes what main-api is told. @returns the version of that: greater than all before, also where the database was restored from an
 * older copy
 */
export async function recordTold(
  db: Database,
  deploymentId: DeploymentId,
  state: ConnectorsState,
): Promise<number> {
  const now = sql<number>`floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
  const { version } = await db
    .insertInto('connectors_told')
    .values({ deployment_id: deploymentId, version: now, state: JSON.stringify(state) })
    .onConflict((conflict) =>
      conflict.column('deployment_id').doUpdateSet({
        version: sql<number>`greatest(connectors_told.version + 1, excluded.version)`,
        state: (told) => told.ref('excluded.state'),
      }),
    )
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

/** Has main-api told anew, which may have lost what it was told. */
export async function forgetTold(db: Database, deploymentId: DeploymentId): Promise<void> {
  await db
    .updateTable('connectors_told')
    .set({ state: '' })
    .where('deployment_id', '=', deploymentId)
    .execute();
}
