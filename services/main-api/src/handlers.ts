import type { Log } from '@sluice/service-kit';
import type { MainApiEnvironment } from './config.ts';
import type { Core } from './core.ts';
import { joinRequestOperations } from './features/organization/join-requests/join-requests.operations.ts';
import { joinRequestsService } from './features/organization/join-requests/join-requests.service.ts';
import { ownTenantOperations } from './features/organization/own-tenants/own-tenants.operations.ts';
import { ownTenantsService } from './features/organization/own-tenants/own-tenants.service.ts';
import { sessionsService } from './features/identity/sessions/sessions.service.ts';
import { cookiesFor } from './features/identity/sign-in/cookies.ts';
import { identityProvider } from './features/identity/sign-in/identity-provider.ts';
import { signInOperations } from './features/identity/sign-in/sign-in.operations.ts';
import { signInService } from './features/identity/sign-in/sign-in.service.ts';
import { accountOperations } from './features/identity/accounts/accounts.operations.ts';
import { accountsService } from './features/identity/accounts/accounts.service.ts';
import { ownInvitationOperations } from './features/organization/invitations/own-invitations.operations.ts';
import { ownInvitationsService } from './features/organization/invitations/own-invitations.service.ts';

/** Everything that people do for themselves: sign in and out, keep their account, found, join and leave tenants. */
export function peopleOperations(core: Core, environment: MainApiEnvironment, log: Log) {
  const { OIDC_PROVIDERS, ACCOUNT_RETURN_URL, PUBLIC_URL } = environment;
  const redirectUri = `${PUBLIC_URL.replace(/\/$/, '')}/account/auth/callback`;
  const providers = OIDC_PROVIDERS.map((config) => identityProvider(config, redirectUri, log));
  const sessions = sessionsService(core);
  const cookies = cookiesFor(PUBLIC_URL, core.sessionTimes.longestMilliseconds);
  return {
    ...signInOperations(signInService(core, providers), sessions, cookies, ACCOUNT_RETURN_URL),
    ...accountOperations(accountsService(core), sessions),
    ...ownInvitationOperations(ownInvitationsService(core), core.now),
    ...ownTenantOperations(ownTenantsService(core)),
    ...joinRequestOperations(joinRequestsService(core)),
  };
}
