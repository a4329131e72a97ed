import { request } from 'node:http';
import { once } from 'node:events';
import { LocalSignIn } from './provider.ts';

const client = { clientId: 'sluice', clientSecret: 'secret', redirectUris: ['http://127.0.0.1/callback'] };

test.each(['0.0.0.0', '::', '192.0.2.7', 'sign-in.example', '127.0.0.1.example'])(
  'is not started at %s, which others can reach',
  (host) => {
    expect(() => new LocalSignIn({ ...client, host })).toThrow('is for this machine alone');
  },
);

describe('on this machine', () => {
  const provider = new LocalSignIn(client);
  beforeAll(() => provider.open());
  afterAll(() => provider.close());

  test('answers under its own address alone', async () => {
    const path = '/.well-known/openid-configuration';
    const own = await fetch(provider.issuer + path);
    expect(await own.json()).toMatchObject({ issuer: provider.issuer });
    const { port } = new URL(provider.issuer);
    const asked = request({ host: '127.0.0.1', port, path, headers: { host: `evil.example:${port}` } });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [{ statusCode: number; resume(): void }];
    answer.resume();
    expect(answer.statusCode).toBe(421);
  });

  test('sends nobody back to another address', async () => {
    const query = {
      client_id: 'sluice',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: 'http://evil.example/',
    };
    const answer = await fetch(`${provider.issuer}/auth?${new URLSearchParams(query).toString()}`, {
      redirect: 'manual',
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });

  test('asks who one is, each time, on a page with four people that no other page can frame', async () => {
    const query = {
      ...{ client_id: 'sluice', response_type: 'code', scope: 'openid email', state: 's', nonce: 'n' },
      ...{
        redirect_uri: 'http://127.0.0.1/callback',
        code_challenge_method: 'S256',
        code_challenge: 'x'.repeat(43),
      },
    };
    const begun = await fetch(`${provider.issuer}/auth?${new URLSearchParams(query).toString()}`, {
      redirect: 'manual',
    });
    const page = await fetch(new URL(begun.headers.get('location') ?? '', provider.issuer));
    expect((await page.text()).match(/name="person" value="(\w+)"/g)).toHaveLength(4);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});
