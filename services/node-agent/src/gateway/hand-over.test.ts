import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { idOf } from '@sluice/contracts';
import { startOf } from '@sluice/system/process-table';
import { testFolder } from '@sluice/testing';
import { takesOver } from './hand-over.ts';
import type { GatewayState } from './protocol.ts';

test('who connects while the sockets change hands is let in once the successor knows what holds', async () => {
  const broker = createServer((socket) => socket.pipe(socket));
  const listener = createServer();
  for (const server of [broker, listener]) await once(server.listen(0, '127.0.0.1'), 'listening');
  const portOf = (server: typeof broker) => (server.address() as AddressInfo).port;
  const port = portOf(listener);
  const successor = fork(join(import.meta.dirname, 'main.ts'), [await testFolder(), 'build', takesOver], {
    execArgv: [],
  });
  try {
    await once(successor, 'message');
    await new Promise((resolve) => successor.send({ listener: 'broker_tcp' }, listener, {}, resolve));
    listener.close();
    const client = connect(port, '127.0.0.1');
    await once(client, 'connect');
    client.write('hello');
    const state: GatewayState = {
      host: '127.0.0.1',
      ports: { broker_tcp: port },
      rules: [{ id: idOf(1), protocols: ['broker_tcp'], cidr_blocks: ['127.0.0.1/32'], valid_to: null }],
      clock_offset: 0,
      broker: {
        pid: process.pid,
        process_start: (await startOf(process.pid)) ?? '',
        ports: { broker_tcp: portOf(broker) },
      },
    };
    // that it has accepted the client cannot be seen from here
    await delay(300);
    successor.send({ state });
    const [echo] = (await once(client, 'data')) as [Buffer];
    expect(echo.toString()).toBe('hello');
    client.destroy();
  } finally {
    successor.kill('SIGKILL');
    broker.close();
  }
});
