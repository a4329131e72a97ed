import type { ChangeFeeds, Handlers } from '@sluice/http';
import type { Log } from '@sluice/service';
import type { MainApiEnvironment } from './config.ts';
import type { Core } from './core.ts';
import { apiKeysOperations } from './features/access/api-keys/api-keys.operations.ts';
import { apiKeysService } from './features/access/api-keys/api-keys.service.ts';
import { effectivePermissionsOperations } from './features/access/roles/effective-permissions.operations.ts';
import { effectivePermissionsService } from './features/access/roles/effective-permissions.service.ts';
import { rolesOperations } from './features/access/roles/roles.operations.ts';
import { rolesService } from './features/access/roles/roles.service.ts';
import { billingInfoService } from './features/billing/billing-info.service.ts';
import { billingOperations } from './features/billing/billing.operations.ts';
import { budgetsOperations } from './features/billing/budgets.operations.ts';
import { budgetsService } from './features/billing/budgets.service.ts';
import { usageExportService } from './features/billing/usage-export.service.ts';
import { invoicesOperations } from './features/billing/invoices.operations.ts';
import { invoicesService } from './features/billing/invoices.service.ts';
import { usageService } from './features/billing/usage.service.ts';
import { discoveryOperations } from './features/catalogue/discovery.operations.ts';
import { discoveryService } from './features/catalogue/discovery.service.ts';
import { previewOperations } from './features/catalogue/preview.operations.ts';
import { previewService } from './features/catalogue/preview.service.ts';
import { connectorsOperations } from './features/connectors/connectors.operations.ts';
import { connectorsService } from './features/connectors/connectors.service.ts';
import { byocOperations } from './features/deployments/byoc.operations.ts';
import { byocService } from './features/deployments/byoc.service.ts';
import { deploymentChangesService } from './features/deployments/deployment-changes.service.ts';
import { deploymentsOperations } from './features/deployments/deployments.operations.ts';
import { deploymentsService } from './features/deployments/deployments.service.ts';
import { upgradesOperations } from './features/deployments/upgrades.operations.ts';
import { upgradesService } from './features/deployments/upgrades.service.ts';
import { eventsOperations } from './features/events/events.operations.ts';
import { accountsOperations } from './features/identity/accounts/accounts.operations.ts';
import { accountsService } from './features/identity/accounts/accounts.service.ts';
import { identitiesOperations } from './features/identity/identities/identities.operations.ts';
import { identitiesService } from './features/identity/identities/identities.service.ts';
import { deviceSignInOperations } from './features/identity/devices/device-sign-in.operations.ts';
import { deviceSignInService } from './features/identity/devices/device-sign-in.service.ts';
import { sessionsService } from './features/identity/sessions/sessions.service.ts';
import { cookiesFor } from './features/identity/sign-in/cookies.ts';
import { identityProvider } from '@sluice/sign-in/identity-provider';
import { signInOperations } from './features/identity/sign-in/sign-in.operations.ts';
import { signInService } from './features/identity/sign-in/sign-in.service.ts';
import { channelSubscriptionsService } from './features/notifications/channel-subscriptions.service.ts';
import { channelsService } from './features/notifications/channels.service.ts';
import { notificationsOperations } from './features/notifications/notifications.operations.ts';
import { unsubscribeOperations } from './features/notifications/unsubscribe.operations.ts';
import { unsubscribeService } from './features/notifications/unsubscribe.service.ts';
import { paymentsOperations } from './features/payments/payments.operations.ts';
import { paymentsService } from './features/payments/payments.service.ts';
import { cloudAccountsOperations } from './features/organization/cloud-accounts/cloud-accounts.operations.ts';
import { cloudAccountsService } from './features/organization/cloud-accounts/cloud-accounts.service.ts';
import { contextOperations } from './features/organization/context/context.operations.ts';
import { contextService } from './features/organization/context/context.service.ts';
import { divisionsOperations } from './features/organization/divisions/divisions.operations.ts';
import { divisionsService } from './features/organization/divisions/divisions.service.ts';
import { environmentsOperations } from './features/organization/environments/environments.operations.ts';
import { environmentsService } from './features/organization/environments/environments.service.ts';
import {
  invitationsOperations,
  ownInvitationsOperations,
} from './features/organization/invitations/invitations.operations.ts';
import {
  invitationsService,
  ownInvitationsService,
} from './features/organization/invitations/invitations.service.ts';
import { joinRequestsOperations } from './features/organization/join-requests/join-requests.operations.ts';
import { joinRequestsService } from './features/organization/join-requests/join-requests.service.ts';
import { membersOperations } from './features/organization/members/members.operations.ts';
import { membersService } from './features/organization/members/members.service.ts';
import { ownTenantsOperations } from './features/organization/own-tenants/own-tenants.operations.ts';
import { ownTenantsService } from './features/organization/own-tenants/own-tenants.service.ts';
import { protectionOperations } from './features/organization/protection/protection.operations.ts';
import { protectionService } from './features/organization/protection/protection.service.ts';
import { structureOperations } from './features/organization/structure/structure.operations.ts';
import { structureService } from './features/organization/structure/structure.service.ts';
import { subscriptionOperations } from './features/organization/subscription/subscription.operations.ts';
import { subscriptionService } from './features/organization/subscription/subscription.service.ts';
import { tenantConfigOperations } from './features/organization/tenant-config/tenant-config.operations.ts';
import { tenantConfigService } from './features/organization/tenant-config/tenant-config.service.ts';
import { tenantsOperations } from './features/organization/tenants/tenants.operations.ts';
import { tenantsService } from './features/organization/tenants/tenants.service.ts';
import { statusOperations } from './features/status/status.operations.ts';
import { statusService } from './features/status/status.service.ts';
import type { operations } from './generated/api.ts';

