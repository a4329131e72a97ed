import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  eventually,
  type Answer,
  connectBroker,
  type Login,
  processesOf,
  startStack,
  type Stack,
} from '@sluice/testing';
import { numberSetting, seedSetting } from './long-run.ts';
import { machineOf } from './storm/machine.ts';
import { seededRandom } from './storm/random.ts';
import {
  auditEntries,
  deploymentsPath,
  tcpOnly,
  untilGone,
  untilInitialized,
  type Created,
} from './story.ts';

/**
 * `kill -9` at random points of a deployment's life, of each program once during a creation and once during a deletion, or as
 * often as CRASH_KILLS says. After any kill every deployment ends `initialized` or gone, none twice, no process is orphaned
 * and no audit entry is lost.
 */
const kills = numberSetting('CRASH_KILLS', 6);
const seed = seedSetting('CRASH_SEED');
const random = seededRandom(seed);
const victims = ['supervisor', 'main-api', 'agent'] as const;

let stack: Stack;
let environmentId: number;
beforeAll(async () => {
  stack = await startStack();
  const path = `/tenants/${stack.tenant_id}/divisions/${stack.division_id}/environments`;
  environmentId = (await stack.main.post<{ id: number }>(path, { name: 'storm' })).body.id;
}, 90_000);
afterAll(() => stack.remove());

test(`${kills} kills, seed ${seed}`, async () => {
  const accepted: { type: string; deployment: string }[] = [];
  for (let round = 0; round < kills; round++) {
    const name = `storm-${round}`;
    const victim = victims[round % victims.length] ?? 'agent';
    const during = Math.floor(round / victims.length) % 2 === 0 ? 'creation' : 'deletion';
    const killing = during === 'creation' ? killAfter(victim, random() * 1_500) : undefined;
    const created = await create(name);
    accepted.push({ type: 'deployment_created', deployment: name });
    await killing;
    await untilInitialized(stack, created);
    await expectOneBroker(created);
    const killingAgain = during === 'deletion' ? killAfter(victim, random() * 800) : undefined;
    await remove(created);
    accepted.push({ type: 'deployment_deleted', deployment: name });
    await killingAgain;
    await untilGone(stack, created);
  }
  expect(await processesOf(`${stack.home}/nodes`)).toEqual([]);
  expect(await readdir(`${stack.home}/nodes/cloud_a`)).toEqual([]);
  await eventually(async () => {
    const entries = await auditEntries(
      stack,
      'types=deployment_created,deployment_deleted,deployment_initialized',
    );
    const recorded = entries.map(({ type, deployment }) => `${type} ${deployment?.name}`).sort();
    const initialized = accepted
      .filter(({ type }) => type === 'deployment_created')
      .map(({ deployment }) => `deployment_initialized ${deployment}`);
    expect(recorded).toEqual(
      [...accepted.map(({ type, deployment }) => `${type} ${deployment}`), ...initialized].sort(),
    );
  });
}, 600_000);

/** Repeats a request while no service answers. */
async function persistently(request: () => Promise<Answer>): Promise<Answer> {
  return eventually(
    async () => {
      const answer = await request();
      if (answer.status >= 500) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      return answer;
    },
    { timeoutMs: 20_000 },
  );
}

/** Creates a deployment; when the answer got lost, it finds the deployment that was made. */
async function create(name: string): Promise<Created> {
  const path = deploymentsPath(stack, environmentId);
  const body = { name, cloud: 'cloud_a', region: 'us-east-1', tier: 'small', cluster: 'standalone' };
  const { status, headers } = await persistently(() => stack.main.post(`${path}/managed`, body));
  if (status === 202) return { environmentId, deploymentId: Number(headers.get('svc-deployment')) };
  expect(status).toBe(409);
  const list = await persistently(() => stack.main.get(path));
  const made = (list.body['items'] as { id: number; name: string }[]).find((item) => item.name === name);
  return { environmentId, deploymentId: made?.id ?? 0 };
}

async function remove({ deploymentId }: Created): Promise<void> {
  const { status } = await persistently(() =>
    stack.main.delete(`${deploymentsPath(stack, environmentId)}/${deploymentId}`),
  );
  expect([202, 404]).toContain(status);
}

async function killAfter(victim: 'supervisor' | 'main-api' | 'agent', milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  if (victim === 'agent') return killAgent();
  const service = victim === 'supervisor' ? 'supervisor-cloud_a' : victim;
  await eventually(() => machineOf(stack).killService(service));
}

/** Kills whichever agent is there by now; there may be none yet, or none any more. */
async function killAgent(): Promise<void> {
  const folder = join(stack.home, 'nodes/cloud_a');
  for (const node of await readdir(folder)) {
    const text = await readFile(join(folder, node, 'agent.pid'), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    try {
      process.kill((JSON.parse(text) as { pid: number }).pid, 'SIGKILL');
    } catch {
      // it has just ended by itself
    }
  }
}

/** One agent, one gateway, one broker, and it answers. */
async function expectOneBroker({ deploymentId }: Created): Promise<void> {
  const region = stack.supervisor('cloud_a');
  await eventually(async () => {
    const { body: rule } = await region.post(`/deployments/${deploymentId}/access_rules`, {
      name: `let me in ${Math.floor(random() * 2 ** 31)}`,
      cidr_blocks: ['127.0.0.1/32'],
      rules: tcpOnly,
    });
    expect(rule['id']).toBeGreaterThan(0);
  });
  await eventually(
    async () => {
      const login = await region.get<Login & Record<string, unknown>>(
        `/deployments/${deploymentId}/credentials`,
      );
      const view = await region.get<{ endpoints: { broker_tcp: string | null } }>(
        `/deployments/${deploymentId}`,
      );
      const connection = await connectBroker(view.body.endpoints.broker_tcp, login.body);
      await connection.flush();
      await connection.close();
    },
    { timeoutMs: 30_000 },
  );
  const nodes = await readdir(`${stack.home}/nodes/cloud_a`);
  expect(nodes).toHaveLength(1);
  await eventually(async () =>
    expect(await processesOf(`${stack.home}/nodes/cloud_a/${nodes[0]}`)).toHaveLength(3),
  );
}
