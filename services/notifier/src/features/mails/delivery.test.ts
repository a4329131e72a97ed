import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually, metricsOf } from '@sluice/testing';
import { mailServer, type MailServer } from '#test/mail-server.ts';
import { notifier, type MailMessage } from '#test/notifier-service.ts';

const code = '70193352';
const content = { tenant: 'Acme', kind: 'division', name: 'Payments', code, valid_minutes: 10 };
const patience = { timeoutMs: 20_000 };

const on = notifier({ per: 'test' });
let server: MailServer;
let smtp: { MAIL_TRANSPORT: 'smtp'; SMTP_URL: string };

beforeEach(async () => {
  server = await mailServer();
  smtp = { MAIL_TRANSPORT: 'smtp', SMTP_URL: `smtp://127.0.0.1:${server.port}?ignoreTLS=true` };
});
afterEach(() => server.stop());

const askFor = (to: string) => on.ask('protection_code', to, content);
const recipients = () => server.received.flatMap(({ to }) => to);

test('a mail goes over STARTTLS, signed in, where the server wants it', async () => {
  await server.stop();
  server.password = 's3cret';
  await server.start();
  // the server's certificate is its own
  const query = 'requireTLS=true&tls.rejectUnauthorized=false';
  await on.start({ ...smtp, SMTP_URL: `smtp://sluice:s3cret@127.0.0.1:${server.port}?${query}` });
  await askFor('ada@example.com');
  await on.allSent();
  expect(server.received).toMatchObject([{ secure: true, user: 'sluice' }]);
});

test('while the mail server is away mails wait; they arrive once it is back', async () => {
  await server.stop();
  const { url } = await on.start(smtp);
  await askFor('ada@example.com');
  await askFor('grace@example.com');
  await eventually(async () => {
    const later = /sluice_mails_failed_total\{template="protection_code",outcome="later"\} (\d+)/;
    const [, count] = later.exec(await metricsOf(url)) ?? [];
    // more attempts than each mail's first
    expect(Number(count)).toBeGreaterThan(2);
  }, patience);
  await server.start();
  await on.allSent();
  expect(recipients().sort()).toEqual(['ada@example.com', 'grace@example.com']);
  expect(await on.deadLetters()).toEqual([]);
});

test('a mail server that does not let the notifier in refuses no mail', async () => {
  await server.stop();
  server.password = 'new';
  await server.start();
  const url = (password: string) =>
    `smtp://sluice:${password}@127.0.0.1:${server.port}?tls.rejectUnauthorized=false`;
  const wrong = await on.start({ ...smtp, SMTP_URL: url('old') });
  await askFor('ada@example.com');
  await eventually(async () => expect(await metricsOf(wrong.url)).toContain('outcome="later"'));
  await wrong.stop();
  await on.start({ ...smtp, SMTP_URL: url('new') });
  await on.allSent();
  expect(recipients()).toEqual(['ada@example.com']);
  expect(await on.everythingStored()).not.toContain('old');
});

test('a mail that the server takes only later does not hold up the next', async () => {
  server.refused.set('grey@example.com', '450 4.2.0 come back later');
  await on.start(smtp);
  await askFor('grey@example.com');
  await askFor('ada@example.com');
  await eventually(() => expect(recipients()).toEqual(['ada@example.com']));
  server.refused.clear();
  await on.allSent();
  expect(recipients()).toEqual(['ada@example.com', 'grey@example.com']);
  expect(await on.deadLetters()).toEqual([]);
});

test('a mail that a slow server is still taking does not hold up the next', async () => {
  const released = Promise.withResolvers<undefined>();
  server.atData = ({ to }) => (to[0] === 'slow@example.com' ? released.promise : Promise.resolve(undefined));
  await on.start(smtp);
  await askFor('slow@example.com');
  await askFor('ada@example.com');
  await eventually(() => expect(recipients()).toEqual(['ada@example.com']));
  released.resolve(undefined);
  await on.allSent();
  expect(recipients()).toEqual(['ada@example.com', 'slow@example.com']);
});

test('a mail that is refused for good is put aside with the reply and the next arrives; it is reported with what it is about, if anything', async () => {
  server.refused.set('nobody@example.com', '550 5.1.1 no such mailbox');
  const { url } = await on.start(smtp);
  await askFor('nobody@example.com');
  const message = await on.sealed('protection_code', 'nobody@example.com', content);
  const about = { tenant_id: 7, division: { id: 3, name: 'Payments' } };
  await on.publish({ ...message, data: { ...message.data, about } as MailMessage['data'] });
  await askFor('ada@example.com');
  const reason = expect.stringMatching(/^SMTP 550 .*no such mailbox \(RCPT TO\)$/) as string;
  await eventually(
    async () => expect(await on.deadLetters()).toMatchObject([{ reason }, { reason }]),
    patience,
  );
  await eventually(async () => expect(await on.reports('mail_undeliverable')).toHaveLength(1), patience);
  await eventually(() => expect(recipients()).toEqual(['ada@example.com']), patience);
  const metrics = await metricsOf(url);
  expect(metrics).toContain('sluice_mails_failed_total{template="protection_code",outcome="refused"} 2');
  expect(metrics).toContain('sluice_mails_sent_total{template="protection_code"} 1');
  expect(await on.reports('mail_undeliverable')).toMatchObject([
    {
      ...{ mail_id: message.id, template: 'protection_code', to: 'nobody@example.com', about },
      reason: expect.stringMatching(/no such mailbox/) as string,
    },
  ]);
  expect(await on.everythingStored()).not.toContain(code);
});

