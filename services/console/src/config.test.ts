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

test.each(['http://console.example', 'https://console.example/below', 'ftp://127.0.0.1'])(
  '%s is no origin that a session is safe at',
  (PUBLIC_URL) => {
    expect(() => readConfig(consoleEnvironment, { ...settings, PUBLIC_URL })).toThrow(ConfigError);
  },
);
