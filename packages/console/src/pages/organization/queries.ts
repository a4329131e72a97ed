import { getTenantConfig, listCloudAccounts } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { readPages } from '@sluice/console-core/api/pages.ts';
import { read } from '@sluice/console-core/api/query-client.ts';

export const joiningQuery = (tenant_id: number) =>
  read(keyOf('main', tenant_id, 'tenant', 'config'), (signal) =>
    getTenantConfig({ client, path: { tenant_id }, signal }),
  );

export const cloudAccountPagesQuery = (tenant_id: number) =>
  readPages(keyOf('main', tenant_id, 'cloud_account', 'pages'), (page) =>
    listCloudAccounts({ client, path: { tenant_id }, ...page }),
  );
