import { inspect } from 'node:util';
import {
  createClient,
  createDivision,
  deleteDivision,
  getAccount,
  getTenant,
  listDivisions,
  SluiceError,
  type ClientOptions,
  type Retry,
} from '@sluice/client';
import { answerJson, answerProblem, faultyServer, type Script } from './fixtures/faulty-server.ts';

const secret = 'svc_secret';
const path = { tenant_id: 1 };
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** A client of a server that answers like this. */
async function against(script: Script, options: Partial<ClientOptions> = {}) {
  const server = await faultyServer(script);
  open.push(server);
  const retries: Retry[] = [];
  const client = createClient({
    url: server.url,
    apiKey: secret,
    onRetry: (retry) => retries.push(retry),
    ...options,
  });
  return { client, retries, requests: server.requests };
}

const failureOf = async (call: Promise<unknown>): Promise<SluiceError> => {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof SluiceError) return error;
  throw new Error('It did not fail as it should.', { cause: error });
};

describe('what is retryable is repeated', () => {
  test('a 429 after the pause that the server asks for', async () => {
    const begun = performance.now();
    const { client, retries } = await against((answer, _request, number) =>
      number === 0
        ? answerProblem(answer, 429, 'rate_limited', { 'retry-after': '1' })
        : answerJson(answer, 200, { id: 1, name: 'Acme' }),
    );
    expect((await getTenant({ client, path })).data.name).toBe('Acme');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1_000);
    expect(retries).toMatchObject([{ attempt: 1, error: { code: 'rate_limited', retryAfterMs: 1_000 } }]);
  });

  test('a 503 of Sluice and a 502 of a proxy, with pauses that differ', async () => {
    const { client, retries } = await against((answer, _request, number) => {
      if (number === 0) answerProblem(answer, 503, 'database_busy');
      else if (number === 1)
        answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
      else answerJson(answer, 200, { id: 1, name: 'Acme' });
    });
    await getTenant({ client, path });
    expect(retries.map(({ error }) => error.code)).toEqual(['database_busy', 'unexpected_answer']);
    expect(new Set(retries.map(({ pauseMs }) => pauseMs)).size).toBe(2);
  });

  test('but not what is not, and not beyond the bounds', async () => {
    const never = await against((answer) => answerProblem(answer, 404, 'not_found'));
    expect((await failureOf(getTenant({ client: never.client, path }))).code).toBe('not_found');
    expect(never.requests).toHaveLength(1);

    const always = await against((answer) => answerProblem(answer, 503, 'unavailable'), { attempts: 3 });
    expect((await failureOf(getTenant({ client: always.client, path }))).code).toBe('unavailable');
    expect(always.requests).toHaveLength(3);

    const late = await against((answer) =>
      answerProblem(answer, 429, 'rate_limited', { 'retry-after': '3600' }),
    );
    expect((await failureOf(getTenant({ client: late.client, path }))).retryAfterMs).toBe(3_600_000);
    expect(late.requests).toHaveLength(1);
  });

  test('a signal ends the pause, and its reason is thrown', async () => {
    const { client } = await against((answer) =>
      answerProblem(answer, 429, 'rate_limited', { 'retry-after': '30' }),
    );
    const begun = performance.now();
    const controller = new AbortController();
    const reason = new Error('no longer needed');
    setTimeout(() => controller.abort(reason), 100);
    await expect(getTenant({ client, path, signal: controller.signal })).rejects.toBe(reason);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});

describe('a write has its effect once', () => {
  /** Has the effect once per key, as the APIs do, and loses the first answer. */
  function onceServer() {
    const answers = new Map<string, number>();
    const script: Script = (answer, { headers }) => {
      const key = String(headers['idempotency-key']);
      const known = answers.get(key);
      if (known !== undefined)
        return answerJson(answer, 201, { id: known }, { 'idempotent-replayed': 'true' });
      answers.set(key, answers.size + 1);
      answer.socket?.destroy();
    };
    return { answers, script };
  }

  test('although the connection breaks after it: all attempts have one key', async () => {
    const { answers, script } = onceServer();
    const { client, retries, requests } = await against(script);
    const { data, response } = await createDivision({ client, path, body: { name: 'payments' } });
    expect([data.id, response.headers.get('idempotent-replayed')]).toEqual([1, 'true']);
    expect(retries).toMatchObject([{ error: { code: 'connection_failed' } }]);
    expect(answers.size).toBe(1);
    expect(requests.map(({ body }) => body)).toEqual(['{"name":"payments"}', '{"name":"payments"}']);
    await createDivision({ client, path, body: { name: 'payments' } });
    expect(answers.size).toBe(2);
  });

  test('a key of the caller is kept', async () => {
    const { client, requests } = await against((answer) => answerJson(answer, 201, { id: 1 }));
    await createDivision({ client, path, body: { name: 'a' }, headers: { 'Idempotency-Key': 'mine' } });
    expect(requests[0]?.headers['idempotency-key']).toBe('mine');
  });

  test('while the first attempt is still at work, the next one waits for its answer', async () => {
    const { client, requests } = await against((answer, _request, number) => {
      if (number === 0) answer.socket?.destroy();
      else if (number === 1) answerProblem(answer, 409, 'idempotent_request_in_progress');
      else answerJson(answer, 201, { id: 7 });
    });
    expect((await createDivision({ client, path, body: { name: 'a' } })).data.id).toBe(7);
    expect(requests).toHaveLength(3);
  });

  test('of a session in a browser it is not sent again when it may have had its effect', async () => {
    const { client, requests } = await against((answer) => answer.socket?.destroy(), {
      apiKey: undefined,
      csrfToken: 'token',
    });
    expect((await failureOf(createDivision({ client, path, body: { name: 'a' } }))).code).toBe(
      'connection_failed',
    );
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers).toMatchObject({ 'x-csrf-token': 'token' });
  });

  test('the token of a session may be read by the client itself, for writes alone', async () => {
    const { client, requests } = await against(
      (answer, { url }) => answerJson(answer, url === '/account' ? 200 : 201, { csrf_token: 'read', id: 7 }),
      { apiKey: undefined, csrfToken: async () => (await getAccount({ client })).data.csrf_token },
    );
    await createDivision({ client, path, body: { name: 'a' } });
    expect(requests.map(({ url, headers }) => [url, headers['x-csrf-token']])).toEqual([
      ['/account', undefined],
      ['/tenants/1/divisions', 'read'],
    ]);
  });

  test('with a session it is sent again after a refusal, with the key of the first attempt', async () => {
    const { client, requests } = await against(
      (answer, _request, number) =>
        number === 0 ? answerProblem(answer, 503, 'unavailable') : answerJson(answer, 201, { id: 1 }),
      { apiKey: undefined, session: 'session' },
    );
    await createDivision({ client, path, body: { name: 'a' } });
    const [first, second] = requests.map(({ headers }) => headers['idempotency-key']);
    expect([first, second]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), first]);
  });

  test('a deletion is sent again', async () => {
    const { client, requests } = await against((answer, _request, number) => {
      if (number === 0) answer.socket?.destroy();
      else answer.writeHead(204).end();
    });
    await deleteDivision({ client, path: { ...path, division_id: 2 } });
    expect(requests).toHaveLength(2);
    expect(requests[1]?.headers).not.toHaveProperty('idempotency-key');
  });
});

