import {
  allows,
  idOf,
  noPermissions,
  noTenant,
  type ApiKeyId,
  type DivisionId,
  type Grant,
  type Permission,
  type Place,
  type Ref,
  type Scope,
  type TenantId,
  type UserId,
} from '@sluice/contracts';
import { type Origin, type Right, problem, correlationId, type RequestContext } from '@sluice/service';
import type { Session } from './session.ts';

/** Who is calling, what they may do (interface, section 5), and on whose behalf their changes are recorded. */
export interface Caller extends Origin {
  /** 0 for a session in no tenant */
  tenantId: TenantId;
  user: Ref<UserId>;
  apiKey: Ref<ApiKeyId> | null;
  /** the session that the request belongs to, when no key speaks for it */
  session: Session | null;
  owner: boolean;
  /** the one division that the calling key sees; null: all */
  divisionId: DivisionId | null;
  permissions: Grant['permissions'];
  /** the tenant's own, by which roles of `cloud_a` are assumed; undefined where main-api has not published it */
  externalId: string | undefined;
  /** when the grant ends: a key, a former token of it, or a session that is not used any more */
  expiresAt: string;
  may<S extends Scope>(scope: S, permission: Permission<S>, place?: Place): boolean;
  /** @throws Problem `forbidden`, naming the permission */
  require<S extends Scope>(scope: S, permission: Permission<S>, place?: Place): void;
}

/** The holder of a grant, in the request that they make. */
export function callerOf(
  grant: Grant,
  context: RequestContext,
  { session = null, right }: { session?: Session | null; right?: Right } = {},
): Caller {
  const may: Caller['may'] = (scope, permission, place) =>
    allows(grant.permissions, scope, permission, place);
  return {
    tenantId: grant.tenant_id,
    user: grant.user,
    apiKey: grant.api_key,
    session,
    owner: grant.owner,
    divisionId: grant.division_id,
    permissions: grant.permissions,
    externalId: grant.external_id,
    expiresAt: grant.expires_at,
    ...(right && { right }),
    cause: { author: grant.user, api_key: grant.api_key, correlation_id: correlationId(context) },
    may,
    require(scope, permission, place) {
      if (!may(scope, permission, place)) throw lacking(scope, permission);
    },
  };
}

/** The caller of a public operation: it has no right, and its changes have no author. */
export function anonymousCaller(context: RequestContext): Caller {
  const noGrant: Grant = {
    tenant_id: noTenant,
    user: { id: idOf<UserId>(0), name: 'anonymous' },
    api_key: null,
    owner: false,
    permissions: noPermissions,
    division_id: null,
    allowed_ips: null,
    expires_at: new Date(0).toISOString(),
  };
  return {
    ...callerOf(noGrant, context),
    cause: { author: null, api_key: null, correlation_id: correlationId(context) },
  };
}

export function lacking(scope: Scope, permission: string) {
  return problem('forbidden', {
    detail: `The key is valid but lacks '${permission}' at ${scope} scope.`,
    extensions: { scope, permission },
  });
}
