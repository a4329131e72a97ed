import { hkdfSync } from 'node:crypto';
import { idOf, type ApiKeyId, tokenHash } from '@sluice/contracts';
import { type Answer, client, eventually, publishGrant } from '@sluice/testing';
import { sqlOf, prune } from '@sluice/service';
import { secretBox } from '@sluice/system/secrets';
import { grantOf, widgetService, type WidgetService } from '../widget-service.ts';
import { deleteIdempotentRequests, idempotencyRule } from '@sluice/http';

const on = widgetService({
  replicas: 2,
  // a share that hardly grows, and a lease that outlasts a busy machine: how long a test takes is not to matter
  environment: {
    RATE_LIMIT_PER_SECOND: '0.1',
    RATE_LIMIT_BURST: '30',
    ADDRESS_RATE_LIMIT_PER_SECOND: '0.1',
    ADDRESS_RATE_LIMIT_BURST: '30',
    TRUSTED_PROXIES: '127.0.0.1',
    GRANT_LEASE_SECONDS: '30',
  },
});
let replicas: WidgetService[];

beforeAll(() => {
  replicas = on.replicas.map(({ service }) => service);
});

let lastKey = 100;
/** The token of an API key of its own, with a full share of requests. */
async function token(): Promise<string> {
  const key = await publishGrant(
    replicas[0]!.runtime,
    grantOf({ api_key: { id: idOf<ApiKeyId>(++lastKey), name: 'key' } }),
  );
  for (const { runtime } of replicas)
    await eventually(async () => expect(await runtime.grants.find(tokenHash(key))).toBeDefined());
  return key;
}

function post(
  key: string,
  idempotencyKey: string,
  body: object,
  replica = 0,
  method = 'POST',
): Promise<Answer> {
  const headers = { 'idempotency-key': idempotencyKey };
  return client(on.replica(replica).url, key).request(method, '/tenants/1/widgets', body, headers);
}

describe('rate limit', () => {
  test('beyond its burst a key is refused with the time to wait; another key is not', async () => {
    const [busy, calm] = [await token(), await token()];
    const ask = (key: string) => client(on.replica().url, key).get('/tenants/1/widgets');
    const first = await ask(busy);
    expect(first.headers.get('ratelimit-limit')).toBe('30');
    expect(first.headers.get('ratelimit-remaining')).toBe('29');
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(busy)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(28);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(refused[0]?.body).toMatchObject({ code: 'rate_limited', retryable: true });
    expect((await ask(calm)).status).toBe(200);
  });
});

describe('who is refused', () => {
  const unknown = 'svc_Iv2CbGKyTxq2t49dH80eQXZlTDyvh1NVuNCtv3m6ecB4d2oig';
  let addresses = 0;
  const newAddress = () => `198.51.100.${++addresses}`;

  /** Asks 40 times. @returns the statuses of the first answers and of the last */
  async function statuses(path: string, key: string | undefined, address: (i: number) => string) {
    const answers: Answer[] = [];
    for (let i = 0; i < 40; i++) {
      const headers = { 'x-forwarded-for': address(i) };
      answers.push(await client(on.replica().url, key).request('GET', path, undefined, headers));
    }
    const last = answers.at(-1);
    if (last?.status === 429) {
      expect(last.body).toMatchObject({ code: 'rate_limited' });
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    return [answers[0]?.status, last?.status];
  }

  test.each([
    ['for an unknown key', '/tenants/1/widgets', unknown, 401],
    ['for no key', '/tenants/1/widgets', undefined, 401],
    ['for an unknown path', '/nowhere', undefined, 404],
    ['with another method', '/greetings', undefined, 405],
  ])('%s is limited by address', async (_name, path, key, refusal) => {
    const [address, other] = [newAddress(), newAddress()];
    expect(await statuses(path, key, () => address)).toEqual([refusal, 429]);
    // others are not: neither other addresses, nor a key that is known, nor what is open to all
    expect((await statuses(path, key, () => other))[0]).toBe(refusal);
    const headers = { 'x-forwarded-for': address };
    const ask = (of: string, by?: string) =>
      client(on.replica().url, by).request('GET', of, undefined, headers);
    expect((await ask('/tenants/1/widgets', await token())).status).toBe(200);
    expect((await ask('/failures/limit')).status).toBe(409);
    expect((await ask('/readyz')).status).toBe(200);
  });

  test('of IPv6 counts by the first 64 bits', async () => {
    expect(await statuses('/nowhere', undefined, (i) => `2001:db8:0:1::${i}`)).toEqual([404, 429]);
    expect(await statuses('/nowhere', undefined, (i) => `2001:db8:0:${100 + i}::1`)).toEqual([404, 404]);
  });

  test.each([
    ["another tenant's path", '/tenants/2/widgets', 403],
    ['a malformed id', '/tenants/x/widgets', 400],
  ])('with a key that is known is limited by it: %s', async (_name, path, refusal) => {
    const key = await token();
    expect(await statuses(path, key, newAddress)).toEqual([refusal, 429]);
    expect((await client(on.replica().url, await token()).get('/tenants/1/widgets')).status).toBe(200);
  });
});

test('callers without a key are limited by their address', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => client(on.replica(1).url).get('/failures/limit')),
  );
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(28);
});

