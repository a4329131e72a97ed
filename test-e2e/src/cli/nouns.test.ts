import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { anyStack, type Stack } from '@sluice/testing';
import { applyTests } from './apply-tests.ts';
import { billingTests } from './billing-noun.ts';
import { connectTests } from './connect-to-nouns.ts';
import { labelTests } from './labels-of-nouns.ts';
import { moreNouns } from './more-nouns.ts';
import { builtProgram, type Program } from './program.ts';
import { rotateKeyTests } from './rotate-key.ts';
import { streamTests } from './streams-of-nouns.ts';

/** The nouns of a deployment, and those of people and keys, as a process against a whole stack. */

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const withAll = (items: unknown[]): unknown => expect.arrayContaining(items);
const withFields = (fields: object): unknown => expect.objectContaining(fields);
const aString: unknown = expect.any(String);
const aNumber: unknown = expect.any(Number);

let stack: Stack;
let sluice: Program;
beforeAll(async () => {
  stack = await anyStack();
  sluice = await builtProgram(stack);
  const place = ['default/nouns', '--cloud', 'cloud_a', '--region', 'us-east-1', '--name', 'nouns', '--wait'];
  await sluice.json('deployments', 'starter', ...place);
}, 300_000);
afterAll(() => stack.remove());

/** Refused without data on stdout. */
async function refused(args: string[], code: number, said: RegExp): Promise<void> {
  const ended = await sluice.run(args);
  expect({ args, ...ended }).toEqual({ args, code, stdout: '', stderr: matching(said) });
}

