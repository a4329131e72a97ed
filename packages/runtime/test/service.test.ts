import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { byTcp, client, compiledCode, eventually, freePort, metricsOf, testKeys } from '@sluice/testing';
import { createApi, type OpenApiDocument } from '@sluice/http';
import { widgetService } from './widget-service.ts';

const main = fileURLToPath(new URL('../test/main.ts', import.meta.url));
const on = widgetService();

interface Started {
  child: ChildProcess;
  output: () => string;
  exit: Promise<number | null>;
}

function run(environment: Record<string, string>): Started {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'] ?? '', ...compiledCode(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  on.onClose(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  return { child, output: () => output, exit };
}

const settings = () => ({
  DATABASE_URL: on.databaseUrl,
  NATS_URL: on.natsUrl,
  NATS_NAMESPACE: on.namespace,
  SIGNING_KEYS: testKeys.signing.get('main-api') ?? '',
  TRUSTED_KEYS: testKeys.trusted,
});

async function runReady(more: Record<string, string> = {}): Promise<Started & { url: string }> {
  const port = await freePort();
  const started = run({ ...settings(), PORT: String(port), ...more });
  const url = `http://127.0.0.1:${port}`;
  const ready = async () => expect((await client(url).get('/readyz')).status).toBe(200);
  await eventually(ready, { timeoutMs: 25_000 });
  return { ...started, url };
}

test('a service that is not configured says everything that is wrong, and ends with 1', async () => {
  const { output, exit } = run({ LOG_LEVEL: 'loud' });
  expect(await exit).toBe(1);
  expect(output()).toBe(
    [
      'The configuration is not usable:',
      '  PORT: is missing',
      '  DATABASE_URL: is missing',
      '  NATS_URL: is missing',
      '  TRUSTED_KEYS: is missing',
      '  LOG_LEVEL: has to be one of error, warn, info, debug',
      '  SIGNING_KEYS: is missing',
      '',
    ].join('\n'),
  );
});

describe('an error that nothing catches', () => {
  let service: Started & { url: string };
  beforeAll(async () => {
    service = await runReady();
  });

  test.each(['callback', 'promise'])('in a %s of a request ends this request, and no other', async (kind) => {
    const slow = client(service.url).get('/failures/slow');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client(service.url).get(`/failures/${kind}`)),
    );
    for (const { status, headers, body } of answers)
      expect([status, body['code'], body['instance']]).toEqual([500, 'internal', headers.get('svc-request')]);
    expect((await slow).status).toBe(409);
    expect(service.output()).toContain('an error was not caught');
  });

  test('elsewhere is logged and counted, and the service goes on', async () => {
    await client(service.url).get('/failures/elsewhere');
    await eventually(async () =>
      expect(await metricsOf(service.url)).toContain('sluice_uncaught_errors_total{origin="elsewhere"} 1'),
    );
    expect(await metricsOf(service.url)).toContain('sluice_uncaught_errors_total{origin="request"} 40');
    expect((await client(service.url).get('/readyz')).status).toBe(200);
    expect(service.child.exitCode).toBeNull();
  });

  test('at the start ends the service', async () => {
    const { exit, output } = run({ ...settings(), PORT: new URL(service.url).port });
    expect(await exit).toBe(1);
    expect(output()).toContain('the service could not start');
  });
});

test('a start waits for PostgreSQL and NATS, which come later', async () => {
  const [postgres, nats] = [new URL(on.databaseUrl), new URL(on.natsUrl)];
  const [databasePort, natsPort, port] = [await freePort(), await freePort(), await freePort()];
  const { child, output } = run({
    ...settings(),
    DATABASE_URL: Object.assign(byTcp(on.databaseUrl), { port: String(databasePort) }).href,
    NATS_URL: Object.assign(new URL(on.natsUrl), { port: String(natsPort) }).href,
    PORT: String(port),
  });
  const open = (at: number, { hostname, port: target }: URL) => {
    const server = createServer((socket) => {
      const through = connect(Number(target), hostname).on('error', () => socket.destroy());
      socket
        .on('error', () => through.destroy())
        .pipe(through)
        .pipe(socket);
    }).listen(at, '127.0.0.1');
    on.onClose(() => void server.close());
  };
  await eventually(() => expect(output()).toContain('NATS cannot be reached'), { timeoutMs: 25_000 });
  open(natsPort, nats);
  await eventually(() => expect(output()).toContain('"server":"PostgreSQL"'), { timeoutMs: 25_000 });
  expect(child.exitCode).toBeNull();
  open(databasePort, postgres);
  const ready = async () =>
    expect((await client(`http://127.0.0.1:${port}`).get('/readyz')).status).toBe(200);
  await eventually(ready, { timeoutMs: 25_000 });
}, 90_000);

test('a start that waits ends with its parent', async () => {
  const { child, exit, output } = run({
    ...settings(),
    DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/nothing`,
    PORT: '0',
    SLUICE_STOP_WITH_PARENT: 'true',
  });
  await eventually(() => expect(output()).toContain('"server":"PostgreSQL"'), { timeoutMs: 25_000 });
  child.disconnect();
  expect(await exit).toBe(1);
});

test('SIGTERM lets the request in flight end, refuses new connections, and ends with 0', async () => {
  const { child, exit, url } = await runReady();
  const slow = client(url).get('/failures/slow');
  // the request is in flight once its metric is not there yet but the connection is
  await eventually(async () => expect(await metricsOf(url)).toContain('nodejs_active_requests'));
  child.kill('SIGTERM');
  child.kill('SIGTERM');
  expect((await slow).status).toBe(409);
  expect(await exit).toBe(0);
  await expect(client(url).get('/healthz')).rejects.toThrow();
});

test('a service ends with its parent where it was told so', async () => {
  const { child, exit } = await runReady({ SLUICE_STOP_WITH_PARENT: 'true' });
  child.disconnect();
  expect(await exit).toBe(0);
});

describe('a service refuses to start', () => {
  const operation = { operationId: 'readWidget', 'x-permission': 'public', responses: {} };
  const documentOf = (get: object) =>
    ({
      openapi: '3.1.0',
      info: { title: 't', version: '1' },
      paths: { '/widgets': { get } },
    }) as unknown as OpenApiDocument;
  const create = (get: object, handlers: object) => () =>
    createApi({
      document: documentOf(get),
      handlers,
      authorize: async () => null,
      validateResponses: false,
    });

  test('while an operation lacks a handler, or a handler its operation', () => {
    expect(create(operation, {})).toThrow('no handler: readWidget');
    expect(create(operation, { readWidget: null, other: null })).toThrow('no operation: other');
  });

  test('while an operation lacks x-permission, or names a permission that does not exist', () => {
    const handlers = { readWidget: async () => ({ status: 204 }) };
    expect(create({ ...operation, 'x-permission': undefined }, handlers)).toThrow(
      'GET /widgets has no valid x-permission',
    );
    const unknown = { scope: 'tenant', permission: 'widgets:read' };
    expect(create({ ...operation, 'x-permission': unknown }, handlers)).toThrow('no valid x-permission');
    expect(create(operation, handlers)).not.toThrow();
  });
});
