import type { Session } from '@sluice/grants';
import { done, ok, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { SessionRow } from '@sluice/main-store/sessions.store';
import type { UserRow } from '@sluice/main-store/users.store';
import { sessionOf, type SessionsService } from '../sessions/sessions.service.ts';
import type { AccountsService } from './accounts.service.ts';

export function accountsOperations(accounts: AccountsService, sessions: SessionsService) {
  return {
    getAccount: async ({ caller }) => ok(accountView(await accounts.get(caller), sessionOf(caller))),
    updateAccountSettings: ({ caller, body }) => done(accounts.updateSettings(caller, body)),

    async exportAccount({ caller }) {
      const { user, exportedAt, ...held } = await accounts.export(caller);
      const profile = { ...profileOf(user), updated_at: user.updated_at.toISOString() };
      return ok({ exported_at: exportedAt.toISOString(), profile, ...held });
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

const profileOf = (user: UserRow) => ({
  ...shown(user, 'id', 'name', 'email', 'created_at'),
  limits: { tenants: user.tenants_limit, memberships: user.memberships_limit },
  settings: shown(user, 'default_tenant_id', 'default_division_id'),
});

const sessionView = (session: SessionRow, ownKey: string): components['schemas']['Session'] => ({
  ...shown(session, 'id', 'source', 'machine', 'created_at', 'last_used_at'),
  current: session.token_sha256 === ownKey,
  expires_at: new Date(Math.min(+session.idle_expires_at, +session.expires_at)).toISOString(),
});
