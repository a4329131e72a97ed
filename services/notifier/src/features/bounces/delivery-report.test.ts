import { aFailure, failures } from '#test/delivery-reports.ts';
import { failureIn } from './delivery-report.ts';

const to = { path: `bounces+${'a'.repeat(53)}@mail.sluice.example`, recipient: 'ada@acme.example' };
const read = (text: string) => failureIn(Buffer.from(text));
const changed = (from: string | RegExp, into: string) => {
  const text = aFailure(to).replace(from, into);
  expect(text).not.toBe(aFailure(to));
  return text;
};

test.each(failures)('a report of %s tells why a mail was not delivered', async (_server, write, why) => {
  expect(await read(write(to))).toBe(`it came back, ${why} (ada@acme.example)`);
});

test('a server that has tried for days and gives up has not delivered it either', async () => {
  const late = changed(
    /Status: 5[^]*?table/,
    'Status: 4.4.1\r\nDiagnostic-Code: X-Postfix; connect: timed out',
  );
  expect(await read(late)).toBe('it came back, 4.4.1 connect: timed out (ada@acme.example)');
});

test('of several recipients, the one that was not reached counts', async () => {
  const expanded = changed(
    'Final-Recipient',
    'Final-Recipient: rfc822; bob@acme.example\r\nAction: relayed\r\n\r\nFinal-Recipient',
  );
  expect(await read(expanded)).toContain('(ada@acme.example)');
});

describe('nothing has failed where', () => {
  const vacation = [
    'From: ada@acme.example',
    'Subject: Out of office: You are invited',
    'Auto-Submitted: auto-replied',
    'Content-Type: text/plain',
    '',
    'I am away. Action: failed. Status: 5.1.1',
  ];
  test.each([
    ['the server goes on trying', changed('Action: failed', 'Action: delayed')],
    ['it tells of success', changed('Action: failed', 'Action: delivered')],
    ['it contradicts itself', changed('Status: 5.1.1', 'Status: 2.0.0')],
    ['it says nothing of what became of the mail', changed('Action: failed', 'X-Action: failed')],
    ['a recipient is away', vacation.join('\r\n')],
    ['a forwarded report', changed(/multipart\/report; [^;]*/, 'multipart/mixed')],
    ['it is a complaint', changed('report-type=delivery-status', 'report-type=feedback-report')],
    ['it has no part for programs', changed('message/delivery-status\r\n', 'text/plain\r\n')],
    ['there is nothing', ''],
    ['the mail that is returned looks like a report', `Content-Type: message/rfc822\r\n\r\n${aFailure(to)}`],
  ])('%s', async (_what, text) => {
    expect(await read(text)).toBeUndefined();
  });
});

test('codes, links and return paths that a server quotes are left out, and so is anything that is no text', async () => {
  const quoting = changed(
    '550 5.1.1 <',
    `550 5.1.1 spam: "70193352" https://console.sluice.example/a?b from <${to.path}> \u202Eevil\u0000\u0007\r\n\t<`,
  );
  expect(await read(quoting)).toBe(
    'it came back, 550 5.1.1 spam: "…" … from <bounces+…@mail.sluice.example> evil <ada@acme.example>: Recipient address rejected: User unknown in virtual mailbox table (ada@acme.example)',
  );
});

test('a recipient whose address is a number is named', async () => {
  const number = changed('Final-Recipient: rfc822; ada', 'Final-Recipient: rfc822; 10012345');
  expect(await read(number)).toContain('(10012345@acme.example)');
});

test('the reason is no longer than there is room for', async () => {
  const long = changed(/550 5\.1\.1 <[^]*?table/, `550 5.1.1 ${'😀 '.repeat(3_000)}`).replace(
    /Final-Recipient: rfc822; ada/,
    `Final-Recipient: rfc822; ${'a'.repeat(3_000)}`,
  );
  const reason = await read(long);
  expect(reason?.length).toBeLessThan(500);
  expect(reason?.isWellFormed()).toBe(true);
});

test('parts within parts within parts are refused', async () => {
  const depth = 10_000;
  const parts = Array.from(
    { length: depth },
    (_, i) => `Content-Type: multipart/report; boundary=${i}\r\n\r\n--${i}\r\n`,
  );
  await expect(read(parts.join(''))).rejects.toThrow(/nesting/i);
});
