import type { SealedColumn } from '@sluice/service';

export const sealedColumns: readonly SealedColumn[] = [{ table: 'channels', column: 'sealed', key: ['id'] }];
