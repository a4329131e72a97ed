import { isPermission, scopes, type Permission, type Scope } from '@sluice/contracts';
import { z } from 'zod';
import type { DeclaredOperation } from './document.ts';

/**
 * Who may call an operation, as `x-permission` declares it in the OpenAPI document:
 * - `public`: anybody, without a key
 * - `authenticated`: any valid key
 * - `session`: a person who is signed in; where the path names a tenant, a member of it
 * - `agent`: a node agent, by its signed token
 * - `{scope: tenant, owner: true}`: the tenant's owner only
 * - `{scope, permission}`: callers with the permission at that scope in the place that the path names
 * - the same with `or: {scope, permission}`: or that other one. At division scope it counts where the request names a
 *   division; where it names no tenant either, in any place at all.
 * - the same with `division_keys: true`: or callers with a key that is bound to the division of the path, or to any
 *   where the path names none. The operation shows such a key no more than its division.
 * - the same with `anywhere: true`: or callers that hold it in any place of the tenant. The operation shows no more than these.
 */
export type Declaration =
  | { kind: 'public' }
  | { kind: 'authenticated' }
  | { kind: 'session' }
  | { kind: 'agent' }
  | { kind: 'owner' }
  | (Held & { kind: 'permission'; or?: Held; division_keys?: true; anywhere?: true });

/** A permission at the scope that it is asked for. */
export type Held = { [S in Scope]: { scope: S; permission: Permission<S> } }[Scope];

const heldSchema = z.strictObject({ scope: z.enum(scopes), permission: z.string() });
const exists = ({ scope, permission }: z.infer<typeof heldSchema>) => isPermission(scope, permission);

const declarationSchema = z.union([
  z.enum(['public', 'authenticated', 'session', 'agent']),
  z.strictObject({ scope: z.literal('tenant'), owner: z.literal(true) }),
  heldSchema
    .extend({
      or: heldSchema.refine(exists, 'no such permission at this scope').optional(),
      division_keys: z.literal(true).optional(),
      anywhere: z.literal(true).optional(),
    })
    .refine(exists, 'no such permission at this scope'),
]);

/** Reads an operation's `x-permission`. @throws Error when it is missing or says something that does not exist */
export function declarationOf({ path, method, operation }: DeclaredOperation): Declaration {
  const result = declarationSchema.safeParse(operation['x-permission']);
  if (!result.success) {
    throw new Error(
      `${method.toUpperCase()} ${path} has no valid x-permission: ${result.error.issues[0]?.message}`,
    );
  }
  if (typeof result.data === 'string') return { kind: result.data };
  if ('owner' in result.data) return { kind: 'owner' };
  return { kind: 'permission', ...result.data } as Declaration;
}
