import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { agreeBeside, startStack } from '@sluice/testing';
import { endRun, numberSetting, reasonOf, say, seedSetting } from '../long-run.ts';
import { seedTenant } from '../second-tenant.ts';
import { seededRandom } from '../storm/random.ts';
import { builtProgram, type Ended } from './program.ts';

/**
 * `sluice apply` of a whole organization to the embedded stack: three divisions, nine environments, deployments in both regions. One tenant
 * gets it at once, another by applications that are killed at random moments and run again. Both have to be the same in the end, nothing
 * twice; a further run changes nothing; five changes are five requests. Exit code 1 when something is not so.
 *
 * `APPLY_DEPLOYMENTS` (20, 9 at least), `APPLY_KILLS` (20), `APPLY_SEED`.
 */
const deployments = numberSetting('APPLY_DEPLOYMENTS', 20);
const kills = numberSetting('APPLY_KILLS', 20);
const seed = seedSetting('APPLY_SEED');

const divisions = ['payments', 'search', 'shop'];
const environments = ['dev', 'live', 'test'];
const regions = ['cloud_a, region: us-east-1', 'cloud_b, region: us-central1'];

/** @param changed with five changes */
function organization(changed: boolean): string {
  const lines = ['set: run', 'roles:', '  - name: reader'];
  lines.push(
    `    permissions: { environment: [${changed ? 'deployment:manage' : 'deployment:read'}] }`,
    'divisions:',
  );
  for (const [number, division] of divisions.entries()) {
    const described = changed && number === 0 ? 'Changed' : 'As it was';
    lines.push(`  - name: ${division}`, `    description: ${described}`, '    environments:');
    for (const [at, environment] of environments.entries()) {
      lines.push(`      - name: ${environment}`, '        deployments:');
      for (let count = number * environments.length + at; count < deployments; count += 9) {
        const limit = changed && count < 2 ? 31 : 30;
        const block = changed && count === 2 ? '198.51.100.0/24' : '192.0.2.0/24';
        lines.push(
          `          - { name: d${count}, cloud: ${regions[count % 2] ?? ''}, tier: free, spend_limit: ${limit},`,
          `              access_rules: [{ name: office, cidr_blocks: [${block}], protocols: [tcp] }] }`,
        );
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

/** What was changed. A request that a busy server refuses is sent again. */
const writesOf = ({ stderr }: Ended): string[] =>
  stderr.split('\n').filter((line) => /^(POST|PUT|DELETE) .* → 2/.test(line) && !line.includes('/preview '));

const wrong: string[] = [];
function expectIn(what: string, found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(wanted)) return;
  wrong.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
}

say(`seed ${seed}: ${deployments} deployments, ${kills} kills`);
const random = seededRandom(seed);
const stack = await startStack();
say(`the stack is in ${stack.home}`);

try {
  const sluice = await builtProgram(stack, await mkdtemp(join(stack.home, 'sluice-')));
  const tenant = async (name: string) => {
    const { tenant_id, api_key } = await seedTenant(stack, name);
    const env = { SLUICE_API_KEY: api_key };
    expectIn(`${name}: the plan`, (await sluice.run(['plan', 'change', 'enterprise'], { env })).code, 0);
    // no plan has room for so many, and more can be agreed
    await agreeBeside(stack, tenant_id, {
      deployment_tiers: [{ tier: 'free', limit: deployments }],
    });
    const apply = async (text: string) => {
      const path = join(stack.home, `${name}.yaml`);
      await writeFile(path, text);
      return ['apply', '-f', path, '--yes'];
    };
    /** Runs it, and says how long it took. */
    const timed = async (what: string, text: string) => {
      const start = performance.now();
      const ended = await sluice.run([...(await apply(text)), '--verbose'], { env });
      const seconds = (performance.now() - start) / 1_000;
      const writes = writesOf(ended);
      say(`${name}: ${what}: exit code ${ended.code}, ${writes.length} requests, ${seconds.toFixed(1)} s`);
      expectIn(`${name}: ${what}`, ended.code, 0);
      if (ended.code !== 0) wrong.push(ended.stderr.slice(-2_000));
      return { writes: writes.length, seconds };
    };
    const exported = async () => (await sluice.run(['export'], { env })).stdout;
    const remove = async () => {
      const empty = [...(await apply('set: run\n')), '--prune'];
      const ended = await sluice.run(empty, { env });
      expectIn(`${name}: pruned`, ended.code, 0);
    };
    return { env, apply, timed, exported, remove };
  };

  const first = await tenant('At once');
  const whole = await first.timed('from empty', organization(false));
  // the fastest of three: others use the machine, too
  let fastest = Infinity;
  for (let run = 0; run < 3; run++) {
    const again = await first.timed('again', organization(false));
    expectIn('again', again.writes, 0);
    fastest = Math.min(fastest, again.seconds);
  }
  if (fastest >= 2)
    wrong.push(`again: ${fastest.toFixed(1)} s instead of 2 at most, with the load at ${loadavg()[0]}`);
  expectIn('five changes', (await first.timed('five changes', organization(true))).writes, 5);
  const wanted = await first.exported();
  // a machine has room for the nodes of one of them
  await first.remove();
  say('At once: removed');

  const second = await tenant('Killed');
  for (let killed = 0, ended = 0; killed < kills;) {
    // after one that came to its end there is something to change again
    const [command = '', ...args] = await second.apply(organization(ended % 2 === 0));
    const child = spawn(process.execPath, [sluice.path, command, ...args], {
      env: { ...process.env, ...second.env, SLUICE_URL: stack.base_url, SLUICE_CONFIG_DIR: sluice.config },
      stdio: 'ignore',
    });
    const exit = once(child, 'exit');
    // the kills are spread over the work: what comes before it takes as long as finding that there is nothing to do
    const seconds = fastest * (0.5 + random() / 2) + (2 * random() * whole.seconds) / kills;
    await Promise.race([exit, delay(seconds * 1_000)]);
    child.kill('SIGKILL');
    await exit;
    if (child.signalCode === 'SIGKILL') {
      killed += 1;
      say(`Killed: after ${seconds.toFixed(1)} s`);
      continue;
    }
    if (child.exitCode !== 0) throw new Error(`Killed: exit code ${child.exitCode}, without being killed`);
    ended += 1;
  }
  await second.timed('to its end', organization(true));
  expectIn('the second time', (await second.timed('again', organization(true))).writes, 0);
  expectIn('what is there', await second.exported(), wanted);
} catch (error) {
  wrong.push(reasonOf(error));
}
await endRun(stack, wrong);
