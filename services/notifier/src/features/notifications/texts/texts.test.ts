import { eventTypes, idOf, type NotificationType } from '@sluice/contracts';
import { examples, exampleOf } from '#test/notification-examples.ts';
import { renderNotification } from './index.ts';

/** What a person gets of each type: the subject, and what the body says besides; `place` is where the deployment is. */
const texts = new Map(
  `
  deployment_created | Deployment “orders” is being created | place | Ada Lovelace | us-east-1
  deployment_initialized | Deployment “orders” is ready | place
  deployment_upgraded | Deployment “orders” was upgraded to medium | place
  deployment_deleted | Deployment “orders” was deleted | place | Ada Lovelace
  deployment_restored | Deployment “orders” was restored by its region | place
  deployment_data_lost | Deployment “orders” has lost data | place | node-1, node-2 and node-3
  deployment_certificates_rotated | Deployment “orders” has a new certificate | place | Ada Lovelace | 1 March 2027, 12:00 UTC
  deployment_secrets_rotated | Deployment “orders” has a new login | place | Ada Lovelace | 1 March 2026, 13:00 UTC
  certificate_expiring | Certificate of deployment “orders” ends on 8 March 2026, 12:00 UTC | place | the authority does not answer
  payment_failed | The payment of invoice SL-000042 has failed | $118.20 | insufficient_funds | 9 March 2026, 12:00 UTC
  payment_overdue | Invoice SL-000042 is overdue | $118.20 | none is created
  billing_limit_near | Deployment “orders” has cost 80 % of its spend limit | place | $200.00 | $250.00
  billing_limit_reached | Deployment “orders” has reached its spend limit and is stopped | place | $250.00 | 1 April 2026, 00:00 UTC
  billing_budget_reached | Budget “Production” has reached 80 % in 2026-03 | $400.00 | $500.00
  billing_budget_forecast | Budget “Production” will be exceeded in 2026-03 | $612.40 | $500.00
  prices_announced | Prices change on 1 April 2026, 00:00 UTC | other prices are valid
  invoice_issued | Invoice INV-000007 for February 2026 was issued | 103.20 USD | 31 March 2026, 12:00 UTC
  invitation_created | grace@acme.example was invited into the tenant “Acme” | Ada Lovelace | developer and viewer
  invitation_accepted | grace@acme.example has accepted the invitation into the tenant “Acme” | Grace Hopper | developer and viewer
  invitation_rejected | grace@acme.example has rejected the invitation into the tenant “Acme”
  tenant_join_requested | grace@acme.example asks to join the tenant “Acme” | Grace Hopper
  member_joined | grace@acme.example has joined the tenant “Acme” | Grace Hopper | role viewer
  channel_unsubscribed | An address has unsubscribed: notification channel On call | “On call”
  tenant_config_updated | The configuration of the tenant “Acme” was changed | Ada Lovelace | join policy and block external invitations
  division_created | Division “Payments” was created | division “Payments” | Ada Lovelace
  division_updated | Division “Payments” was changed | division “Payments” | Ada Lovelace | description and email
  division_deleted | Division “Payments” was deleted | division “Payments” | Ada Lovelace
  environment_created | Environment “production” was created | “production” of the division “Payments” | Ada Lovelace
  environment_updated | Environment “production” was changed | “production” of the division “Payments” | Ada Lovelace | protected
  environment_deleted | Environment “production” was deleted | “production” of the division “Payments” | Ada Lovelace
  high_cpu_usage | High processor usage on node-1 of deployment “orders”: 91 % | place | 85 % | 1 March 2026, 11:55 UTC
  high_memory_usage | High memory usage on node-1 of deployment “orders”: 93 % | place | 90 % | 1 March 2026, 11:55 UTC
  high_disk_usage | High disk usage on node-1 of deployment “orders”: 88 % | place | 85 % | 1 March 2026, 11:55 UTC
  cpu_usage_resolved | Processor usage on node-1 of deployment “orders” is normal again: 40 % | place | 1 March 2026, 11:55 UTC
  memory_usage_resolved | Memory usage on node-1 of deployment “orders” is normal again: 61 % | place | 1 March 2026, 11:55 UTC
  disk_usage_resolved | Disk usage on node-1 of deployment “orders” is normal again: 70 % | place | 1 March 2026, 11:55 UTC
  node_unreachable | The agent of node-1 of deployment “orders” is unreachable | place | 1 March 2026, 11:58 UTC
  node_reachable | The broker of node-1 of deployment “orders” is back | place | 1 March 2026, 11:58 UTC
  consumer_lag_high | Consumer “billing” of deployment “orders” lags by 12,000 messages | place | “ORDERS” | 10,000 or more | 1 March 2026, 11:55 UTC
  consumer_lag_high_resolved | Consumer “billing” of deployment “orders” has caught up: 4,200 messages wait | place | “ORDERS” | 1 March 2026, 11:55 UTC
  region_drained | Region us-east-1 of cloud_a takes no new deployments | the site is closed
  region_undrained | Region us-east-1 of cloud_a takes new deployments again
  maintenance_planned | Maintenance of deployment “orders” on 8 March 2026, 02:00 UTC | place | node-1 | 60 minutes | new memory
  maintenance_began | Maintenance of deployment “orders” has begun | place | node-1
  maintenance_ended | Maintenance of deployment “orders” is over | place | node-1
  maintenance_cancelled | Maintenance of deployment “orders” was cancelled | place | 8 March 2026, 02:00 UTC
  audit_sink_failing | The audit log cannot be sent to https://siem.acme.example | 1 March 2026, 11:58 UTC | The server answered 401: invalid token
  audit_sink_recovered | The audit log is sent to https://siem.acme.example again | 1 March 2026, 11:58 UTC
`
    .trim()
    .split('\n')
    .map((row): [NotificationType, string[]] => {
      const [type = '', ...said] = row.trim().split(' | ');
      return [type as NotificationType, said];
    }),
);
const place = '“orders” (division “Payments”, environment “production”)';

