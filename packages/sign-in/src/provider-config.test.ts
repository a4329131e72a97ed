import { providersSchema } from './provider-config.ts';

const provider = {
  source: 'acme',
  issuer: 'https://login.acme.test',
  client_id: 'sluice',
  client_secret: 'hush',
};
const outcome = (value: unknown) => providersSchema.safeParse(JSON.stringify(value));

test('a provider needs its source, its issuer and the client', () => {
  expect(outcome([provider]).data).toEqual([
    { ...provider, scopes: ['openid', 'email', 'profile'], public_email: false, authority_for: [] },
  ]);
  expect(providersSchema.parse(undefined)).toEqual([]);
});

test.each([
  ['by plain HTTP on this machine', 'http://127.0.0.1:4000', true],
  ['by plain HTTP on this machine, by its name', 'http://localhost:4000/realms/acme', true],
  ['by plain HTTP elsewhere', 'http://login.acme.test', false],
  ['on a name that only looks like this machine', 'http://localhost.acme.test', false],
  ['by another protocol', 'ftp://127.0.0.1', false],
])('a provider %s', (_case, issuer, allowed) => {
  expect(outcome([{ ...provider, issuer }]).success).toBe(allowed);
});

test.each([
  ['no JSON', 'https://login.acme.test', /each source once$/],
  ['no list', JSON.stringify(provider), /each source once$/],
  ['the same source twice', JSON.stringify([provider, provider]), /each source once$/],
  ['an unknown field', JSON.stringify([{ ...provider, secret: 'hush' }]), /; look at 0$/],
  ['no scope openid', JSON.stringify([{ ...provider, scopes: ['email'] }]), /; look at 0\.scopes$/],
])('%s is refused, without a value in the message', (_case, text, message) => {
  const [issue] = providersSchema.safeParse(text).error?.issues ?? [];
  expect(issue?.path).toEqual([]);
  expect(issue?.message).toMatch(message);
  expect(issue?.message).not.toContain('hush');
});
