import fc from 'fast-check';
import type { ConfigEntry } from './config-schema.ts';
import {
  destinationForms,
  keepSecrets,
  maskSecrets,
  secretFieldsOf,
  secretMask,
  type SecretFields,
} from './stored-secrets.ts';

const fields: SecretFields = {
  secrets: [['password'], ['http', 'headers', '*']],
  destination: [{ path: ['http', 'url'], form: destinationForms.url }, { path: ['port'] }],
};
const secret = fc.string({ minLength: 1 }).map((text) => `secret-${text}`);
const values = fc.record(
  {
    password: fc.option(secret),
    port: fc.option(fc.constantFrom(1, 2)),
    http: fc.record(
      {
        url: fc.option(fc.constantFrom('https://a.example', 'https://b.example', '')),
        headers: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'a/b~c'), secret),
      },
      { requiredKeys: [] },
    ),
    other: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
type Values = typeof values extends fc.Arbitrary<infer Type> ? Type : never;
const destinationOf = ({ http, port }: Values) => JSON.stringify([http?.url || null, port ?? null]);

test('what is shown and sent back is what was stored', () => {
  fc.assert(
    fc.property(values, (stored) => {
      const shown = maskSecrets(stored, fields);
      expect(JSON.stringify({ ...shown, other: null })).not.toContain('secret-');
      expect(keepSecrets(shown, stored, fields)).toEqual({ values: stored, issues: [] });
    }),
  );
});

test('no stored secret gets to another destination, and each *** that keeps nothing is an issue', () => {
  fc.assert(
    fc.property(values, values, (stored, given) => {
      const asked = maskSecrets(given, fields);
      const { values: kept, issues } = keepSecrets(asked, stored, fields);
      if (destinationOf(stored) !== destinationOf(given)) {
        expect(kept).toEqual(asked);
        expect(issues.length).toBe(
          JSON.stringify({ ...asked, other: null }).split(`"${secretMask}"`).length - 1,
        );
      }
      expect(issues.every(({ code }) => code === 'nothing_stored')).toBe(true);
      expect(keepSecrets(given, stored, fields)).toEqual({ values: given, issues: [] });
    }),
  );
});

const entry = (key: string, more: Partial<ConfigEntry> = {}): ConfigEntry => ({
  ...{ key, name: key, description: '', default_value: null, kind: 'string', editable: true, secret: false },
  ...{ requirements: [], rules: [], ...more },
});
const entries = [
  entry('url', { destination: 'url' }),
  entry('hosts', { kind: 'list', destination: 'host' }),
  entry('port', { kind: 'int', default_value: 5432, destination: 'value' }),
  entry('tls', { kind: 'bool', default_value: true, destination: 'value' }),
  entry('table'),
  entry('password', { kind: 'secret', secret: true }),
];
const stored = { url: 'https://a.example', hosts: ['db.example:1', 'x'], table: 't', password: 'hush' };

test.each<[Record<string, unknown>]>([
  [{}],
  [{ url: 'HTTPS://A.example:443/#top' }],
  [{ hosts: ['DB.example:1', 'x'] }],
  [{ port: 5432, tls: true, table: 'other' }],
])('a secret is kept with %j, which is no other destination', (changed) => {
  for (const block of [null, 'plugin_config']) {
    const put = (inner: object) => (block === null ? inner : { [block]: inner });
    const given = put({ ...stored, ...changed, password: secretMask });
    expect(keepSecrets(given, put(stored), secretFieldsOf(entries, block))).toEqual({
      values: put({ ...stored, ...changed }),
      issues: [],
    });
  }
});

test.each<[Record<string, unknown>, string]>([
  [{ url: 'http://a.example' }, 'url'],
  [{ url: 'https://a.example.evil.example' }, 'url'],
  [{ url: 'https://a.example/theirs' }, 'url'],
  [{ url: undefined }, 'url'],
  [{ url: 1 }, 'url'],
  [{ hosts: ['x', 'db.example:1'] }, 'hosts'],
  [{ hosts: ['db.example:1', 'x', 'mine'] }, 'hosts'],
  [{ port: 5433 }, 'port'],
  [{ tls: false }, 'tls'],
])('no secret is kept with %j', (changed, field) => {
  const given = { ...stored, ...changed, password: secretMask };
  expect(keepSecrets(given, stored, secretFieldsOf(entries, null))).toEqual({
    values: given,
    issues: [
      { path: '/password', code: 'nothing_stored', message: expect.stringContaining(field) as string },
    ],
  });
});

test('what is no object holds no secrets', () => {
  for (const given of [{ http: 'x' }, { http: { headers: [secretMask] } }, {}, null, 'x'])
    expect([keepSecrets(given, stored, fields), maskSecrets(given, fields)]).toEqual([
      { values: given, issues: [] },
      given,
    ]);
});
