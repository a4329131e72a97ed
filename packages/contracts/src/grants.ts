import { createHash } from 'node:crypto';
import { z } from 'zod';
import { apiKeyIdSchema, divisionIdSchema, refSchema, userIdSchema, type TenantId } from './ids.ts';

/**
 * A grant is what a service needs to authorize a request without asking anybody: main-api publishes one per API
 * key into the grants bucket, keyed by the SHA-256 of the token, and every service keeps the bucket in memory. A
 * session has one for itself, which says only who is signed in (tenant 0, no permissions), and one for each
 * membership.
 */

const compiledDivisionSchema = z.object({
  d: z.int(),
  e: z.int(),
  environments: z.record(z.string(), z.int()),
});

export const grantSchema = z.object({
  /** 0 for the grant of a session itself */
  tenant_id: z.int().nonnegative().brand<'tenant'>(),
  user: refSchema(userIdSchema),
  api_key: refSchema(apiKeyIdSchema).nullable(),
  /** the tenant's owner: may lower protection and delete the tenant, whatever the roles say (section 5, 7) */
  owner: z.boolean(),
  permissions: z.object({
    t: z.int(),
    d: z.int(),
    e: z.int(),
    divisions: z.record(z.string(), compiledDivisionSchema),
  }),
  /** the one division that a division-scoped key sees */
  division_id: divisionIdSchema.nullable(),
  /** addresses or CIDRs; null: any address */
  allowed_ips: z.array(z.string()).nullable(),
  /** the instant from which the token is refused */
  expires_at: z.iso.datetime(),
});
export type Grant = z.infer<typeof grantSchema>;

/** The key of a token's grant: 64 hex digits. The token itself is stored nowhere. */
export function grantKey(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The key of a session's grant in one tenant; the grant of the session itself is at `grantKey` of its token. */
export function sessionGrantKey(sessionKey: string, tenantId: TenantId): string {
  return `${sessionKey}.${tenantId}`;
}
