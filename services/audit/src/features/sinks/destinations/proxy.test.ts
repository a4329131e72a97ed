import { connectProxy, type ConnectProxy } from '@sluice/testing';
import type { TenantId } from '@sluice/contracts';
import { SinkServer } from '#test/sink-server.ts';
import { sinkAddresses } from '../sink-addresses.ts';
import type { SinkSettings } from '../sink-settings.ts';
import { openDestination } from './index.ts';

const server = new SinkServer();
const port = () => Number(new URL(server.url).port);
let proxy: ConnectProxy;
beforeAll(async () => {
  proxy = await connectProxy(port);
});
afterAll(() => proxy.stop());
beforeEach(() => {
  proxy.asked.length = 0;
  proxy.answer = undefined;
  server.received.length = 0;
});

const kinds: [string, (origin: string) => SinkSettings][] = [
  ['a server', (origin) => ({ https: { url: `${origin}/in`, format: 'ndjson', tls_ca: server.authority } })],
  [
    'a bucket',
    (endpoint) => ({
      s3: {
        ...{
          endpoint,
          region: 'us-east-1',
          bucket: 'logs',
          prefix: '',
          path_style: true,
          tls_ca: server.authority,
        },
        ...{ access_key_id: 'AKIDEXAMPLE', secret_access_key: 'wJalrXUtnFEMI-s3cret' },
      },
    }),
  ],
];

async function send(settings: SinkSettings, allowed: string[]): Promise<void> {
  const addresses = sinkAddresses({ allowed, refused: [], proxy: proxy.url('ada:s3cret@') });
  const destination = await openDestination(addresses, () => new Date())(settings, 1 as TenantId);
  try {
    await destination.send({ first: 1, last: 1, lines: ['{}'] }, AbortSignal.timeout(30_000));
  } finally {
    await destination.close();
  }
}

describe.each(kinds)('%s behind a proxy', (_kind, settings) => {
  test('gets entries by a tunnel to the address that was looked at, and shows its own certificate', async () => {
    await send(settings(server.url), ['127.0.0.1']);
    expect(server.received).toHaveLength(1);
    const authorization = `Basic ${Buffer.from('ada:s3cret').toString('base64')}`;
    expect(proxy.asked).toEqual([
      `CONNECT 127.0.0.1:${port()} HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nProxy-Authorization: ${authorization}\r\n\r\n`,
    ]);
  });

  test('is not asked for where it may not be', async () => {
    for (const host of ['localhost', '127.0.0.1', '10.0.0.1'])
      await expect(send(settings(`https://${host}:${port()}`), [])).rejects.toThrow('may not connect');
    expect(proxy.asked).toEqual([]);
  });

  test('is not reached past a proxy that gives no tunnel', async () => {
    proxy.answer = 'HTTP/1.1 403 Forbidden\r\n\r\n';
    await expect(send(settings(server.url), ['127.0.0.1'])).rejects.toThrow('the proxy gives no tunnel');
    expect(server.received).toEqual([]);
  });
});
