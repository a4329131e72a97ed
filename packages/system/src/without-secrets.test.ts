import { withoutSecrets } from './without-secrets.ts';

const key = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----';
const seed = `SU${'A'.repeat(56)}`;

test.each([
  ['a login of the node', 'users: [{user: u, password: "hunter-twelve"}]', 'hunter-twelve'],
  ['a private key', `key: ${key} end`, 'MIIEvQIBADANBg'],
  ['a private key that is cut', key.slice(0, 40), 'MIIEvQ'],
  ['the seed of an NKey', `nkey ${seed}.`, seed],
  ['the hash of a password', `password: "\\x242b\\x2404\\x24${'a'.repeat(53)}"`, 'a'.repeat(53)],
  ['the private part of a JSON Web Key', `{"kty":"OKP","d":"${'x'.repeat(43)}"}`, 'x'.repeat(43)],
])('%s is taken out in any case', (_, text, secret) => {
  for (const everything of [true, false]) {
    const clean = withoutSecrets(text, ['hunter-twelve'], everything);
    expect(clean).not.toContain(secret);
    expect(clean).toContain('***');
  }
});

test.each([
  ['a password by its name', 'password: "open sesame", port: 1', 'open sesame'],
  ['a token in an address', 'https://ada:s3cr3t@example.com/', 's3cr3t'],
  ['a header', 'Authorization: Bearer abc.def', 'abc.def'],
  ['an API key of Sluice', `said svc_${'a'.repeat(49)}`, 'aaaaaaaa'],
  ['a secret of an environment', 'AWS_SECRET=wJalrXUtnFEMI', 'wJalrXUtnFEMI'],
])('%s is taken out unless the text is wanted as it is', (_, text, secret) => {
  expect(withoutSecrets(text, [], true)).not.toContain(secret);
  expect(withoutSecrets(text, [], false)).toContain(secret);
});

test('what is no secret stays', () => {
  const text =
    '[12] 2026/03/14 09:26:53.589793 [INF] Server is ready\nlisten: 127.0.0.1:4222\nmax_payload: 1048576';
  expect(withoutSecrets(text, [], true)).toBe(text);
});

test('a secret that is a part of another hides neither', () => {
  expect(withoutSecrets('one: abcdef, two: abcdefghi', ['abcdef', 'abcdefghi'], false)).toBe(
    'one: ***, two: ***',
  );
});
