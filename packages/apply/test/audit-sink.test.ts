import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createClient } from '@sluice/client';
import type { Run } from '../src/kinds/kind.ts';
import { wantedOf } from '../src/document/wanted.ts';
import { compared, organization, read, wanted } from './fixtures/given.ts';

/** What `apply` sends where the audit sink changes. The destination always goes with it, as the operation takes it as a whole. */

const https = {
  ...{ url: 'https://log.example', format: 'ndjson', headers: { Authorization: '***' } },
  ...{ signing_secret: '***', tls_ca: null },
};
const sink = { enabled: true, interval_seconds: 10, https };
const found = { kind: 'audit sink' as const, place: '', fields: sink };

/** The body of the one request of a document, beside the sink that is there. */
async function sent(text: string): Promise<unknown> {
  const bodies: unknown[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      if (request.method === 'PUT') bodies.push(await json(request));
      response.writeHead(request.method === 'PUT' ? 204 : 200, { 'content-type': 'application/json' });
      response.end(request.method === 'PUT' ? undefined : JSON.stringify({ ...sink, kind: 'https' }));
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({ url, auditUrl: url, apiKey: 'svc_key', tenant: 1 });
  const given = organization(found);
  try {
    const { steps, obstacles } = compared(
      wantedOf((await read({ '0.yaml': text }, { KEY: 'k' })).documents),
      given,
    );
    expect(obstacles).toEqual([]);
    const run = { client, signal: AbortSignal.timeout(10_000), ids: given.ids } as Run;
    for (const step of steps) await step.send(run);
    expect(bodies).toHaveLength(steps.length);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return bodies[0];
}

test('its interval alone changes nothing else of it', async () => {
  expect(await sent('audit_sink: { interval_seconds: 60 }')).toEqual({ ...sink, interval_seconds: 60 });
  // the same destination, of which the document does not name all
  expect(await sent("audit_sink: { interval_seconds: 60, https: { url: 'https://log.example' } }")).toEqual({
    ...sink,
    interval_seconds: 60,
  });
});

test('another destination takes the place of the former one with its secrets', async () => {
  expect(await sent("audit_sink: { https: { url: 'https://other.example' } }")).toEqual({
    ...{ enabled: true, interval_seconds: 10, https: { url: 'https://other.example' } },
  });
  expect(
    await sent(`audit_sink: { s3: { bucket: log, access_key_id: a, secret_access_key: '\${env:KEY}' } }`),
  ).toMatchObject({
    ...{ enabled: true, interval_seconds: 10, s3: { bucket: 'log' } },
  });
  expect(await sent('audit_sink: { enabled: true, interval_seconds: 10, start: beginning }')).toBeUndefined();
});

test('a new one without a destination is an obstacle that names its line', async () => {
  const { obstacles } = compared(await wanted('audit_sink: { interval_seconds: 60 }'), organization());
  expect(obstacles).toEqual([
    {
      reason: 'invalid',
      message: expect.stringMatching(/0\.yaml:1.* new and needs https or s3\.$/) as unknown,
    },
  ]);
});
