import type { MailContent } from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import { mailServer, type MailServer, type Received } from '#test/mail-server.ts';
import { notifier } from '#test/notifier-service.ts';

const to = 'ada@example.com';
const code: MailContent<'protection_code'> = {
  tenant: 'Acme',
  kind: 'division',
  name: 'Payments',
  code: '70193352',
  valid_minutes: 10,
};
const invitation: MailContent<'invitation'> = {
  tenant: 'Acme',
  invited_by: 'Grace Hopper',
  url: 'https://console.example.com/invitations/5?a=1&b=2',
  expires_at: '2026-03-08T12:00:00.000Z',
};
const linked = { name: 'Grace Hopper', source: 'acme-id', url: 'https://console.example.com/account' };
const moved = { tenant: 'Acme', email: 'new@acme.example', changed_by: 'Ada Lovelace' };
const issued = {
  ...{ tenant: 'Acme', reference: 'INV-000007', month: 'February 2026' },
  ...{ total_usd: '103.20', due_at: '2026-03-31T12:00:00.000Z' },
};
const unpaid = { tenant: 'Acme', invoice: 'INV-000042', amount: '118.20' };
const soon = '2026-03-02T12:00:00.000Z';
const newcomer = { tenant: 'Acme', name: 'Grace Hopper', email: 'grace@acme.example' };

const on = notifier();
let server: MailServer;

beforeAll(async () => {
  server = await mailServer();
  await on.start({ MAIL_TRANSPORT: 'smtp', SMTP_URL: `smtp://127.0.0.1:${server.port}?ignoreTLS=true` });
});
afterAll(() => server.stop());
beforeEach(() => {
  server.received.length = 0;
});

async function onlyMail(): Promise<Received> {
  return eventually(() => {
    const [mail, ...more] = server.received;
    if (!mail || more.length > 0) throw new Error(`${server.received.length} mails have arrived`);
    return mail;
  });
}

/** What a reader of the HTML sees, spaces aside. */
const seen = (html = '') =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');

describe('each mail arrives, as text and as HTML that say the same', () => {
  test.each([
    [
      () => on.ask('protection_code', to, code),
      'Code to delete the division “Payments”',
      [
        'A deletion of the division “Payments” of the tenant “Acme” was requested.',
        '70193352',
        'until 1 March 2026, 12:10 UTC',
      ],
    ],
    [
      () => on.ask('invitation', to, invitation),
      'Grace Hopper invites you to “Acme” on Sluice',
      [invitation.url, 'The invitation is open until 8 March 2026, 12:00 UTC.'],
    ],
    [
      () => on.ask('join_requested', to, newcomer),
      'Grace Hopper asks to join “Acme”',
      ['Grace Hopper (grace@acme.example) asks to become a member of the tenant “Acme”'],
    ],
    [
      () => on.ask('member_joined', to, newcomer),
      'Grace Hopper has joined “Acme”',
      ['Grace Hopper (grace@acme.example) has become a member of the tenant “Acme”'],
    ],
    [
      () => on.ask('provider_linked', to, linked),
      '“acme-id” can sign you in to Sluice now',
      [linked.url, 'was linked with the account of Grace Hopper on Sluice on 1 March 2026, 12:00 UTC'],
    ],
    [
      () => on.ask('payment_failed', to, { ...unpaid, reason: 'insufficient funds', next_attempt_at: soon }),
      'The payment of invoice INV-000042 has failed',
      ['“Acme” on Sluice was not charged with $118.20', 'tried again on 2 March 2026, 12:00 UTC'],
    ],
    [
      () => on.ask('payment_overdue', to, unpaid),
      'Invoice INV-000042 is overdue',
      ['The invoice INV-000042 of the tenant “Acme” on Sluice, $118.20, is overdue.'],
    ],
    [
      () => on.ask('tenant_email_changed', to, moved),
      'The mail address of “Acme” was changed',
      ['Ada Lovelace changed the mail address of the tenant “Acme” on Sluice to new@acme.example'],
    ],
    [
      () => on.ask('invoice_issued', to, issued),
      'Invoice INV-000007 of “Acme” for February 2026',
      ['It comes to 103.20 USD, due on 31 March 2026, 12:00 UTC.'],
    ],
  ])('%#: %s', async (ask, subject, sentences) => {
    const { id } = await ask();
    const mail = await onlyMail();
    expect(mail.to).toEqual([to]);
    expect(mail.email).toMatchObject({
      subject,
      from: { name: 'Sluice', address: 'no-reply@sluice.example' },
      to: [{ address: to }],
      messageId: `<${id}@sluice.example>`,
      date: '2026-03-01T12:00:00.000Z',
    });
    for (const sentence of sentences) {
      expect(mail.email.text).toContain(sentence);
      expect(seen(mail.email.html)).toContain(sentence);
    }
  });
});

test('the code of a tenant names the tenant once', async () => {
  await on.ask('protection_code', to, { ...code, kind: 'tenant', name: 'Acme' });
  expect((await onlyMail()).email.text).toContain('A deletion of the tenant “Acme” was requested. It');
});

test.each([
  ['join_requested', newcomer],
  ['member_joined', newcomer],
  ['invoice_issued', issued],
  ['payment_failed', { ...unpaid, reason: 'insufficient funds', next_attempt_at: null }],
  ['payment_overdue', unpaid],
] as const)('%s leads to the page of the console that it is about', async (template, content) => {
  const url = 'https://console.example.com/t/3/people?a=1&b=2';
  await on.ask(template, to, { ...content, url });
  const { html = '', text = '' } = (await onlyMail()).email;
  expect(html).toContain('href="https://console.example.com/t/3/people?a=1&amp;b=2"');
  expect(text).toContain(url);
});

test('a link leads where the sender wants it to', async () => {
  await on.ask('invitation', to, invitation);
  const [, target] = /href="([^"]*)"/.exec((await onlyMail()).email.html ?? '') ?? [];
  expect(target).toBe('https://console.example.com/invitations/5?a=1&amp;b=2');
});

test('a link that is no web address is not sent', async () => {
  await on.ask('invitation', to, { ...invitation, url: 'javascript:alert(1)' });
  await on.allSent();
  expect(server.received).toEqual([]);
  expect((await on.deadLetters()).at(-1)?.reason).toBe('the content of the mail is not as agreed: url');
});

test('names can add neither HTML nor headers nor lines, and cannot turn the text around', async () => {
  const name = `<script>alert('1')</script>\r\nBcc: eve@example.com\r\n\r\n\u202Eeve "&`;
  await on.ask('join_requested', to, { tenant: name, name, email: 'eve@acme.example' });
  const { email, raw, to: recipients } = await onlyMail();
  const shown = `<script>alert('1')</script> Bcc: eve@example.com eve "&`;
  expect(recipients).toEqual([to]);
  expect(email.subject).toBe(`${shown} asks to join “${shown}”`);
  expect(email.headers.map(({ key }) => key)).not.toContain('bcc');
  expect(raw.split('\r\n\r\n', 1)[0]).not.toMatch(/^bcc:/im);
  expect(email.text).toContain(
    `${shown} (eve@acme.example) asks to become a member of the tenant “${shown}”`,
  );
  expect(email.html).not.toContain('<script');
  expect(email.html).toContain(
    '&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; Bcc: eve@example.com eve &quot;&amp; (eve@acme.example)',
  );
});
