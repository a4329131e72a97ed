import { setTimeout as delay } from 'node:timers/promises';
import { eventually, startStack, type Stack } from '@sluice/testing';
import { endRun, numberSetting, reasonOf, say, seedSetting, teamOf } from '../long-run.ts';
import { seedTenant } from '../second-tenant.ts';
import { auditGaps, foreignViews, listDeployments, sharedBrokers, untilConverged } from './checks.ts';
import { commonFaults, restores, type Fault } from './faults.ts';
import { machineOf, type Machine } from './machine.ts';
import { oneOf, seededRandom } from './random.ts';
import { Workload, type Team } from './workload.ts';

/**
 * A storm over the whole embedded stack: teams create, change and delete deployments all the time, while processes are
 * killed or hang, servers restart, and NATS and databases go back to older copies. When it is over everything has to
 * be as if nothing had happened. Exit code 1 when something is not; the stack's folder is then left for a look.
 *
 * `STORM_MINUTES` (20), `STORM_DEPLOYMENTS` (200 creations in all), `STORM_AT_A_TIME` (20), `STORM_SEED`,
 * `STORM_RESTORES` (`no` leaves out what takes data back), `STORM_PATIENCE_MINUTES` (10, to settle).
 */
const minutes = numberSetting('STORM_MINUTES', 20);
const creations = numberSetting('STORM_DEPLOYMENTS', 200);
const atATime = numberSetting('STORM_AT_A_TIME', 20);
const patience = numberSetting('STORM_PATIENCE_MINUTES', 10);
const seed = seedSetting('STORM_SEED');
const takesBack = process.env['STORM_RESTORES'] !== 'no';

async function strike({ name, strike: act }: Fault): Promise<void> {
  say(name);
  try {
    await act();
  } catch (error) {
    // the fault before may have taken away what this one needs
    say(`  (not done: ${reasonOf(error)})`);
  }
}

/** Strikes until the time is over. @returns when the last fault that takes data back was over, in milliseconds */
async function rage(machine: Machine, random: () => number, end: number): Promise<number> {
  const common = commonFaults(machine, random);
  const { faults, backUp } = restores(machine);
  const length = end - Date.now();
  let last = Date.now();
  // a backup at an eighth of the time, then what takes data back, one after the other, until three quarters of it
  const planned = takesBack
    ? faults.map((fault, index) => ({
        fault,
        at: end - length + length * (0.25 + (0.5 * index) / faults.length),
      }))
    : [];
  let backedUp = !takesBack;
  while (Date.now() < end) {
    await delay(Math.min(4_000 + 8_000 * random(), Math.max(0, end - Date.now())));
    if (!backedUp && Date.now() > end - length * 0.875) {
      await strike({ name: 'a backup of everything', strike: () => persistently(backUp) });
      backedUp = true;
    }
    const next = planned[0];
    if (backedUp && next && Date.now() >= next.at) {
      planned.shift();
      await strike({ ...next.fault, strike: () => persistently(next.fault.strike) });
      last = Date.now();
    } else {
      const fault = oneOf(common, random);
      if (fault) await strike(fault);
    }
  }
  return last;
}

/** What the storm itself needs may be away for a moment because of the fault before. */
const persistently = (act: () => Promise<void>) => eventually(act, { timeoutMs: 60_000, everyMs: 1_000 });

async function judge(stack: Stack, machine: Machine, teams: Team[], workload: Workload, since: number) {
  say(
    `the storm is over: ${workload.created} creations, ${workload.acknowledged.length} changes acknowledged, ${workload.unanswered} never answered`,
  );
  const wrong = await untilConverged(stack, machine, teams, patience);
  say(wrong.length === 0 ? 'everything has converged' : 'not everything has converged');
  const deployments = await listDeployments(stack, teams);
  wrong.push(...(await sharedBrokers(stack, deployments)));
  wrong.push(...(await foreignViews(stack, deployments, teams)));
  wrong.push(...(await auditGaps(stack, teams, workload.acknowledged, since)));
  const lost = [...workload.live.values()].filter(
    ({ name, acknowledgedAt }) => acknowledgedAt > since && !deployments.some((other) => other.name === name),
  );
  wrong.push(...lost.map(({ name }) => `${name} was promised after the last restore and is not there`));
  say(`${deployments.length} deployments at the end, ${wrong.length} things wrong`);
  return wrong;
}

// what a storm takes back has to be found within its time
process.env['INVENTORY_SECONDS'] ??= '10';
process.env['ORPHANED_NODE_SECONDS'] ??= '20';
process.env['UNKNOWN_DEPLOYMENT_SECONDS'] ??= '20';

say(`seed ${seed}, ${minutes} minutes, ${creations} deployments, ${atATime} at a time`);
const stack = await startStack();
say(`the stack is in ${stack.home}`);
const random = seededRandom(seed);
const machine = machineOf(stack);
const tenants = [stack, await seedTenant(stack, 'Other')];
const teams = await Promise.all(tenants.map((tenant) => teamOf(stack, tenant, 'storm')));
const start = Date.now();
const length = minutes * 60_000;
const creationsDue = () => Math.ceil((creations * (Date.now() - start)) / length);
const workload = new Workload({ stack, teams, creationsDue, atATime, workers: 4, random });
workload.start();
const since = await rage(machine, random, start + length);
await workload.stop();
await endRun(stack, await judge(stack, machine, teams, workload, since));
