import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { eventually } from '@sluice/testing';
import { ConsoleFixture, refusal, token } from '#test/console.ts';

const on = new ConsoleFixture();

const sessionAtLayer = `sluice_session=${token}; __Host-sluice_session=${token}`;

describe('what goes on to a layer', () => {
  test.each([
    ['/api/main/tenants/1?limit=2&q=a%2Fb', 'mainApi', '/tenants/1?limit=2&q=a%2Fb'],
    ['/api/audit/audit/tenants/1', 'audit', '/audit/tenants/1'],
    ['/api/regions/cloud_a/us-east-1/deployments/7', 'region', '/deployments/7'],
  ] as const)('%s', async (path, layer, at) => {
    const answer = await on.ask('GET', path);
    expect([answer.status, answer.body]).toEqual([200, { path: at }]);
    expect(on[layer].last.headers).toMatchObject({ cookie: sessionAtLayer, 'x-forwarded-for': '127.0.0.1' });
    expect(on[layer].last.headers['traceparent']).toMatch(/^00-/);
  });

  test('is a session, and nothing else that a browser claims, also with what would go around it', async () => {
    const others: Record<string, string>[] = [{}, { expect: '100-continue' }];
    for (const more of others) {
      await on.ask(
        'POST',
        '/api/main/tenants/1/divisions',
        {
          ...{
            'svc-api-key': 'svc_key',
            'svc-session': 'svt_x',
            authorization: 'Bearer x',
            forwarded: 'for=1.2.3.4',
          },
          ...{ 'x-forwarded-for': '1.2.3.4', 'x-forwarded-host': 'evil', 'x-real-ip': '1.2.3.4', via: 'x' },
          cookie: `sluice=${token}; sluice_session=${'b'.repeat(43)}; __Host-sluice_session=x; other=1`,
          'x-csrf-token': 'csrf',
          'content-type': 'application/json',
          ...more,
        },
        '{"name":"a"}',
      );
      const { headers, body } = on.mainApi.last;
      expect([headers.cookie, headers['x-csrf-token'], headers['x-forwarded-for'], body]).toEqual([
        sessionAtLayer,
        'csrf',
        '127.0.0.1',
        '{"name":"a"}',
      ]);
      for (const name of [
        'svc-api-key',
        'svc-session',
        'authorization',
        'forwarded',
        'x-forwarded-host',
        'via',
      ])
        expect([name, headers[name]]).toEqual([name, undefined]);
      expect(headers.host).toBe(new URL(on.mainApi.url).host);
    }
  });

  test.each([`sluice=x%0d%0asvc-api-key:1`, `sluice=svt_${'a'.repeat(43)}`, 'sluice=', `other=${token}`])(
    'is no cookie for %j',
    async (cookie) => {
      await on.ask('GET', '/api/main/account', { cookie });
      expect(on.mainApi.last.headers.cookie).toBeUndefined();
    },
  );
});

