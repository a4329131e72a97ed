import type { Session } from '@sluice/grants';
import { ok, type Handlers } from '@sluice/http';
import { done } from '../../../answers.ts';
import type { components, operations } from '../../../generated/api.ts';
import type { SessionRow } from '../../../stores/sessions.store.ts';
import type { UserRow } from '../../../stores/users.store.ts';
import { sessionOf, type SessionsService } from '../sessions/sessions.service.ts';
import type { AccountsService } from './accounts.service.ts';

export function accountsOperations(accounts: AccountsService, sessions: SessionsService) {
  return {
    getAccount: async ({ caller }) => ok(accountView(await accounts.get(caller), sessionOf(caller))),
    updateAccountSettings: ({ caller, body }) => done(accounts.updateSettings(caller, body)),

    async exportAccount({ caller }) {
      const { user, exportedAt, ...held } = await accounts.export(caller);
      const { id, name, email, created_at, limits, settings } = profileOf(user);
      const updated_at = user.updated_at.toISOString();
      return ok({
        exported_at: exportedAt.toISOString(),
        profile: { id, name, email, created_at, updated_at, limits, settings },
        ...held,
      });
    },

    async listSessions({ caller }) {
      const { key } = sessionOf(caller);
      return ok((await sessions.list(caller)).map((session) => sessionView(session, key)));
    },

    deleteOtherSessions: ({ caller }) => done(sessions.deleteOthers(caller)),
    deleteSession: ({ caller, params }) => done(sessions.delete(caller, params)),
  } satisfies Partial<Handlers<operations>>;
}

export const accountView = (user: UserRow, { csrfToken }: Session): components['schemas']['Account'] => ({
  ...profileOf(user),
  csrf_token: csrfToken,
});

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

function sessionView(session: SessionRow, ownKey: string): components['schemas']['Session'] {
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
