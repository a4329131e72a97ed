import type { DeploymentId } from '@sluice/contracts';
import type { Insertable, Selectable, UpdateObject } from 'kysely';
import type { Database, Tables } from './tables.ts';

/** Tables that have at most one row of a deployment. */
type TableOfOne =
  | 'backup_schedules'
  | 'connector_reports'
  | 'deployment_certificates'
  | 'deployment_clusters'
  | 'deployment_spending'
  | 'reconciliations'
  | 'volume_work';

/** one of them, for the builder: what holds of it holds of all; the helpers' own types say which columns there are */
const asOne = (table: TableOfOne) => table as 'reconciliations';

export async function findOf<Table extends TableOfOne>(db: Database, table: Table, id: DeploymentId) {
  const row: unknown = await db
    .selectFrom(asOne(table))
    .selectAll()
    .where('deployment_id', '=', id)
    .executeTakeFirst();
  return row as Selectable<Tables[Table]> | undefined;
}

export async function changeOf<Table extends TableOfOne>(
  db: Database,
  table: Table,
  id: DeploymentId,
  changes: UpdateObject<Tables, Table>,
): Promise<void> {
  await db
    .updateTable(asOne(table))
    .set(changes as object)
    .where('deployment_id', '=', id)
    .execute();
}

/** Inserts the row, or changes the one that there is. */
export async function putOf<Table extends TableOfOne>(
  db: Database,
  table: Table,
  { deployment_id, ...columns }: Insertable<Tables[Table]> & { deployment_id: DeploymentId },
): Promise<void> {
  const changes = columns as object as Omit<Insertable<Tables['reconciliations']>, 'deployment_id'>;
  await db
    .insertInto(asOne(table))
    .values({ deployment_id, ...changes })
    .onConflict((conflict) => conflict.column('deployment_id').doUpdateSet(changes))
    .execute();
}
