import type { ApiKey } from '@sluice/client';

/** What is asked for about a key. */
export type OpenedDialog = { kind: 'create' } | { kind: 'rotate' | 'addresses' | 'revoke'; apiKey: ApiKey };
