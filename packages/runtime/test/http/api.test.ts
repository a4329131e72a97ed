import { type Answer, client, eventually, publishGrant } from '@sluice/testing';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { grantOf, widgetService, type WidgetService } from '../widget-service.ts';

const on = widgetService({
  replicas: 1,
  environment: {
    TRUSTED_PROXIES: '127.0.0.1',
    GRANT_LEASE_SECONDS: '30',
    REQUEST_HEADERS_SECONDS: '1',
    REQUEST_BODY_SECONDS: '1',
  },
});
let widgets: WidgetService;
let token: string;

beforeAll(async () => {
  widgets = on.replica().service;
  token = await publishGrant(widgets.runtime, grantOf());
  await eventually(async () => expect((await call('GET', '/tenants/1/widgets')).status).toBe(200));
});

interface Sent {
  /** null: none */
  key?: string | null;
  body?: string | Uint8Array;
  headers?: Record<string, string>;
}

function call(method: string, path: string, { key = token, body, headers }: Sent = {}): Promise<Answer> {
  return client(widgets.url, key ?? undefined).request(method, path, body, headers);
}

/** A body of this type. */
const typed = (type: string, body?: string | Uint8Array, more = {}): Sent => ({
  ...(body !== undefined && { body }),
  headers: { 'content-type': type, ...more },
});
const json = (body: unknown) =>
  typed('application/json', typeof body === 'string' ? body : JSON.stringify(body));

describe('problem documents', () => {
  test('carry type, title, status, code, detail, the request id and whether to retry', async () => {
    const { status, headers, body } = await call('GET', '/failures/limit');
    expect(status).toBe(409);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(headers.get('svc-request')).toMatch(/^[0-9a-f]{32}$/);
    expect(body).toEqual({
      type: '/docs/errors#limit_reached',
      title: 'Limit reached',
      status: 409,
      code: 'limit_reached',
      detail: "A limit of the tenant's plan is reached.",
      instance: headers.get('svc-request'),
      retryable: false,
      limit: { name: 'widgets', value: 3 },
    });
  });

  test('have a type that leads to their page', async () => {
    const { body } = await call('GET', '/failures/limit');
    const page = await fetch(new URL(String(body['type']), widgets.url));
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<h2 id="limit_reached">Limit reached</h2>');
  });

  test('tell nothing of an unexpected error', async () => {
    const { status, body } = await call('GET', '/failures/bug');
    expect([status, body['code'], body['retryable']]).toEqual([500, 'internal', true]);
    expect(JSON.stringify(body)).not.toContain('select');
  });

  test('say 503 when the database is away', async () => {
    const { status, body } = await call('GET', '/failures/database');
    expect([status, body['code']]).toEqual([503, 'unavailable']);
  });
});

