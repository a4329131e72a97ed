import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLog } from '@sluice/service';
import { createAuthority, issueCertificate } from '@sluice/system/authority';
import { freePort, testFolder } from '@sluice/testing';
import { Registry } from '@prometheus-io/client';
import { aFailure } from '#test/delivery-reports.ts';
import { deliver, smtpSession } from '#test/smtp-session.ts';
import { listenForBounces, type BounceListenerOptions } from './bounce-listener.ts';
import { countBounces } from './bounce-metrics.ts';
import { returnPaths, type ReturnedMail } from '../mails/return-paths.ts';

/** Clients that mean harm, or are just broken: none gets more than a refusal. */

let now = new Date();
const metrics = new Registry();
const paths = returnPaths({
  keys: new Map([['test', new Uint8Array(randomBytes(32))]]),
  address: 'bounces@mail.sluice.example',
  now: () => now,
});
const recorded: [ReturnedMail, string][] = [];
const options: Omit<BounceListenerOptions, 'port'> = {
  host: '127.0.0.1',
  name: 'mail.sluice.example',
  tls: undefined,
  paths,
  record: async (...args) => {
    recorded.push(args);
    return 'recorded';
  },
  counts: countBounces(metrics),
  log: createLog('notifier', 'error'),
};

const ends: (() => Promise<void>)[] = [];
/** @returns its port */
async function listen(more: Partial<BounceListenerOptions> = {}): Promise<number> {
  const port = await freePort();
  ends.push((await listenForBounces({ ...options, ...more, port })).end);
  return port;
}

let port: number;
beforeAll(async () => {
  port = await listen();
});
beforeEach(() => {
  recorded.length = 0;
});
afterAll(() => Promise.all(ends.map((end) => end())));

const aPath = () => paths.of({ kind: 'mail', id: randomUUID() });
const reportTo = (path: string) => aFailure({ path, recipient: 'ada@acme.example' });
const refused = (responseCode: number) => expect.objectContaining({ responseCode }) as Error;

test('a report is taken, at an address that was changed to upper case as well', async () => {
  const path = aPath();
  await deliver(port, reportTo(path), { to: path.toUpperCase() });
  expect(recorded).toEqual([[paths.read(path), expect.stringContaining('it came back, 550 5.1.1')]]);
});

describe('nothing is taken', () => {
  test('at an address that was not made here, or is too old', async () => {
    const path = aPath();
    const forged = path.replace(/\+./, (text) => (text === '+a' ? '+b' : '+a'));
    for (const to of [forged, 'bounces@mail.sluice.example', 'postmaster@mail.sluice.example'])
      await expect(deliver(port, reportTo(path), { to })).rejects.toEqual(refused(550));
    now = new Date(now.getTime() + 14 * 86_400_000);
    await expect(deliver(port, reportTo(path), { to: path })).rejects.toEqual(refused(550));
    expect(recorded).toEqual([]);
  });

  test('from an address, since an answer to a report may be answered again', async () => {
    const path = aPath();
    const answerable = { from: 'ada@acme.example', to: path };
    await expect(deliver(port, reportTo(path), answerable)).rejects.toEqual(refused(550));
    expect(recorded).toEqual([]);
  });

  test('that is too large, or cannot be read, and the connection can be used on', async () => {
    const path = aPath();
    const session = await smtpSession(port);
    const send = async (raw: string) => {
      await session.say('MAIL FROM:<>\r\n');
      await session.say(`RCPT TO:<${path}>\r\n`);
      await session.say('DATA\r\n');
      return await session.say(`${raw}\r\n.\r\n`);
    };
    expect(await session.say(`MAIL FROM:<> SIZE=${10 * 2 ** 20}\r\n`)).toMatch(/^552 /);
    expect(await send(reportTo(path) + `${'x'.repeat(1_022)}\r\n`.repeat(10 * 1_024))).toMatch(/^552 /);
    expect(await send(reportTo(path) + 'x'.repeat(150_000))).toMatch(/^552 /);
    const nested = Array.from(
      { length: 10_000 },
      (_, i) => `Content-Type: multipart/a;boundary=${i}\n\n--${i}\n`,
    );
    expect(await send(nested.join('').slice(0, 100_000))).toMatch(/^554 /);
    expect(recorded).toEqual([]);
    expect(await send(reportTo(path))).toMatch(/^250 /);
    expect(recorded).toHaveLength(1);
    session.end();
  });

  test('for a second recipient, and of a thousand', async () => {
    const session = await smtpSession(port);
    await session.say('MAIL FROM:<>\r\n');
    expect(await session.say(`RCPT TO:<${aPath()}>\r\n`)).toMatch(/^250 /);
    session.write(Array.from({ length: 1_000 }, () => `RCPT TO:<${aPath()}>\r\n`).join(''));
    for (let i = 0; i < 1_000; i++) expect(await session.reply()).toMatch(/^452 /);
    session.end();
  });

  test('by any command but those of a delivery', async () => {
    const session = await smtpSession(port);
    expect(await session.say('AUTH PLAIN AGEAYg==\r\n')).toMatch(/^5/);
    expect(await session.say('STARTTLS\r\n')).toMatch(/^5/);
    expect(await session.say('DATA\r\n')).toMatch(/^503 /);
    session.end();
  });
});

