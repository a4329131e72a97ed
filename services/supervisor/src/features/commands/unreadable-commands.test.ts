import { randomUUID } from 'node:crypto';
import { idOf, type ConnectorInstanceId, type Tier } from '@sluice/contracts';
import { aDeployment, eventually } from '@sluice/testing';
import { call, untilStatus } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';

const region = supervisor({ replicas: 1, environment: { COMMAND_UNREADABLE_SECONDS: '0.1' } });

interface Report {
  type: string;
  data: Record<string, unknown>;
}
const untilReported = (id: number, expected: object) =>
  eventually(async () => {
    const reports = await messagesAbout<Report>(region, 'reports', id);
    expect(reports).toContainEqual(expect.objectContaining(expected));
  });

const anExpensiveOne = () => {
  const shape = aDeployment();
  return { ...shape, limits: { ...shape.limits, monthly_cents: 2e9 } };
};

test('a new deployment that the region cannot read has failed, with the place, and is made once it can be read', async () => {
  const shape = anExpensiveOne();
  await region.apply(shape, 1);
  const { id: deployment_id, uid } = shape;
  const status_reason = expect.stringContaining('deployment.limits.monthly_cents') as string;
  const data = { deployment_id, uid, version: 1, status: 'failed', status_reason };
  await untilReported(shape.id, { data: expect.objectContaining(data) as object });

  const readable = { ...shape, limits: { ...shape.limits, monthly_cents: 100 } };
  await region.apply(readable, 1, { report_above: 1 });
  await untilStatus(region.replica().url, await region.key(), shape.id, 'initialized');
});

test('a deployment that runs is left as it is by a shape that the region cannot read', async () => {
  const shape = aDeployment();
  const { url } = region.replica();
  const key = await region.key();
  await region.apply(shape, 1);
  await untilStatus(url, key, shape.id, 'initialized');
  await region.apply({ ...shape, limits: { ...shape.limits, monthly_cents: 2e9 } }, 2);
  const behind = aDeployment();
  await region.apply(behind, 1);
  await untilStatus(url, key, behind.id, 'initialized');
  expect((await call(`${url}/deployments/${shape.id}`, key)).body).toMatchObject({ status: 'initialized' });
});

test('an upgrade that the region cannot read has ended, and the deployment is as before', async () => {
  const shape = aDeployment();
  await region.apply(shape, 1);
  await untilStatus(region.replica().url, await region.key(), shape.id, 'initialized');
  const upgrade_id = randomUUID();
  await region.upgrade(shape, {}, { upgrade_id, tier: 'gigantic' as Tier });
  const upgrade = { upgrade_id, state: 'rolled_back', reason: expect.stringContaining('tier') as string };
  await untilReported(shape.id, {
    data: expect.objectContaining({ status: 'initialized', upgrade }) as object,
  });
});

test('a connector that the region cannot read is refused', async () => {
  const shape = aDeployment();
  await region.apply(shape, 1);
  const instance = { id: idOf<ConnectorInstanceId>(shape.id + 7), type: 'pipe' } as never;
  await region.activate({ deployment_id: shape.id, uid: shape.uid, instance });
  const data = { deployment_id: shape.id, instance_id: shape.id + 7, accepted: false };
  await untilReported(shape.id, {
    type: 'connector_activation',
    data: expect.objectContaining(data) as object,
  });
});