describe('paths and methods', () => {
  test('an unknown path is 404, also without a key', async () => {
    expect(await call('GET', '/nowhere', { key: null })).toMatchObject({
      status: 404,
      body: { code: 'unknown_path' },
    });
  });

  test('another method on a known path is 405 and names the allowed ones', async () => {
    const { status, headers } = await call('PATCH', '/tenants/1/widgets');
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, POST, HEAD');
  });

  test('HEAD answers like GET without a body', async () => {
    expect(await call('HEAD', '/tenants/1/widgets')).toMatchObject({ status: 200, body: {} });
  });

  test('a path that cannot be decoded is 400', async () => {
    expect(await call('GET', '/failures/%E0%A4%A')).toMatchObject({
      status: 400,
      body: { code: 'malformed_request' },
    });
  });

  test.each(['abc', '-1', '1.5', '1e3', '+1', '01', '9223372036854775808', '99999999999999999999'])(
    'the malformed id %s is 400',
    async (id) => {
      const answer = await call('GET', `/tenants/1/divisions/1/widgets/${encodeURIComponent(id)}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'malformed_id' } });
    },
  );

  test.each(['0', '9007199254740992', '9223372036854775807'])(
    'the well-formed id %s that names nothing is 404',
    async (id) => {
      expect(await call('GET', `/tenants/1/divisions/1/widgets/${id}`)).toMatchObject({ status: 404 });
    },
  );
});

describe('keys', () => {
  test.each([
    ['none', null],
    ['malformed', 'svc_abc'],
    ['unknown', 'svc_Iv2CbGKyTxq2t49dH80eQXZlTDyvh1NVuNCtv3m6ecB4d2oig'],
  ])('%s: 401, before anything else is looked at', async (_name, key) => {
    expect(await call('POST', '/tenants/x/widgets', { key, ...json('{') })).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
  });

  test('an expired key is 401', async () => {
    const key = await publishGrant(
      widgets.runtime,
      grantOf({ expires_at: new Date(Date.now() - 1).toISOString() }),
    );
    expect((await call('GET', '/tenants/1/widgets', { key })).status).toBe(401);
  });

  test("another tenant's path is 403, whether that tenant exists or not", async () => {
    for (const tenant of ['2', '9223372036854775807']) {
      expect(await call('GET', `/tenants/${tenant}/widgets`)).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
    }
  });

  test('a lacking permission is 403 and named, before the body is looked at', async () => {
    const key = await granted({ permissions: { t: 1, d: 0, e: 0, divisions: {} } });
    expect((await call('GET', '/tenants/1/widgets', { key })).status).toBe(200);
    expect(await call('POST', '/tenants/1/widgets', { key, ...json('{') })).toMatchObject({
      status: 403,
      body: { code: 'forbidden', scope: 'tenant', permission: 'info:manage' },
    });
  });

  test('an operation of the owner is refused to everybody else', async () => {
    expect(await call('DELETE', '/tenants/1')).toMatchObject({ status: 403, body: { code: 'owner_only' } });
    expect((await call('DELETE', '/tenants/1', { key: await granted({ owner: true }) })).status).toBe(204);
  });

  test('an allow-list holds for the address that a trusted proxy reports', async () => {
    const key = await granted({ allowed_ips: ['10.0.0.0/8', '2001:db8::1'] });
    const from = (address: string) =>
      call('GET', '/tenants/1/widgets', { key, headers: { 'x-forwarded-for': address } });
    expect((await from('10.2.3.4')).status).toBe(200);
    expect((await from('2001:db8::1')).status).toBe(200);
    expect(await from('11.2.3.4')).toMatchObject({ status: 403, body: { code: 'ip_not_allowed' } });
    expect((await call('GET', '/tenants/1/widgets', { key })).status).toBe(403);
  });

  async function granted(more: Parameters<typeof grantOf>[0]): Promise<string> {
    const key = await publishGrant(widgets.runtime, grantOf(more));
    await eventually(async () =>
      expect(
        (await call('GET', '/tenants/1/widgets', { key, headers: { 'x-forwarded-for': '10.2.3.4' } })).status,
      ).not.toBe(401),
    );
    return key;
  }
});

describe('bodies', () => {
  const post = (options: Sent) => call('POST', '/tenants/1/widgets', options);

  test('a good one is accepted, with Location and the id header', async () => {
    const { status, headers, body } = await post(json({ name: 'good', size: null }));
    expect([status, body['name']]).toEqual([201, 'good']);
    expect(headers.get('svc-widget')).toBe(String(body['id']));
    expect(headers.get('location')).toMatch(/^\/widgets\//);
  });

  test.each<[string, Sent, number, string]>([
    ['broken JSON', json('{"name":'), 400, 'malformed_json'],
    ['no JSON', typed('application/x-www-form-urlencoded', 'name=x'), 415, 'unsupported_media_type'],
    ['no media type', { body: new Uint8Array([123, 125]) }, 415, 'unsupported_media_type'],
    ['another charset', typed('application/json; charset=latin1', '{}'), 415, 'unsupported_media_type'],
    ['2 MiB', json({ name: 'x'.repeat(2 * 1024 * 1024) }), 413, 'payload_too_large'],
    ['unknown field', json({ name: 'a', colour: 1 }), 400, 'unknown_field'],
    ['NUL character', json({ name: 'a\0' }), 400, 'invalid_request'],
    ['half a surrogate pair', json('{"name":"\\ud800"}'), 400, 'invalid_request'],
    ['missing', typed('application/json'), 400, 'body_required'],
    ['missing, without a media type', {}, 400, 'body_required'],
    ['missing, of another type', typed('text/plain'), 400, 'body_required'],
    ['empty', json(' \n'), 400, 'body_required'],
    ['broken UTF-8', { ...json('{}'), body: new Uint8Array([0x22, 0xff, 0x22]) }, 400, 'malformed_json'],
    [
      'compressed',
      typed('application/json', gzipSync('{}'), { 'content-encoding': 'gzip' }),
      415,
      'unsupported_media_type',
    ],
    ['an unreadable media type', typed('/', '{}'), 415, 'unsupported_media_type'],
    ['33 levels', json(`${'['.repeat(33)}${']'.repeat(33)}`), 400, 'body_too_complex'],
    ['500,000 levels', json(`{"name":${'['.repeat(500_000)}`), 400, 'body_too_complex'],
    ['10,000 entries', json(Array.from({ length: 10_000 }, () => 0)), 400, 'body_too_complex'],
    ['a prototype for a field', json('{"name":"a","__proto__":{}}'), 400, 'invalid_request'],
    ['the name of a method for a field', json('{"name":"a","constructor":1}'), 400, 'unknown_field'],
    ['an array', json([]), 400, 'invalid_request'],
    ['null', json('null'), 400, 'invalid_request'],
  ])('%s', async (_name, options, status, code) => {
    expect(await post(options)).toMatchObject({ status, body: { code } });
  });

  test('every bad field is named, with a code and a sentence of its own', async () => {
    const { body } = await post(json({ name: 'too long', size: 0, tags: ['red', 'blue', 'green'] }));
    expect(body['field_issues']).toEqual(
      expect.arrayContaining([
        { path: '/body/name', code: 'too_long', message: 'has to have at most 5 characters' },
        { path: '/body/size', code: 'too_small', message: 'has to be at least 1' },
        { path: '/body/tags', code: 'too_many', message: 'has to have at most 2 entries' },
        { path: '/body/tags/1', code: 'not_allowed', message: 'has to be one of red, green' },
      ]),
    );
    expect((await post(json({ size: '1' }))).body['field_issues']).toEqual([
      { path: '/body/name', code: 'required', message: 'is required' },
      { path: '/body/size', code: 'wrong_type', message: 'has to be integer, null' },
    ]);
  });

  test('brackets and commas within a text are no levels and no values', async () => {
    const text = '[{,'.repeat(5_000);
    expect((await post(json({ name: text }))).body['field_issues']).toMatchObject([{ code: 'too_long' }]);
    expect((await post(json({ name: `\\"${text}` }))).body['field_issues']).toMatchObject([
      { code: 'too_long' },
    ]);
  });

  const withUnknown = (count: number) =>
    json({ name: 'a', ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`field_${i}`, i])) });

  test('of many issues 50 are listed, and the others counted', async () => {
    const { status, body } = await post(withUnknown(900));
    expect([status, body['code'], body['unlisted_issues']]).toEqual([400, 'unknown_field', 850]);
    expect(body['field_issues']).toHaveLength(50);
  });

  test('of a body with more than a thousand values only the first issue is looked for', async () => {
    const { status, body } = await post(withUnknown(9_000));
    expect([status, body['code'], body['unlisted_issues']]).toEqual([400, 'unknown_field', undefined]);
    expect(body['field_issues']).toHaveLength(1);
  });

  test('of an operation that is open to all is small', async () => {
    const greet = (size: number) =>
      call('POST', '/greetings', { key: null, ...json({ name: 'x'.repeat(size) }) });
    expect((await greet(10)).status).toBe(204);
    expect(await greet(16 * 1024)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });

  test('where none is needed, an empty one is none, whatever its type', async () => {
    for (const type of ['text/plain', 'application/json', 'application/x-anything'])
      expect((await call('PUT', '/greetings', { key: null, headers: { 'content-type': type } })).status).toBe(
        204,
      );
  });

  test('that does not arrive in time is refused, and the connection closed', async () => {
    const head =
      'POST /greetings HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{';
    const answer = await spoken(head);
    expect(answer.status).toBe(408);
    expect(answer.document).toMatchObject({ code: 'request_timeout', retryable: true });
  });
});

