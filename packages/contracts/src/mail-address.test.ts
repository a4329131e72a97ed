import fc from 'fast-check';
import { isMailAddress, mailSchema } from './index.ts';

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
