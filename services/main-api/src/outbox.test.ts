import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually, freePort, ownNats, testDatabase } from '@sluice/testing';
import {
  catalogueFile,
  client,
  configuredKeys,
  startReplica,
  surroundings,
  type Answer,
} from '#test/main-api.ts';
import { Region } from '#test/region.ts';
import { runSeed } from '#test/seed.ts';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));

async function start(environment: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort();
  const child = spawn(process.execPath, [program], {
    env: { ...environment, PORT: String(port) },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), {
    timeoutMs: 20_000,
  });
  return { child, url };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

test('what was stored is sent, even when the process is killed before it could be', async () => {
  const nats = await ownNats();
  const database = await testDatabase();
  const environment = {
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    NATS_NAMESPACE: 'crash',
    PUBLIC_URL: 'http://127.0.0.1',
    CATALOGUE_FILE: catalogueFile,
    ...configuredKeys,
    GRANT_LEASE_SECONDS: '30',
  };
  const { tenant_id, division_id, api_key } = await runSeed({ environment });
  let { child, url } = await start(environment);
  const region = await Region.open({ environment });
  const regions = `/tenants/${tenant_id}/clouds/cloud_a/regions`;
  await eventually(async () => expect((await client(url, api_key).get(regions)).body).toHaveLength(1));

  nats.pause();
  const starter = `/tenants/${tenant_id}/divisions/${division_id}/deployments/starter`;
  const created: Answer = await client(url, api_key).post(starter, { cloud: 'cloud_a', region: 'us-east-1' });
  expect(created.status).toBe(202);
  await kill(child);
  nats.resume();

  ({ child, url } = await start(environment));
  const id = Number(created.headers.get('svc-deployment'));
  expect((await region.shape(id)).generation).toBe(1);
  expect((await region.event('environment_created', created.headers)).data).toEqual({ name: 'sandbox' });
  expect((await region.event('deployment_created', created.headers)).deployment?.id).toBe(id);
  await kill(child);
  await region.close();
  await nats.remove();
  await database.drop();
}, 60_000);

test('grants that NATS has lost are published again at the next start', async () => {
  const around = await surroundings();
  const { tenant_id, api_key } = await runSeed(around);
  const first = await startReplica(around);
  await eventually(async () =>
    expect((await client(first.url, api_key).get(`/tenants/${tenant_id}`)).status).toBe(200),
  );
  await first.stop();
  await around.nats.deleteNamespace();
  const second = await startReplica(around);
  await eventually(async () =>
    expect((await client(second.url, api_key).get(`/tenants/${tenant_id}`)).status).toBe(200),
  );
  await second.stop();
  await around.end();
});
