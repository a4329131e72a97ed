import type { SealedColumn } from '@sluice/service';

/** main-api keeps copies of logins as they are sealed here, and gets them anew with the next inventory (decision 115). */
const raisesRevision =
  'access_revision = greatest(access_revision + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)';

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'former_credentials', column: 'sealed_password', key: ['deployment_id', 'username'] },
  { table: 'deployments', column: 'sealed_password', key: ['id'], besides: raisesRevision },
  { table: 'deployment_clusters', column: 'sealed_password', key: ['deployment_id'] },
  { table: 'deployment_clusters', column: 'sealed_key', key: ['deployment_id'] },
  { table: 'certificate_authorities', column: 'sealed_key', key: ['id'] },
  { table: 'deployment_certificates', column: 'sealed_key', key: ['deployment_id'] },
  { table: 'acme_accounts', column: 'sealed_key', key: ['directory_url'] },
  { table: 'acme_orders', column: 'sealed_key', key: ['deployment_id'] },
  { table: 'encryption_keys', column: 'sealed_key', key: ['deployment_id', 'version'] },
  { table: 'configs', column: 'sealed_values', key: ['id'] },
];
