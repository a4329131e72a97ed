import { client, eventually, faultProxy } from '@sluice/testing';
import { mainApi } from '#test/main-api.ts';

const on = mainApi({ replicas: 1 });
const a = on.tenants();

const unsent = () => on.sql("SELECT FROM outbox WHERE subject LIKE '%.commands.notifier.%'");

test('a change of a channel is answered without NATS as well, and its state is sent once that is back', async () => {
  const acme = await a.tenant();
  const input = { channel: 'email', name: 'Ops', destination: 'ops@acme.example' };
  const created = await acme.admin.post(`${acme.path}/channels`, input);
  expect(created.status).toBe(201);
  const path = created.headers.get('location') ?? '';
  expect(await unsent()).toEqual([]);
  const [first] = on.replicas;
  const proxy = await faultProxy(Number(new URL(on.natsUrl).port));
  on.onClose(() => proxy.close());
  const { url } = await on.start({ NATS_URL: `nats://127.0.0.1:${proxy.port}` });
  const admin = client(url, acme.key);
  await eventually(async () => expect((await admin.get(path)).status).toBe(200));
  await first?.stop();

  proxy.disconnect();
  expect((await admin.put(path, { remarks: 'by night' })).status).toBe(204);
  expect(await unsent()).toHaveLength(1);

  proxy.restore();
  await eventually(async () => expect(await unsent()).toEqual([]));
});
