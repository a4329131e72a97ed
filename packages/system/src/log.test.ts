import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newApiToken } from '@sluice/contracts';
import { redact } from './log.ts';

test('named secrets, tokens and passwords in addresses are taken out, however deep', () => {
  const token = newApiToken();
  const line = {
    user: 'ada',
    password: 'hunter2',
    nested: [{ api_key: token, note: `called with ${token}` }],
    credentials: { username: 'ada', password: 'hunter2' },
    url: 'postgresql://sluice:hunter2@db/main',
    error: new Error(`cannot reach nats://user:hunter2@nats`),
    jwt: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  };
  const text = JSON.stringify(redact(line));
  expect(text).toContain('ada');
  expect(text).toContain('cannot reach');
  for (const secret of ['hunter2', token, 'eyJ']) expect(text).not.toContain(secret);
});

test('an error is logged with what caused it, down to the first, and without secrets', () => {
  const refused = new AggregateError([new Error('127.0.0.1 refused'), new Error('::1 refused')]);
  const unreachable = new Error('no answer of nats://user:hunter2@nats', { cause: refused });
  const log = redact({ error: new Error('the service could not start', { cause: unreachable }) });
  expect(log).toMatchObject({
    error: {
      message: 'the service could not start',
      cause: {
        message: 'no answer of nats://user:***@nats',
        cause: { errors: [{ message: '127.0.0.1 refused' }, { message: '::1 refused' }] },
      },
    },
  });
});

test('of a key only the public part is logged', () => {
  const key = { kty: 'OKP', crv: 'Ed25519', x: 'public', d: 'hunter2' };
  expect(redact({ key })).toEqual({ key: { ...key, d: '***' } });
  expect(redact({ d: 'not a key' })).toEqual({ d: 'not a key' });
});

test('what is too deep, or refers to itself, does not keep a line from being written', () => {
  const circle: Record<string, unknown> = { name: 'circle' };
  circle.self = circle;
  expect(JSON.stringify(redact(circle))).toContain('[deep]');
  const error = new Error('caused by itself');
  error.cause = error;
  expect(JSON.stringify(redact({ error }))).toContain('[deep]');
});

/** What a program that logs one line writes. */
async function linesOf(options: string, call: string) {
  const log = join(import.meta.dirname, 'log.ts');
  const program = `import { createLog } from ${JSON.stringify(log)}; createLog(${options}).${call};`;
  return await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
}

test('a line is one JSON object with service, level, message, fields, context and time', async () => {
  const { stdout } = await linesOf(
    `{ service: 'agent', level: 'info', context: () => ({ request_id: 'r1' }) }`,
    `info('ready, says nats://u:hunter2@host', { port: 80, token: 'hunter2' })`,
  );
  expect(stdout.split('\n')).toHaveLength(2);
  expect(JSON.parse(stdout)).toEqual({
    level: 'info',
    message: 'ready, says nats://u:***@host',
    port: 80,
    request_id: 'r1',
    service: 'agent',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    token: '***',
  });
});

test('a line below the level is left out, and on request lines go to standard error', async () => {
  expect((await linesOf(`{ service: 'a', level: 'warn' }`, `info('x')`)).stdout).toBe('');
  const { stdout, stderr } = await linesOf(`{ service: 'a', level: 'info', output: 'stderr' }`, `info('x')`);
  expect(stdout).toBe('');
  expect(JSON.parse(stderr)).toMatchObject({ message: 'x' });
});

test.each([
  ['ends', '', 0],
  ['is ended', 'process.exit(3)', 3],
  ['ends by an uncaught error', "throw new Error('a mistake')", 1],
])('no line is lost when the program %s', async (_how, end, code) => {
  const log = JSON.stringify(join(import.meta.dirname, 'log.ts'));
  const program = `import { createLog } from ${log};
    const log = createLog({ service: 'a', level: 'info' });
    for (let line = 0; line < 1000; line++) log.info('line ' + line);
    ${end}`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  const { stdout, code: ended } = await run.then(
    (printed) => ({ ...printed, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  );
  const messages = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { message: string }).message);
  expect(messages).toEqual(Array.from({ length: 1000 }, (_, line) => `line ${line}`));
  expect(ended).toBe(code);
});

test('the lines of one turn are written together', async () => {
  const { stderr } = await linesOf(
    `{ service: 'a', level: 'info' }`,
    `info('one');
     const { write } = process.stdout;
     let writes = 0;
     process.stdout.write = (...text) => { writes++; return write.apply(process.stdout, text); };
     const log = createLog({ service: 'b', level: 'info' });
     log.info('two'); log.info('three');
     process.on('exit', () => process.stderr.write(String(writes)))`,
  );
  expect(stderr).toBe('1');
});