describe('addresses', () => {
  test.each([
    ...['/api/main/../../etc/passwd', '/api/main/./account', '/api/main//evil.example/', '/api/main/a/..'],
    ...[
      '/api/main/%2e%2e/x',
      '/api/main/a%2fb',
      '/api/main/a%5Cb',
      '/api/main/a\\b',
      '/api/main/%00',
      '/api/main/%zz',
    ],
    ...['/api/regions/cloud_a/us-east-1/..%2f..%2fx', '/api/regions/cloud_a/../evil/x'],
  ])('%s are not plain, and reach nothing', async (path) => {
    expect(refusal(await on.ask('GET', path))).toBe('400 malformed_request');
    expect([...on.mainApi.reached, ...on.region.reached]).toEqual([]);
  });

  test.each([
    ...[
      '/api/main/metrics',
      '/api/main/readyz',
      '/api/main/Healthz',
      '/api/main/docs/errors',
      '/api/main/device',
    ],
    ...['/api/main/billing/webhooks/test', '/api/regions/cloud_a/us-east-1/agent/v1/desired', '/api/other/x'],
    ...[
      '/api/main',
      '/api/regions/cloud_a/us-east-1',
      '/api/regions/CLOUD/us-east-1/x',
      '/api/regions/cloud_a@evil/r/x',
    ],
    '/api/regions/cloud_a/evil.example:80/x',
  ])('%s are no part of the API', async (path) => {
    expect(refusal(await on.ask('GET', path))).toBe('404 unknown_path');
    expect([...on.mainApi.reached, ...on.region.reached]).toEqual([]);
  });

  test('with a host, and those of another host, reach nothing', async () => {
    for (const line of [
      `GET ${on.mainApi.url}/tenants HTTP/1.1\r\nHost: 127.0.0.1:7606`,
      'GET http://127.0.0.1:7606/api/main/account HTTP/1.1\r\nHost: 127.0.0.1:7606',
      'GET //evil.example/api/main/account HTTP/1.1\r\nHost: 127.0.0.1:7606',
      'GET /api/main/account HTTP/1.1\r\nHost: evil.example',
      'GET /api/main/account HTTP/1.1\r\nHost: 127.0.0.1:7606\r\nHost: evil.example',
      'GET /api/main/account HTTP/1.1\r\nHost: 127.0.0.1:7606@evil.example',
      'OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1:7606',
      `CONNECT ${new URL(on.mainApi.url).host} HTTP/1.1\r\nHost: x`,
    ]) {
      const socket = connect(on.port, '127.0.0.1');
      socket.write(`${line}\r\nConnection: close\r\n\r\n`);
      let text = '';
      for await (const chunk of socket) text += String(chunk);
      expect([line, text.slice(0, 12)]).toEqual([line, expect.stringMatching(/^HTTP\/1\.1 40[05]$/)]);
    }
    expect(on.mainApi.reached).toEqual([]);
  });

  test('of regions are those that the Main API tells, and nothing asks for them without a session', async () => {
    expect(refusal(await on.ask('GET', '/api/regions/cloud_a/us-east-1/x', { cookie: '' }))).toBe(
      '401 unauthenticated',
    );
    expect(refusal(await on.ask('GET', '/api/regions/cloud_a/eu-west-9/x'))).toBe('404 not_found');
    // one that has moved
    const other = on.audit;
    on.regions = [{ cloud: 'cloud_a', region: 'us-east-1', supervisor_url: `${other.url}/below` }];
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect((await on.ask('GET', '/api/regions/cloud_a/us-east-1/x')).body).toEqual({ path: '/below/x' });
  });
});

describe('what does not answer', () => {
  test('is named, and can be asked again', async () => {
    on.regions = [{ cloud: 'cloud_a', region: 'away-1', supervisor_url: 'http://127.0.0.1:1' }];
    await new Promise((resolve) => setTimeout(resolve, 60));
    const answer = await on.ask('GET', '/api/regions/cloud_a/away-1/x');
    expect([answer.status, answer.body]).toEqual([
      503,
      expect.objectContaining({
        code: 'unavailable',
        retryable: true,
        detail: 'The region away-1 of cloud_a cannot be reached right now.',
        ...{ layer: 'supervisor', cloud: 'cloud_a', region: 'away-1' },
      }),
    ]);
  });

  test('is a connection that ends without an answer, and one that ends within it', async () => {
    on.mainApi.answering = (incoming) => incoming.socket.destroy();
    expect(refusal(await on.ask('GET', '/api/main/account'))).toBe('503 unavailable');
    on.mainApi.answering = (incoming, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half');
      setTimeout(() => incoming.socket.destroy(), 20);
    };
    await expect(on.ask('GET', '/api/main/account')).rejects.toThrow(/aborted/);
  });

  test('the Main API does not hide a region whose address is known', async () => {
    const known = async () => (await on.ask('GET', '/api/regions/cloud_a/us-east-1/x')).status;
    await eventually(async () => expect(await known()).toBe(200));
    await new Promise((resolve) => setTimeout(resolve, 60));
    on.mainApi.answering = (incoming) => incoming.socket.destroy();
    expect((await on.ask('GET', '/api/regions/cloud_a/us-east-1/x')).status).toBe(200);
  });
});