/** What the service answers to these bytes, until it closes the connection. */
async function spoken(bytes: string) {
  const socket = connect(Number(new URL(widgets.url).port), '127.0.0.1');
  let text = '';
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.once('close', () => resolve());
    socket.once('error', reject);
    socket.write(bytes);
  });
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);
  const document: unknown = JSON.parse(body);
  return { status, document, head, requestId: /^svc-request: (\w{32})$/m.exec(head)?.[1] };
}

describe('what cannot be read as a request gets a problem document, too', () => {
  const fine = 'host: a\r\nconnection: close\r\n';
  test.each<[string, string, number, string]>([
    ['a line that is none', 'what is this\r\n\r\n', 400, 'malformed_request'],
    ['a method that does not exist', `BREW / HTTP/1.1\r\n${fine}\r\n`, 400, 'malformed_request'],
    ['a header that is none', `GET / HTTP/1.1\r\n${fine}no colon\r\n\r\n`, 400, 'malformed_request'],
    ['no host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'malformed_request'],
    ...['host: b', 'svc-api-key: a\r\nSVC-Api-Key: b', 'authorization: a\r\nauthorization: b'].map(
      (headers): [string, string, number, string] => [
        `a header that is there twice: ${headers}`,
        `GET /nowhere HTTP/1.1\r\n${fine}${headers}\r\n\r\n`,
        400,
        'malformed_request',
      ],
    ),
    [
      'a length that is there twice',
      `POST /greetings HTTP/1.1\r\n${fine}content-length: 1\r\ncontent-length: 2\r\n\r\n1`,
      400,
      'malformed_request',
    ],
    ['large headers', `GET / HTTP/1.1\r\n${fine}x: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['a long address', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${fine}\r\n`, 431, 'headers_too_large'],
    ['a tunnel', `CONNECT a:1 HTTP/1.1\r\n${fine}\r\n`, 405, 'method_not_allowed'],
    ['an expectation', `GET /nowhere HTTP/1.1\r\n${fine}expect: miracles\r\n\r\n`, 404, 'unknown_path'],
    [
      'an upgrade',
      `GET /nowhere HTTP/1.1\r\nhost: a\r\nconnection: upgrade, close\r\nupgrade: x\r\n\r\n`,
      404,
      'unknown_path',
    ],
    [
      'a chunk without a size',
      `POST /greetings HTTP/1.1\r\n${fine}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nx\r\n`,
      400,
      'malformed_request',
    ],
    ['headers that do not end', 'GET / HTTP/1.1\r\nhost: a\r\n', 408, 'request_timeout'],
  ])('%s', async (_name, bytes, status, code) => {
    const answer = await spoken(bytes);
    expect(answer.status).toBe(status);
    expect(answer.document).toMatchObject({ status, code, instance: answer.requestId });
    expect(answer.requestId).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.head).toMatch(/^x-content-type-options: nosniff\r?$/im);
  });
});