test('each type has its row', () => {
  expect([...texts.keys()].sort()).toEqual(Object.keys(examples).sort());
});

test.each([...texts])('%s says what has happened, where, and what to do', (type, [wanted, ...said]) => {
  expect(eventTypes[type].data.safeParse(examples[type]).error).toBeUndefined();
  const { subject, body } = renderNotification(exampleOf(type));
  expect(subject).toBe(wanted);
  for (const words of said) expect(body).toContain(words === 'place' ? place : words);
  // what has happened, and what to do
  expect(body.split('\n\n')).toEqual([expect.stringMatching(/\.$|token$/), expect.stringMatching(/\.$/)]);
  expect(body).not.toMatch(/undefined|null|NaN|\[object/);
});

test('the facts are the details, then where, by whom and when', () => {
  expect(renderNotification(exampleOf('deployment_upgraded')).facts).toEqual([
    { name: 'Tier', value: 'small → medium' },
    { name: 'Storage', value: 'local_ssd → network_balanced, 100 GB' },
    { name: 'Deployment', value: 'orders' },
    { name: 'Environment', value: 'production' },
    { name: 'Division', value: 'Payments' },
    { name: 'By', value: 'Ada Lovelace' },
    { name: 'Time', value: '1 March 2026, 12:00 UTC' },
  ]);
});

test('a connector is named with its key and its instance, in the subject', () => {
  const of = {
    connector_instance_id: idOf<never>(7),
    connector_instance_name: 'copy',
    connector_key: 'http-sink',
  };
  const data = { ...examples.node_unreachable, runtime: 'connectors', ...of };
  const { subject, facts } = renderNotification(exampleOf('node_unreachable', data));
  expect(subject).toBe(
    'Connector “copy” (http-sink, instance 7) on node-1 of deployment “orders” is unreachable',
  );
  expect(facts).toContainEqual({ name: 'Connector key', value: 'http-sink' });
});

test('of an extension the nodes are named', () => {
  const data = { ...examples.deployment_upgraded, nodes_before: 1, nodes_after: 3 };
  const { subject, facts } = renderNotification(exampleOf('deployment_upgraded', data));
  expect(subject).toBe('Deployment “orders” has 3 nodes now');
  expect(facts[0]).toEqual({ name: 'Nodes', value: '1 → 3' });
});

test('a node is named once', () => {
  const data = { ...examples.node_reachable, runtime: 'node' };
  expect(renderNotification(exampleOf('node_reachable', data)).subject).toBe(
    'Node node-1 of deployment “orders” is back',
  );
});

test('an event that another release shapes otherwise, or that is not known, is described by its label and its resource', () => {
  const other = renderNotification(exampleOf('deployment_initialized', { title: 'orders' }));
  expect([other.subject, other.body]).toEqual([
    'Deployment initialized: orders',
    'Deployment initialized: orders.\n\nThe audit log says more.',
  ]);
  const unknown = { ...exampleOf('division_created'), type: 'division_moved' };
  expect(renderNotification(unknown).subject).toBe('division moved: Payments');
  const inherited = { ...exampleOf('invitation_created'), type: 'constructor' };
  expect(renderNotification(inherited).subject).toBe('constructor');
});

test('names can neither add lines nor turn the text around, and are cut where they are too long', () => {
  const data = { name: `a\r\n\r\nSend money\u202E to${'😀'.repeat(5_000)}` };
  const { subject, body, facts } = renderNotification(exampleOf('division_created', data));
  expect(subject).toMatch(/^Division “a Send money to😀+…/u);
  expect([...subject].length).toBeLessThanOrEqual(300);
  expect(subject.isWellFormed()).toBe(true);
  expect(body.split('\n\n')).toHaveLength(2);
  expect(body.length).toBeLessThan(2_000);
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`field_${n}`, 'x']));
  expect(renderNotification(exampleOf('division_updated', { changes: many, former: {} })).facts).toHaveLength(
    20,
  );
  expect(facts.length).toBeLessThanOrEqual(20);
});

test('data that is nested deeper than any event does no harm', () => {
  let deep: unknown = 'x';
  for (let n = 0; n < 50_000; n++) deep = [deep];
  expect(
    renderNotification(exampleOf('division_updated', { changes: { deep }, former: {} })).subject,
  ).toMatch(/changed/);
});
