import { join } from 'node:path';
import { client, createNode, removeNodes, running } from '../fixtures/node.ts';
import { describeRuntime } from './conformance.ts';
import { echo } from './echo/echo-runtime.ts';

const connects = async (endpoint: string) =>
  await client(endpoint).then(
    async (connection) => {
      await connection.close();
      return true;
    },
    () => false,
  );

describeRuntime({
  name: 'nats',
  serves: connects,
  reloaded: { BROKER_MESSAGE_MAX_SIZE: '2MiB' },
  refused: {
    values: { BROKER_MESSAGE_MAX_SIZE: 'much' },
    reason: /^the configuration is refused: BROKER_MESSAGE_MAX_SIZE/,
  },
});

describeRuntime({
  name: 'echo',
  program: join(import.meta.dirname, 'echo/main.ts'),
  serves: async (endpoint) => (await echo(Number(endpoint.split(':').at(-1)), 'hello')).endsWith('hello'),
  reloaded: { BROKER_ECHO_PREFIX: 'new ' },
  refused: {
    values: { BROKER_ECHO_PREFIX: 'much too long' },
    reason: /^the configuration is refused: BROKER_ECHO_PREFIX has to be short$/,
  },
});

describe('a deployment that names no runtime', () => {
  afterEach(removeNodes);

  test('has the only one of its agent', async () => {
    const { supervisor, startAgent } = await createNode({ broker: { runtime: '' } });
    startAgent();
    const { runtimes } = await supervisor.heard(running);
    expect(runtimes[0]?.version).toMatch(/^2\./);
  });

  test('has none where its agent has several', async () => {
    const { supervisor, startAgent } = await createNode({
      program: join(import.meta.dirname, 'echo/main.ts'),
      broker: { runtime: '' },
    });
    startAgent();
    const { runtimes } = await supervisor.heard(({ runtimes: [one] }) => one?.status === 'failed');
    expect(runtimes[0]?.reason).toContain('does not know the runtime ""');
  });
});