describe('one mail arrives', () => {
  test('when its message is delivered twice', async () => {
    await on.start(smtp);
    const message = await askFor('ada@example.com');
    await on.publish(message);
    await askFor('grace@example.com');
    await on.allSent();
    expect(recipients().sort()).toEqual(['ada@example.com', 'grace@example.com']);
  });

  test('when its message is in the hands of two replicas at the same time', async () => {
    await Promise.all([on.start(smtp), on.start(smtp)]);
    for (let i = 0; i < 10; i++) {
      const message = await on.sealed('protection_code', `${i}@example.com`, content);
      await Promise.all([on.publish(message), on.publish(message), on.publish(message)]);
    }
    await on.allSent();
    expect(recipients()).toHaveLength(10);
    expect(new Set(recipients()).size).toBe(10);
  });
});

test('a notifier killed between sending and commit sends again with the same Message-ID', async () => {
  let killed: ChildProcess | undefined;
  server.atData = async () => {
    if (!killed) {
      killed = child;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    return undefined;
  };
  const program = fileURLToPath(new URL('../../main.ts', import.meta.url));
  const env = { ...process.env, ...on.environment, ...smtp };
  const child = spawn(process.execPath, [program], { env, stdio: 'ignore' });
  const message = await on.sealed('protection_code', 'ada@example.com', content);
  // the stream is there once the process has started
  await eventually(() => on.publish(message), patience);
  await eventually(() => expect(recipients()).toHaveLength(1), patience);
  await on.start(smtp);
  await on.allSent();
  const ids = server.received.map(({ email }) => email.messageId);
  expect(ids).toEqual(Array(2).fill(`<${message.id}@sluice.example>`));
});

test('a mail that a server takes too long for is let go at the end, and sent by the next replica', async () => {
  const held = Promise.withResolvers<undefined>();
  const arrived = Promise.withResolvers<void>();
  server.atData = () => {
    arrived.resolve();
    return held.promise;
  };
  const first = await on.start(smtp);
  await askFor('ada@example.com');
  await arrived.promise;
  await first.stop();
  server.atData = () => Promise.resolve(undefined);
  held.resolve(undefined);
  await on.start(smtp);
  await on.allSent();
  expect(new Set(server.received.map(({ email }) => email.messageId)).size).toBe(1);
});

describe('what can never be sent is put aside, without its secret, when', () => {
  const cases: [string, (to: string) => Promise<unknown>, RegExp][] = [
    [
      'its key is not known',
      async (to) => {
        const message = await on.sealed('protection_code', to, content);
        const header = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid: 'other' }));
        const sealed = message.data.sealed.replace(/^[^.]+/, header.toString('base64url'));
        return on.publish({ ...message, data: { ...message.data, sealed } });
      },
      /cannot be opened/,
    ],
    [
      'its content is not as agreed',
      async (to) => on.publish(await on.sealed('protection_code', to, { ...content, valid_minutes: code })),
      /^the content of the mail is not as agreed: valid_minutes$/,
    ],
    [
      'its content is just text',
      async (to) => on.publish(await on.sealed('protection_code', to, code)),
      /^the content of the mail is not as agreed: all of it$/,
    ],
    [
      'the server refuses it and quotes it',
      async (to) => {
        server.atData = async (mail) =>
          mail.to[0] === to ? `554 5.7.1 no codes such as ${code} here` : undefined;
        return askFor(to);
      },
      /^SMTP 554 5\.7\.1 \(DATA\)$/,
    ],
  ];

  test.each(cases)('%s', async (_name, publish, reason) => {
    await on.start(smtp);
    await publish('bad@example.com');
    await askFor('ada@example.com');
    await on.allSent();
    expect(recipients()).toEqual(['ada@example.com']);
    expect(await on.deadLetters()).toMatchObject([{ reason: expect.stringMatching(reason) as string }]);
    expect(await on.everythingStored()).not.toContain(code);
  });
});

test('the code stands neither in NATS, nor in the database, nor in the log, before and after it is sent', async () => {
  await server.stop();
  const { url } = await on.start(smtp);
  await askFor('ada@example.com');
  await eventually(async () => expect(await metricsOf(url)).toContain('outcome="later"'));
  const waiting = await on.everythingStored();
  expect(waiting).toContain('ada@example.com');
  expect(waiting).not.toContain(code);

  await server.start();
  await on.allSent();
  expect(server.received[0]?.email.text).toContain(code);
  const sent = await on.everythingStored();
  expect(sent).toContain('a mail was sent');
  expect(sent).toContain('notifier-mails');
  expect(sent).not.toContain(code);
});
