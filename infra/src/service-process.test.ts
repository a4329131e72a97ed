import { environmentOf } from './service-process.ts';

const service = {
  name: 'audit',
  program: '/audit.ts',
  port: 1,
  database: 'audit',
  environment: { PUBLIC_URL: 'http://127.0.0.1:1', NATS_NKEY_SEED: 'its own' },
  settings: ['LOG_LEVEL', 'RATE_LIMIT_BURST', 'NATS_NKEY_SEED', 'DATABASE_URL'],
};
const shared = {
  natsUrl: 'nats://127.0.0.1:2',
  databases: new Map([['audit', { DATABASE_URL: 'postgres://its-own' }]]),
};
const before = process.env;
afterEach(() => {
  process.env = before;
});

test('a service gets its own settings, and nothing else that the launcher knows', () => {
  process.env = {
    PATH: '/bin',
    HTTPS_PROXY: 'http://proxy',
    RATE_LIMIT_BURST: '7',
    NATS_NKEY_SEED: 'of another',
    DATABASE_URL: 'of another',
    PROTECTION_KEY: "main-api's",
    AWS_SECRET_ACCESS_KEY: "a person's",
  };
  const environment = environmentOf(service, shared);
  expect(environment).toMatchObject({
    PATH: '/bin',
    HTTPS_PROXY: 'http://proxy',
    RATE_LIMIT_BURST: '7',
    NATS_NKEY_SEED: 'its own',
    DATABASE_URL: 'postgres://its-own',
  });
  expect(Object.keys(environment)).not.toContain('PROTECTION_KEY');
  expect(Object.keys(environment)).not.toContain('AWS_SECRET_ACCESS_KEY');
});
