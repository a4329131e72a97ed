import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Memory } from './live-heap.ts';

const linesPerSecond = 2_000;
/** when its memory is measured; before the first it remembers as many lines as it ever does */
const seconds = [30, 90] as const;

interface Followed {
  /** at 30 s, and at 90 s */
  memory: [early: Memory, late: Memory];
  /** of those that were sent, the part that was shown */
  shown: number;
}

/** Follows logs with 2,000 lines a second, from a server that has nothing but them. */
export async function followLogs(program: string, env: NodeJS.ProcessEnv): Promise<Followed> {
  const server = createServer(({ url = '', headers: { host } }, response) => {
    if (url.includes('/logs/stream')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      void send(response);
      return;
    }
    const region = { cloud: 'cloud_a', region: 'us-east-1', supervisor_url: `http://${host}` };
    const environment = { id: 3, name: 'dev', deployments: [{ id: 4, name: 'orders', ...region }] };
    const structure = { id: 1, divisions: [{ id: 2, name: 'payments', environments: [environment] }] };
    const body = url.endsWith('/structure')
      ? structure
      : url.includes('/logs')
        ? { items: [], searched_from: null }
        : { tenant: { id: 1 }, regions: [] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  let sent = 0;
  async function send(response: ServerResponse): Promise<void> {
    const begun = performance.now();
    while (!response.destroyed) {
      for (; sent < ((performance.now() - begun) / 1_000) * linesPerSecond; sent++)
        response.write(eventOf(sent));
      await delay(10);
    }
  }

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const preload = ['--expose-gc', '--import', join(import.meta.dirname, 'live-heap.ts')];
  const child = spawn(process.execPath, [...preload, program, 'logs', 'orders', '--follow', '-o', 'ndjson'], {
    env: { ...env, SLUICE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let got = 0;
  child.stdout?.on('data', (piece: Buffer) => (got += piece.toString().split('\n').length - 1));
  try {
    await once(child.stdout as Readable, 'data');
    await delay(seconds[0] * 1_000);
    const early = await memoryOf(child);
    await delay((seconds[1] - seconds[0]) * 1_000);
    return { memory: [early, await memoryOf(child)], shown: got / sent };
  } finally {
    child.kill();
    server.closeAllConnections();
    server.close();
  }
}

function eventOf(number: number): string {
  const line = {
    ...{ at: new Date().toISOString(), node_id: 1, runtime: 'broker', connector_instance_id: null },
    ...{ level: 'info', message: `connection ${number} is opened by a client with some words about itself` },
  };
  return `event: line\ndata: ${JSON.stringify(line)}\n\n`;
}

async function memoryOf(child: ChildProcess): Promise<Memory> {
  const answer = once(child, 'message');
  child.send('memory');
  const [memory] = (await answer) as [Memory];
  return memory;
}
