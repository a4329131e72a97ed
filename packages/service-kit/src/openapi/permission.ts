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
 * - `{scope, permission}`: whoever holds the permission at that scope in the place that the path names
 */
export type Declaration =
  | { kind: 'public' }
  | { kind: 'authenticated' }
  | { kind: 'session' }
  | { kind: 'agent' }
  | { kind: 'owner' }
  | { [S in Scope]: { kind: 'permission'; scope: S; permission: Permission<S> } }[Scope];

const declarationSchema = z.union([
  z.enum(['public', 'authenticated', 'session', 'agent']),
  z.strictObject({ scope: z.literal('tenant'), owner: z.literal(true) }),
  z
    .strictObject({ scope: z.enum(scopes), permission: z.string() })
    .refine(({ scope, permission }) => isPermission(scope, permission), 'no such permission at this scope'),
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
