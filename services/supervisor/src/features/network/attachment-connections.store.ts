import type { NetworkLinkId } from '@sluice/contracts';
import { sql, type Selectable } from 'kysely';
import type { ObservedConnection } from '@sluice/drivers';
import type { Database, Tables } from '@sluice/region-store/tables';

export type AttachmentConnection = Selectable<Tables['attachment_connections']>;

/** as many as are kept and shown of an attachment */
const mostConnections = 1_000;

export const listConnections = (db: Database, linkId: NetworkLinkId) =>
  db
    .selectFrom('attachment_connections')
    .selectAll()
    .where('link_id', '=', linkId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostConnections)
    .execute();

/** Keeps who is connected now; what the cloud no longer has is gone here as well. */
export async function storeConnections(
  db: Database,
  linkId: NetworkLinkId,
  connections: readonly ObservedConnection[],
): Promise<void> {
  const kept = connections.slice(0, mostConnections);
  const ids = kept.map(({ connection_id }) => connection_id);
  await db
    .deleteFrom('attachment_connections')
    .where('link_id', '=', linkId)
    .where(sql<boolean>`NOT connection_id = ANY(${ids})`)
    .execute();
  if (kept.length === 0) return;
  await db
    .insertInto('attachment_connections')
    .values(kept.map((connection) => ({ link_id: linkId, ...connection })))
    .onConflict((conflict) =>
      conflict.constraint('attachment_connections_id').doUpdateSet((row) => ({
        consumer_project_id: row.ref('excluded.consumer_project_id'),
        consumer_network: row.ref('excluded.consumer_network'),
        consumer_forwarding_rule: row.ref('excluded.consumer_forwarding_rule'),
        status: row.ref('excluded.status'),
      })),
    )
    .execute();
}
