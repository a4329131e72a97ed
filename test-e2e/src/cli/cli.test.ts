import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anyStack, eventually, type Stack } from '@sluice/testing';
import { node20 } from '../client/readme.ts';
import { builtProgram, type Program } from './program.ts';
import { testSignIn } from './sign-in.ts';

/** packages/cli as it is published, as a process, against a whole stack. */

const containing = (text: string): unknown => expect.stringContaining(text);
const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

let stack: Stack;
let sluice: Program;
beforeAll(async () => {
  stack = await anyStack();
  sluice = await builtProgram(stack);
}, 240_000);
afterAll(() => stack.remove());
testSignIn(() => ({ stack, sluice }));

const free = ['--cloud', 'cloud_a', '--region', 'us-east-1'];
const signedOut = { SLUICE_API_KEY: '', SLUICE_URL: '' };

test('a deployment from its creation to its end in commands alone', async () => {
  const created = await sluice.run([
    'deployments',
    'starter',
    'default/story',
    ...free,
    '--name',
    'orders',
    '--wait',
    '-o',
    'json',
  ]);
  expect(created).toMatchObject({
    code: 0,
    stderr: matching(/\d+\.\d s\n(.*\n)*initialized {2}after \d+\.\d s\n/),
  });
  expect(JSON.parse(created.stdout)).toMatchObject({
    place: 'default/story/orders',
    status: 'initialized',
    tier: 'free',
  });

  for (const place of ['default/story/orders', 'story/orders', 'orders', 'ORDERS'])
    expect(await sluice.run(['deployments', 'show', place, '-o', 'name'])).toMatchObject({
      code: 0,
      stdout: 'default/story/orders\n',
    });
  const address = await sluice.run(['deployments', 'show', 'orders', '--query', 'live.endpoints.broker_tcp']);
  expect(address.stdout).toMatch(/^127\.0\.0\.1:\d+\n$/);

  const stopped = await sluice.run(['deployments', 'stop', 'orders', '--wait']);
  expect(stopped).toMatchObject({ code: 0, stdout: containing('completed') });
  expect(
    await sluice.run(['deployments', 'wait', 'orders', '--for', 'stopped', '--timeout', '60s']),
  ).toMatchObject({ code: 0 });
  const late = await sluice.run(['deployments', 'wait', 'orders', '--timeout', '300ms']);
  expect(late).toMatchObject({ code: 8, stdout: '', stderr: containing('--timeout') });
  const upgrade = await sluice.run(['deployments', 'upgrade', 'orders', '--tier', 'small']);
  expect(upgrade).toMatchObject({ code: 6, stderr: matching(/Request: [0-9a-f]{32}/) });
  // a timeout is of a wait
  expect(await sluice.run(['deployments', 'start', 'orders', '--timeout', '60s'])).toMatchObject({
    ...{ code: 0, stdout: containing('completed') },
  });

  const asked = await sluice.run(['deployments', 'delete', 'orders']);
  expect(asked).toMatchObject({ code: 2, stderr: containing('--yes') });
  expect(await sluice.run(['deployments', 'delete', 'orders', '--yes', '--wait'])).toMatchObject({ code: 0 });
  expect(await sluice.json('deployments', 'list', 'default/story')).toEqual([]);
}, 240_000);

test('exit codes and streams: data on stdout, words on stderr, and what to do', async () => {
  const cases: [args: string[], code: number, said: RegExp][] = [
    [['bogus'], 2, /Unknown command 'bogus'/],
    [['deployments', 'list', '--limit', 'x'], 2, /whole number/],
    [['deployments', 'wait', 'x', '--for', 'initialised'], 2, /initialized/],
    [['deployments', 'show'], 2, /Which deployment\?/],
    [['deployments', 'show', 'nope'], 5, /Next: sluice deployments list/],
    [['divisions', 'create', ''], 7, /--?name|\/name/],
    [['divisions', 'create', 'default'], 6, /name/],
    [['api', 'getDivision', '--division-id', '999999'], 5, /Request: /],
    [['api', 'GET', '/tenants/{tenant_id}/divisions?bogus=1'], 2, /takes no bogus/],
    [['--query', ']', 'divisions', 'list'], 2, /--query/],
    [['--query', '[]', '-o', 'table', 'divisions', 'list'], 2, /--query gives no table/],
  ];
  for (const [args, code, said] of cases)
    expect({ args, ...(await sluice.run(args)) }).toEqual({ args, code, stdout: '', stderr: matching(said) });
  const wrongKey = { SLUICE_API_KEY: 'svc_wrong' };
  expect(await sluice.run(['whoami'], { env: wrongKey })).toMatchObject({
    code: 3,
    stderr: containing('sluice login'),
  });
  const away = { SLUICE_URL: 'http://127.0.0.1:9' };
  expect(await sluice.run(['whoami'], { env: away })).toMatchObject({
    code: 10,
    stderr: containing('sluice doctor'),
  });
});

