import { mostReportedPlugins, type ConnectorsReport, type DeploymentId } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '@sluice/region-store/tables';
import {
  listConnectorInstances,
  listConnectorReports,
  type NodeConnectors,
} from './connector-instances.store.ts';
import { stateOf } from './instance-status.ts';

/** How the connectors of a deployment are, as reported to main-api. */
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

/** Whether the last report to main-api differs, or there is none. */
export async function differsFromReport(
  db: Database,
  deploymentId: DeploymentId,
  state: ConnectorsState,
): Promise<boolean> {
  const last = await db
    .selectFrom('connector_reports')
    .select('state')
    .where('deployment_id', '=', deploymentId)
    .executeTakeFirst();
  return last?.state !== JSON.stringify(state);
}

/**
 * Notes a report to main-api. @returns its version: greater than all before, also where the database was restored from an
 * older copy
 */
export async function recordReport(
  db: Database,
  deploymentId: DeploymentId,
  state: ConnectorsState,
): Promise<number> {
  const now = sql<number>`floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
  const { version } = await db
    .insertInto('connector_reports')
    .values({ deployment_id: deploymentId, version: now, state: JSON.stringify(state) })
    .onConflict((conflict) =>
      conflict.column('deployment_id').doUpdateSet({
        version: sql<number>`greatest(connector_reports.version + 1, excluded.version)`,
        state: (row) => row.ref('excluded.state'),
      }),
    )
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

/** Has the report repeated: main-api may have lost it. */
export const forgetReport = (db: Database, deploymentId: DeploymentId) =>
  db.updateTable('connector_reports').set({ state: '' }).where('deployment_id', '=', deploymentId).execute();
