import { createHash } from 'node:crypto';
import type { TenantId } from '@sluice/contracts';

/** Stands for an address of a tenant in the database: without a key, since it has to hold after keys were replaced. */
export const addressHash = (tenantId: TenantId, address: string) =>
  createHash('sha256').update(`${tenantId} ${address.toLowerCase()}`).digest('hex');
