import type { SealedColumn } from '@sluice/service';

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'sinks', column: 'sealed_settings', key: ['tenant_id'] },
];
