import type { TenantId } from '@sluice/contracts';
import { csvHeader, csvLine, ndjsonLine } from '@sluice/contracts/audit-export';
import { exportSlots, type QueryOf } from '@sluice/http';
import { problem } from '@sluice/service';
import type { Database } from '../../database/tables.ts';
import type { operations } from '../../generated/api.ts';
import { isDeleted } from '../deleted-tenants/deleted-tenants.store.ts';
import type { EntryFilter } from '../audit-log/entry-filter.ts';
import {
  findEntriesIn,
  findLogEnd,
  findOldestEntryAfter,
  type LogRange,
} from '../audit-log/log-reading.store.ts';
import type { LogEntry } from '../audit-log/log-entries.store.ts';
import { filterOf } from '../entries/query-filter.ts';
import type { PlansService } from '../plans/plans.service.ts';

export interface ExportDependencies {
  database: Database;
  plans: PlansService;
  /** aborted when the service begins to stop */
  stopping: AbortSignal;
}

/** Who takes it. */
export interface ExportClient {
  /** aborted when the client is */
  gone: AbortSignal;
  /** Rejects when the right to read is gone. */
  allowed: () => Promise<unknown>;
}

export type ExportService = ReturnType<typeof exportService>;

const formats = {
  ndjson: { type: 'application/x-ndjson', head: '', line: ndjsonLine },
  csv: { type: 'text/csv; charset=utf-8', head: `${csvHeader}\n`, line: csvLine },
} as const;

/** what is in memory at a time */
const most = { entries: 250, bytes: 2 ** 20 };
/** entries that one statement looks at, so that none is long where few satisfy the filter */
const window = 20_000;
const checkMilliseconds = 2_000;

/** Logs as files (interface, 4.15). Nothing is held between two statements: neither a transaction nor a connection. */
export function exportService({ database, plans, stopping }: ExportDependencies) {
  const slots = exportSlots({ ofTenant: 2, inAll: 8 });
  return {
    /** @throws Problem `invalid_request`, `not_found` when the tenant is deleted, `feature_not_available`, `too_many_exports` */
    async open(
      { tenant_id }: { tenant_id: TenantId },
      { format = 'ndjson', after = 0, ...query }: QueryOf<operations['exportAuditLog']>,
      { gone, allowed }: ExportClient,
    ) {
      const filter = filterOf(tenant_id, query);
      if (await isDeleted(database, tenant_id)) throw problem('not_found');
      await plans.requireExport(database, tenant_id);
      const { type, head, line } = formats[format];
      const shownFrom = await plans.shownFrom(tenant_id);
      const free = slots.take(tenant_id);
      // also where the client never begins to read
      gone.addEventListener('abort', free);
      async function* content() {
        try {
          if (head !== '') yield head;
          for await (const entries of batches(database, filter, { after, recordedSince: shownFrom })) {
            stopping.throwIfAborted();
            await check();
            yield entries.map((entry) => `${line(entry)}\n`).join('');
          }
        } finally {
          free();
        }
      }
      let checkedAt = performance.now();
      const check = async () => {
        if (performance.now() - checkedAt < checkMilliseconds) return;
        await allowed();
        checkedAt = performance.now();
      };
      return { type, extension: format, content: content() };
    },
  };
}

/**
 * All that satisfies the filter by now, some at a time. What is older than the plan's retention is left out by when it was recorded,
 * and not by when it happened: so nothing is missing in between.
 */
async function* batches(
  database: Database,
  filter: EntryFilter,
  { after, recordedSince: shownFrom }: LogRange,
): AsyncGenerator<LogEntry[]> {
  const end = await findLogEnd(database, filter.tenant);
  const oldest = await findOldestEntryAfter(database, filter.tenant, { after, recordedSince: shownFrom });
  if (!oldest) return;
  let recordedSince = oldest.recorded_at;
  for (let done = oldest.seq - 1; done < end;) {
    const upTo = Math.min(done + window, end);
    const range = { after: done, upTo, recordedSince };
    const { entries, isAll } = await findEntriesIn(database, filter, range, most);
    const last = entries.at(-1);
    if (last) {
      recordedSince = new Date(last.recorded_at);
      yield entries;
    }
    done = last && !isAll ? last.seq : upTo;
  }
}
