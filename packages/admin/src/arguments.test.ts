import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@sluice/testing';
import { runAdmin } from './run.ts';

test.each([
  [[], 'sluice-admin: looks after'],
  [['nonsense'], "There is no 'nonsense'."],
  [['dead-letters', 'burn'], "'dead-letters' has list, show, redrive, drop, and no 'burn'."],
  [['dead-letters', 'show'], 'Say which: one number.'],
  [['dead-letters', 'show', '1', '2'], 'Say which: one number.'],
  [['dead-letters', 'drop'], 'Say which: 1 to 100 numbers.'],
  [['dead-letters', 'drop', '-1'], /'-1'/],
  [['dead-letters', 'redrive', 'x'], "What is named is a whole number, and not 'x'."],
  [['dead-letters', 'redrive', '9'.repeat(16)], 'whole number'],
  [['dead-letters', 'list', '--limit', '501'], '--limit is a number from 1 to 500.'],
  [['dead-letters', 'list', '--consumer', 'a.>'], "A consumer's name has letters"],
  [['dead-letters', 'drop', '1', '--after', '3'], "belong to 'list'"],
  [['restore', 'apply'], 'Say which: 1 to 100 numbers.'],
  [['restore', 'apply', '1', '--all'], '--all stands alone'],
  [['outbox', 'drop', '--all'], '--all stands alone'],
  [['restore', 'review', '1'], "'review' takes no '1'."],
  [['restore', 'review', '--consumer', 'x'], "belongs to 'dead-letters list'"],
  [['restore', 'reject', '1', '--limit', '3'], "belong to 'list'"],
  [['consumers', 'put-aside', 'one'], 'Say which: one number.'],
  [['consumers', 'put-aside', 'one.two', '1'], "A consumer's name has letters"],
  [['region', 'drain'], 'Say which: one region, as cloud_a/us-east-1.'],
  [['region', 'drain', 'us-east-1'], 'Say which: one region'],
  [['region', 'drain', 'cloud_a/us-east-1', 'cloud_b/us-central1'], 'Say which: one region'],
  [['region', 'drain', 'cloud_a/us-east-1', '--reason', 'a\nb'], '--reason is one line'],
  [['region', 'undrain', 'cloud_a/us-east-1', '--reason', 'x'], "--reason belongs to 'region drain'"],
  [['maintenance', 'plan', '--at', 'now'], 'DATABASE_URL: is missing'],
  [['maintenance', 'plan', '7', '--at', 'now'], "'plan' takes no '7'."],
  [['maintenance', 'plan', '--node', 'x', '--at', 'now'], "--node is a whole number, and not 'x'."],
  [['maintenance', 'plan', '--node', '7', '--at', '2020-01-01T00:00:00Z'], '--at is a time to come'],
  [['maintenance', 'plan', '--node', '7', '--at', '2999-01-01T00:00:00'], '--at is a time to come'],
  [['maintenance', 'plan', '--node', '7', '--at', 'now', '--minutes', '0'], '--minutes is a number from 1'],
  [['maintenance', 'end', '4', '--minutes', '9'], "--minutes belongs to 'maintenance plan'."],
  [['billing', 'agreement', 'set', '7', '--term', '999'], '--term is a number of days, at most 365.'],
  [['billing', 'paid', 'INV-1', '--term', '9'], "--term belongs to 'billing agreement'."],
  [['region', 'drain', 'cloud_a/us-east-1', '--dry-run'], "--dry-run belongs to 'billing'."],
  [['outbox', 'list', '--service=audit'], '--service needs DATABASE_URLS_DIR'],
])('%j is refused', async (args, message) => {
  await expect(runAdmin(args, {})).rejects.toThrow(message);
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

test('--help has all commands, or those of a group, and needs no settings', async () => {
  const all = await runAdmin(['--help'], {});
  for (const command of ['dead-letters redrive', 'outbox drop', 'region drain', 'maintenance plan'])
    expect(all).toContain(`  ${command} `);
  const region = await runAdmin(['region', 'drain', '--help'], {});
  expect(region).toContain('  region remove ');
  expect(region).not.toContain('  outbox list ');
});
