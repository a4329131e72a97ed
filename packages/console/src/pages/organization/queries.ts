import { getTenantConfig, listCloudAccounts } from '@sluice/client';
import { sluice as client } from '../../api/client.ts';
import { keyOf } from '../../api/keys.ts';
import { readPages } from '../../api/pages.ts';
import { read } from '../../api/query-client.ts';

export const joiningQuery = (tenant_id: number) =>
  read(keyOf('main', tenant_id, 'tenant', 'config'), (signal) =>
    getTenantConfig({ client, path: { tenant_id }, signal }),
  );

export const cloudAccountPagesQuery = (tenant_id: number) =>
  readPages(keyOf('main', tenant_id, 'cloud_account', 'pages'), (page) =>
    listCloudAccounts({ client, path: { tenant_id }, ...page }),
  );
