import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { ExportService } from './export.service.ts';

export function exportOperations(exports: ExportService) {
  return {
    async exportAuditLog({ params, query, signal, allowed }) {
      const { type, extension, content } = await exports.open(params, query, { gone: signal, allowed });
      const name = `audit-${params.tenant_id}.${extension}`;
      const headers = { 'content-disposition': `attachment; filename="${name}"` };
      return { ...ok(undefined), raw: { type, headers, content } };
    },
  } satisfies Partial<Handlers<operations>>;
}
