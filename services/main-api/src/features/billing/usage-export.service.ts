import type { TenantId } from '@sluice/contracts';
import { exportSlots } from '@sluice/http';
import type { Core } from '../../core.ts';
import type { Database } from '@sluice/main-store/database';
import type { TenantPath } from '@sluice/main-store/tenants.store';
import { lineCosts, usageFormats, type ExportedUsage } from '@sluice/billing/usage-lines';
import { listExported, type ExportCursor } from './usage-export.store.ts';
import { spanOf, type UsageQuery } from './usage.service.ts';
import type { Span } from './usage.store.ts';

interface ExportClient {
  /** aborted when the client is gone */
  gone: AbortSignal;
  /** Rejects when the right to read is gone. */
  allowed: () => Promise<unknown>;
}

export type UsageExportService = ReturnType<typeof usageExportService>;

/** lines that are in memory at a time */
const batch = 500;
const checkMilliseconds = 2_000;

/** Usage as files (completions, "Billing"). Nothing is held between two statements: neither a transaction nor a connection. */
export function usageExportService({ database, now }: Pick<Core, 'database' | 'now'>, stopping: AbortSignal) {
  const slots = exportSlots({ ofTenant: 2, inAll: 8 });
  return {
    /** @throws Problem `invalid_request`, `too_many_exports` */
    open(
      { tenant_id }: TenantPath,
      {
        format = 'ndjson',
        ...query
      }: Pick<UsageQuery, 'from' | 'to'> & { format?: keyof typeof usageFormats },
      { gone, allowed }: ExportClient,
    ) {
      const span = spanOf(query, now());
      const { type, extension, head, line } = usageFormats[format];
      const free = slots.take(tenant_id);
      // also where the client never begins to read
      gone.addEventListener('abort', free);
      async function* content() {
        let checkedAt = performance.now();
        try {
          const costs = lineCosts();
          if (head !== '') yield head;
          for await (const usages of batchesOf(database, tenant_id, span)) {
            stopping.throwIfAborted();
            if (performance.now() - checkedAt >= checkMilliseconds) {
              await allowed();
              checkedAt = performance.now();
            }
            yield usages.map((usage) => `${line(usage, costs(usage))}\n`).join('');
          }
        } finally {
          free();
        }
      }
      return { type, name: `usage-${tenant_id}.${extension}`, content: content() };
    },
  };
}

async function* batchesOf(
  database: Database,
  tenantId: TenantId,
  span: Span,
): AsyncGenerator<ExportedUsage[]> {
  let cursor: ExportCursor = { billed_id: 0, started_at: null };
  for (;;) {
    const usages = await listExported(database, tenantId, span, cursor, batch);
    const last = usages.at(-1);
    if (!last) return;
    yield usages;
    if (usages.length < batch) return;
    cursor = last;
  }
}
