import { client } from '@sluice/testing';
import { refusal } from '#test/main-api.ts';
import { people } from '#test/people.ts';

let time = 0;
const p = people({
  clock: () => new Date(Date.now() + time),
  environment: { AUDIT_URL: 'https://audit.acme.test', CONSOLE_URL: 'https://console.acme.test' },
});
afterEach(() => (time = 0));

describe('GET /context', () => {
  test('tells a key its tenant, its end, and where the other APIs are', async () => {
    const acme = await p.a.tenant();
    const expiry_at = new Date(Date.now() + 3_600_000).toISOString();
    const key = await acme.admin.post(`${acme.path}/api_keys`, {
      ...{ name: 'ci', role_id: acme.roles.viewer, expiry_at, division_id: acme.division },
    });
    const bound = client(p.replica.url, String(key.body['token']));
    const { body } = await bound.get('/context');
    expect(body).toEqual({
      user: { id: acme.owner.id, name: 'Owner' },
      tenant: { id: acme.id, name: 'Acme' },
      division: { id: acme.division, name: 'default' },
      api_key: { id: key.body['id'], name: 'ci' },
      expires_at: expiry_at,
      address: '127.0.0.1',
      release: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      api_url: 'http://127.0.0.1',
      audit_url: 'https://audit.acme.test',
      console_url: 'https://console.acme.test',
      regions: [
        {
          cloud: 'cloud_a',
          region: 'us-east-1',
          name: 'US East 1',
          supervisor_url: p.region.supervisorUrl,
          health: 'reporting',
          reported_at: expect.any(String) as string,
        },
      ],
    });
  });

  test('tells the former token of a rotated key its own end', async () => {
    const acme = await p.a.tenant();
    const expiry_at = new Date(Date.now() + 3_600_000).toISOString();
    const created = await acme.admin.post(`${acme.path}/api_keys`, {
      ...{ name: 'rotated', role_id: acme.roles.viewer, expiry_at },
    });
    const path = `${acme.path}/api_keys/${Number(created.body['id'])}/rotate`;
    const rotated = await acme.admin.post(path, { grace_seconds: 60 });
    const endOf = async (token: unknown) => {
      const { body } = await client(p.replica.url, String(token)).get('/context');
      return Date.parse(String(body['expires_at']));
    };
    expect(await endOf(rotated.body['token'])).toBe(Date.parse(expiry_at));
    expect(await endOf(created.body['token'])).toBeLessThan(Date.now() + 61_000);
  });

  test('tells a session its user, in no tenant', async () => {
    const { owner } = await p.founder();
    const account = await owner.get('/account');
    expect((await owner.get('/context')).body).toMatchObject({
      user: { id: account.body['id'], name: account.body['name'] },
      ...{ tenant: null, division: null, api_key: null },
    });
  });

  test('says which region is silent', async () => {
    const acme = await p.a.tenant();
    const health = async () => (await acme.admin.get('/context')).body['regions'];
    time = 31 * 60_000;
    expect(await health()).toMatchObject([{ health: 'silent' }]);
    time = 0;
    expect(await health()).toMatchObject([{ health: 'reporting' }]);
  });
});

describe('GET T/context', () => {
  test('shows what a key and its user both hold, and the plan', async () => {
    const acme = await p.a.tenant({ plan: 'basic' });
    const member = await acme.member({
      tenant: ['division:manage'],
      environment: ['deployment:manage', 'info:read'],
      divisions: { [acme.division]: { environment: ['deployment:read'] } },
    });
    expect((await member.get(`${acme.path}/context`)).body).toEqual({
      tenant: { id: acme.id, name: 'Acme' },
      division: null,
      owner: false,
      plan: 'basic',
      permissions: {
        tenant: ['division:read', 'division:manage'],
        division: [],
        environment: ['info:read', 'deployment:read', 'deployment:manage'],
        divisions: {
          [acme.division]: {
            ...{ name: 'default', permissions: [], environment: ['deployment:read'], environments: {} },
          },
        },
      },
    });
    expect((await acme.admin.get(`${acme.path}/context`)).body).toMatchObject({ owner: true });
  });

  test('shows a key of a division what it holds there', async () => {
    const acme = await p.a.tenant();
    const bound = await acme.with({ division: ['info:read'] }, acme.division);
    expect((await bound.get(`${acme.path}/context`)).body).toMatchObject({
      division: { id: acme.division, name: 'default' },
      permissions: {
        tenant: [],
        division: [],
        divisions: { [acme.division]: { permissions: ['info:read'] } },
      },
    });
  });

  test('is for members and keys of the tenant alone', async () => {
    const acme = await p.a.tenant();
    const member = await p.joined(acme, [acme.roles.billing]);
    expect((await member.get(`${acme.path}/context`)).body).toMatchObject({
      permissions: { tenant: expect.arrayContaining(['billing:manage']) as string[] },
    });
    expect(refusal(await (await p.signedUp()).get(`${acme.path}/context`))).toBe('403 forbidden');
    expect(refusal(await (await p.a.tenant()).admin.get(`${acme.path}/context`))).toBe('403 forbidden');
  });
});
