import fc from 'fast-check';
import { isMailAddress, mailboxKey, mailSchema } from './index.ts';

test.each([
  'ada@acme.example',
  'Ada.Lovelace+sluice@mail.acme.example',
  "o'hara@acme.example",
  '!#$%&*/=?^_`{|}~-@acme.example',
  'a@xn--bcher-kva.example',
  `${'a'.repeat(64)}@acme.example`,
  'a@a-b.c9.example',
])('%s is one', (address) => {
  expect(isMailAddress(address)).toBe(true);
  expect(mailSchema.shape.to.safeParse(address).success).toBe(true);
});

test.each([
  '',
  'ada',
  '@acme.example',
  'ada@',
  'ada@localhost',
  'ada@acme..example',
  'ada@.acme.example',
  'ada@acme.example.',
  'ada@-acme.example',
  'ada@acme-.example',
  'ada@127.0.0.1',
  'ada@[127.0.0.1]',
  '.ada@acme.example',
  'ada.@acme.example',
  'ada..l@acme.example',
  '"ada"@acme.example',
  'ada l@acme.example',
  'ada@acme.example\n',
  'ada@acme.example\r\nBcc: eve@evil.example',
  'ada,eve@acme.example',
  'Ada <ada@acme.example>',
  'ada@eve@acme.example',
  'ädä@acme.example',
  'ada@bücher.example',
  `${'a'.repeat(65)}@acme.example`,
  `ada@${'a'.repeat(64)}.example`,
  `ada@${'a.'.repeat(125)}example`,
])('%j is none', (address) => {
  expect(isMailAddress(address)).toBe(false);
  expect(mailSchema.shape.to.safeParse(address).success).toBe(false);
});

test('is decided quickly, whatever the text', () => {
  fc.assert(fc.property(fc.string({ maxLength: 2_000 }), (text) => void isMailAddress(text)));
  expect(isMailAddress(`${'a.'.repeat(500_000)}@acme.example`)).toBe(false);
});

test.each([
  [
    'ada@acme.example',
    ['ADA@Acme.Example', 'ada+x@acme.example', 'Ada+a+b@ACME.example.', 'ada+@acme.example'],
  ],
  ['+ada@acme.example', ['+Ada+x@acme.example']],
  ['a.d.a@acme.example', ['a.d.a+x@acme.example']],
  ['ada@gmail.com', ['a.d.a@gmail.com', 'Ada@GoogleMail.com', 'a.da+news@googlemail.com.']],
  ['ada@xn--bcher-kva.example', ['ada@b\u00FCcher.example', 'ada@BU\u0308CHER.example.']],
])('%s is counted as the mailbox of %j', (mailbox, addresses) => {
  expect([mailbox, ...addresses].map(mailboxKey)).toEqual([mailbox, ...addresses].map(() => mailbox));
});

test('different mailboxes are counted by themselves', () => {
  const addresses = [
    'ada@acme.example',
    'a.da@acme.example',
    'eve@acme.example',
    'ada@mail.acme.example',
    '+@acme.example',
  ];
  expect(new Set(addresses.map(mailboxKey)).size).toBe(addresses.length);
});

test('the key of a mailbox is an address of the same mailbox', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      expect(mailboxKey(mailboxKey(address))).toBe(mailboxKey(address));
    }),
  );
});
