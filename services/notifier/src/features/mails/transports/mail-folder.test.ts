import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, testFolder } from '@sluice/testing';
import PostalMime from 'postal-mime';
import { notifier } from '#test/notifier-service.ts';

const newcomer = { tenant: 'Acme', name: 'Grace Hopper', email: 'grace@acme.example' };
const on = notifier({ per: 'test' });
let folder: string;

beforeEach(async () => {
  folder = join(await testFolder(), 'mail');
  await on.start({ MAIL_TRANSPORT: 'file', MAIL_DIR: folder });
});

test('each mail becomes a file that only its owner reads', async () => {
  const { id } = await on.ask('member_joined', 'ada@example.com', newcomer);
  await on.allSent();
  expect(await readdir(folder)).toEqual([`20260301T120000.000Z-${id}.eml`]);
  const file = join(folder, `20260301T120000.000Z-${id}.eml`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await PostalMime.parse(await readFile(file))).toMatchObject({
    subject: 'Grace Hopper has joined “Acme”',
    to: [{ address: 'ada@example.com' }],
    messageId: `<${id}@sluice.example>`,
  });
});

test('a mail that is sent twice, because a commit was lost, is one file with the same bytes', async () => {
  const message = await on.ask('member_joined', 'ada@example.com', newcomer);
  await on.allSent();
  const [file = ''] = await readdir(folder);
  const first = await readFile(join(folder, file));
  const { ino } = await stat(join(folder, file));

  await on.sql('DELETE FROM inbox');
  await on.publish(message);
  await eventually(async () => expect((await stat(join(folder, file))).ino).not.toBe(ino));
  await on.allSent();
  expect(await readdir(folder)).toEqual([file]);
  expect(await readFile(join(folder, file))).toEqual(first);
});
