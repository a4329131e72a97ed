import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, testFolder } from '@sluice/testing';
import PostalMime from 'postal-mime';
import { setStage, type Stage } from '#test/notifier-service.ts';

const newcomer = { tenant: 'Acme', name: 'Grace Hopper', email: 'grace@acme.example' };
let stage: Stage;
let folder: string;

beforeEach(async () => {
  stage = await setStage();
  folder = join(await testFolder(), 'mail');
  await stage.start({ MAIL_TRANSPORT: 'file', MAIL_DIR: folder });
});
afterEach(async () => {
  await stage.end();
});

test('each mail becomes a file that only its owner reads', async () => {
  const { id } = await stage.ask('member_joined', 'ada@example.com', newcomer);
  await stage.allSent();
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
  const message = await stage.ask('member_joined', 'ada@example.com', newcomer);
  await stage.allSent();
  const [file = ''] = await readdir(folder);
  const first = await readFile(join(folder, file));
  const { ino } = await stat(join(folder, file));

  await stage.query('DELETE FROM inbox');
  await stage.publish(message);
  await eventually(async () => expect((await stat(join(folder, file))).ino).not.toBe(ino));
  await stage.allSent();
  expect(await readdir(folder)).toEqual([file]);
  expect(await readFile(join(folder, file))).toEqual(first);
});
