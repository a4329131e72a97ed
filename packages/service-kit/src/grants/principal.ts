import { allows, type Grant, type Permission, type Place, type Scope } from '@sluice/contracts';
import type { Session } from '../http/session.ts';
import { problem } from '../problem.ts';

/** Who is calling, with what they may do (interface, section 5). */
export interface Principal {
  /** 0 for a session in no tenant */
  tenantId: number;
  user: { id: number; name: string };
  apiKey: { id: number; name: string } | null;
  /** the session that the request belongs to, when no key speaks for it */
  session: Session | null;
  owner: boolean;
  /** the one division that the calling key sees; null: all */
  divisionId: number | null;
  permissions: Grant['permissions'];
  may<S extends Scope>(scope: S, permission: Permission<S>, place?: Place): boolean;
  /** @throws Problem `forbidden`, naming the permission */
  require<S extends Scope>(scope: S, permission: Permission<S>, place?: Place): void;
}

export function principalOf(grant: Grant, session: Session | null = null): Principal {
  const may: Principal['may'] = (scope, permission, place) =>
    allows(grant.permissions, scope, permission, place);
  return {
    tenantId: grant.tenant_id,
    user: grant.user,
    apiKey: grant.api_key,
    session,
    owner: grant.owner,
    divisionId: grant.division_id,
    permissions: grant.permissions,
    may,
    require(scope, permission, place) {
      if (!may(scope, permission, place)) throw lacking(scope, permission);
    },
  };
}

export function lacking(scope: Scope, permission: string) {
  return problem('forbidden', {
    detail: `The key is valid but lacks '${permission}' at ${scope} scope.`,
    extensions: { scope, permission },
  });
}
