import { listed, ok, pageOf, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import { auditTypes } from './audit-types.ts';
import type { EntriesService } from './entries.service.ts';
import { entryView } from './entry-view.ts';

export function entriesOperations(entries: EntriesService) {
  return {
    async listAuditTypes() {
      return ok(auditTypes);
    },

    async listAuditEntries({ params, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await entries.list(params, query, page);
      return listed(url, page, rows.map(entryView), total);
    },
  } satisfies Partial<Handlers<operations>>;
}
