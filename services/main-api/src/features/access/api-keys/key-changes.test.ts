import { client } from '@sluice/testing';
import { fieldIssues, limitReached, mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

/** how far the clock of the replicas is ahead */
let ahead = 0;
const clock = () => new Date(Date.now() + ahead);

const on = mainApi({ clock });
const replica = on.replica();
const region = on.region();
const a = on.tenants();
afterEach(() => {
  ahead = 0;
});

const inAnHour = () => new Date(Date.now() + 60 * 60 * 1000).toISOString();

interface MadeKey {
  path: string;
  token: string;
}
async function make(
  tenant: TestTenant,
  fields: object = {},
  keys = `${tenant.path}/api_keys`,
): Promise<MadeKey> {
  const input = { name: 'ci', role_id: tenant.roles.viewer, expiry_at: inAnHour(), ...fields };
  const { body } = await tenant.admin.post(keys, input);
  return { path: `${keys}/${String(body['id'])}`, token: String(body['token']) };
}

/** whose key is refused every change */
let common: TestTenant;
let key: MadeKey;
beforeAll(async () => {
  common = await a.tenant();
  key = await make(common);
});

describe('a key is rotated', () => {
  test('and the token that it had is refused by every replica when the new one is answered', async () => {
    const acme = await a.tenant();
    const key = await make(acme);
    let { token } = key;
    for (let round = 0; round < 5; round++) {
      const answer = await acme.admin.post(`${key.path}/rotate`, round ? {} : undefined);
      expect(answer.status).toBe(201);
      expect(`${acme.path}/api_keys/${answer.headers.get('svc-api-key')}`).toBe(key.path);
      expect(await on.statuses(token, acme.path)).toEqual([401, 401]);
      token = String(answer.body['token']);
      expect(await on.statuses(token, acme.path)).toEqual([200, 200]);
      expect((await region.event('api_key_rotated', answer.headers)).data).toEqual({
        name: 'ci',
        role_id: acme.roles.viewer,
        grace_seconds: 0,
      });
    }
  });

  test('with a grace, for which the old tokens work on: all of them, each until its own end', async () => {
    const acme = await a.tenant();
    const key = await make(acme);
    const tokens = [key.token];
    for (const grace_seconds of [600, 60])
      tokens.push(String((await acme.admin.post(`${key.path}/rotate`, { grace_seconds })).body['token']));
    const working = () => Promise.all(tokens.map((token) => on.statuses(token, acme.path)));
    expect(await working()).toEqual([
      [200, 200],
      [200, 200],
      [200, 200],
    ]);
    ahead = 61_000;
    expect(await working()).toEqual([
      [200, 200],
      [401, 401],
      [200, 200],
    ]);
    // what is changed or taken back meanwhile holds for the old ones too
    const other = { validate_ip: true, allowed_ips: ['192.0.2.1'] };
    await acme.admin.put(`${key.path}/security`, other);
    expect((await working())[0]).toEqual([403, 403]);
    expect((await acme.admin.delete(key.path)).status).toBe(204);
    expect((await working())[0]).toEqual([401, 401]);
  });

  test('without a grace, and the tokens of earlier rotations end too', async () => {
    const acme = await a.tenant();
    const key = await make(acme);
    const tokens = [key.token];
    for (const grace_seconds of [600, 600, 0])
      tokens.push(String((await acme.admin.post(`${key.path}/rotate`, { grace_seconds })).body['token']));
    const newest = tokens.pop() ?? '';
    for (const token of tokens) expect(await on.statuses(token, acme.path)).toEqual([401, 401]);
    expect(await on.statuses(newest, acme.path)).toEqual([200, 200]);
  });

  test('with a grace that does not outlive the key', async () => {
    const acme = await a.tenant();
    const key = await make(acme);
    expect((await acme.admin.post(`${key.path}/rotate`, { grace_seconds: 86_400 })).status).toBe(201);
    ahead = 60 * 60 * 1000 + 1_000;
    expect(await on.statuses(key.token, acme.path)).toEqual([401, 401]);
  });

  test('by no caller who would get more by it than they have', async () => {
    const acme = await a.tenant();
    const rotate = async (caller: Promise<ReturnType<typeof client>>, { path }: MadeKey) =>
      refusal(await (await caller).post(`${path}/rotate`, {}));
    const key = await make(acme);
    const escalation = '403 privilege_escalation';
    expect(await rotate(acme.with({ tenant: ['api_key:manage'] }), key)).toEqual(escalation);
    // the token would act as the owner
    const member = await acme.person([acme.roles.admin]);
    const everything = client(replica.url, await member.token({ role_id: acme.roles.admin }));
    expect(await rotate(Promise.resolve(everything), key)).toEqual(escalation);
    // all permissions of the owner are not the owner's rights
    const { body } = await acme.admin.get(`${acme.path}/api_keys/context`);
    const permissions = { ...(body['permissions'] as object), divisions: {} };
    const ownersKey = { path: `${acme.path}/api_keys/${String(body['id'])}`, token: acme.key };
    expect(await rotate(acme.with(permissions), ownersKey)).toEqual(escalation);
    const copy = { name: 'copy', role_id: acme.roles.admin, expiry_at: inAnHour() };
    const created = await (await acme.with(permissions)).post(`${acme.path}/api_keys`, copy);
    expect(refusal(created)).toEqual(escalation);
    expect(await on.statuses(key.token, acme.path)).toEqual([200, 200]);
  });

  test('by itself, also in its division', async () => {
    const acme = await a.tenant();
    const keys = `${acme.divisionPath}/api_keys`;
    const permissions = { division: ['api_key:manage'] };
    const key = await make(acme, { role_id: null, permissions }, keys);
    const rotated = await client(replica.url, key.token).post(`${key.path}/rotate`, { grace_seconds: null });
    expect(rotated.status).toBe(201);
    expect(await on.statuses(key.token, keys)).toEqual([401, 401]);
    expect(await on.statuses(String(rotated.body['token']), keys)).toEqual([200, 200]);
    expect(rotated.headers.get('location')).toBe(key.path);
    expect((await region.event('api_key_rotated', rotated.headers)).division).toEqual({
      id: acme.division,
      name: 'default',
    });
  });

  test.each([
    [{ grace_seconds: 86_401 }, '/body/grace_seconds too_large'],
    [{ grace_seconds: -1 }, '/body/grace_seconds too_small'],
    [{ grace_seconds: 1.5 }, '/body/grace_seconds wrong_type'],
    [{ grace: 1 }, '/body/grace unknown_field'],
  ])('not with %j', async (body, issue) => {
    const answer = await common.admin.post(`${key.path}/rotate`, body);
    expect(fieldIssues(answer)).toEqual([issue]);
  });
});

test('a key is refused by every replica from its expiry on, also one of a division', async () => {
  const acme = await a.tenant();
  const division = acme.divisionPath;
  const keys = [
    [await make(acme), acme.path],
    [await make(acme, {}, `${division}/api_keys`), division],
  ] as const;
  for (const [{ token }, path] of keys) expect(await on.statuses(token, path)).toEqual([200, 200]);
  ahead = 60 * 60 * 1000 + 1_000;
  for (const [{ token }, path] of keys) expect(await on.statuses(token, path)).toEqual([401, 401]);
});

describe("a key's addresses are changed", () => {
  test('and every replica goes by them when it is answered', async () => {
    const acme = await a.tenant();
    const key = await make(acme);
    const elsewhere = { validate_ip: true, allowed_ips: ['192.0.2.0/24'] };
    const answer = await acme.admin.put(`${key.path}/security`, elsewhere);
    expect(answer.status).toBe(204);
    expect(await on.statuses(key.token, acme.path)).toEqual([403, 403]);
    expect((await acme.admin.get(key.path)).body).toMatchObject(elsewhere);
    expect((await region.event('api_key_security_updated', answer.headers)).data).toEqual({
      name: 'ci',
      changes: elsewhere,
      former: { validate_ip: false, allowed_ips: [] },
    });
    const here = { validate_ip: true, allowed_ips: ['127.0.0.1', '::1'] };
    expect((await acme.admin.put(`${key.path}/security`, here)).status).toBe(204);
    expect(await on.statuses(key.token, acme.path)).toEqual([200, 200]);
    expect((await acme.admin.put(`${key.path}/security`, { validate_ip: false })).status).toBe(204);
    expect((await acme.admin.get(key.path)).body).toMatchObject({ validate_ip: false, allowed_ips: [] });
  });

  test.each([
    [{ allowed_ips: ['10.0.0.1'] }, '/body/validate_ip required'],
    [{ validate_ip: true }, '/body/allowed_ips required'],
    [{ validate_ip: false, allowed_ips: ['10.0.0.1'] }, '/body/allowed_ips not_together'],
    [{ validate_ip: true, allowed_ips: ['10.0.0.1', 'here'] }, '/body/allowed_ips/1 wrong_format'],
  ])('not to %j', async (body, issue) => {
    const answer = await common.admin.put(`${key.path}/security`, body);
    expect(fieldIssues(answer)).toEqual([issue]);
  });

  test('within the limit of the plan, and in its own division only', async () => {
    const acme = await a.tenant({ overrides: { api_key_allowed_ips_limit: 1 } });
    const key = await make(acme);
    const two = { validate_ip: true, allowed_ips: ['10.0.0.1', '10.0.0.2'] };
    expect((await acme.admin.put(`${key.path}/security`, two)).body).toMatchObject(
      limitReached('api_key_allowed_ips_limit', 1),
    );
    const inDivision = key.path.replace('/api_keys', `/divisions/${acme.division}/api_keys`);
    expect((await acme.admin.put(`${inDivision}/security`, { validate_ip: false })).status).toBe(404);
    for (const path of [inDivision, `${acme.path}/api_keys/999999`])
      expect((await acme.admin.post(`${path}/rotate`, {})).status).toBe(404);
  });
});

describe('a key that grants more than the caller holds', () => {
  const open = { validate_ip: false };
  const escalation = '403 privilege_escalation';

  test("keeps its addresses while the key's user is not active", async () => {
    const acme = await a.tenant();
    const member = await acme.person([acme.roles.admin]);
    const theirs = await make(acme, { name: 'theirs', role_id: acme.roles.admin });
    await on.sql("UPDATE api_keys SET user_id = $2 WHERE name = 'theirs' AND tenant_id = $1", [
      acme.id,
      member.id,
    ]);
    await acme.admin.put(`${acme.path}/members/${member.id}`, { active: false });
    const manager = await acme.with({ tenant: ['api_key:manage'] });
    expect(refusal(await manager.put(`${theirs.path}/security`, open))).toBe(escalation);
    expect((await acme.admin.put(`${theirs.path}/security`, open)).status).toBe(204);
  });

  test("does not fall to another admin where it is the owner's", async () => {
    const acme = await a.tenant();
    const member = await acme.person([acme.roles.admin]);
    const admin = client(replica.url, await member.token({ role_id: acme.roles.admin }));
    const key = await make(acme, { role_id: acme.roles.admin });
    expect(refusal(await admin.put(`${key.path}/security`, open))).toEqual(escalation);
    expect(refusal(await admin.delete(key.path))).toEqual(escalation);
  });
});

describe('a service that stops', () => {
  const own = mainApi({ per: 'test', replicas: 1 });
  const tenants = own.tenants();

  test('the last use of a key is stored once a minute at most', async () => {
    let service = own.replica();
    const acme = await tenants.tenant();
    /** uses the key when its last use is this old, and answers whether that was stored by the end of the service */
    const isStored = async (secondsAgo: number) => {
      await own.sql('UPDATE api_keys SET last_used_at = now() - make_interval(secs => $1)', [secondsAgo]);
      await client(service.url, acme.key).get(acme.path);
      await service.stop();
      service = await own.start();
      const { body } = await client(service.url, acme.key).get(`${acme.path}/api_keys/context`);
      return Date.now() - Date.parse(String(body['last_used_at'])) < (secondsAgo * 1000) / 2;
    };
    expect(await isStored(50)).toBe(false);
    expect(await isStored(70)).toBe(true);
  });

  test('what NATS has lost is published again at the start: what each token grants now, and no more', async () => {
    const acme = await tenants.tenant();
    const key = await (await acme.person([acme.roles.viewer])).token({ role_id: acme.roles.admin });
    const inactive = await acme.person([acme.roles.viewer]);
    const refused = await inactive.token({ role_id: acme.roles.viewer });
    await acme.admin.put(`${acme.path}/members/${inactive.id}`, { active: false });
    const context = await acme.admin.get(`${acme.path}/api_keys/context`);
    const rotation = `${acme.path}/api_keys/${String(context.body['id'])}/rotate`;
    await acme.admin.post(rotation, { grace_seconds: 600 });
    await own.replica().stop();

    await own.deleteNamespace();
    const again = await own.start();
    const status = async (token: string, path: string) => (await client(again.url, token).get(path)).status;
    expect(await status(acme.key, `${acme.path}/api_keys`)).toBe(200);
    expect(await status(key, acme.path)).toBe(200);
    expect(await status(key, `${acme.path}/api_keys`)).toBe(403);
    expect(await status(refused, acme.path)).toBe(401);
  });
});