describe('everything is bounded', () => {
  test('the time of an attempt', async () => {
    const { client, requests } = await against(() => undefined, { timeoutMs: 100, attempts: 2 });
    expect(await failureOf(getTenant({ client, path }))).toMatchObject({
      code: 'request_timed_out',
      status: 0,
    });
    expect(requests).toHaveLength(2);
  });

  test('a bound that is longer than timers can be is none', async () => {
    const slow: Script = (answer) => setTimeout(() => answerJson(answer, 200, { id: 1 }), 50);
    const { client } = await against(slow, { timeoutMs: Infinity });
    expect((await getTenant({ client, path })).data.id).toBe(1);
  });

  test('the time of an answer that begins and does not end', async () => {
    const script: Script = (answer) =>
      answer.writeHead(200, { 'content-type': 'application/json' }).write('{');
    const { client } = await against(script, { timeoutMs: 100, attempts: 1 });
    expect((await failureOf(getTenant({ client, path }))).code).toBe('request_timed_out');
  });

  test.each([200, 500])('the length of an answer with status %d', async (status) => {
    const script: Script = (answer) =>
      answer.writeHead(status, { 'content-type': 'application/json' }).end('x'.repeat(2_000));
    const { client } = await against(script, { maxResponseBytes: 1_000 });
    expect((await failureOf(getTenant({ client, path }))).code).toBe('response_too_large');
  });
});

