import { idOf, type DesiredState } from '@sluice/contracts';
import { secretsOf } from './secrets.ts';

test("the secrets of a plugin's block are known, each header by itself, and so are all logins that are good", () => {
  const plugin_config = {
    host: 'db.example.com',
    password: 'hush hush',
    secret_headers: 'X-One: first-secret\nX-Two: second-secret',
  };
  const state = {
    broker: {
      credentials: { username: 'u2', password: 'the-present' },
      former_credentials: [{ username: 'u1', password: 'the-former', valid_to: '2026-03-14T09:26:53Z' }],
    },
    connectors: {
      state: 'running',
      instances: [{ id: idOf(1), config: { id: 2, version: 1, values: { enabled: true, plugin_config } } }],
    },
  } as unknown as DesiredState;
  const secrets = secretsOf(state);
  expect(secrets).toEqual(
    expect.arrayContaining(['the-present', 'the-former', 'hush hush', 'first-secret', 'second-secret']),
  );
  expect(secrets).not.toContain('db.example.com');
});
