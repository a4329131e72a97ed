import type { Event } from './events.ts';

/** The pages of the console that mails, chats and webhooks lead to. The console's router has a page at each of these paths. */
export const consolePaths = {
  account: '/account',
  device: '/account/device',
  invitations: '/account/invitations',
  tenant: '/t/{tenant}',
  people: '/t/{tenant}/people',
  joinRequests: '/t/{tenant}/people/join-requests',
  notifications: '/t/{tenant}/notifications',
  audit: '/t/{tenant}/audit',
  billing: '/t/{tenant}/billing',
  payment: '/t/{tenant}/billing/payment',
  invoice: '/t/{tenant}/billing/invoices/{invoice}',
  deployment: '/t/{tenant}/d/{division}/{environment}/{deployment}',
  deploymentConnect: '/t/{tenant}/d/{division}/{environment}/{deployment}/connect',
  deploymentMetrics: '/t/{tenant}/d/{division}/{environment}/{deployment}/metrics',
  deploymentSettings: '/t/{tenant}/d/{division}/{environment}/{deployment}/settings',
} as const;
export type ConsolePage = keyof typeof consolePaths;

/** The names that stand in braces in a path. */
type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;
export type ConsoleIds<Page extends ConsolePage> = Record<Names<(typeof consolePaths)[Page]>, number>;

/** The address of a page of the console. @param consoleUrl with or without a slash at its end */
export function consoleLink<Page extends ConsolePage>(
  consoleUrl: string,
  page: Page,
  ids: ConsoleIds<Page>,
): string {
  const path = consolePaths[page].replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String((ids as Record<string, number>)[name]),
  );
  return `${consoleUrl.replace(/\/$/, '')}${path}`;
}

type DeploymentPage = Extract<ConsolePage, `deployment${string}`>;
type TenantPage = 'tenant' | 'people' | 'joinRequests' | 'notifications' | 'audit' | 'billing' | 'payment';

/** By the beginning of the type; the first that fits counts. */
const pagesOfDeployments: [prefix: RegExp, page: DeploymentPage][] = [
  [/^(high_|cpu_|memory_|disk_|node_|consumer_)/, 'deploymentMetrics'],
  [/^(certificate_|deployment_certificates_|deployment_secrets_)/, 'deploymentConnect'],
  [/^billing_/, 'deploymentSettings'],
  [/^/, 'deployment'],
];
const pagesOfTenants: [prefix: RegExp, page: TenantPage][] = [
  [/^tenant_join_requested$/, 'joinRequests'],
  [/^(invitation_|member_)/, 'people'],
  [/^payment_/, 'payment'],
  [/^(billing_|prices_|invoice_)/, 'billing'],
  [/^channel_/, 'notifications'],
  // what is gone has no page
  [/^(audit_|deployment_deleted$|division_deleted$|environment_deleted$)/, 'audit'],
  [/^/, 'tenant'],
];

const pageOf = <Page>(pages: [RegExp, Page][], type: string) =>
  pages.find(([prefix]) => prefix.test(type))![1];

/** The page of the console that an event is about. */
export function consoleLinkOf(
  consoleUrl: string,
  { type, tenant_id: tenant, division, environment, deployment, data }: Event,
): string {
  const invoice = (data as { invoice_id?: unknown } | null)?.invoice_id;
  if (typeof invoice === 'number') return consoleLink(consoleUrl, 'invoice', { tenant, invoice });
  if (!division || !environment || !deployment || type === 'deployment_deleted')
    return consoleLink(consoleUrl, pageOf(pagesOfTenants, type), { tenant });
  const ids = { tenant, division: division.id, environment: environment.id, deployment: deployment.id };
  return consoleLink(consoleUrl, pageOf(pagesOfDeployments, type), ids);
}
