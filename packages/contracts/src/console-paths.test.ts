import { consoleLink, consoleLinkOf, consolePaths, eventTypes, idOf, type Event } from './index.ts';

const event = (type: string, more: Partial<Event> = {}) =>
  ({
    ...{ type, tenant_id: idOf(3), division: null, environment: null, deployment: null, data: null },
    ...more,
  }) as Event;
const place = {
  division: { id: idOf(12), name: 'd' },
  environment: { id: idOf(31), name: 'e' },
  deployment: { id: idOf(90), name: 'x', uid: 'u' },
} as Partial<Event>;
const inDeployment = '/t/3/d/12/31/90';

test.each([
  ['deployment_initialized', place, inDeployment],
  ['high_cpu_usage', place, `${inDeployment}/metrics`],
  ['consumer_lag_high', place, `${inDeployment}/metrics`],
  ['node_reachable', place, `${inDeployment}/metrics`],
  ['deployment_secrets_rotated', place, `${inDeployment}/connect`],
  ['certificate_expiring', place, `${inDeployment}/connect`],
  ['billing_limit_reached', place, `${inDeployment}/settings`],
  ['deployment_deleted', place, '/t/3/audit'],
  ['tenant_join_requested', {}, '/t/3/people/join-requests'],
  ['member_joined', {}, '/t/3/people'],
  ['invitation_accepted', {}, '/t/3/people'],
  ['invoice_issued', { data: { invoice_id: 7 } }, '/t/3/billing/invoices/7'],
  ['payment_overdue', {}, '/t/3/billing/payment'],
  ['prices_announced', {}, '/t/3/billing'],
  ['audit_sink_failing', {}, '/t/3/audit'],
  ['channel_unsubscribed', {}, '/t/3/notifications'],
  ['division_created', { division: place.division }, '/t/3'],
  ['something_new', place, inDeployment],
])('%s leads to its page', (type, more, path) => {
  for (const consoleUrl of ['https://console.test', 'https://console.test/'])
    expect(consoleLinkOf(consoleUrl, event(type, more))).toBe(`https://console.test${path}`);
});

test('every notification leads to a page of the table', () => {
  const pattern = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '\\d+')}$`);
  const pages = Object.values(consolePaths).map(pattern);
  for (const [type, { notification }] of Object.entries(eventTypes))
    for (const more of notification ? [{}, place] : [])
      expect(pages.some((page) => page.test(consoleLinkOf('', event(type, more))))).toBe(true);
});

test('invitations have a page, whatever the console is behind', () => {
  expect(consoleLink('https://a.test/console/', 'invitations', {})).toBe(
    'https://a.test/console/account/invitations',
  );
});