test('a line without an end, and a client that takes for ever, are cut off', async () => {
  const endless = await smtpSession(port);
  endless.write('x'.repeat(100_000));
  await endless.ended;

  const impatient = await listen({ sessionMilliseconds: 300 });
  const slow = await smtpSession(impatient);
  const dripping = setInterval(() => slow.write('N'), 20);
  await slow.ended;
  clearInterval(dripping);

  const deaf = await smtpSession(await listen({ silenceMilliseconds: 300 }));
  await deaf.ended;
});

test('of reports about one mail the eleventh within an hour is put off', async () => {
  const path = aPath();
  const session = await smtpSession(port);
  const send = async () => {
    for (const text of ['MAIL FROM:<>', `RCPT TO:<${path}>`, 'DATA']) await session.say(`${text}\r\n`);
    return await session.say(`${reportTo(path)}\r\n.\r\n`);
  };
  for (let i = 0; i < 10; i++) expect(await send()).toMatch(/^250 /);
  expect(await send()).toMatch(/^450 /);
  expect(recorded).toHaveLength(10);
  session.end();
});

test('what cannot be stored now is left with the server that has it', async () => {
  const path = aPath();
  const troubled = await listen({ record: () => Promise.reject(new Error('no database')) });
  await expect(deliver(troubled, reportTo(path), { to: path })).rejects.toEqual(refused(451));
  const early = await listen({ record: () => Promise.resolve('early') });
  await expect(deliver(early, reportTo(path), { to: path })).rejects.toEqual(refused(451));
});

test('what comes is counted by what became of it', async () => {
  const text = await metrics.metrics();
  for (const outcome of ['recorded', 'early', 'unreadable', 'refused'])
    expect(text).toMatch(new RegExp(`sluice_mails_returned_total{outcome="${outcome}"} [1-9]`));
});

test('with a certificate it has STARTTLS, with half of one it does not start', async () => {
  const authority = await createAuthority('Tests', { from: new Date(), days: 1 });
  const pair = await issueCertificate(
    authority,
    { dns: [options.name], addresses: [] },
    { from: new Date(), days: 1 },
  );
  const folder = await testFolder();
  const [certificate, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  await writeFile(certificate, pair.certificate);
  await writeFile(key, authority.private_key);
  await expect(listen({ tls: { certificate, key } })).rejects.toThrow(/key values mismatch/);
  await writeFile(key, pair.private_key);
  const secured = await listen({ tls: { certificate, key } });
  const path = aPath();
  const query = 'requireTLS=true&tls.rejectUnauthorized=false';
  await deliver(secured, reportTo(path), { to: path, query });
  expect(recorded).toHaveLength(1);
});
