import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const linesPerSecond = 2_000;
/** after so long it remembers as many lines as it ever does */
const warmSeconds = 45;

interface Followed {
  /** resident, in bytes: once it is warm, and after as long again */
  memory: [warm: number, later: number];
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
  const child = spawn(process.execPath, [program, 'logs', 'orders', '--follow', '-o', 'ndjson'], {
    // what waits to be collected is no growth
    env: { ...env, SLUICE_URL: url, NODE_OPTIONS: '--max-old-space-size=80' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let got = 0;
  child.stdout.on('data', (piece: Buffer) => (got += piece.toString().split('\n').length - 1));
  try {
    await once(child.stdout, 'data');
    await delay(warmSeconds * 1_000);
    const warm = await memoryOf(child.pid);
    await delay(warmSeconds * 1_000);
    return { memory: [warm, await memoryOf(child.pid)], shown: got / sent };
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

/** resident, in bytes */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN) * 1_024;
}