describe('an error', () => {
  test('has what the problem document says', async () => {
    const issues = [{ path: '/body/name', code: 'required', message: 'is required' }];
    const { client } = await against((answer) =>
      answerProblem(answer, 400, 'invalid_request', {}, { field_issues: issues, limit: 3 }),
    );
    const error = await failureOf(createDivision({ client, path, body: { name: '' } }));
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_request',
      requestId: 'a'.repeat(32),
      field_issues: issues,
      retryable: false,
      request: 'POST /tenants/1/divisions',
    });
    expect(error.message).toContain('/body/name is required');
    expect(error.problem).toMatchObject({ limit: 3 });
  });

  test('is returned as the problem document where it is not to be thrown', async () => {
    const { client } = await against((answer) => answerProblem(answer, 404, 'not_found'));
    const { error, data } = await getTenant({ client, path, throwOnError: false });
    expect([error?.code, data]).toEqual(['not_found', undefined]);
  });

  test('has the status of the answer, whatever a foreign document says', async () => {
    const { client } = await against((answer, _request, number) =>
      answerJson(answer, 403, { code: 'x', detail: 'y', ...(number === 1 && { field_issues: 'no list' }) }),
    );
    expect(await failureOf(getTenant({ client, path }))).toMatchObject({ code: 'x', status: 403 });
    expect((await failureOf(getTenant({ client, path }))).code).toBe('unexpected_answer');
  });

  test.each(['svc_secret\nmore', 'svc_secret…'])(
    'of a credential that no header can hold hides it: %j',
    async (apiKey) => {
      const { client, requests } = await against((answer) => answerJson(answer, 200, {}), { apiKey });
      const error = await failureOf(getTenant({ client, path }));
      expect(error.code).toBe('credential_invalid');
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(secret);
      expect(requests).toEqual([]);
    },
  );

  test('says when it was not Sluice that answered, and that a redirect is not followed', async () => {
    const { client, requests } = await against((answer) =>
      answer.writeHead(301, { location: 'https://elsewhere.example/tenants/1?key=1' }).end(),
    );
    const error = await failureOf(getTenant({ client, path }));
    expect(error).toMatchObject({ code: 'unexpected_answer', status: 301 });
    expect(error.message).toContain('redirects to https://elsewhere.example/tenants/1. Use that one.');
    expect(requests).toHaveLength(1);
  });

  test.each(['application/json', 'text/html'])('of a success that is not of Sluice: %s', async (type) => {
    const { client } = await against((answer) =>
      answer.writeHead(200, { 'content-type': type }).end('<html>'),
    );
    expect((await failureOf(getTenant({ client, path }))).code).toBe('unexpected_answer');
  });

  test('and a client, its requests and its results show no credential', async () => {
    const { client } = await against(
      (answer, _request, number) =>
        number === 0 ? answerJson(answer, 200, { items: [], total_results: 0 }) : answer.socket?.destroy(),
      { attempts: 1 },
    );
    const result = await listDivisions({ client, path });
    const error = await failureOf(listDivisions({ client, path }));
    for (const shown of [
      client,
      client.at('http://127.0.0.1:1'),
      client.with({}),
      client.getConfig(),
      result,
      error,
    ]) {
      expect(inspect(shown, { depth: 10, showHidden: true })).not.toContain(secret);
      expect(JSON.stringify(shown)).not.toContain(secret);
    }
    expect(inspect(client)).toContain('127.0.0.1');
  });
});

test('a credential can be a function, which is asked each time', async () => {
  const keys = ['first', 'second'];
  const { client, requests } = await against(
    (answer, _request, number) =>
      number === 0 ? answerProblem(answer, 503, 'unavailable') : answerJson(answer, 200, { id: 1 }),
    { apiKey: async () => keys.shift() ?? '' },
  );
  await getTenant({ client, path });
  expect(requests.map(({ headers }) => headers['svc-api-key'])).toEqual(['first', 'second']);
});
