import { listed, ok, pageOf, type Handlers } from '@sluice/service-kit';
import type { Database } from '../../database.ts';
import type { operations } from '../../generated/api.ts';
import { filterOf } from './entries.query.ts';
import { auditTypes, listEntries } from './entries.service.ts';

/** The Audit API (interface, 4.15). */
export function entryOperations(database: Database) {
  return {
    listAuditTypes: async () => ok(auditTypes()),

    listAuditEntries: async ({ params, query, url }) => {
      const page = pageOf(query);
      const { entries, total } = await listEntries(database, filterOf(params.tenant_id, query), page);
      return listed(url, page, entries, total);
    },
  } satisfies Partial<Handlers<operations>>;
}