test('access rules: one for oneself that ends, one of blocks, and what is refused', async () => {
  const mine = await sluice.json<{ valid_to: string }>('access', 'add', 'nouns', '--me', '--for', '2h');
  expect(mine).toMatchObject({
    cidr_blocks: ['127.0.0.1/32'],
    rules: { broker_tcp: true, broker_websocket: false },
  });
  expect(Math.abs(Date.parse(mine.valid_to) - Date.now() - 7_200_000)).toBeLessThan(60_000);

  const office = ['access', 'add', 'nouns', '--name', 'office', '--cidr', '192.0.2.0/24,198.51.100.7'];
  const dry = await sluice.json(...office, '--dry-run');
  expect(dry).toMatchObject({ method: 'POST', body: { cidr_blocks: ['192.0.2.0/24', '198.51.100.7/32'] } });
  await refused(['access', 'show', 'office', 'nouns'], 5, /sluice access list/);
  const { id } = await sluice.json<{ id: number }>(...office, '--protocols', 'tcp,websocket');
  await refused(office, 6, /Request: /);
  for (const rule of ['office', String(id)])
    expect(await sluice.json('access', 'show', rule, 'nouns')).toMatchObject({
      id,
      rules: { broker_websocket: true },
    });

  await refused(['access', 'add', 'nouns'], 2, /--cidr/);
  await refused(['access', 'add', 'nouns', '--cidr', '192.0.2.1'], 2, /--name/);
  await refused(['access', 'add', 'nouns', '--name', 'x', '--cidr', '192.0.2.1/24'], 7, /192\.0\.2\.0\/24/);
  await refused(
    ['access', 'add', 'nouns', '--name', 'x', '--cidr', '192.0.2.1', '--protocols', 'ftp'],
    2,
    /ftp is none of/,
  );
  const edit = ['access', 'edit', 'office', 'nouns'];
  expect(
    await sluice.json(...edit, '--remove-cidr', '198.51.100.7', '--me', '--protocols', 'tcp', '--for', '1d'),
  ).toMatchObject({
    ...{ id, name: 'office', cidr_blocks: ['192.0.2.0/24', '127.0.0.1/32'], valid_to: aString },
    rules: { broker_tcp: true, broker_websocket: false },
  });
  expect(await sluice.json(...edit, '--forever', '--remarks', 'front door')).toMatchObject({
    ...{ valid_to: null, remarks: 'front door', cidr_blocks: ['192.0.2.0/24', '127.0.0.1/32'] },
  });
  expect(await sluice.json(...edit, '--cidr', '192.0.2.1', '--dry-run')).toMatchObject({
    ...{ method: 'PUT', headers: { 'if-match': matching(/^"/) } },
    body: { cidr_blocks: ['192.0.2.1/32'], remarks: 'front door' },
  });
  await refused(edit, 2, /What shall change/);
  await refused([...edit, '--remove-cidr', '203.0.113.1'], 2, /does not have 203\.0\.113\.1\/32/);
  await refused([...edit, '--remove-cidr', '192.0.2.0/24,127.0.0.1'], 2, /access remove/);
  await refused([...edit, '--forever', '--for', '1h'], 2, /cannot be used with/);
  await refused(['access', 'remove', 'office', 'nouns'], 2, /--yes/);
  expect(await sluice.run(['access', 'remove', 'office', 'nouns', '--yes'])).toMatchObject({
    code: 0,
    stdout: '',
  });
  const left = await sluice.json<{ id: number }[]>('access', 'list', 'nouns');
  expect(left.map((rule) => rule.id)).not.toContain(id);
});

test('logs: the newest ones oldest first, by level, and followed from a moment on until Ctrl-C', async () => {
  const lines = await sluice.json<{ at: string }[]>('logs', 'nouns', '--limit', '5');
  expect(lines).toHaveLength(5);
  expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).sort());
  expect(await sluice.run(['logs', 'nouns', '--limit', '1'])).toMatchObject({
    code: 0,
    stdout: matching(/^\S+Z \w+ +\w+\/\d+ .+\n$/),
  });
  const none = await sluice.run(['logs', 'nouns', '--search', 'no line has this']);
  expect(none).toEqual({ code: 0, stdout: '', stderr: 'There is no such line.\n' });
  await refused(['logs', 'nouns', '--follow', '-o', 'json'], 2, /ndjson/);
  await refused(['logs', 'nouns', '--since', 'yesterday'], 2, /2h/);
  await refused(['logs', 'nouns', '--level', 'loud'], 2, /warn/);

  const followed = await sluice.stopped(['logs', 'nouns', '--follow', '--since', '1h', '-o', 'ndjson']);
  expect(followed.code).toBe(130);
  expect(JSON.parse(followed.stdout.split('\n')[0] ?? '')).toMatchObject({ message: aString });
});

test('credentials: shown, and rotated into a file that only its owner can read', async () => {
  const before = await sluice.json<{ username: string; password: string }>('credentials', 'show', 'nouns');
  await refused(['credentials', 'rotate', 'nouns'], 2, /--yes/);
  const file = join(sluice.config, '../login.json');
  const rotate = ['credentials', 'rotate', 'nouns', '--yes', '--grace', '1m', '--out', file];
  expect(await sluice.run(rotate)).toMatchObject({ code: 0, stdout: '' });
  const after = JSON.parse(await readFile(file, 'utf8')) as typeof before;
  expect(after.password).not.toBe(before.password);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  // the file is kept, and nothing is rotated
  await refused(rotate, 2, /exists already/);
  expect(await sluice.json('credentials', 'show', 'nouns')).toMatchObject({
    ...after,
    former: [{ username: before.username }],
  });
});

test('members, invitations and roles', async () => {
  const [owner] = await sluice.json<{ email: string }[]>('members', 'list');
  expect(await sluice.json('members', 'show', owner?.email ?? '')).toEqual(owner);
  await refused(['members', 'edit', owner?.email ?? '', '--no-active'], 7, /owner/);
  await refused(['members', 'edit', owner?.email ?? '', '--roles', 'nope'], 5, /sluice roles list/);
  await refused(['members', 'remove', 'nobody@example.com', '--yes'], 5, /sluice members list/);

  const invited = await sluice.json(
    'invitations',
    'create',
    'ada@example.com',
    '--roles',
    'viewer,developer',
  );
  expect(invited).toMatchObject({
    status: 'pending',
    roles: withAll(['viewer', 'developer']),
  });
  await refused(['invitations', 'create', 'nonsense'], 7, /email/);
  expect(await sluice.run(['invitations', 'withdraw', 'ada@example.com', '--yes'])).toMatchObject({
    code: 0,
  });

  expect(await sluice.json('roles', 'show', 'viewer')).toMatchObject({
    kind: 'system',
    permissions: { tenant: withAll(['info:read']) },
  });
  await refused(['roles', 'assign', 'viewer', owner?.email ?? ''], 7, /owner/);
  await refused(['roles', 'delete', 'viewer', '--yes'], 4, /Request: /);
});

test('keys: created, used, rotated and revoked; a file that is there costs no key', async () => {
  const file = join(sluice.config, '../key.json');
  expect(
    await sluice.run(['keys', 'create', 'ci', '--role', 'viewer', '--for', '1h', '--out', file]),
  ).toMatchObject({ code: 0, stdout: '' });
  const { token } = JSON.parse(await readFile(file, 'utf8')) as { token: string };
  const as = (key: string) => sluice.run(['whoami', '-o', 'name'], { env: { SLUICE_API_KEY: key } });
  expect(await as(token)).toMatchObject({ code: 0 });
  const count = (await sluice.json<unknown[]>('keys', 'list')).length;
  await refused(['keys', 'create', 'again', '--role', 'viewer', '--out', file], 2, /exists already/);
  await refused(['keys', 'create', 'long', '--role', 'viewer', '--for', '900d'], 7, /365 days/);
  await refused(['keys', 'create', 'none'], 2, /--role/);
  expect(await sluice.json('keys', 'list')).toHaveLength(count);

  await refused(['keys', 'rotate', 'ci'], 2, /token of the API key ci.*\n.*--yes/);
  const rotated = await sluice.run(['keys', 'rotate', 'ci', '--yes', '--query', 'token']);
  expect(await as(token)).toMatchObject({ code: 3 });
  expect(await as(rotated.stdout.trim())).toMatchObject({ code: 0 });
  const graced = ['keys', 'rotate', 'ci', '--yes', '--grace', '1h'];
  await refused([...graced, '--out', file], 2, /exists already/);
  const { stdout: newest } = await sluice.run([...graced, '--query', 'token']);
  for (const one of [rotated.stdout, newest]) expect(await as(one.trim())).toMatchObject({ code: 0 });
  expect(await sluice.json('keys', 'create', 'bound', 'default', '--role', 'viewer')).toMatchObject({
    name: 'bound',
  });
  expect(await sluice.json('keys', 'list', 'default')).toEqual([withFields({ name: 'bound' })]);
  for (const [key, division] of [['ci'], ['bound', 'default']] as [string, string?][])
    expect(await sluice.run(['keys', 'revoke', key, ...(division ? [division] : []), '--yes'])).toMatchObject(
      { code: 0 },
    );
  expect(await as(rotated.stdout.trim())).toMatchObject({ code: 3 });
});

test('backups with their schedule, snapshots, tasks, activities and limits', async () => {
  const backup = await sluice.json('backups', 'create', 'first', 'nouns', '--expires-in', '2d', '--wait');
  expect(backup).toMatchObject({ name: 'first', status: 'completed' });
  await refused(['backups', 'create', 'x', 'nouns', '--expires-in', '5h'], 2, /whole days/);
  expect(await sluice.json('backups', 'list', 'nouns', '--type', 'scheduled')).toEqual([]);
  await refused(['backups', 'restore', 'first', 'nouns'], 2, /--yes/);
  expect(await sluice.run(['backups', 'restore', 'first', 'nouns', '--yes', '--wait'])).toMatchObject({
    ...{
      code: 0,
      stdout: '',
      stderr: matching(/default\/nouns\/nouns is restored from the backup first\.\n$/),
    },
  });
  const scheduled = await sluice.json(
    'backups',
    'schedule',
    'nouns',
    '--cron',
    '0 3 * * *',
    '--keep',
    '2',
    '--on',
  );
  expect(scheduled).toMatchObject({ enabled: true, keep: 2, next_at: aString });
  expect(await sluice.json('backups', 'schedule', 'nouns', '--off')).toMatchObject({
    enabled: false,
    cron: '0 3 * * *',
    keep: 2,
  });
  await refused(['backups', 'schedule', 'nouns', '--cron', 'at any time'], 7, /--cron/);
  expect(await sluice.run(['backups', 'delete', 'first', 'nouns', '--yes'])).toMatchObject({ code: 0 });

  const snapshots = ['snapshots', 'create', 'nouns', '--wait', '--no-include-broker'];
  const [earlier] = await sluice.json<{ id: number }[]>(...snapshots);
  const [snapshot] = await sluice.json<{ id: number }[]>('snapshots', 'create', 'nouns', '--wait');
  const compare = ['snapshots', 'compare', String(earlier?.id), String(snapshot?.id), 'nouns'];
  expect(await sluice.json(...compare, '--figures')).toContainEqual(
    withFields({ key: aString, to: aString }),
  );
  await refused(['snapshots', 'compare', String(earlier?.id), '999', 'nouns'], 5, /sluice snapshots list/);
  const file = join(sluice.config, '../snapshot.zip');
  const download = ['snapshots', 'download', String(snapshot?.id), 'nouns', '--out', file];
  expect(await sluice.run(download)).toMatchObject({ code: 0, stdout: '' });
  expect((await readFile(file)).subarray(0, 2).toString()).toBe('PK');
  await refused(download, 2, /exists already/);
  expect(await sluice.run(['snapshots', 'delete', String(snapshot?.id), 'nouns', '--yes'])).toMatchObject({
    code: 0,
  });

  await refused(['tasks', 'reconfigure', 'broker', 'nouns'], 6, /primary configuration/);
  await refused(['tasks', 'show', '999', 'nouns'], 5, /sluice tasks list/);
  await sluice.json('deployments', 'restart', 'nouns', '--wait');
  const [activity] = await sluice.json<{ id: number }[]>('activities', 'list', 'nouns', '--limit', '1');
  expect(await sluice.json('activities', 'show', String(activity?.id), 'nouns')).toMatchObject({
    action: 'restart',
    status: 'completed',
  });
  expect(await sluice.json('tasks', 'list', 'nouns')).toContainEqual(
    withFields({ id: activity?.id, type: 'broker:restart' }),
  );
  expect(await sluice.json('limits', '--scope', 'tenant')).toContainEqual(
    withFields({ name: 'divisions_limit', used: aNumber }),
  );
}, 240_000);

test('history, metrics and the live screen', async () => {
  const history = await sluice.json<{ status: string; ended_at: string | null }[]>(
    ...['deployments', 'history', 'nouns'],
  );
  expect(history[0]).toMatchObject({ status: 'initialized', ended_at: null });
  expect(history.at(-1)).toMatchObject({ status: 'creating', ended_at: aString });
  const shown = await sluice.run(['deployments', 'show', 'nouns']);
  expect(shown.stdout).toMatch(/Holds +AccessAllowed, AgentsConnected, BrokersRunning/);

  const metrics = await sluice.json('metrics', 'nouns', '--metric', 'node.disk_percent');
  expect(metrics).toEqual([withFields({ metric: 'node.disk_percent', last: aNumber, points: withAll([]) })]);
  await refused(['metrics', 'nouns', '--metric', 'nope'], 2, /node\.disk_percent/);

  await refused(['watch'], 2, /needs a terminal/);
  for (const size of [40, 80, 200]) {
    const { code, stdout } = await sluice.terminal(['watch'], size, [{ at: 'nouns', type: 'q' }]);
    expect({ size, code }).toEqual({ size, code: 0 });
    // the screen of before is there again, with its cursor
    expect(stdout).toMatch(/\[\?1049h[^]*\[\?1049l/);
    expect(stdout.lastIndexOf('[?25h')).toBeGreaterThan(stdout.lastIndexOf('[?25l'));
  }
  const stopped = await sluice.terminal(['watch'], 80, [{ at: 'nouns', type: '\u0003' }]);
  expect(stopped).toMatchObject({ code: 130, stdout: matching(/\[\?1049l/) });
}, 120_000);

test('the audit log: filtered, and its export', async () => {
  const [entry] = await sluice.json<{ type: string }[]>(
    'audit',
    'list',
    '--deployment',
    'nouns',
    '--types',
    'access_rule_added,access_rule_deleted',
    '--limit',
    '1',
  );
  expect(['access_rule_added', 'access_rule_deleted']).toContain(entry?.type);
  expect(await sluice.json('audit', 'list', '--until', '2020-01-01')).toEqual([]);
  await refused(['audit', 'list', '--types', 'nope'], 7, /--types/);
  await refused(['audit', 'list', '--member', 'nobody@example.com'], 5, /sluice members list/);
  await refused(['audit', 'list', '--since', 'x'], 2, /2h/);
  const file = join(sluice.config, '../audit.ndjson');
  await refused(['audit', 'export', '--out', file], 4, /plan/);
  await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
});

labelTests(() => sluice, refused);
rotateKeyTests(() => sluice, refused);
billingTests(() => ({ stack, sluice }), refused);
moreNouns(() => sluice);
applyTests(() => ({ stack, sluice }));

describe('its broker', () => {
  streamTests(() => sluice, refused);
  connectTests(() => sluice, refused);
});
