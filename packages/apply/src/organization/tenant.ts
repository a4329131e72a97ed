import { getAuditSink, getTenantConfig, SluiceError } from '@sluice/client';
import type { Fields } from '../entries.ts';
import type { Reader } from './reader.ts';

type Read = Pick<Reader, 'client' | 'signal' | 'tenantId'>;

export async function configurationFields({ client, signal, tenantId: tenant_id }: Read): Promise<Fields> {
  const { data } = await getTenantConfig({ client, path: { tenant_id }, signal });
  const { join_policy, block_external_invitations, enforce_domain_only_invitations } = data;
  return { join_policy, block_external_invitations, enforce_domain_only_invitations };
}

export async function readConfiguration(reader: Reader): Promise<void> {
  const fields = await configurationFields(reader);
  reader.add({ kind: 'tenant configuration', name: '', parent: null, place: '', id: 0, fields });
}

/** @returns undefined where there is none */
export async function sinkFields({ client, signal, tenantId: tenant_id }: Read): Promise<Fields | undefined> {
  try {
    const { data } = await getAuditSink({ client, path: { tenant_id }, signal });
    const { enabled, interval_seconds, https, s3 } = data;
    return { enabled, interval_seconds, ...(https && { https }), ...(s3 && { s3 }) };
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'not_found') return undefined;
    throw error;
  }
}

export async function readAuditSink(reader: Reader): Promise<void> {
  const fields = await sinkFields(reader);
  if (fields) reader.add({ kind: 'audit sink', name: '', parent: null, place: '', id: 0, fields });
}
