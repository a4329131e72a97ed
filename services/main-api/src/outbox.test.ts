import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { client, eventually, freePort } from '@sluice/testing';
import { mainApi } from '#test/main-api.ts';
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

describe('a process that is killed', () => {
  const on = mainApi({ per: 'test', replicas: 0, own: 'nats', environment: { GRANT_LEASE_SECONDS: '30' } });

  test('what was stored is sent, even when the process is killed before it could be', async () => {
    const { environment } = on;
    const { tenant_id, division_id, api_key } = await runSeed(on);
    let { child, url } = await start(environment);
    const region = new Region(on);
    await region.open();
    await region.register();
    const regions = `/tenants/${tenant_id}/clouds/cloud_a/regions`;
    await eventually(async () => expect((await client(url, api_key).get(regions)).body).toHaveLength(1));

    on.own.pause();
    const starter = `/tenants/${tenant_id}/divisions/${division_id}/deployments/starter`;
    const created = await client(url, api_key).post(starter, { cloud: 'cloud_a', region: 'us-east-1' });
    expect(created.status).toBe(202);
    await kill(child);
    on.own.resume();

    ({ child, url } = await start(environment));
    const id = Number(created.headers.get('svc-deployment'));
    expect((await region.shape(id)).generation).toBe(1);
    expect((await region.event('environment_created', created.headers)).data).toEqual({ name: 'sandbox' });
    expect((await region.event('deployment_created', created.headers)).deployment?.id).toBe(id);
    await kill(child);
    await region.close();
  }, 60_000);
});
