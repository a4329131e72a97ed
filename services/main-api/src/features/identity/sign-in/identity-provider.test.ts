import { Writable } from 'node:stream';
import { Problem } from '@sluice/service';
import winston from 'winston';
import { respondJson, ScriptedProvider } from '#test/scripted-provider.ts';
import { identityProvider, proofOf, type ProviderAnswer } from '@sluice/sign-in/identity-provider';
import { providersSchema, type ProviderConfig } from '@sluice/sign-in/provider-config';
import { providerFetch } from '@sluice/sign-in/provider-fetch';

const proof = proofOf('the secret of a cookie');
const redirectUri = 'http://127.0.0.1/account/auth/callback';
const tokenOfTheProvider = 'a.secret.of-the-provider';
let provider: ScriptedProvider;
let logged: string[];

beforeEach(async () => {
  provider = await ScriptedProvider.open('sluice');
  provider.claims = { nonce: proof.nonce, email: 'paula@acme.test' };
  logged = [];
});
afterEach(() => provider.close());

/** Who is identified, or the code of the problem. */
async function outcome(answer: ProviderAnswer = {}, more: Partial<ProviderConfig> = {}): Promise<unknown> {
  const stream = new Writable({
    write: (line: Buffer, _encoding, done) => (logged.push(line.toString()), done()),
  });
  const log = winston.createLogger({ transports: [new winston.transports.Stream({ stream })] });
  const given = { source: 'acme', issuer: provider.issuer, client_id: 'sluice', client_secret: 'se cret:&' };
  const [config] = providersSchema.parse(JSON.stringify([{ ...given, ...more }]));
  if (!config) throw new Error('no configuration');
  try {
    const client = identityProvider(config, log);
    await client.authorizationUrl(proof, redirectUri);
    return await client.identify({ code: 'code', state: proof.state, ...answer }, proof, redirectUri);
  } catch (error) {
    return error instanceof Problem ? error.code : error;
  }
}
const paula = { source: 'acme', subject: 'paula', name: null, email: 'paula@acme.test' };

describe('a client proves who it is', () => {
  const announced = (methods?: string[]) =>
    provider.announce({ token_endpoint_auth_methods_supported: methods });
  const sent = async (more: Partial<ProviderConfig> = {}) => {
    expect(await outcome({}, more)).toMatchObject(paula);
    const [request] = provider.to('/token');
    const [scheme, credentials = ''] = request?.headers.authorization?.split(' ') ?? [];
    const basic = Buffer.from(credentials, 'base64').toString().split(':');
    const fields = ['client_id', 'client_secret', 'code_verifier', 'redirect_uri'];
    const form = fields.map((name) => request?.form.get(name) ?? null);
    return { scheme, basic: basic.map((part) => new URLSearchParams(`is=${part}`).get('is')), form };
  };
  const proven = [proof.verifier, redirectUri];

  test.each([
    ['by default', undefined],
    ['where the provider takes it so', ['client_secret_post', 'client_secret_basic']],
  ])('in the header %s', async (_case, methods) => {
    announced(methods);
    const { scheme, basic, form } = await sent();
    expect([scheme, basic, form]).toEqual(['Basic', ['sluice', 'se cret:&'], [null, null, ...proven]]);
  });

  test('in the body where the provider takes it only so', async () => {
    announced(['client_secret_post', 'private_key_jwt']);
    const { scheme, form } = await sent();
    expect([scheme, form]).toEqual([undefined, ['sluice', 'se cret:&', ...proven]]);
  });

  test('by PKCE alone without a secret', async () => {
    const { scheme, form } = await sent({ client_secret: undefined });
    expect([scheme, form]).toEqual([undefined, ['sluice', null, ...proven]]);
  });
});

describe('an id token without a mail address', () => {
  beforeEach(() => {
    provider.claims = { nonce: proof.nonce };
  });

  test('is completed at the userinfo endpoint', async () => {
    expect(await outcome()).toEqual({ ...paula, email_verified: true });
    expect(provider.to('/userinfo')[0]?.headers.authorization).toBe('Bearer access');
  });

  test.each([
    ['has no such endpoint', () => provider.announce({ userinfo_endpoint: undefined })],
    ['refuses', () => provider.answer('/userinfo', respondJson({}, 403))],
    [
      'refuses with a challenge',
      () =>
        provider.answer('/userinfo', (response) =>
          response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end('{}'),
        ),
    ],
  ])('is enough where the provider %s', async (_case, prepare) => {
    prepare();
    expect(await outcome()).toEqual({ ...paula, email: null, email_verified: false });
  });

  test.each([
    ['is about another person', respondJson({ sub: 'other', email: 'other@acme.test' }), 'sign_in_failed'],
    ['does not work', respondJson({ sub: 'paula' }, 500), 'unavailable'],
  ])('is refused where that endpoint %s', async (_case, respond, code) => {
    provider.answer('/userinfo', respond);
    expect(await outcome()).toBe(code);
  });
});