test('every answer keeps browsers from guessing its type, framing it and keeping it', async () => {
  for (const path of ['/tenants/1/widgets', '/tenants/2/widgets', '/nowhere']) {
    const headers = Object.fromEntries((await call('GET', path)).headers);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("frame-ancestors 'self'") as string,
      'content-type': expect.stringMatching(/^application\/(problem\+)?json; charset=utf-8$/) as string,
      'referrer-policy': 'no-referrer',
      'strict-transport-security': expect.stringContaining('max-age=31536000') as string,
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers).not.toHaveProperty('x-powered-by');
  }
});

describe('queries and pages', () => {
  test.each([
    ['page=0', 'too_small'],
    ['page=1.5', 'wrong_type'],
    ['page=1e3', 'wrong_type'],
    ['page=0x10', 'wrong_type'],
    ['page=+1', 'wrong_type'],
    ['page=-1', 'wrong_type'],
    ['page=01', 'wrong_type'],
    ['page=%201', 'wrong_type'],
    ['page=9223372036854775808', 'wrong_type'],
    ['page=9007199254740992', 'too_large'],
    ['results=101', 'too_large'],
    ['results=', 'empty'],
    ['page=1&page=2', 'wrong_type'],
    ['colour=red', 'unknown_parameter'],
  ])('%s is 400', async (query, code) => {
    const { status, body } = await call('GET', `/tenants/1/widgets?${query}`);
    expect(status).toBe(400);
    expect(body['field_issues']).toMatchObject([{ path: `/query/${query.split('=')[0]}`, code }]);
  });

  test('Link leads to the first, previous, next and last page', async () => {
    const { headers, body } = await call('GET', '/tenants/1/widgets?results=10&page=2');
    expect(body).toMatchObject({ page: 2, total_results: 25, total_pages: 3 });
    expect(headers.get('link')).toBe(
      ['first', 'prev', 'next', 'last']
        .map((rel, i) => `</tenants/1/widgets?results=10&page=${[1, 1, 3, 3][i]}>; rel="${rel}"`)
        .join(', '),
    );
  });

  test('a page far past the end is empty', async () => {
    expect(await call('GET', '/tenants/1/widgets?page=9007199254740991')).toMatchObject({
      status: 200,
      body: { items: [] },
    });
  });
});

