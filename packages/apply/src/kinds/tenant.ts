import { deleteAuditSink, putAuditSink, replaceTenantConfig, type TenantConfigInput } from '@sluice/client';
import { without } from '../entries.ts';
import { configurationFields, sinkFields } from '../organization/tenant.ts';
import { covers, picked, requireUnchanged, type Kind, type Run } from './kind.ts';

/** What a tenant has once: how people come into it, and where its audit log is sent. */

const callOf = ({ client, signal, ids }: Run) => ({ client, signal, path: { tenant_id: ids.tenantId } });
const readerOf = ({ client, signal, ids }: Run) => ({ client, signal, tenantId: ids.tenantId });

export const tenantConfiguration: Kind = {
  create: {
    operation: () => 'replaceTenantConfig',
    // there always is one
    send: () => Promise.reject(new Error('The tenant configuration was not read.')),
  },
  updates: (wanted, existing, changed) => [
    {
      fields: [...changed],
      operation: 'replaceTenantConfig',
      async send(run) {
        await requireUnchanged(tenantConfiguration, existing, run);
        const body = { ...existing.fields, ...wanted.fields } as unknown as TenantConfigInput;
        await replaceTenantConfig({ ...callOf(run), body });
      },
    },
  ],
  reread: async (_existing, run) => ({ fields: await configurationFields(readerOf(run)) }),
};

export const auditSink: Kind = {
  // where it begins counts for a new one
  same: { https: covers, s3: covers, start: () => true },
  required: [['https', 's3']],
  create: {
    operation: () => 'putAuditSink',
    send: (wanted, run) => putAuditSink({ ...callOf(run), body: wanted.fields }),
  },
  updates: (wanted, existing, changed) => [
    {
      fields: [...changed],
      operation: 'putAuditSink',
      async send(run) {
        await requireUnchanged(auditSink, existing, run);
        const fields = picked(wanted, [...changed]);
        // what it is sent to goes as a whole: the one that there is, with secrets that stay as `***`, or the one of the document
        const isElsewhere = 'https' in fields || 's3' in fields;
        const before = isElsewhere ? without(existing.fields, 'https', 's3') : existing.fields;
        await putAuditSink({ ...callOf(run), body: { ...before, ...fields } });
      },
    },
  ],
  remove: {
    operation: () => 'deleteAuditSink',
    async send(existing, run) {
      await requireUnchanged(auditSink, existing, run);
      await deleteAuditSink(callOf(run));
    },
  },
  async reread(_existing, run) {
    const fields = await sinkFields(readerOf(run));
    return fields && { fields };
  },
};
