import { noContent, ok, type Handlers, type Session } from '@sluice/service-kit';
import { callerOf } from '../../core.ts';
import type { components, operations } from '../../generated/api.ts';
import { sessionOf, type SessionsService } from '../sessions/sessions.service.ts';
import type { SessionRow } from '../sessions/sessions.store.ts';
import type { AccountsService } from './accounts.service.ts';
import type { UserRow } from './accounts.store.ts';

type AccountOperations = Handlers<
  operations,
  | 'getAccount'
  | 'updateAccountSettings'
  | 'exportAccount'
  | 'listSessions'
  | 'deleteOtherSessions'
  | 'deleteSession'
>;

export function accountOperations(accounts: AccountsService, sessions: SessionsService): AccountOperations {
  return {
    async getAccount({ principal }) {
      return ok(accountBody(await accounts.get(principal), sessionOf(principal)));
    },

    async updateAccountSettings(call) {
      await accounts.updateSettings(callerOf(call), call.body);
      return noContent();
    },

    async exportAccount({ principal }) {
      const { user, exportedAt, ...held } = await accounts.export(principal);
      const { id, name, email, created_at, limits, settings } = profileOf(user);
      const updated_at = user.updated_at.toISOString();
      return ok({
        exported_at: exportedAt.toISOString(),
        profile: { id, name, email, created_at, updated_at, limits, settings },
        ...held,
      });
    },

    async listSessions({ principal }) {
      const { key } = sessionOf(principal);
      return ok((await sessions.list(principal)).map((session) => sessionBody(session, key)));
    },

    async deleteOtherSessions(call) {
      await sessions.endOthers(callerOf(call));
      return noContent();
    },

    async deleteSession(call) {
      await sessions.end(callerOf(call), call.params.session_id);
      return noContent();
    },
  };
}

export function accountBody(user: UserRow, { csrfToken }: Session): components['schemas']['Account'] {
  return { ...profileOf(user), csrf_token: csrfToken };
}

function profileOf(user: UserRow) {
  const { id, name, email, tenants_limit, memberships_limit, default_tenant_id, default_division_id } = user;
  return {
    id,
    name,
    email,
    created_at: user.created_at.toISOString(),
    limits: { tenants: tenants_limit, memberships: memberships_limit },
    settings: { default_tenant_id, default_division_id },
  };
}

function sessionBody(session: SessionRow, ownKey: string): components['schemas']['Session'] {
  const ends = Math.min(session.idle_expires_at.getTime(), session.expires_at.getTime());
  return {
    id: session.id,
    source: session.source,
    current: session.token_sha256 === ownKey,
    created_at: session.created_at.toISOString(),
    last_used_at: session.last_used_at.toISOString(),
    expires_at: new Date(ends).toISOString(),
  };
}
