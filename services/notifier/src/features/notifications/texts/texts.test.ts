import { eventTypes, idOf, type NotificationType } from '@sluice/contracts';
import { examples, exampleOf } from '#test/notification-examples.ts';
import { renderNotification } from './index.ts';

/** What a person gets of each type: the subject, and the paragraphs of the body. */
const texts: { [Type in NotificationType]: [subject: string, ...paragraphs: string[]] } = {
  deployment_created: [
    'Deployment “orders” is being created',
    'The deployment “orders” (division “Payments”, environment “production”) was created by Ada Lovelace and is being set up in us-east-1.',
    'You hear again as soon as it is ready for clients. Nothing is to be done until then.',
  ],
  deployment_initialized: [
    'Deployment “orders” is ready',
    'The deployment “orders” (division “Payments”, environment “production”) has been set up and runs.',
    'Clients can connect: its address, login and certificate authority stand with the deployment. Add access rules for the networks that clients come from, if there are none yet.',
  ],
  deployment_upgraded: [
    'Deployment “orders” was upgraded to medium',
    'The deployment “orders” (division “Payments”, environment “production”) has its new tier and storage, and clients can use it again.',
    'Clients that were cut off meanwhile connect again by themselves; look at those that do not. From now on it costs what the new tier costs.',
  ],
  deployment_deleted: [
    'Deployment “orders” was deleted',
    'The deployment “orders” (division “Payments”, environment “production”) was deleted by Ada Lovelace. Its nodes and what they stored are being removed, and clients cannot connect any more.',
    'That cannot be undone. If it was not intended, find out who did it: the audit log has the entry.',
  ],
  deployment_restored: [
    'Deployment “orders” was restored by its region',
    'The database of the region was restored. The deployment “orders” (division “Payments”, environment “production”) has the access rules and the login again that it had before that.',
    'Compare its configurations, backups and network links with what you expect.',
  ],
  deployment_data_lost: [
    'Deployment “orders” has lost data',
    'The deployment “orders” (division “Payments”, environment “production”) has lost everything that these nodes stored: node-1, node-2 and node-3.',
    'They stay away until you decide: restore a backup, or accept the loss for each node, which then starts empty.',
  ],
  deployment_certificates_rotated: [
    'Deployment “orders” has a new certificate',
    'The deployment “orders” (division “Payments”, environment “production”) was given a new certificate by Ada Lovelace. It is good until 1 March 2027, 12:00 UTC.',
    'Clients that trust the authority need no change. Those that have the former certificate pinned refuse to connect until they are given the new one.',
  ],
  deployment_secrets_rotated: [
    'Deployment “orders” has a new login',
    'The deployment “orders” (division “Payments”, environment “production”) was given a new user name and password by Ada Lovelace.',
    'Give them to its clients: the former login works until 1 March 2026, 13:00 UTC, and no longer.',
  ],
  certificate_expiring: [
    'Certificate of deployment “orders” ends on 8 March 2026, 12:00 UTC',
    'The deployment “orders” (division “Payments”, environment “production”) has a certificate that ends on 8 March 2026, 12:00 UTC, and it could not be renewed: the authority does not answer.',
    'Renewing is tried on. If nothing changes, clients will refuse to connect from then on: rotate the certificate of the deployment, and talk to the operator of this installation if that fails as well.',
  ],
  billing_limit_reached: [
    'Deployment “orders” has reached its spend limit and is stopped',
    'The deployment “orders” (division “Payments”, environment “production”) has cost $250.00 this month, of at most $250.00. Its brokers are stopped, and clients cannot connect. What is stored stays.',
    'Raise or clear its spend limit to start it at once; otherwise it starts by itself on 1 April 2026, 00:00 UTC, with the new month.',
  ],
  invitation_created: [
    'grace@acme.example was invited into the tenant “Acme”',
    'grace@acme.example was invited into the tenant “Acme” by Ada Lovelace, with the roles developer and viewer.',
    'The invitation is open for seven days, and gives no access before it is accepted. If it should not have been sent, delete it among the tenant’s invitations.',
  ],
  invitation_accepted: [
    'grace@acme.example has accepted the invitation into the tenant “Acme”',
    'Grace Hopper (grace@acme.example) has accepted the invitation and is a member of the tenant “Acme”, with the roles developer and viewer.',
    'Nothing is to be done. What the member may do can be changed among the members.',
  ],
  invitation_rejected: [
    'grace@acme.example has rejected the invitation into the tenant “Acme”',
    'grace@acme.example has rejected the invitation into the tenant “Acme”, and gets no access.',
    'If that was a mistake, invite the address again.',
  ],
  tenant_join_requested: [
    'grace@acme.example asks to join the tenant “Acme”',
    'Grace Hopper (grace@acme.example) asks to become a member of the tenant “Acme”, since the address is of its mail domain.',
    'Approve or reject the request among the tenant’s join requests. Until then it gives no access.',
  ],
  member_joined: [
    'grace@acme.example has joined the tenant “Acme”',
    'Grace Hopper (grace@acme.example) has become a member of the tenant “Acme” by its join policy, with the role viewer.',
    'If people of the mail domain should not come in by themselves, change the join policy in the tenant’s configuration; remove the member among the members.',
  ],
  channel_unsubscribed: [
    'An address has unsubscribed: notification channel On call',
    'The address of the notification channel “On call” has unsubscribed. No channel of the tenant sends mails to it any more.',
    'Give the channel another address. The reader of the mails can undo this by the link in each of them.',
  ],
  tenant_config_updated: [
    'The configuration of the tenant “Acme” was changed',
    'Changed by Ada Lovelace: join policy and block external invitations. It decides who may be invited and who joins by themselves.',
    'If that was not intended, set it back in the tenant’s configuration.',
  ],
  division_created: [
    'Division “Payments” was created',
    'The division “Payments” was created by Ada Lovelace.',
    'Create environments in it, and give members roles there.',
  ],
  division_updated: [
    'Division “Payments” was changed',
    'Of the division “Payments”, this was changed by Ada Lovelace: description and email.',
    'If that was not intended, change it back.',
  ],
  division_deleted: [
    'Division “Payments” was deleted',
    'The division “Payments” was deleted by Ada Lovelace, with its environments.',
    'That cannot be undone. If it was not intended, find out who did it: the audit log has the entry.',
  ],
  environment_created: [
    'Environment “production” was created',
    'The environment “production” of the division “Payments” was created by Ada Lovelace.',
    'Deployments can be created in it now.',
  ],
  environment_updated: [
    'Environment “production” was changed',
    'Of the environment “production” of the division “Payments”, this was changed by Ada Lovelace: protected.',
    'If that was not intended, change it back.',
  ],
  environment_deleted: [
    'Environment “production” was deleted',
    'The environment “production” of the division “Payments” was deleted by Ada Lovelace.',
    'That cannot be undone. If it was not intended, find out who did it: the audit log has the entry.',
  ],
  high_cpu_usage: [
    'High processor usage on node-1 of deployment “orders”: 91 %',
    'The deployment “orders” (division “Payments”, environment “production”) uses 91 % of the processor of its node node-1, above 85 % since 1 March 2026, 11:55 UTC.',
    'If it stays like that, messages are delayed. Look at which clients send most, and upgrade the deployment to a larger tier if the load is there to stay.',
  ],
  high_memory_usage: [
    'High memory usage on node-1 of deployment “orders”: 93 %',
    'The deployment “orders” (division “Payments”, environment “production”) uses 93 % of the memory of its node node-1, above 90 % since 1 March 2026, 11:55 UTC.',
    'A broker without memory is ended and starts again. Look at the number of clients and at what is kept in memory, and upgrade the deployment to a larger tier if the load is there to stay.',
  ],
  high_disk_usage: [
    'High disk usage on node-1 of deployment “orders”: 88 %',
    'The deployment “orders” (division “Payments”, environment “production”) uses 88 % of the disk of its node node-1, above 85 % since 1 March 2026, 11:55 UTC.',
    'A full disk refuses messages. Shorten how long messages are kept, delete what is not read, or upgrade the storage of the deployment.',
  ],
  cpu_usage_resolved: [
    'Processor usage on node-1 of deployment “orders” is normal again: 40 %',
    'The deployment “orders” (division “Payments”, environment “production”) uses 40 % of the processor of its node node-1. It was too much since 1 March 2026, 11:55 UTC.',
    'Nothing is to be done any more.',
  ],
  memory_usage_resolved: [
    'Memory usage on node-1 of deployment “orders” is normal again: 61 %',
    'The deployment “orders” (division “Payments”, environment “production”) uses 61 % of the memory of its node node-1. It was too much since 1 March 2026, 11:55 UTC.',
    'Nothing is to be done any more.',
  ],
  disk_usage_resolved: [
    'Disk usage on node-1 of deployment “orders” is normal again: 70 %',
    'The deployment “orders” (division “Payments”, environment “production”) uses 70 % of the disk of its node node-1. It was too much since 1 March 2026, 11:55 UTC.',
    'Nothing is to be done any more.',
  ],
  node_unreachable: [
    'The agent of node-1 of deployment “orders” is unreachable',
    'The deployment “orders” (division “Payments”, environment “production”): the agent of node-1 has not been heard of or has not run since 1 March 2026, 11:58 UTC.',
    'Nothing is known of what runs there. Clients may still be served; if it stays away, retry the deployment, and in a cloud account of your own look at the machine.',
  ],
  node_reachable: [
    'The broker of node-1 of deployment “orders” is back',
    'The deployment “orders” (division “Payments”, environment “production”): the broker of node-1 runs again. It was away since 1 March 2026, 11:58 UTC.',
    'Nothing is to be done any more.',
  ],
  audit_sink_failing: [
    'The audit log cannot be sent to https://siem.acme.example',
    'The sink of the audit log at https://siem.acme.example has not taken entries since 1 March 2026, 11:58 UTC: The server answered 401: invalid token',
    'Entries wait and are sent as soon as it takes them, unless their retention is over by then. Look at the sink and at its settings, and try it.',
  ],
  audit_sink_recovered: [
    'The audit log is sent to https://siem.acme.example again',
    'The sink of the audit log at https://siem.acme.example takes entries again. It had not since 1 March 2026, 11:58 UTC.',
    'Nothing is to be done any more. What waited is being sent, oldest first.',
  ],
};

const types = Object.keys(texts) as NotificationType[];

test.each(types)('%s says what has happened, where, and what to do', (type) => {
  expect(eventTypes[type].data.safeParse(examples[type]).error).toBeUndefined();
  const { subject, body } = renderNotification(exampleOf(type));
  expect([subject, ...body.split('\n\n')]).toEqual(texts[type]);
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
