import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@sluice/testing';
import { misunderstood, runAdmin } from './run.ts';

const soon = ['--at', 'now'];

test.each([
  [['nonsense'], "Unknown command 'nonsense'"],
  [['dead-letters', 'burn'], "Unknown command 'burn'"],
  [['dead-letters', 'show'], "Missing required argument 'number'"],
  [['dead-letters', 'show', '1', '2'], 'Expected 1 argument but got 2'],
  [['dead-letters', 'drop'], "Missing required argument 'number'"],
  [['dead-letters', 'drop', '-1'], "'-1' is invalid for argument 'number'"],
  [['dead-letters', 'redrive', 'x'], "'x' is invalid for argument 'number'. It has to be a whole number."],
  [['dead-letters', 'redrive', '9'.repeat(16)], 'whole number'],
  [['dead-letters', 'redrive', ...Array.from({ length: 101 }, () => '1')], 'At most 100'],
  [['dead-letters', 'list', '--limit', '501'], 'It has to be a number from 1 to 500.'],
  [['dead-letters', 'list', '--consumer', 'a.>'], "A consumer's name has letters"],
  [['dead-letters', 'list', '--json', '-o', 'yaml'], "Option '--json' cannot be used with option '-o"],
  [['dead-letters', 'list', '--dry-run'], "Unknown option '--dry-run'"],
  [['dead-letters', 'drop', '1', '--after', '3'], "Unknown option '--after'"],
  [['restore', 'apply'], 'Say which: ids, or --all'],
  [['restore', 'apply', '1', '--all'], 'Say which: ids, or --all'],
  [['outbox', 'drop', '--all'], "Unknown option '--all'"],
  [['restore', 'review', '1'], 'Expected 0 arguments but got 1'],
  [['consumers', 'put-aside', 'one'], "Missing required argument 'sequence'"],
  [['consumers', 'put-aside', 'one.two', '1'], "A consumer's name has letters"],
  [['region', 'drain'], "Missing required argument 'region'"],
  [['region', 'drain', 'us-east-1'], 'It has to be a region, such as cloud_a/us-east-1.'],
  [['region', 'drain', 'cloud_a/us-east-1', 'cloud_b/us-central1'], 'Expected 1 argument but got 2'],
  [['region', 'drain', 'cloud_a/us-east-1', '--reason', 'a\nb'], 'It has to be one line'],
  [['region', 'undrain', 'cloud_a/us-east-1', '--reason', 'x'], "Unknown option '--reason'"],
  [['incident', 'open', 'Slow'], "Required option '--message <text>'"],
  [['incident', 'open', 'a\nb', '--message', 'm'], 'It has to be one line'],
  [['incident', 'open', 'Slow', '--message', '\u0007'], 'It has to be a text of at most 1000'],
  [['incident', 'open', 'Slow', '--message', 'm', '--region', 'a'], 'It has to be a region'],
  [['incident', 'open', 'Slow', '--message', 'm', '--impact', 'bad'], 'Allowed choices are degraded, outage'],
  [['incident', 'resolve', '1'], "Required option '--message <text>'"],
  [['maintenance', 'plan', ...soon], 'Say which: 1 to 500 nodes'],
  [['maintenance', 'plan', '--node', '7'], "Required option '--at <time>'"],
  [['maintenance', 'plan', '--node', 'x', ...soon], 'It has to be a whole number.'],
  [['maintenance', 'plan', '--node', '7', '--at', '2020-01-01T00:00:00Z'], 'It has to be a time to come'],
  [['maintenance', 'plan', '--node', '7', '--at', '2999-01-01T00:00:00'], 'It has to be a time to come'],
  [['maintenance', 'plan', '--node', '7', ...soon, '--minutes', '0'], 'It has to be a number from 1'],
  [['maintenance', 'end', '4', '--minutes', '9'], "Unknown option '--minutes'"],
  [['maintenance', 'plan', '--node', '7', ...soon], 'DATABASE_URL: is missing'],
  [['billing', 'agreement', 'set', '7', '--term', '999'], 'It has to be a number from 1 to 365.'],
  [['billing', 'paid', 'INV-1', '--term', '9'], "Unknown option '--term'"],
  [
    ['billing', 'discount', 'give', '1', '10', '--from', '2030-02', '--to', '2030-02', '--reason', 'x'],
    '--to',
  ],
  [['outbox', 'list', '--service=audit'], '--service needs DATABASE_URLS_DIR'],
])('%j is refused', async (args, message) => {
  await expect(runAdmin(args, {})).rejects.toThrow(message);
});

test('a line is checked without doing what it says, and without settings', async () => {
  expect(await misunderstood(['--service=audit', 'outbox', 'redrive', '1', '2'])).toBeUndefined();
  expect(await misunderstood(['region', 'close', 'cloud_a/us-east-1'])).toContain("Unknown command 'close'");
});

test.each([
  [['outbox', 'list'], '--service is one of audit, notifier.'],
  [['outbox', 'list', '--service=billing'], '--service is one of audit, notifier.'],
  [['--service=billing', 'dead-letters', 'list'], '--service is one of audit, notifier.'],
  [['restore', 'review'], '--service is one of audit, notifier.'],
  [['restore', 'audit-log', '--service=notifier'], 'DATABASE_URL: has to be a valid url'],
  [['dead-letters', 'list'], 'NATS_URL: is missing'],
])('among the databases of a folder %j names none that can be used', async (args, message) => {
  const folder = await testFolder();
  await writeFile(join(folder, 'DATABASE_URL.audit'), 'postgresql://audit@localhost/audit\n');
  await writeFile(join(folder, 'DATABASE_URL.notifier'), 'hunter2\n');
  await writeFile(join(folder, 'NATS_NKEY_SEED'), 'hunter2\n');
  await expect(runAdmin(args, { DATABASE_URLS_DIR: folder })).rejects.toThrow(message);
});

test('settings that are missing are named', async () => {
  await expect(runAdmin(['dead-letters', 'list'], {})).rejects.toThrow('NATS_URL: is missing');
  await expect(runAdmin(['outbox', 'list'], {})).rejects.toThrow('DATABASE_URL: is missing');
  await expect(runAdmin(['outbox', 'list'], { DATABASE_URLS_DIR: '/nowhere' })).rejects.toThrow(
    'DATABASE_URLS_DIR: the folder cannot be read (ENOENT)',
  );
});

test('--help has all commands, that of a group its own with examples, and needs no settings', async () => {
  const all = await runAdmin(['--help'], {});
  for (const group of ['dead-letters', 'outbox', 'region', 'maintenance'])
    expect(all).toContain(`  ${group} `);
  const region = await runAdmin(['region', '--help'], {});
  for (const part of ['drain [options] <region>', 'remove [options] <region>', '$ sluice-admin region drain'])
    expect(region).toContain(part);
  expect(region).not.toContain('redrive');
  expect(await runAdmin(['region', 'drain', '--help'], {})).toContain('--dry-run');
});
