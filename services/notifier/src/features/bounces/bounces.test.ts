import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { idOf, type InvitationId, type MailAbout } from '@sluice/contracts';
import { readConfig } from '@sluice/service';
import { secretKeysSchema } from '@sluice/system/secrets';
import { eventually, freePort, metricsOf } from '@sluice/testing';
import { makesChannels, settled, tenant } from '#test/channels.ts';
import { aFailure } from '#test/delivery-reports.ts';
import { mailServer, type MailServer, type Received } from '#test/mail-server.ts';
import { notifier } from '#test/notifier-service.ts';
import { deliver, smtpSession } from '#test/smtp-session.ts';
import { notifierEnvironment } from '../../config.ts';
import { returnPaths, type MailRef } from '../mails/return-paths.ts';

const code = '70193352';
const content = { tenant: 'Acme', kind: 'division', name: 'Payments', code, valid_minutes: 10 };
const recipient = 'ada@acme.example';
const patience = { timeoutMs: 90_000 };

const on = notifier();
const { create, history } = makesChannels(on);
let mails: MailServer;
let port: number;
let url: string;

beforeAll(async () => {
  mails = await mailServer();
  on.environment['MAIL_TRANSPORT'] = 'smtp';
  on.environment['SMTP_URL'] = `smtp://127.0.0.1:${mails.port}?ignoreTLS=true`;
  on.environment['BOUNCES_ADDRESS'] = 'bounces@mail.sluice.example';
  port = await freePort();
  ({ url } = await on.start({ BOUNCES_PORT: String(port) }));
});
afterAll(() => mails.stop());
beforeEach(() => {
  mails.received.length = 0;
});

/** Has a mail sent, about something or nothing. @returns its id, and as it came */
async function sent(about?: MailAbout): Promise<{ id: string; mail: Received }> {
  const message = await on.sealed('protection_code', recipient, content);
  await on.publish({ ...message, data: { ...message.data, ...(about && { about }) } });
  await on.allSent();
  const mail = mails.received.find(({ email }) => email.messageId?.includes(message.id));
  if (!mail) throw new Error('the mail has not arrived');
  return { id: message.id, mail };
}
const aboutTenant = (id: number): MailAbout => ({ tenant_id: idOf(id) });
const bounce = (path: string, at = port) => deliver(at, aFailure({ path, recipient }), { to: path });
const bounced = async (path: string) =>
  await bounce(path).then(
    () => 250,
    ({ responseCode }: { responseCode: number }) => responseCode,
  );
/** How often the failure of a mail was put into the outbox, which happens along with the note of it. */
async function times(id: string): Promise<number> {
  const outbox = 'SELECT subject, payload FROM outbox UNION ALL SELECT subject, payload FROM outbox_sent';
  const rows = await on.sql(
    `SELECT 1 FROM (${outbox}) AS o WHERE o.subject LIKE '%.mail_undeliverable' AND strpos(o.payload, $1) > 0`,
    [id],
  );
  return rows.length;
}

test('a mail that comes back is reported as one that is refused at once, however often it comes', async () => {
  const about = { ...aboutTenant(7), invitation_id: idOf<InvitationId>(12) };
  const { id, mail } = await sent(about);
  expect(mail).toMatchObject({ email: { from: { address: 'no-reply@sluice.example' } }, returned: 'HDRS' });
  expect(await Promise.all([mail.from, mail.from, mail.from.toUpperCase()].map(bounced))).toEqual([
    250, 250, 250,
  ]);
  expect(await bounced(mail.from)).toBe(250);
  expect(await times(id)).toBe(1);
  await eventually(async () => expect(await on.reports('mail_undeliverable')).toHaveLength(1), patience);
  expect(await on.reports('mail_undeliverable')).toMatchObject([
    {
      ...{ mail_id: id, template: 'protection_code', to: recipient, about },
      reason: expect.stringMatching(/^it came back, 550 5\.1\.1 .*unknown/) as string,
    },
  ]);
  expect(await metricsOf(url)).toContain('sluice_mails_returned_total{outcome="recorded"} 1');
  expect(await on.everythingStored()).not.toContain(code);
});

test('one that is about nothing comes back to the sender of all mails', async () => {
  const { mail } = await sent();
  expect(mail.from).toBe('no-reply@sluice.example');
});

