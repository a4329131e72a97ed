import {
  exportAuditLog,
  listAuditEntries,
  paginate,
  type AuditEntry,
  type ListAuditEntriesData,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { writeStream } from '../../files.ts';
import { first } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { members } from '../members/members.ts';
import { inTenant } from '../entries/entries.ts';

export const view: View<AuditEntry> = {
  name: ({ type }) => type,
  columns: [
    { header: 'TIME', value: ({ timestamp }) => timestamp },
    { header: 'TYPE', value: ({ type }) => type },
    { header: 'BY', value: ({ author }) => author?.name ?? 'system' },
    { header: 'WHERE', value: (entry) => placeOf(entry) },
    { header: 'USER', value: ({ user }) => user?.name, wide: true },
    { header: 'KEY', value: ({ api_key }) => api_key?.name, wide: true },
    { header: 'CORRELATION', value: ({ correlation_id }) => correlation_id, wide: true },
    { header: 'DATA', value: ({ data }) => (data === null ? null : JSON.stringify(data)), wide: true },
  ],
};

export const placeOf = ({ division, environment, deployment }: AuditEntry): string =>
  [division, environment, deployment].flatMap((one) => (one ? [one.name ?? one.id] : [])).join('/');

export interface Filters {
  since?: Date;
  until?: Date;
  types?: string[];
  deployment?: string;
  member?: string;
  correlation?: string;
}

type Query = Omit<NonNullable<ListAuditEntriesData['query']>, 'page' | 'results' | 'after' | 'before' | 'q'>;

export async function queryOf(
  cli: Cli,
  { since, until, types, deployment, member, correlation }: Filters,
): Promise<Query> {
  const { places } = await cli.session();
  return {
    ...(since && { from: since.toISOString() }),
    ...(until && { to: until.toISOString() }),
    ...(types && { types }),
    ...(deployment !== undefined && {
      deployment: (await places.find('deployment', deployment)).deployment_id,
    }),
    ...(member !== undefined && {
      author: /^\d+$/.test(member) ? Number(member) : (await members.find(cli, member)).id,
    }),
    ...(correlation !== undefined && { correlation_id: correlation }),
  };
}

export async function list(
  cli: Cli,
  { limit, search, ...filters }: Filters & { limit?: number; search?: string },
): Promise<void> {
  const query = { ...(await queryOf(cli, filters)), ...(search !== undefined && { q: search }) };
  const results = Math.min(limit ?? 100, 100) || 1;
  const all = paginate(listAuditEntries, { ...(await inTenant(cli)), query }, { results });
  await cli.output.list(first(all, limit), view);
}

export async function exportLog(
  cli: Cli,
  { format, out, ...filters }: Filters & { format: 'ndjson' | 'csv'; out?: string },
): Promise<void> {
  const query = { ...(await queryOf(cli, filters)), format };
  const { data } = await exportAuditLog({ ...(await inTenant(cli)), query, parseAs: 'stream' });
  await writeStream(cli, data as unknown as AsyncIterable<Uint8Array>, 'The log', out);
}
