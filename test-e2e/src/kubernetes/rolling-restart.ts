import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Stack } from '@sluice/testing';
import { Requests } from './requests.ts';

/**
 * `npm run rolling-restart`: replaces all pods of all services, one Deployment after the other, while clients with kept
 * connections read and write; tells how many requests there were, and each that failed. `SLUICE_STACK_FILE` is the `stack.json`
 * of a Sluice on the cluster of kubectl. Exit code 1 when a request has failed.
 */

const stack = JSON.parse(await readFile(process.env['SLUICE_STACK_FILE'] ?? '', 'utf8')) as Stack;
const run = promisify(execFile);
const kubectl = (...args: string[]) => run('kubectl', args, { timeout: 600_000 });

const deployments = [
  ['sluice', 'main-api'],
  ['sluice', 'audit'],
  ['sluice', 'notifier'],
  ['sluice', 'console'],
  ...stack.supervisors.map(({ cloud, region }) => [
    `sluice-${cloud.replaceAll('_', '-')}-${region}`,
    'supervisor',
  ]),
] as const;

const requests = new Requests(stack, { workersOfLayer: 4, pauseMs: 20, timeoutMs: 20_000 });
for (const [namespace, name] of deployments) {
  requests.during = `the replacement of ${namespace}/${name}`;
  const begun = performance.now();
  await kubectl('-n', namespace, 'rollout', 'restart', `deployment/${name}`);
  await kubectl('-n', namespace, 'rollout', 'status', `deployment/${name}`, '--timeout=550s');
  console.log(`${namespace}/${name} replaced in ${Math.round((performance.now() - begun) / 1000)} s`);
}
requests.during = 'nothing';
await pause(10_000);
for (const line of await requests.end()) console.log(line);
const { failures } = requests;
for (const failure of failures.slice(0, 50)) console.log(`failed: ${failure}`);
console.log(`${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