/** What operations and pages sign people in with. */
export function signInParts(core: Core, environment: MainApiEnvironment, log: Log) {
  return {
    signIns: signInsOf(core, environment, log),
    devices: deviceSignInService(core),
    cookies: cookiesFor(environment.PUBLIC_URL, core.sessionTimes.longestMilliseconds),
    pageUrl: environment.DEVICE_PAGE_URL ?? addressIn(environment, 'device'),
    hasOwnPage: environment.DEVICE_PAGE_URL === undefined,
  };
}

/** What answers each operation of the document. One that is left out does not compile. */
export function handlersOf(
  core: Core,
  environment: MainApiEnvironment,
  release: string,
  log: Log,
  { signIns, devices, cookies, pageUrl }: ReturnType<typeof signInParts>,
  feeds: ChangeFeeds,
  stopping: AbortSignal,
): Handlers<operations> {
  const sessions = sessionsService(core);
  const deployments = deploymentsService(core);
  return {
    // access
    ...rolesOperations(rolesService(core)),
    ...effectivePermissionsOperations(effectivePermissionsService(core)),
    ...apiKeysOperations(apiKeysService(core)),
    ...eventsOperations(feeds),
    // organization
    ...contextOperations(contextService(core, installationOf(environment, release))),
    ...statusOperations(statusService(core)),
    ...tenantsOperations(tenantsService(core)),
    ...structureOperations(structureService(core)),
    ...tenantConfigOperations(tenantConfigService(core)),
    ...subscriptionOperations(subscriptionService(core)),
    ...ownTenantsOperations(ownTenantsService(core)),
    ...divisionsOperations(divisionsService(core)),
    ...environmentsOperations(environmentsService(core)),
    ...cloudAccountsOperations(cloudAccountsService(core)),
    ...membersOperations(membersService(core)),
    ...invitationsOperations(invitationsService(core), core.now),
    ...ownInvitationsOperations(ownInvitationsService(core), core.now),
    ...joinRequestsOperations(joinRequestsService(core)),
    ...protectionOperations(protectionService(core)),
    // identity
    ...accountsOperations(accountsService(core), sessions),
    ...identitiesOperations(identitiesService(core)),
    ...signInOperations(signIns, sessions, cookies, {
      returnUrl: environment.ACCOUNT_RETURN_URL,
      devicePageUrl: pageUrl,
    }),
    ...deviceSignInOperations(devices, pageUrl),
    // deployments and what can be deployed
    ...deploymentsOperations(deployments, deploymentChangesService(core)),
    ...upgradesOperations(upgradesService(core)),
    ...byocOperations(byocService(core), deployments),
    ...connectorsOperations(connectorsService(core)),
    ...discoveryOperations(discoveryService(core)),
    ...previewOperations(previewService(core)),
    // billing
    ...billingOperations(
      core,
      billingInfoService(core),
      usageService(core),
      usageExportService(core, stopping),
    ),
    ...budgetsOperations(budgetsService(core)),
    ...invoicesOperations(invoicesService(core)),
    ...paymentsOperations(paymentsService(core, log)),
    // notifications
    ...notificationsOperations(channelsService(core), channelSubscriptionsService(core)),
    ...unsubscribeOperations(unsubscribeService(core)),
  };
}

const installationOf = (environment: MainApiEnvironment, release: string) => ({
  release,
  api_url: environment.PUBLIC_URL,
  audit_url: environment.AUDIT_URL ?? null,
  console_url: environment.CONSOLE_URL ?? null,
  regionReportSeconds: environment.REGION_REPORT_SECONDS,
});

function signInsOf(core: Core, environment: MainApiEnvironment, log: Log) {
  const providers = environment.OIDC_PROVIDERS.map((config) => identityProvider(config, log));
  const page = addressIn(environment, 'account/auth/callback');
  return signInService(core, providers, { client: environment.SIGN_IN_CALLBACK_URL ?? page, page });
}

const addressIn = ({ PUBLIC_URL }: MainApiEnvironment, path: string) =>
  `${PUBLIC_URL.replace(/\/$/, '')}/${path}`;