test('a notification that comes back is failed in the history of its channel', async () => {
  const owner = tenant(8);
  const channel = await create({ channel: 'email', destination: recipient }, { owner });
  const division = { division: { id: 3, name: 'Payments' }, data: { name: 'Payments' } };
  await on.event('division_created', { ...owner, ...division });
  await settled(() => history(channel.id));
  const path = mails.received[0]?.from ?? '';
  expect(await bounced(path)).toBe(250);
  const failed = {
    status: 'failed',
    attempts: 1,
    reason: expect.stringMatching(/^it came back, 550 5\.1\.1 .*\(ada@acme\.example\)$/) as string,
    delivered_at: null,
  };
  expect(await history(channel.id)).toMatchObject([failed]);
  expect(await bounced(path)).toBe(250);
  await on.sql("UPDATE notifications SET status = 'pending', due_at = 'infinity', reason = 'busy'");
  expect(await bounced(path)).toBe(451);
  expect(await history(channel.id)).toMatchObject([{ status: 'pending', reason: 'busy' }]);
  await on.sql('DELETE FROM channels WHERE id = $1', [channel.id]);
  expect(await bounced(path)).toBe(250);
});

test('a mail that comes back before it is known to be sent is to come again, an old one is let go', async () => {
  const pathOf = (mail: MailRef, minutesAgo: number) =>
    returnPaths({
      keys: secretKeysSchema.parse(on.environment['SECRETS_KEYS']),
      address: 'bounces@mail.sluice.example',
      now: () => new Date(Date.now() - minutesAgo * 60_000),
    }).of(mail);
  const mail: MailRef = { kind: 'mail', id: randomUUID() };
  expect(await bounced(pathOf(mail, 0))).toBe(451);
  expect(await bounced(pathOf(mail, 11))).toBe(250);
  expect(await times(mail.id)).toBe(0);
});

test('of a tenant that is deleted nothing is kept that could come back', async () => {
  const { id, mail } = await sent(aboutTenant(9));
  await on.event('tenant_deleted', { ...tenant(9), data: { name: 'gone' } });
  const kept = () => on.sql('SELECT 1 FROM sent_mails WHERE mail_id = $1', [id]);
  await eventually(async () => expect(await kept()).toEqual([]), patience);
  expect(await bounced(mail.from)).toBe(451);
  expect(await times(id)).toBe(0);
});

/** BOUNCE_KILLS: how often */
const kills = Number(process.env['BOUNCE_KILLS'] ?? 1);
test(
  'a notifier that is killed while it takes a report has stored it, or has it come again',
  async () => {
    const program = fileURLToPath(new URL('../../main.ts', import.meta.url));
    for (let kill = 0; kill < kills; kill++) {
      const { id, mail } = await sent(aboutTenant(10));
      const own = await freePort();
      const env = { ...process.env, ...on.environment, BOUNCES_PORT: String(own) };
      const child = spawn(process.execPath, [program], { env, stdio: 'ignore' });
      const exited = once(child, 'exit');
      const session = await eventually(() => smtpSession(own), patience);
      await session.say('MAIL FROM:<>\r\n');
      await session.say(`RCPT TO:<${mail.from}>\r\n`);
      await session.say('DATA\r\n');
      const reply = session.say(`${aFailure({ path: mail.from, recipient })}\r\n.\r\n`);
      // most often: the moment in which it has been acknowledged
      await (kill % 3 === 0 ? reply : pause(randomInt(20)));
      child.kill('SIGKILL');
      await exited;
      if ((await reply).startsWith('250')) expect(await times(id)).toBe(1);
      else expect(await bounced(mail.from)).toBe(250);
      expect(await times(id)).toBe(1);
      const isTold = async () => JSON.stringify(await on.reports('mail_undeliverable')).split(id).length - 1;
      await eventually(async () => expect(await isTold()).toBe(1), patience);
    }
  },
  kills * 180_000,
);

test('without its settings no port is open and mails come back to their sender; half of them are refused', async () => {
  await on.stopAll();
  const listening = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;
  const before = listening();
  await on.start({ BOUNCES_ADDRESS: '' });
  // that of HTTP
  expect(listening()).toBe(before + 1);
  const { mail } = await sent(aboutTenant(11));
  expect(mail.from).toBe('no-reply@sluice.example');
  expect(await on.sql('SELECT 1 FROM sent_mails WHERE tenant_id = 11')).toEqual([]);

  const settings = (more: Record<string, string>) =>
    readConfig(notifierEnvironment, { ...on.environment, ...more });
  expect(() => settings({})).toThrow(/BOUNCES_PORT: is missing/);
  expect(() => settings({ BOUNCES_PORT: '25', BOUNCES_TLS_KEY_FILE: '/key' })).toThrow(
    /BOUNCES_TLS_CERT_FILE: is missing/,
  );
  expect(() => settings({ BOUNCES_PORT: '25', BOUNCES_ADDRESS: 'undeliverable@a.example' })).toThrow(
    /10 characters/,
  );
});