test('what a key may not do ends with 4 and names the permission', async () => {
  const { body: roles } = await stack.main.get<{ items: { id: number; name: string }[] }>(
    `/tenants/${stack.tenant_id}/roles`,
  );
  const viewer = roles.items.find(({ name }) => name === 'viewer');
  const key = await sluice.json<{ token: string }>(
    'api',
    'createApiKey',
    '-f',
    'name=reader',
    '-f',
    `role_id=${viewer?.id}`,
    '-f',
    `expiry_at=${new Date(Date.now() + 3_600_000).toISOString()}`,
  );
  const refused = await sluice.run(['divisions', 'create', 'Refused'], {
    env: { SLUICE_API_KEY: key.token },
  });
  expect(refused).toMatchObject({ code: 4, stdout: '', stderr: containing('division:manage') });
});

test('signs in with a key from a file or stdin, keeps it for its owner alone, and forgets it', async () => {
  const env = signedOut;
  expect(await sluice.run(['whoami'], { env })).toMatchObject({
    code: 3,
    stderr: containing('sluice login'),
  });
  const login = ['login', '--url', stack.base_url];
  expect(await sluice.run([...login, '--context', 'a'], { env, input: 'svc_wrong\n' })).toMatchObject({
    code: 3,
  });
  expect(await sluice.json('context', 'list')).toEqual([]);
  expect(await sluice.run([...login, '--context', 'a'], { env, input: `${stack.api_key}\n` })).toMatchObject({
    code: 0,
    stdout: '',
  });
  const file = join(sluice.config, '../key');
  await writeFile(file, stack.api_key);
  expect(await sluice.run([...login, '--context', 'b', '--key-file', file], { env })).toMatchObject({
    code: 0,
  });
  expect((await sluice.run(['context', 'list', '--query', '[].name'], { env })).stdout).toBe('a\nb\n');

  for (const name of await readdir(sluice.config, { recursive: true })) {
    const { mode } = await stat(join(sluice.config, name));
    expect({ name, others: mode & 0o077 }).toEqual({ name, others: 0 });
  }
  expect(await sluice.run(['context', 'use', 'a', '--place', 'default'], { env })).toMatchObject({ code: 0 });
  expect((await sluice.run(['context', 'show', '--query', '[name, place]'], { env })).stdout).toBe(
    'a\ndefault\n',
  );
  expect(await sluice.run(['divisions', 'show'], { env })).toMatchObject({
    code: 0,
    stdout: containing('default'),
  });

  const url = { ...env, SLUICE_URL: 'http://127.0.0.1:9' };
  expect(await sluice.run(['divisions', 'list'], { env: url })).toMatchObject({
    code: 2,
    stderr: containing('SLUICE_API_KEY'),
  });
  expect(await sluice.run(['logout'], { env })).toMatchObject({ code: 0 });
  expect(await sluice.run(['divisions', 'list'], { env })).toMatchObject({
    code: 3,
    stderr: containing('--context a'),
  });
  expect(await sluice.run(['divisions', 'list', '--context', 'b'], { env })).toMatchObject({ code: 0 });
});

test('a dry run shows the request without the key and sends nothing, in every form', async () => {
  const before = await sluice.json<unknown[]>('divisions', 'list');
  const forms = [
    ['divisions', 'create', 'Dry'],
    ['api', 'createDivision', '-f', 'name=Dry'],
    ['api', 'POST', '/tenants/{tenant_id}/divisions', '--body', '-'],
  ];
  for (const form of forms) {
    const { code, stdout } = await sluice.run([...form, '--dry-run', '-o', 'json'], {
      input: '{"name": "Dry"}',
    });
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'POST',
      url: matching(/\/divisions$/),
      body: { name: 'Dry' },
    });
    expect(code).toBe(0);
    expect(stdout).not.toContain(stack.api_key);
  }
  expect(await sluice.json('divisions', 'list')).toEqual(before);
});

test('an ambiguous place lists the candidates, and a path or an id ends the doubt', async () => {
  for (const division of ['north', 'south']) {
    await sluice.json('divisions', 'create', division);
    await sluice.json('environments', 'create', `${division}/shared`);
  }
  const { code, stderr } = await sluice.run(['environments', 'show', 'shared']);
  expect(code).toBe(2);
  const [, id = ''] = /south\/shared {2}\(id (\d+)\)/.exec(stderr) ?? [];
  expect(stderr).toContain('north/shared');
  for (const place of ['south/shared', id])
    expect((await sluice.run(['environments', 'show', place, '-o', 'name'])).stdout).toBe('south/shared\n');
  expect(await sluice.json('environments', 'create', 'south/a%2Fb')).toMatchObject({
    name: 'a/b',
    place: 'south/a%2Fb',
  });
});