test.each([
  ['GET', '/tenants/1/widgets'],
  ['HEAD', '/tenants/1/widgets'],
  ['GET', '/tenants/1/widgets?results=2'],
  ['GET', '/tenants/01/widgets'],
  ['GET', '/tenants/1/widgets/0'],
  ['GET', '/tenants/1/widgets/9007199254740993'],
  ['POST', '/tenants/1/widgets'],
  ['DELETE', '/tenants/1/widgets'],
])('%s %s is answered in the same way where answers are not validated', async (method, path) => {
  const { service } = await on.start({ VALIDATE_RESPONSES: 'false' });
  const unchecked = async () => comparable(await client(service.url, token).request(method, path));
  await eventually(async () => expect(await unchecked()).toEqual(comparable(await call(method, path))));
});

/** What does not differ from one request to the next. */
function comparable({ status, headers, body }: Answer) {
  const same = [...headers].filter(([name]) => !/^(svc-request|date|ratelimit-.*)$/.test(name));
  return { status, headers: Object.fromEntries(same), body: { ...body, instance: null } };
}

test('an answer that does not fit the document is a failure where answers are validated', async () => {
  expect((await call('GET', '/tenants/1/divisions/1/widgets/1')).status).toBe(500);
});

test('so is a refusal that the operation does not declare', async () => {
  expect((await call('GET', '/failures/undeclared')).status).toBe(500);
});

test('health, metrics and documents need no key', async () => {
  for (const path of [
    '/healthz',
    '/readyz',
    '/metrics',
    '/openapi.json',
    '/docs/',
    '/docs/scalar.js',
    '/docs/start.js',
  ]) {
    expect((await client(widgets.url).get(path)).status).toBe(200);
  }
});

test('health and metrics are at these paths alone, so that an ingress can keep them to itself', async () => {
  for (const path of ['/METRICS', '/metrics/', '/Readyz', '/readyz/', '//metrics', '/%6detrics'])
    expect([path, (await client(widgets.url).get(path)).status]).toEqual([path, 404]);
});

describe('every answer', () => {
  test('names the release, of whatever kind it is', async () => {
    for (const path of ['/tenants/1/widgets', '/healthz', '/nothing', '/failures/bug'])
      expect((await call('GET', path)).headers.get('svc-release')).toMatch(/^\d+\.\d+\.\d+/);
  });

  test('of a deprecated operation says so, also when it is refused', async () => {
    for (const body of [{ name: 'Ada' }, { colour: 'red' }]) {
      const { headers } = await call('POST', '/greetings', json(body));
      expect(headers.get('deprecation')).toBe('@1795651200');
      expect(headers.get('sunset')).toBe('Wed, 26 May 2027 00:00:00 GMT');
    }
    expect((await call('GET', '/tenants/1/widgets')).headers.get('deprecation')).toBeNull();
  });
});
