import { AckPolicy, jetstreamManager } from '@nats-io/jetstream';
import { connectBroker, eventually, type Login, type Stack, StackDatabases } from '@sluice/testing';
import { insertInvoice } from '../an-invoice.ts';
import { createManaged, createStarter, deploymentsPath, untilInitialized, type Created } from '../story.ts';

/** What an organization has that has used the platform for a while, so that pictures of pages show more than empty lists. */
export async function fillOrganization(stack: Stack, databases: StackDatabases): Promise<Created> {
  const { main, audit, tenant_id } = stack;
  const tenant = `/tenants/${tenant_id}`;
  const created = await createStarter(stack);
  const { endpoints } = await untilInitialized(stack, created);
  const telemetry = await createManaged(stack, created.environmentId, 'telemetry', {
    labels: { team: 'payments' },
  });
  await publish(stack, endpoints.broker_tcp, created.deploymentId);
  await insertInvoice(databases, Number(tenant_id));
  await made(main.put(`${tenant}/subscription`, { plan: 'enterprise' }));
  for (const budget of [
    { name: 'Everything', amount: '250' },
    { name: 'Sandbox', amount: '0.01', environment: created.environmentId },
  ])
    await made(main.post(`${tenant}/billing/budgets`, budget));
  await made(main.put(`${tenant}/billing/info`, { company: 'Example Ltd', city: 'Leeds', country: 'GB' }));
  await made(
    main.post(`${tenant}/cloud_accounts`, {
      ...{ cloud: 'cloud_a', name: 'Production', account_id: '123456789012', region: 'us-east-1' },
    }),
  );
  await made(
    main.post(`${tenant}/channels`, { name: 'On call', channel: 'email', destination: 'ops@example.com' }),
  );
  await made(
    main.post(`${tenant}/roles`, {
      ...{ name: 'operator', permissions: { tenant: ['info:read'], environment: ['deployment:manage'] } },
    }),
  );
  const { body: roles } = await main.get<{ items: { id: number; name: string }[] }>(`${tenant}/roles`);
  const viewer = roles.items.find(({ name }) => name === 'viewer')?.id;
  await made(main.post(`${tenant}/invitations`, { email: 'grace@example.com', roles: [viewer] }));
  // nobody listens there, so the page shows a sink that fails
  await eventually(
    () =>
      made(
        audit.put(`/audit/tenants/${tenant_id}/sink`, {
          ...{ interval_seconds: 1, start: 'beginning' },
          https: { url: 'https://127.0.0.1:9/raw', headers: { Authorization: 'Splunk 3f1f1a2b' } },
        }),
      ),
    // until the plan is known there
    { timeoutMs: 20_000 },
  );
  await untilInitialized(stack, telemetry);
  await fillDeployment(stack, created);
  return created;
}

async function fillDeployment(stack: Stack, { environmentId, deploymentId }: Created): Promise<void> {
  const region = stack.supervisor('cloud_a');
  const deployment = `/deployments/${deploymentId}`;
  for (const size of ['1MiB', '2MiB'])
    await made(
      region.post(`${deployment}/configs/broker`, {
        values: { BROKER_MESSAGE_MAX_SIZE: size },
        activate: true,
      }),
    );
  const connectors = `${deploymentsPath(stack, environmentId)}/${deploymentId}/connectors`;
  for (const connector_type of ['source', 'sink'])
    await eventually(
      () =>
        made(
          stack.main.post(`${connectors}/activate`, {
            ...{ connector_type, connector_key: connector_type === 'source' ? 'random' : 'http' },
            ...{ instance_key: `a-${connector_type}`, instance_name: `A ${connector_type}` },
          }),
        ),
      { timeoutMs: 20_000 },
    );
  await eventually(
    () =>
      made(
        region.post(`${deployment}/configs/connector:source:a-source`, {
          activate: true,
          values: {
            enabled: true,
            streams: [{ stream: 'numbers', topics: ['numbers.made'] }],
            plugin_config: { interval: '1s', batch: 5, limit: 2_000 },
          },
        }),
      ),
    { timeoutMs: 20_000 },
  );
  await made(region.post(`${deployment}/backups`, { name: 'Before the upgrade' }));
  await made(region.post(`${deployment}/snapshots`, {}));
  await eventually(
    async () => {
      const { body } = await region.get<{ status: string }[]>(`${deployment}/backups`);
      if (body[0]?.status !== 'completed') throw new Error(`The backup is ${body[0]?.status}.`);
    },
    { timeoutMs: 90_000 },
  );
  // reported every few seconds
  await eventually(
    async () => {
      const { body } = await region.get<{ items?: unknown[] }>(`${deployment}/streams/orders/consumers`);
      if (body.items?.length !== 2) throw new Error('The consumers are not reported yet.');
    },
    { timeoutMs: 60_000 },
  );
}

/** Gives the broker a stream with consumers that lag. */
async function publish(stack: Stack, endpoint: string | null, deploymentId: number): Promise<void> {
  const path = `/deployments/${deploymentId}/credentials`;
  const { body: login } = await stack.supervisor('cloud_a').get<Login>(path);
  const connection = await connectBroker(endpoint, login);
  const { streams, consumers } = await jetstreamManager(connection);
  await streams.add({ name: 'orders', subjects: ['orders.>'] });
  for (const [durable_name, filter_subject] of [
    ['billing', 'orders.>'],
    ['mail', 'orders.eu.>'],
  ])
    await consumers.add('orders', { durable_name, filter_subject, ack_policy: AckPolicy.Explicit });
  for (let number = 1; number <= 250; number++) {
    const subject = `orders.${number % 2 === 0 ? 'eu' : 'us'}.created`;
    connection.publish(subject, JSON.stringify({ number, total: number * 3 }));
  }
  await connection.drain();
}

async function made(answer: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
}