describe('answers', () => {
  test('keep what the layer says of itself, and the console says the rest', async () => {
    on.mainApi.answering = (_request, response) =>
      response
        .writeHead(201, {
          'content-type': 'application/json',
          location: '/tenants/4',
          etag: '"7"',
          'svc-request': '0'.repeat(32),
          'content-security-policy': "default-src 'self'",
          'access-control-allow-origin': '*',
          'set-cookie': [
            `__Host-sluice_session=${token}; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax`,
            'tracking=1; Domain=evil.example',
          ],
        })
        .end('{}');
    const { status, headers } = await on.ask('POST', '/api/main/tenants');
    expect([status, headers.location, headers.etag, headers['svc-request']]).toEqual([
      201,
      '/api/main/tenants/4',
      '"7"',
      '0'.repeat(32),
    ]);
    expect(headers['set-cookie']).toEqual([`sluice=${token}; Max-Age=60; Path=/; HttpOnly; SameSite=Lax`]);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    // none but the Main API opens a session
    on.audit.answering = on.mainApi.answering;
    expect((await on.ask('GET', '/api/audit/x')).headers['set-cookie']).toBeUndefined();
  });

  test('that a browser could run have no origin', async () => {
    on.mainApi.answering = (_request, response) =>
      response.setHeader('content-type', 'text/html').end('<script>alert(1)</script>');
    const { headers } = await on.ask('GET', '/api/main/invoice');
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test('are compressed for who takes that', async () => {
    on.mainApi.answering = (_request, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify('a'.repeat(5_000)));
    const packed = await on.ask('GET', '/api/main/x', { 'accept-encoding': 'gzip' });
    expect([packed.headers['content-encoding'], packed.text.length < 500]).toEqual(['gzip', true]);
    expect((await on.ask('GET', '/api/main/x')).headers['content-encoding']).toBeUndefined();
  });

  test.each(['text/event-stream', 'application/x-ndjson'])('of %s come as they are sent', async (type) => {
    const [opened, writing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isGone: Promise<unknown> | undefined;
    on.region.answering = (_request, response) => {
      isGone = once(response, 'close');
      response.writeHead(200, { 'content-type': type }).flushHeaders();
      void opened.promise.then(() => response.write('first\n'));
      void writing.promise.then(() => response.write('second\n'));
    };
    const sent = request({
      ...{ host: '127.0.0.1', port: on.port, path: '/api/regions/cloud_a/us-east-1/logs', agent: false },
      headers: { ...on.host, ...on.session, 'sec-fetch-site': 'same-origin', 'accept-encoding': 'gzip, br' },
    });
    sent.end();
    const [incoming] = (await once(sent, 'response')) as [IncomingMessage];
    // it is open before it says anything
    opened.resolve();
    const lines = incoming.setEncoding('utf8')[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('first\n');
    writing.resolve();
    expect((await lines.next()).value).toBe('second\n');
    expect(incoming.headers['content-encoding']).toBeUndefined();
    incoming.destroy();
    await isGone;
  });
});

describe('WebSockets', () => {
  const upgrade = async (path: string, headers: Record<string, string>) => {
    const sent = request({
      ...{ host: '127.0.0.1', port: on.port, path, agent: false },
      headers: {
        ...{ ...on.host, ...on.session, connection: 'Upgrade', upgrade: 'websocket' },
        ...{ 'sec-websocket-key': 'x', 'sec-websocket-version': '13', origin: on.origin },
        ...headers,
      },
    });
    sent.end();
    const answered = once(sent, 'response').then(([answer]) => (answer as IncomingMessage).statusCode);
    const upgraded = once(sent, 'upgrade').then(([answer, socket]) => ({
      status: (answer as IncomingMessage).statusCode,
      socket: socket as NodeJS.ReadWriteStream & { destroy(): void },
    }));
    return await Promise.race([answered, upgraded]);
  };
  const path = '/api/regions/cloud_a/us-east-1/broker';

  test('go through in both directions, with the session', async () => {
    let headers: IncomingMessage['headers'] = {};
    on.region.server.once('upgrade', (incoming: IncomingMessage, socket) => {
      ({ headers } = incoming);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      socket.on('data', (chunk: Buffer) => socket.write(`echo ${chunk.toString()}`));
    });
    const result = await upgrade(path, { 'svc-api-key': 'svc_x', 'x-forwarded-for': '1.2.3.4' });
    if (typeof result !== 'object') throw new Error(`no upgrade: ${result}`);
    expect(result.status).toBe(101);
    result.socket.write('hello');
    const [chunk] = (await once(result.socket, 'data')) as [Buffer];
    expect(chunk.toString()).toBe('echo hello');
    expect([headers.cookie, headers['svc-api-key'], headers['x-forwarded-for']]).toEqual([
      sessionAtLayer,
      undefined,
      '127.0.0.1',
    ]);
    result.socket.destroy();
  });

  test.each([
    ['of a page of another site', path, { origin: 'https://evil.example' }, 403],
    ['of a page without an origin', path, { origin: 'null' }, 403],
    ['that a browser says are from elsewhere', path, { 'sec-fetch-site': 'cross-site' }, 403],
    ['without a session', path, { cookie: '' }, 401],
    ['to a region that is not there', '/api/regions/cloud_a/nowhere/broker', {}, 404],
    ['to another path', '/', {}, 404],
    ['by another host', path, { host: 'evil.example' }, 400],
  ])('%s are refused', async (_case, at, headers, status) => {
    expect(await upgrade(at, headers)).toBe(status);
  });
});
