import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jetstreamManager } from '@nats-io/jetstream';
import {
  connectBroker,
  publishAndRead,
  type Login,
  freePorts,
  processesOf,
  startStack,
  type Stack,
  eventually,
} from '@sluice/testing';
import { createStarter, untilInitialized } from './story.ts';

let home: string;
let portBase: number;
let stack: Stack | undefined;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sluice-e2e-'));
  portBase = await freePorts();
});
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
  await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

async function thePrintedCommandAnswers({ output, tenant_id }: Stack): Promise<void> {
  const command = /^\s*(curl .*)$/m.exec(output())?.[1] ?? '';
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  expect(JSON.parse(stdout)).toMatchObject({ id: tenant_id });
}

test('a start prints what works; Ctrl-C leaves no process behind; a second start keeps all data, brokers included', async () => {
  stack = await startStack({ home, portBase });
  await thePrintedCommandAnswers(stack);
  const created = await createStarter(stack);
  const { endpoints } = await untilInitialized(stack, created);
  const login = (
    await stack
      .supervisor('cloud_a')
      .get<Login & Record<string, unknown>>(`/deployments/${created.deploymentId}/credentials`)
  ).body;
  const connection = await connectBroker(endpoints.broker_tcp, login);
  await publishAndRead(connection, 10);
  await connection.close();
  // npm ends by the signal that it got, once everything below it has ended
  await stack.stop();
  expect(await processesOf(home)).toEqual([]);

  const key = stack.api_key;
  const restarted = (stack = await startStack({ home, portBase }));
  expect(restarted.api_key).toBe(key);
  const found = await eventually(
    async () => {
      // it is on another port where its own was taken meanwhile, and says so once its agent runs again
      const again = await untilInitialized(restarted, created);
      const reconnected = await connectBroker(again.endpoints.broker_tcp, login);
      const { state } = await (await jetstreamManager(reconnected)).streams.info('orders');
      await reconnected.close();
      return state.messages;
    },
    { timeoutMs: 30_000 },
  );
  expect(found).toBe(10);
}, 120_000);
