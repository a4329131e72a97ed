import type { KyselyTransaction } from '@sluice/service-kit';
import type { Kysely } from 'kysely';
import type { DeletedTenantsTable } from './features/deleted-tenants/deleted-tenants.store.ts';
import type { EntriesTable } from './features/entries/entries.store.ts';

export interface Tables {
  entries: EntriesTable;
  deleted_tenants: DeletedTenantsTable;
}
export type Database = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;
