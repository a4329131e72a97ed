import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { repository, startStack, type Stack } from '@sluice/testing';
import { endRun, numberSetting, reasonOf, say, seedSetting, teamOf } from '../long-run.ts';
import { seedTenant } from '../second-tenant.ts';
import { auditGaps, listDeployments, untilConverged } from '../storm/checks.ts';
import { soakFaults } from '../storm/faults.ts';
import { machineOf } from '../storm/machine.ts';
import { oneOf, seededRandom } from '../storm/random.ts';
import { Workload } from '../storm/workload.ts';
import { Load } from './load.ts';
import { judge, reportOf, type Soaked, type Struck } from './report.ts';
import { lookAtMemory, untilReady, type MemorySample } from './services.ts';

/**
 * A soak of the whole embedded stack: half of the load that it can take at most, deployments that come and go, and each minute one
 * process that is killed or restarted. Nothing acknowledged may be lost, no deployment be stuck, memory not grow, and no request fail but
 * while something is away. Writes a report; exit code 1 when something was wrong.
 *
 * `SOAK_MINUTES` (30), `SOAK_DEPLOYMENTS` (6 at a time), `SOAK_CREATIONS` (2 a minute), `SOAK_SEED`, `SOAK_MEASURE_SECONDS` (20, for the
 * most that can be answered), `SOAK_REPORT` (bench/reports/soak-<day>.md).
 */
const minutes = numberSetting('SOAK_MINUTES', 30);
const atATime = numberSetting('SOAK_DEPLOYMENTS', 6);
const creations = numberSetting('SOAK_CREATIONS', 2);
const seed = seedSetting('SOAK_SEED');
const day = new Date().toISOString().slice(0, 10);
const reportFile = process.env['SOAK_REPORT'] ?? join(repository, `bench/reports/soak-${day}.md`);

/** the time from one fault to the next */
const faultMilliseconds = 60_000;
const memoryMilliseconds = 10_000;
/** within which a stack has to be ready again */
const readySeconds = 60;
const clients = 16;

/** Strikes once a minute until the time is over. */
async function strike(stack: Stack, end: number, random: () => number, wrong: string[]): Promise<Struck[]> {
  const faults = soakFaults(machineOf(stack));
  const struck: Struck[] = [];
  // the last one has its minute, too
  while (Date.now() + faultMilliseconds < end) {
    await delay(faultMilliseconds * (0.25 + 0.5 * random()));
    const fault = oneOf(faults, random);
    if (!fault) break;
    const from = Date.now();
    try {
      await fault.strike();
    } catch (error) {
      say(`${fault.name}: not done (${reasonOf(error)})`);
      continue;
    }
    const isReady = await untilReady(stack, readySeconds);
    const to = Date.now();
    struck.push({ name: fault.name, from, to });
    say(`${fault.name}; ready again after ${((to - from) / 1_000).toFixed(1)} s`);
    if (!isReady) wrong.push(`${fault.name}: not ready again within ${readySeconds} s`);
    await delay(Math.max(0, end - minutes * 60_000 + struck.length * faultMilliseconds - Date.now()));
  }
  await delay(Math.max(0, end - Date.now()));
  return struck;
}

async function watchMemory(stack: Stack, until: Promise<unknown>): Promise<MemorySample[]> {
  const samples: MemorySample[] = [];
  let isOver = false;
  void until.then(() => (isOver = true));
  while (!isOver) {
    samples.push(...(await lookAtMemory(stack)));
    await Promise.race([delay(memoryMilliseconds), until]);
  }
  return samples;
}

say(`seed ${seed}, ${minutes} minutes`);
const stack = await startStack();
say(`the stack is in ${stack.home}`);
const random = seededRandom(seed);
const tenants = [stack, await seedTenant(stack, 'Other')];
const teams = await Promise.all(tenants.map((tenant) => teamOf(stack, tenant, 'soak')));
const load = new Load(stack, teams, random);
const most = await load.measureMost(clients, numberSetting('SOAK_MEASURE_SECONDS', 20));
const rate = most / 2;
say(`${most.toFixed(0)} requests a second are answered at most; ${rate.toFixed(0)} are sent`);

const begunAt = Date.now();
const end = begunAt + minutes * 60_000;
const creationsDue = () => Math.ceil((creations * (Date.now() - begunAt)) / 60_000);
const workload = new Workload({ stack, teams, creationsDue, atATime, workers: 2, random });
workload.start();
const wrong: string[] = [];
const striking = strike(stack, end, random, wrong);
const [faults, memory] = await Promise.all([
  striking,
  watchMemory(stack, striking),
  load.keepAsking(rate, striking),
]);
await workload.stop();
say(`the soak is over: ${load.asked.length} requests, ${workload.created} creations`);

const acknowledged = [...load.acknowledged, ...workload.acknowledged];
wrong.push(...(await untilConverged(stack, machineOf(stack), teams, 3)));
wrong.push(...(await auditGaps(stack, teams, acknowledged, begunAt)));
const deployments = await listDeployments(stack, teams);
for (const { name } of workload.live.values())
  if (!deployments.some((other) => other.name === name)) wrong.push(`${name} was promised and is not there`);
const soaked: Soaked = {
  ...{ seed, begunAt, minutes, most, rate, faults, asked: load.asked, memory },
  created: workload.created,
  acknowledged: acknowledged.length,
  wrong,
};
wrong.push(...judge(soaked));
await mkdir(dirname(reportFile), { recursive: true });
await writeFile(reportFile, reportOf(soaked));
say(`${wrong.length} things wrong; the report is ${reportFile}`);
await endRun(stack, wrong);
