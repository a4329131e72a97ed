import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Stack } from '@sluice/testing';
import { quantile } from '../long-run.ts';

/**
 * `npm run rolling-restart`: replaces all pods of all services, one Deployment after the other, while clients with kept
 * connections read and write; tells how many requests there were, and each that failed. `SLUICE_STACK_FILE` is the `stack.json`
 * of a Sluice on the cluster of kubectl. Exit code 1 when a request has failed.
 */

const workersOfLayer = 4;
const pauseMilliseconds = 20;
const requestMilliseconds = 20_000;

const stack = JSON.parse(await readFile(process.env['SLUICE_STACK_FILE'] ?? '', 'utf8')) as Stack;
const run = promisify(execFile);
const kubectl = (...args: string[]) => run('kubectl', args, { timeout: 600_000 });

interface Request {
  layer: string;
  method: 'GET' | 'PUT';
  url: string;
  status: number;
  body?: () => object;
}

const ofTenant = `/tenants/${stack.tenant_id}`;
const requests: Request[] = [
  { layer: 'main-api', method: 'GET', url: `${stack.base_url}${ofTenant}`, status: 200 },
  {
    layer: 'main-api',
    method: 'PUT',
    url: `${stack.base_url}${ofTenant}/divisions/${stack.division_id}`,
    status: 204,
    body: () => ({ name: `division ${crypto.randomUUID()}` }),
  },
  { layer: 'audit', method: 'GET', url: `${stack.audit_url}/audit${ofTenant}?results=5`, status: 200 },
  ...stack.supervisors.map(({ cloud, url }): Request => ({
    layer: `supervisor ${cloud}`,
    method: 'GET',
    url: `${url}${ofTenant}/summary`,
    status: 200,
  })),
];

const deployments = [
  ['sluice', 'main-api'],
  ['sluice', 'audit'],
  ['sluice', 'notifier'],
  ...stack.supervisors.map(({ cloud, region }) => [
    `sluice-${cloud.replaceAll('_', '-')}-${region}`,
    'supervisor',
  ]),
] as const;

let replacing = 'nothing';
let ended = false;
const milliseconds = new Map<string, number[]>();
const failures: string[] = [];

async function ask({ method, url, body }: Request, agent: Agent): Promise<{ status: number; said: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; said: string }>();
  const headers = { 'svc-api-key': stack.api_key, ...(body && { 'content-type': 'application/json' }) };
  const signal = AbortSignal.timeout(requestMilliseconds);
  request(url, { method, agent, headers, signal }, (response) => {
    text(response).then((said) => resolve({ status: response.statusCode ?? 0, said }), reject);
  })
    .on('error', reject)
    .end(body && JSON.stringify(body()));
  return promise;
}

async function worker(what: Request): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = milliseconds.get(what.layer) ?? [];
  milliseconds.set(what.layer, times);
  while (!ended) {
    const begun = performance.now();
    const wrong = await ask(what, agent).then(
      ({ status, said }) => (status === what.status ? undefined : `${status} ${said.slice(0, 200)}`),
      (error: Error) => error.message,
    );
    times.push(performance.now() - begun);
    if (wrong !== undefined)
      failures.push(`${what.method} ${what.url} while ${replacing} was replaced: ${wrong}`);
    await pause(pauseMilliseconds);
  }
  agent.destroy();
}

const working = Promise.all(
  requests.flatMap((what) => Array.from({ length: workersOfLayer }, () => worker(what))),
);
for (const [namespace, name] of deployments) {
  replacing = `${namespace}/${name}`;
  const begun = performance.now();
  await kubectl('-n', namespace, 'rollout', 'restart', `deployment/${name}`);
  await kubectl('-n', namespace, 'rollout', 'status', `deployment/${name}`, '--timeout=550s');
  console.log(`${replacing} replaced in ${Math.round((performance.now() - begun) / 1000)} s`);
}
replacing = 'nothing';
await pause(10_000);
ended = true;
await working;
for (const [layer, times] of milliseconds) {
  const at = (share: number) => Math.round(quantile(times, share));
  console.log(
    `${layer}: ${times.length} requests, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`,
  );
}
for (const failure of failures.slice(0, 50)) console.log(`failed: ${failure}`);
console.log(`${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
