import { listApiKeys, listDivisionApiKeys } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { readPages } from '@sluice/console-core/api/pages.ts';

export interface KeyFilter {
  q?: string | undefined;
  /** read by the operations of the division, which need a right there alone */
  division?: number | undefined;
}

export const keyPagesQuery = (tenant_id: number, { q: name, division: division_id }: KeyFilter) =>
  readPages(keyOf('main', tenant_id, 'api_key', 'pages', { name, division_id }), ({ query, signal }) => {
    const call = { client, query: { ...query, ...(name !== undefined && { name }) }, signal };
    return division_id === undefined
      ? listApiKeys({ ...call, path: { tenant_id } })
      : listDivisionApiKeys({ ...call, path: { tenant_id, division_id } });
  });
