import type { SealedColumn } from '@sluice/service';

/** Copies of passwords in `deployment_access` are sealed by regions, with keys of their own. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'cloud_accounts', column: 'sealed_settings', key: ['id'] },
  { table: 'channels', column: 'sealed_secrets', key: ['id'] },
];
