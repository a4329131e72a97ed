import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createTransport } from 'nodemailer';
import { mailCatcher } from './mail-catcher.ts';

let url: string;
let send: (to: string, subject: string, text: string) => Promise<unknown>;
const catcher = mailCatcher({ longest: 20_000, all: 100_000 });
beforeAll(async () => {
  catcher.smtp.listen(0, '127.0.0.1');
  catcher.http.listen(0, '127.0.0.1');
  await Promise.all([once(catcher.smtp.server, 'listening'), once(catcher.http, 'listening')]);
  url = `http://127.0.0.1:${(catcher.http.address() as AddressInfo).port}`;
  const { port } = catcher.smtp.server.address() as AddressInfo;
  const transport = createTransport({ host: '127.0.0.1', port });
  send = (to, subject, text) => transport.sendMail({ from: 'sluice@example.com', to, subject, text });
});
afterAll(async () => {
  await new Promise<void>((resolve) => catcher.smtp.close(resolve));
  await new Promise((resolve) => catcher.http.close(resolve));
});

const list = async () =>
  (await (await fetch(url, { headers: { accept: 'application/json' } })).json()) as Record<string, unknown>[];

test('what is sent to anybody is shown, newest first, and as it came', async () => {
  await send('ada@example.com', 'first', 'the code is 12345678');
  await send('bob@example.com', '<b>second</b>', 'hello');
  const mails = await list();
  expect(mails).toMatchObject([
    { number: 2, to: ['bob@example.com'], subject: '<b>second</b>' },
    { number: 1, to: ['ada@example.com'], subject: 'first' },
  ]);
  expect(await (await fetch(`${url}/1`)).text()).toContain('the code is 12345678');
  const page = await (await fetch(url)).text();
  expect(page).not.toContain('<b>');
  expect(page).toContain('bob@example.com');
});

test('what is too large is refused and not kept, what is not there is not found', async () => {
  const before = await list();
  await expect(send('ada@example.com', 'large', 'x'.repeat(30_000))).rejects.toThrow(/552/);
  expect(await list()).toEqual(before);
  expect((await fetch(`${url}/99`)).status).toBe(404);
  expect((await fetch(`${url}/../etc/passwd`)).status).toBe(404);
});

test('the oldest mails make room for new ones', async () => {
  const large = 'y'.repeat(15_000);
  for (let sent = 0; sent < 8; sent++) await send('ada@example.com', `large ${sent}`, large);
  const mails = await list();
  expect(mails.length).toBeLessThan(8);
  expect(mails[0]).toMatchObject({ subject: 'large 7' });
  expect((await fetch(`${url}/1`)).status).toBe(404);
});
