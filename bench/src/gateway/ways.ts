import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, type ServerProcess } from '@sluice/embedded';

/** A way to the broker. */
export interface Way {
  name: string;
  port: number;
  end: () => void;
}

const gatewayProgram = join(import.meta.dirname, '../../../services/node-agent/src/gateway/main.ts');

/** A gateway of this repository, as an agent starts and steers it: this machine is let in, nothing limits it. */
export async function gatewayWay(name: string, folder: string, broker: ServerProcess): Promise<Way> {
  await mkdir(folder);
  const child = spawn(process.execPath, [gatewayProgram, folder, 'bench'], {
    // it waits for its parent
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  const ports = await applied(join(folder, `${child.pid}.sock`), {
    host: '127.0.0.1',
    ports: { broker_tcp: 0 },
    rules: [{ id: 1, protocols: ['broker_tcp'], cidr_blocks: ['127.0.0.0/8'], valid_to: null }],
    clock_offset: 0,
    broker: {
      pid: broker.pid,
      process_start: await startOf(broker.pid),
      ports: { broker_tcp: broker.port },
    },
  });
  return { name, port: ports.broker_tcp, end: () => child.kill() };
}

/** Tells a gateway what holds, over its socket; answers where it listens. */
async function applied(path: string, state: object): Promise<{ broker_tcp: number }> {
  const socket = connect(path);
  socket.write(`${JSON.stringify({ id: 1, apply: state })}\n`);
  for await (const line of createInterface({ input: socket })) {
    const answer = JSON.parse(line) as {
      id?: number;
      error?: string;
      status?: { ports: { broker_tcp: number } };
    };
    if (answer.error !== undefined) throw new Error(answer.error);
    if (answer.id === 1 && answer.status !== undefined) return answer.status.ports;
  }
  throw new Error('the gateway is gone');
}

async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** HAProxy as a person would set it up for the same: who comes from this machine is let in, all others are not. */
export async function haproxyWay(program: string, folder: string, broker: ServerProcess): Promise<Way> {
  await mkdir(folder);
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(
    file,
    `defaults
  mode tcp
  timeout connect 5s
  timeout client 1h
  timeout server 1h
frontend clients
  bind 127.0.0.1:${port}
  tcp-request connection reject unless { src 127.0.0.0/8 }
  default_backend broker
backend broker
  server broker 127.0.0.1:${broker.port}
`,
  );
  const child = spawn(program, ['-db', '-q', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  await untilListening(child, port);
  return { name: 'HAProxy by hand', port, end: () => child.kill() };
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt++) {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    await pause(50);
  }
  throw new Error('HAProxy does not listen');
}