test('an id token may be as many seconds late as clocks differ', async () => {
  const now = Math.floor(Date.now() / 1000);
  provider.claims['exp'] = now - 2;
  expect(await outcome()).toMatchObject(paula);
  provider.claims['exp'] = now - 7;
  expect(await outcome()).toBe('sign_in_failed');
});

test('an id token for several is taken where this client is the authorized party', async () => {
  provider.claims['aud'] = ['sluice', 'other'];
  provider.claims['azp'] = 'sluice';
  expect(await outcome()).toMatchObject(paula);
});

describe('the issuer', () => {
  test('has to call itself as it is configured, to the letter', async () => {
    provider.announce({ issuer: `${provider.issuer}/` });
    expect(await outcome()).toBe('unavailable');
  });

  test('is named on the way back where the provider says that it does so', async () => {
    expect(await outcome({ iss: provider.issuer })).toMatchObject(paula);
    expect(await outcome({ iss: `${provider.issuer}/` })).toBe('sign_in_failed');
    provider.announce({ authorization_response_iss_parameter_supported: true });
    expect(await outcome()).toBe('sign_in_failed');
    expect(provider.to('/token')).toHaveLength(1);
  });
});

describe('for now there is no sign-in when', () => {
  test.each<[string, string, Parameters<ScriptedProvider['answer']>[1]]>([
    ['the metadata are of no provider', '/.well-known/openid-configuration', respondJson({ issuer: 1 })],
    ['there are no metadata', '/.well-known/openid-configuration', respondJson({}, 404)],
    ['the token endpoint fails', '/token', respondJson({ token: tokenOfTheProvider }, 502)],
    ['the token endpoint gives no JSON', '/token', (response) => response.end(tokenOfTheProvider)],
    [
      'the token endpoint redirects',
      '/token',
      (response) => response.writeHead(307, { location: '/' }).end(),
    ],
    ['the token endpoint hangs up', '/token', (response) => response.destroy()],
    ['the keys are away', '/keys', respondJson({}, 404)],
    ['an answer is too large', '/keys', (response) => response.end(JSON.stringify('x'.repeat(300_000)))],
  ])('%s', async (_case, path, respond) => {
    provider.answer(path, respond);
    expect(await outcome()).toBe('unavailable');
    expect(logged.join()).toMatch(/"reason":"[^"]{8,}/);
    expect(logged.join()).not.toContain(tokenOfTheProvider);
    expect(provider.to('/')).toEqual([]);
  });
});

describe('a sign-in fails, and what the provider has sent stays out of the log, when', () => {
  test.each<[string, string, Parameters<ScriptedProvider['answer']>[1]]>([
    [
      'the code is refused',
      '/token',
      respondJson({ error: 'invalid_grant', error_description: tokenOfTheProvider }, 400),
    ],
    [
      'there is no id token',
      '/token',
      respondJson({ access_token: tokenOfTheProvider, token_type: 'Bearer' }),
    ],
    [
      'the id token is none',
      '/token',
      respondJson({ id_token: tokenOfTheProvider, access_token: 'a', token_type: 'Bearer' }),
    ],
    [
      'the keys are of another provider',
      '/keys',
      respondJson({ keys: [{ kty: 'EC', kid: tokenOfTheProvider }] }),
    ],
  ])('%s', async (_case, path, respond) => {
    provider.answer(path, respond);
    expect(await outcome()).toBe('sign_in_failed');
    expect(logged.join()).toMatch(/"reason":"[^"]{8,}.*"step":"token"/);
    expect(logged.join()).not.toContain(tokenOfTheProvider);
  });

  test('the signature is of another key', async () => {
    const other = await ScriptedProvider.open('sluice');
    provider.announce({ jwks_uri: `${other.issuer}/keys` });
    expect(await outcome()).toBe('sign_in_failed');
    await other.close();
  });
});

test('a provider that takes too long is given up, also within its answer', async () => {
  provider.answer('/keys', (response) => response.writeHead(200).write('{'));
  provider.answer('/token', () => undefined);
  const impatient = providerFetch({ milliseconds: 200, bytes: 1000 });
  for (const path of ['/keys', '/token']) {
    const request = { method: 'GET', headers: {}, body: null, redirect: 'manual' as const };
    await expect(impatient(provider.issuer + path, request)).rejects.toThrow('no answer');
  }
});
