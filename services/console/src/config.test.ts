import { ConfigError, readConfig } from '@sluice/service';
import { consoleEnvironment } from './config.ts';

const settings = {
  PORT: '0',
  PUBLIC_URL: 'https://console.example',
  MAIN_API_URL: 'http://main-api:8080',
  AUDIT_URL: 'http://audit:8080',
  CONSOLE_FILES: '/srv/console',
};

test('the console needs neither a database nor NATS', () => {
  expect(readConfig(consoleEnvironment, settings)).toMatchObject({ PUBLIC_URL: 'https://console.example' });
});

test.each(['http://localhost:7606', 'http://console.sluice.localhost:7600', 'http://[::1]:7606'])(
  '%s is on this machine',
  (PUBLIC_URL) => {
    expect(readConfig(consoleEnvironment, { ...settings, PUBLIC_URL })).toMatchObject({ PUBLIC_URL });
  },
);

test('regions can have addresses of their own', () => {
  const read = (REGION_ADDRESSES: string) =>
    readConfig(consoleEnvironment, { ...settings, REGION_ADDRESSES }).REGION_ADDRESSES;
  const text = 'cloud_a/us-east-1=http://supervisor.a, cloud_b/us-central1=https://b.example:8443';
  expect([...read(text)].map(([key, { href }]) => [key, href])).toEqual([
    ['cloud_a/us-east-1', 'http://supervisor.a/'],
    ['cloud_b/us-central1', 'https://b.example:8443/'],
  ]);
  expect(read('').size).toBe(0);
  for (const wrong of ['us-east-1=http://a', 'cloud_a/us-east-1', 'cloud_a/us-east-1=ftp://a', 'a/b=http://'])
    expect(() => read(wrong)).toThrow(ConfigError);
});

test.each([
  'http://console.example',
  'http://localhost.example',
  'https://console.example/below',
  'ftp://127.0.0.1',
])('%s is no origin that a session is safe at', (PUBLIC_URL) => {
  expect(() => readConfig(consoleEnvironment, { ...settings, PUBLIC_URL })).toThrow(ConfigError);
});