describe('Idempotency-Key', () => {
  test('the same request again, on any replica, gets the first answer and has no second effect', async () => {
    const key = await token();
    const first = await post(key, 'a', { name: 'twice' });
    const again = await post(key, 'a', { name: 'twice' }, 1);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
  });

  test('keys of different API keys have nothing to do with each other', async () => {
    expect((await post(await token(), 'b', { name: 'mine' })).status).toBe(201);
    expect((await post(await token(), 'b', { name: 'yours' })).status).toBe(201);
  });

  test('another request under the same key is 409', async () => {
    const key = await token();
    await post(key, 'c', { name: 'one' });
    expect((await post(key, 'c', { name: 'two' })).body['code']).toBe('idempotency_key_reused');
  });

  test('a refusal is replayed too, a failure is not kept', async () => {
    const key = await token();
    const invalid = await post(key, 'd', { name: 'far too long' });
    expect(invalid.status).toBe(400);
    // the corrected request is another one
    expect((await post(key, 'd', { name: 'short' })).status).toBe(201);
    // a duplicate name is an unexpected failure of the test service
    expect((await post(key, 'e', { name: 'short' })).status).toBe(500);
    await replicas[0]?.runtime.pool.query("DELETE FROM widgets WHERE name = 'short'");
    expect((await post(key, 'e', { name: 'short' })).status).toBe(201);
  });

  test('of many at once on two replicas one runs; the others are told so, or get its answer', async () => {
    const key = await token();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => post(key, 'f', { name: 'race' }, i % 2)),
    );
    const made = answers.filter(
      ({ status, headers }) => status === 201 && !headers.get('idempotent-replayed'),
    );
    expect(made).toHaveLength(1);
    for (const { status, body } of answers) {
      if (status !== 201) expect(body['code']).toBe('idempotent_request_in_progress');
    }
  });

  test('after a kill the request runs again, unless its effect was committed', async () => {
    const key = await token();
    const { pool } = replicas[0]!.runtime;
    await post(key, 'g', { name: 'kill' });
    // what a process killed between the commit and the answer leaves
    const abandon = (committed: boolean) =>
      pool.query(
        "UPDATE idempotent_requests SET answer = NULL, committed = $1, created_at = now() - interval '2 minutes' WHERE key = 'g'",
        [committed],
      );
    await abandon(true);
    expect((await post(key, 'g', { name: 'kill' })).body['code']).toBe('idempotent_answer_lost');
    await abandon(false);
    await pool.query("DELETE FROM widgets WHERE name = 'kill'");
    expect((await post(key, 'g', { name: 'kill' })).status).toBe(201);
  });

  test('a committed effect is marked in its own transaction, and the answer is stored encrypted', async () => {
    const key = await token();
    await post(key, 'h', { name: 'seal' });
    const { rows } = await replicas[0]!.runtime.pool.query<{ committed: boolean; answer: string }>(
      "SELECT committed, answer FROM idempotent_requests WHERE key = 'h'",
    );
    expect(rows[0]?.committed).toBe(true);
    expect(rows[0]?.answer).not.toContain('seal');
    // by the caller's token, and in the same way from one version to the next: replicas of both run side by side
    const secret = hkdfSync('sha256', key, '', 'sluice idempotent answer', 32);
    const box = secretBox(new Map([['caller', new Uint8Array(secret)]]));
    expect(JSON.parse(await box.open(rows[0]?.answer ?? ''))).toMatchObject({
      status: 201,
      body: { name: 'seal' },
    });
  });

  test.each([
    [0, 400],
    [1, 201],
    [255, 201],
    [256, 400],
  ])('a key has 1 to 255 characters: one of %i is %i', async (length, status) => {
    const { pool } = replicas[0]!.runtime;
    await pool.query("DELETE FROM widgets WHERE name = 'len'");
    const answer = await post(await token(), 'x'.repeat(length), { name: 'len' });
    expect(answer.status).toBe(status);
    if (status === 400)
      expect(answer.body['field_issues']).toEqual([
        {
          path: '/header/Idempotency-Key',
          code: 'too_long',
          message: 'has to have 1 to 255 characters',
        },
      ]);
  });

  test('a refusal by a rule is repeated as it was, headers included', async () => {
    const key = await token();
    const first = await post(key, 'i', { name: 'limit' });
    const again = await post(key, 'i', { name: 'limit' }, 1);
    for (const { status, headers, body } of [first, again]) {
      expect([status, headers.get('x-limit')]).toEqual([409, '3']);
      expect(body).toMatchObject({ code: 'limit_reached', detail: first.body['detail'] });
    }
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
  });

  test.each([
    ['busy', 429],
    ['away', 503],
  ])('a refusal that holds for now only is not repeated: %s', async (name, expected) => {
    const key = await token();
    for (let i = 0; i < 2; i++) {
      const { status, headers } = await post(key, name, { name });
      expect([status, headers.get('idempotent-replayed')]).toEqual([expected, null]);
    }
    // nothing is left of it
    expect((await post(key, name, { name: `${name}2`.slice(-5) })).status).toBe(201);
  });

  test('what has had its effect and then failed does not run again', async () => {
    const key = await token();
    const { pool } = replicas[0]!.runtime;
    await post(key, 'k', { name: 'done' });
    // what a request leaves that is still on its way from the commit to the answer
    await pool.query("UPDATE idempotent_requests SET answer = NULL WHERE key = 'k'");
    expect((await post(key, 'k', { name: 'done' })).body['code']).toBe('idempotent_request_in_progress');
  });

  test('with another token of the same API key the answer cannot be read, and nothing runs again', async () => {
    const grant = grantOf({ api_key: { id: idOf<ApiKeyId>(++lastKey), name: 'key' } });
    const tokens: string[] = [];
    for (let i = 0; i < 2; i++) {
      const key = await publishGrant(replicas[0]!.runtime, grant);
      tokens.push(key);
      for (const { runtime } of replicas)
        await eventually(async () => expect(await runtime.grants.find(tokenHash(key))).toBeDefined());
    }
    const [former = '', newest = ''] = tokens;
    expect((await post(former, 'p', { name: 'turn' })).status).toBe(201);
    const again = await post(newest, 'p', { name: 'turn' });
    expect([again.status, again.body['code']]).toEqual([409, 'idempotent_answer_lost']);
    expect(again.headers.get('idempotent-replayed')).toBeNull();
    expect((await post(former, 'p', { name: 'turn' })).headers.get('idempotent-replayed')).toBe('true');
  });

  test('bad input that a rule finds is not kept: what is right meanwhile is done', async () => {
    const key = await token();
    for (let i = 0; i < 2; i++) {
      const { status, headers } = await post(key, 'q', { name: 'wrong' });
      expect([status, headers.get('idempotent-replayed')]).toEqual([400, null]);
    }
    expect((await post(key, 'q', { name: 'right' })).status).toBe(201);
  });

  test('after a day a key is a new one, not before', async () => {
    const key = await token();
    const { pool } = replicas[0]!.runtime;
    await post(key, 'l', { name: 'old' });
    const age = (seconds: number) =>
      pool.query(
        "UPDATE idempotent_requests SET created_at = now() - make_interval(secs => $1) WHERE key = 'l'",
        [seconds],
      );
    await age(23.8 * 3_600);
    expect((await post(key, 'l', { name: 'new' })).body['code']).toBe('idempotency_key_reused');
    await age(24.2 * 3_600);
    expect((await post(key, 'l', { name: 'new' })).status).toBe(201);
  });

  test('the cleanup deletes what is older than a day', async () => {
    const key = await token();
    const { pool } = replicas[0]!.runtime;
    await post(key, 'm1', { name: 'm1' });
    await post(key, 'm2', { name: 'm2' });
    await pool.query(
      "UPDATE idempotent_requests SET created_at = now() - interval '24.2 hours' WHERE key = 'm1'",
    );
    await prune(pool, idempotencyRule);
    const { rows } = await pool.query("SELECT key FROM idempotent_requests WHERE key IN ('m1', 'm2')");
    expect(rows).toEqual([{ key: 'm2' }]);
  });

  test('the requests of a tenant are deleted with it', async () => {
    const key = await token();
    const { pool } = replicas[0]!.runtime;
    await post(key, 'o', { name: 'o' });
    await pool.query("UPDATE idempotent_requests SET tenant_id = 7 WHERE key = 'o'");
    const counts = async () =>
      (
        await pool.query<{ of_seven: number; of_others: number }>(
          `SELECT count(*) FILTER (WHERE tenant_id = 7) AS of_seven,
                  count(*) FILTER (WHERE tenant_id <> 7) AS of_others FROM idempotent_requests`,
        )
      ).rows[0];
    const before = await counts();
    expect(before?.of_seven).toBe(1);
    await deleteIdempotentRequests(sqlOf(pool), 7);
    expect(await counts()).toEqual({ ...before, of_seven: 0 });
  });

  test('a request without a key runs each time', async () => {
    const key = await token();
    const send = async (name: string) => {
      const { status, headers } = await client(on.replica().url, key).post('/tenants/1/widgets', { name });
      return [status, headers.get('idempotent-replayed')];
    };
    expect([await send('limit'), await send('limit')]).toEqual([
      [409, null],
      [409, null],
    ]);
    expect(await send('keyed')).toEqual([201, null]);
  });

  test('a read is never repeated from before', async () => {
    const api = client(on.replica().url, await token());
    for (let i = 0; i < 2; i++) {
      const answer = await api.request('GET', '/tenants/1/widgets', undefined, { 'idempotency-key': 'n' });
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, null]);
    }
  });
});
