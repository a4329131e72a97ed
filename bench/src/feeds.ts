import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { newApiToken, tokenHash } from '@sluice/contracts';
import { client, startReplicas } from '@sluice/testing';
import { cpuOf, memoryOf } from './api/processes.ts';
import { median, table } from './report.ts';

/**
 * Open feeds of changes on one replica: the memory of each, what they cost while nothing happens, and how long a change takes until all of
 * them have it; beside open answers of bare `node:http`.
 *
 * npm run bench:feeds -- [feeds] [changes]
 */
const [feeds = 5_000, changes = 10] = process.argv.slice(2).map(Number);
const perKey = 20;
const idleSeconds = 10;

interface Server {
  pid: number;
  /** of the feed with this number */
  request: (number: number) => { url: string; headers: Record<string, string> };
  change: () => Promise<unknown>;
}

const stack = await startReplicas(1);
const bare = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, 'feeds/bare.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [port] = (await once(bare.stdout, 'data')) as [Buffer];
  const bareUrl = `http://127.0.0.1:${Number(String(port))}`;
  const rows = [
    await measure('node:http', 1, await bareServer(bareUrl)),
    await measure('node:http', feeds, await bareServer(bareUrl)),
    await measure('Main API', 1, await mainApi()),
    await measure('Main API', feeds, await mainApi()),
  ];
  const head = ['server', 'feeds', 'KB each', 'idle, % of a core', 'to the last, ms median', 'max'];
  process.stdout.write(`${table(head, rows)}\n`);
} finally {
  bare.kill();
  await stack.remove();
}

async function bareServer(url: string): Promise<Server> {
  return {
    pid: Number(bare.pid),
    request: () => ({ url, headers: {} }),
    change: () => fetch(url, { method: 'POST' }),
  };
}

async function mainApi(): Promise<Server> {
  const [main] = stack.of('main-api');
  if (!main) throw new Error('there is no main-api');
  const admin = client(main.url, stack.api_key);
  const path = `/tenants/${stack.tenant_id}`;
  const role = await admin.post(`${path}/roles`, { name: `feeds ${Date.now()}`, permissions: {} });
  const roleId = Number(role.body['id']);
  const tokens = Array.from({ length: Math.ceil(feeds / perKey) }, newApiToken);
  await stack.query(
    `INSERT INTO api_keys (tenant_id, name, token_sha256, role_id, user_id, expiry_at)
     SELECT $1, 'feeds ' || hash, hash, $2, $3, now() + interval '1 day' FROM unnest($4::text[]) AS hash`,
    [stack.tenant_id, roleId, stack.colleague, tokens.map(tokenHash)],
  );
  // makes the grants
  await admin.put(`${path}/roles/${roleId}`, { permissions: { tenant: ['division:read'] } });
  const division = await admin.post(`${path}/divisions`, { name: `feeds ${Date.now()}` });
  let count = 0;
  return {
    pid: Number(main.process.pid),
    request: (number) => ({
      url: `${main.url}${path}/events/stream`,
      headers: { 'svc-api-key': tokens[Math.floor(number / perKey)] ?? '' },
    }),
    change: () =>
      admin.put(`${path}/divisions/${Number(division.body['id'])}`, { description: String(++count) }),
  };
}

async function measure(name: string, count: number, { pid, request, change }: Server): Promise<string[]> {
  const agent = new Agent({ maxSockets: Infinity });
  const before = await memoryOf(pid);
  let got = 0;
  for (let number = 0; number < count; number += 100)
    await Promise.all(
      Array.from({ length: Math.min(100, count - number) }, async (_, index) => {
        const { url, headers } = request(number + index);
        const sent = get(url, { agent, headers });
        const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
        if (response.statusCode !== 200) throw new Error(`${name} answers ${response.statusCode}`);
        response
          .on('error', () => undefined)
          .on('data', (piece: Buffer) => {
            got += String(piece).split('event: change').length - 1;
          });
      }),
    );
  const each = ((await memoryOf(pid)) - before) / count / 1_024;
  const cpu = cpuOf(pid);
  await delay(idleSeconds * 1_000);
  const idle = (cpuOf(pid) - cpu) / (idleSeconds * 10_000);
  const times: number[] = [];
  for (let number = 0; number < changes; number++) {
    got = 0;
    await change();
    const begun = performance.now();
    while (got < count) await delay(1);
    times.push(performance.now() - begun);
  }
  agent.destroy();
  await delay(2_000);
  const figures = [count === 1 ? '' : each.toFixed(0), idle.toFixed(1), median(times).toFixed(0)];
  return [name, count.toLocaleString('en'), ...figures, Math.max(...times).toFixed(0)];
}
