import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNats } from '@sluice/embedded';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { connectBroker, freePort, startStack, type Login, type Stack } from '@sluice/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { spread, table } from './report.ts';

/**
 * From the `POST` of a starter deployment to the first message through its broker, on a stack of its own: what a
 * newcomer waits for. Split by the steps as the supervisor reports them; the aim is a median under 2 s. Beside it, in
 * the same run, the floor: how long the same broker and client take without a control plane.
 */
/** The statuses that are distinguished; one that goes by between two looks counts to the next. */
const statuses = ['waiting_for_nodes', 'deploying_nodes', 'initialized'];
const runs = Number(process.argv[2] ?? 20);

interface Run {
  [step: string]: number;
}

const stack = await startStack();
try {
  const measured: Run[] = [];
  for (let run = 0; run < runs; run++) measured.push(await oneRun(stack));
  const steps = Object.keys(measured[0] ?? {});
  const floor: number[] = [];
  for (let run = 0; run < runs; run++) floor.push(await withoutControlPlane());
  const rows = steps.map((step) => [step, ...spread(measured.map((run) => run[step] ?? 0))]);
  rows.push(['the same without a control plane', ...spread(floor)]);
  process.stdout.write(
    `${table(['step (ms)', 'median', 'min', 'p90', 'max'], rows)}\n${runs} runs, aim: total median under 2000 ms\n`,
  );
} finally {
  await stack.remove();
}

/** A broker of the same kind started by hand, and the first message through it. */
async function withoutControlPlane(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  const port = await freePort();
  const begun = performance.now();
  const broker = await startNats({ folder, port });
  const connection = await connect({ servers: broker.url });
  await storeFirstMessage(connection);
  const took = performance.now() - begun;
  await connection.close();
  await broker.stop();
  await rm(folder, { recursive: true, force: true });
  return took;
}

async function storeFirstMessage(connection: NatsConnection): Promise<void> {
  await (await jetstreamManager(connection)).streams.add({ name: 'first', subjects: ['first'] });
  await jetstream(connection).publish('first', 'message');
}

async function oneRun({ main, supervisor, tenant_id, division_id }: Stack): Promise<Run> {
  const region = supervisor('cloud_a');
  const begun = performance.now();
  const marks: [string, number][] = [];
  const mark = (step: string) => marks.push([step, performance.now()]);

  const path = `/tenants/${tenant_id}/divisions/${division_id}/deployments`;
  const { headers } = await main.post(`${path}/starter`, { cloud: 'cloud_a', region: 'us-east-1' });
  const id = Number(headers.get('svc-deployment'));
  const environment = Number(headers.get('svc-environment'));
  mark('POST answered');

  let endpoint: string | null = null;
  let seen = '';
  while (seen !== 'initialized') {
    const { body } = await region.get<{ status: string; endpoints: { broker_tcp: string | null } }>(
      `/deployments/${id}`,
    );
    if (body.status !== seen && statuses.includes(body.status)) {
      seen = body.status;
      mark(`status ${seen}`);
    }
    endpoint = body.endpoints?.broker_tcp ?? null;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const login = (await region.get<Login & Record<string, unknown>>(`/deployments/${id}/credentials`)).body;
  const connection = await connectBroker(endpoint, login);
  mark('client connected');
  await storeFirstMessage(connection);
  mark('first message stored');
  await connection.close();

  await main.delete(
    `/tenants/${tenant_id}/divisions/${division_id}/environments/${environment}/deployments/${id}`,
  );
  while (
    (
      await main.get(
        `/tenants/${tenant_id}/divisions/${division_id}/environments/${environment}/deployments/${id}`,
      )
    ).status !== 404
  ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return split(begun, marks);
}

function split(begun: number, marks: [string, number][]): Run {
  const steps = [
    'POST answered',
    ...statuses.map((status) => `status ${status}`),
    'client connected',
    'first message stored',
    'total',
  ];
  const run: Run = Object.fromEntries(steps.map((step) => [step, 0]));
  let before = begun;
  for (const [step, at] of marks) {
    run[step] = at - before;
    before = at;
  }
  run['total'] = before - begun;
  return run;
}
