import { hash } from 'node:crypto';
import { z } from 'zod';
import { apiKeyIdSchema, divisionIdSchema, refSchema, userIdSchema, type TenantId } from './ids.ts';
import { noPermissions } from './permissions.ts';

/**
 * A grant is what a service needs to authorize a request without asking anybody: main-api publishes one per API
 * key into the grants bucket, by the SHA-256 of the token, and every service keeps the bucket in memory. A session has
 * one for itself, which says only who is signed in (tenant 0, no permissions), and one for each membership.
 */
const compiledDivisionSchema = z.object({
  d: z.int(),
  e: z.int(),
  environments: z.record(z.string(), z.int()),
});

/** What may be absent where it says nothing, for there are many grants. */
export const grantSchema = z.object({
  /** 0 for the grant of a session itself */
  tenant_id: z.int().nonnegative().brand<'tenant'>(),
  user: refSchema(userIdSchema),
  api_key: refSchema(apiKeyIdSchema).nullable().default(null),
  /** the tenant's owner: may lower protection and delete the tenant, independent of roles (section 5, 7) */
  owner: z.boolean().default(false),
  permissions: z.object({
    t: z.int(),
    d: z.int(),
    e: z.int(),
    divisions: z.record(z.string(), compiledDivisionSchema).default({}),
  }),
  /** the one division that a division-scoped key sees */
  division_id: divisionIdSchema.nullable().default(null),
  /** addresses or CIDRs; null: any address */
  allowed_ips: z.array(z.string()).nullable().default(null),
  /** by which roles of `cloud_a` let themselves be assumed for the tenant; absent of a session itself */
  external_id: z.uuid().optional(),
  /** the instant from which the token is refused */
  expires_at: z.iso.datetime(),
  /** the token is refused until an operator has decided about it, after a restore of main-api's database */
  frozen: z.literal(true).optional(),
});
export type Grant = z.infer<typeof grantSchema>;

/** A grant as it is published while its token is frozen. A release that does not know `frozen` finds no right and no address in it. */
export function frozenGrant(grant: Grant): Grant {
  return { ...grant, owner: false, permissions: noPermissions, allowed_ips: [], frozen: true };
}

/**
 * A grant's text in the bucket, without what says nothing.
 * @param version higher than that of the value before under its key
 */
export function grantText(grant: Grant, version: number): string {
  const { api_key, owner, permissions, division_id, allowed_ips, ...always } = grant;
  const { divisions, ...bits } = permissions;
  return JSON.stringify({
    version,
    ...always,
    ...(api_key && { api_key }),
    ...(owner && { owner }),
    permissions: Object.keys(divisions).length > 0 ? permissions : bits,
    ...(division_id !== null && { division_id }),
    ...(allowed_ips && { allowed_ips }),
  });
}

/** @throws Error when the text is not a grant's */
export function parseGrant(text: string): Grant {
  return grantSchema.parse(JSON.parse(text));
}

/** The SHA-256 of a token, in 64 hex digits: what is known of it. The token itself is stored nowhere. */
export function tokenHash(token: string): string {
  return hash('sha256', token);
}

/**
 * Where the grant of an API key's token stands in the bucket. The tenant leads, so that a service can follow those of
 * its tenants alone.
 */
export function keyGrantKey(tenantId: TenantId, hash: string): string {
  return `${tenantId}.${hash}`;
}

/** Where the grant of a session stands: in one tenant, or with tenant 0 its own. */
export function sessionGrantKey(tenantId: TenantId, hash: string): string {
  return `${tenantId}.${hash}.session`;
}

/** By what a request asks for a grant: it knows its token, and its tenant only where it has a session. */
export interface GrantName {
  tenantId: TenantId;
  /** of an API key the hash alone, of a session also the tenant */
  name: string;
}

export function sessionGrantName(tenantId: TenantId, hash: string): string {
  return `${hash}.${tenantId}`;
}

/** What a key of the bucket stands for; undefined for what is none. */
export function grantNameOf(key: string): GrantName | undefined {
  const match = /^(0|[1-9]\d{0,15})\.([0-9a-f]{64})(\.session)?$/.exec(key);
  if (!match?.[2]) return undefined;
  const tenantId = Number(match[1]) as TenantId;
  return { tenantId, name: match[3] ? sessionGrantName(tenantId, match[2]) : match[2] };
}

/** The key of the bucket under which a grant of this name stands. */
export function grantKeyOf({ tenantId, name }: GrantName): string {
  const [hash = '', session] = name.split('.');
  return session === undefined ? keyGrantKey(tenantId, hash) : sessionGrantKey(tenantId, hash);
}