test('tables fit 40, 80 and 200 columns, and nothing from the server controls the terminal', async () => {
  await sluice.json('divisions', 'create', 'wide', '--description', `${'long '.repeat(40)}end`);
  const hostile = '\u202etxt.exe\u2066';
  expect(
    await sluice.run(['api', 'updateDivision', '--place', 'north', '-f', `description=${hostile}`]),
  ).toMatchObject({ code: 0 });
  for (const size of [40, 80, 200]) {
    const { code, stdout } = await sluice.terminal(['divisions', 'list'], size);
    expect(code).toBe(0);
    // oxlint-disable-next-line no-control-regex -- colours are what is left out
    const lines = stdout.replaceAll(/\u001b\[\d+m|\r/g, '').split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(size);
    expect(stdout).not.toMatch(/[\u202e\u2066]/);
  }
  for (const format of ['json', 'yaml', 'ndjson', 'wide'])
    expect((await sluice.run(['divisions', 'list', '-o', format])).stdout).not.toMatch(/[\u202e\u2066]/);
  expect(JSON.stringify(await sluice.json('divisions', 'list'))).toContain(hostile);
}, 240_000);

test('on a terminal a deletion asks for the name, and Ctrl-C ends with 130', async () => {
  await sluice.json('divisions', 'create', 'doomed');
  const stopped = await sluice.terminal(['divisions', 'delete', 'doomed'], 80, [
    { at: 'Type doomed', type: '\u0003' },
  ]);
  expect(stopped.code).toBe(130);
  const deleted = await sluice.terminal(['divisions', 'delete', 'doomed'], 80, [
    { at: 'Type doomed', type: 'doomed\r' },
  ]);
  expect(deleted).toMatchObject({ code: 0, stdout: containing('The division doomed is deleted.') });
  const { code } = await sluice.interrupted(['deployments', 'wait', 'nothing', '--verbose']);
  expect(code).toBe(130);
}, 240_000);

test('a reader that has seen enough ends it quietly', async () => {
  const pipe = spawn('sh', ['-c', `"${process.execPath}" "${sluice.path}" api list -o json | head -c 10`]);
  let stderr = '';
  pipe.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  pipe.stdout.resume();
  await once(pipe, 'close');
  expect(stderr).toBe('');
});

test('doctor finds the stack well, and says what is wrong with an address', async () => {
  const findings = await sluice.json<{ check: string; result: string }[]>('doctor');
  expect(findings.filter(({ result }) => result !== 'ok')).toEqual([]);
  expect(findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining(['Main API', 'Audit API', 'region cloud_a/us-east-1']),
  );
  const { code, stdout } = await sluice.run(['doctor'], { env: { SLUICE_URL: 'http://127.0.0.1:9' } });
  expect({ code, stdout }).toEqual({ code: 1, stdout: containing('problem') });
});

test('completes nouns, verbs, options and names of places', async () => {
  const complete = async (...words: string[]) =>
    (await sluice.run(['complete', '--', ...words])).stdout.split('\n').map((line) => line.split('\t')[0]);
  expect(await complete('dep')).toContain('deployments');
  expect(await complete('deployments', 'spend')).toContain('spend-limit');
  expect(await complete('deployments', 'list', '--st')).toContain('--status');
  // a shell is not kept waiting: where the machine is busy there are no names
  const shared: unknown = expect.arrayContaining(['north/shared', 'south/shared']);
  await eventually(async () => expect(await complete('environments', 'show', '')).toEqual(shared));
  expect(await complete('api', 'createDiv')).toContain('createDivision');
  for (const shell of ['bash', 'zsh', 'fish'])
    expect(await sluice.run(['completion', shell])).toMatchObject({
      code: 0,
      stdout: containing('sluice complete'),
    });
}, 240_000);

test('help and the release are asked for as of other programs', async () => {
  const { stdout: help } = await sluice.run(['deployments', 'list', '--help']);
  expect(await sluice.run(['help', 'deployments', 'list'])).toEqual({ code: 0, stdout: help, stderr: '' });
  expect(await sluice.run(['help'])).toMatchObject({
    code: 0,
    stdout: containing('Usage: sluice <command>'),
  });
  for (const option of ['--version', '-V'])
    expect(await sluice.run([option], { env: signedOut })).toEqual({
      ...{ code: 0, stdout: matching(/^sluice \d+\.\d+\.\d+\n$/), stderr: '' },
    });
});

test('every operation has its help, and the program runs on Node 20', async () => {
  const { stdout } = await sluice.run(['api', 'list', '-o', 'name']);
  const ids = stdout.trim().split('\n');
  expect(ids.length).toBeGreaterThan(180);
  const node = await node20();
  for (const id of ['createDivision', 'getDeploymentAtSupervisor', 'exportAuditLog']) {
    expect(ids).toContain(id);
    const help = await sluice.run(['api', id, '--help'], node === undefined ? {} : { node });
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: containing(`sluice api ${id}`) });
  }
  const audit = await sluice.run([
    'api',
    'listAuditEntries',
    '--all',
    '-o',
    'ndjson',
    '--types',
    'division_created',
  ]);
  for (const line of audit.stdout.trim().split('\n'))
    expect(JSON.parse(line)).toMatchObject({ type: 'division_created' });
});
