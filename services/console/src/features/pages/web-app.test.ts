import { ConsoleFixture, refusal } from '#test/console.ts';

const on = new ConsoleFixture();

test('every address that is no file is the document, never kept, with a nonce of its own', async () => {
  const nonces = new Set<string>();
  for (const path of ['/', '/index.html', '/deployments/7?tab=logs', '/assets/none-00000000.js']) {
    const { status, headers, text } = await on.open(path);
    expect([path, status, headers['cache-control']]).toEqual([path, 200, 'no-store']);
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? [];
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
    expect(text).toContain(`<meta property="csp-nonce" nonce="${nonce}">`);
    expect(text).not.toContain('__CSP_NONCE__');
    nonces.add(nonce);
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; ` +
        "font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; " +
        "require-trusted-types-for 'script'; report-uri /csp-reports; report-to csp",
    );
  }
  expect(nonces.size).toBe(4);
});

test('a document says what browsers are not to do with it', async () => {
  const { headers } = await on.open('/');
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()') as string,
    'reporting-endpoints': 'csp="/csp-reports"',
  });
  // by plain HTTP, which is on this machine alone
  expect(headers['strict-transport-security']).toBeUndefined();
});

test('files with a hash are kept for good, others asked for again; packed ones are sent as they are', async () => {
  const asset = await on.ask('GET', '/assets/app-0a1b2c3d.js', { 'accept-encoding': 'gzip' });
  expect([asset.status, asset.headers['cache-control'], asset.headers['content-encoding']]).toEqual([
    200,
    'public, max-age=31536000, immutable',
    'gzip',
  ]);
  const packed = await on.ask('GET', '/assets/packed-0a1b2c3d.js', { 'accept-encoding': 'br, gzip' });
  expect([packed.headers['content-encoding'], packed.text]).toEqual(['br', 'the packed one']);
  expect((await on.ask('GET', '/favicon.svg')).headers['cache-control']).toBe('no-cache');
  expect((await on.ask('GET', '/assets/..%2f..%2fpackage.json')).status).toBe(404);
});

test('what is neither file nor document is not there', async () => {
  expect(refusal(await on.ask('GET', '/deployments'))).toBe('404 unknown_path');
  expect(refusal(await on.ask('POST', '/deployments'))).toBe('404 unknown_path');
});

describe('requests that pages of other sites cause', () => {
  const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' };
  test.each([
    ['a read of an API', 'GET', '/api/main/account', foreign],
    ['a write', 'POST', '/api/main/account/sign_out', foreign],
    ['one of a neighbour', 'POST', '/api/main/x', { ...foreign, 'sec-fetch-site': 'same-site' }],
    ['a script', 'GET', '/assets/app-0a1b2c3d.js', { ...foreign, 'sec-fetch-dest': 'script' }],
    ['a frame', 'GET', '/', { ...foreign, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
    ['a form', 'POST', '/', { ...foreign, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }],
    [
      'an API as a page',
      'GET',
      '/api/main/account',
      { ...foreign, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
  ])('are refused: %s', async (_case, method, path, headers) => {
    expect(refusal(await on.ask(method, path, headers))).toBe('403 foreign_origin');
    expect(on.mainApi.reached).toEqual([]);
  });

  test('are refused by their origin where a browser says no more, and a link to a page is not', async () => {
    const plain = { 'sec-fetch-site': '', 'sec-fetch-mode': '', 'sec-fetch-dest': '' };
    expect(refusal(await on.ask('POST', '/api/main/x', { ...plain, origin: 'https://evil.example' }))).toBe(
      '403 foreign_origin',
    );
    expect((await on.open('/deployments/7', { 'sec-fetch-site': 'cross-site' })).status).toBe(200);
  });
});

test('by another name of the machine a page leads to the origin, and nothing else is answered', async () => {
  const page = await on.open('/deployments?q=1', { host: 'localhost:7606' });
  expect([page.status, page.headers.location]).toEqual([307, `${on.origin}/deployments?q=1`]);
  const evil = await on.open('//evil.example', { host: 'evil.example' });
  expect([evil.status, evil.headers.location]).toEqual([400, undefined]);
  expect(refusal(await on.ask('GET', '/api/main/account', { host: 'evil.example' }))).toBe(
    '400 malformed_request',
  );
});

test('health, readiness and metrics are as those of every service', async () => {
  expect((await on.ask('GET', '/healthz')).body).toEqual({ status: 'ok' });
  expect((await on.ask('GET', '/readyz')).body).toEqual({ status: 'ok', checks: { main_api: 'ok' } });
  on.mainApi.answering = (incoming) => incoming.socket.destroy();
  const away = await on.ask('GET', '/readyz');
  expect([away.status, away.body]).toEqual([
    503,
    { status: 'unavailable', checks: { main_api: 'unavailable' } },
  ]);
  await on.ask('GET', '/api/audit/x');
  expect((await on.ask('GET', '/metrics')).text).toMatch(
    /sluice_http_requests_total\{[^}]*operation="\/api\/audit"[^}]*\} \d/,
  );
});
