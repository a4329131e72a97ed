import { idOf, type UserId, type TenantId } from './ids.ts';
import {
  compileRole,
  frozenGrant,
  grantKeyOf,
  grantNameOf,
  grantSchema,
  grantText,
  keyGrantKey,
  noPermissions,
  parseGrant,
  sessionGrantKey,
  systemRoles,
  tokenHash,
  type Grant,
} from './index.ts';

const grant: Grant = {
  tenant_id: idOf<TenantId>(1),
  user: { id: idOf<UserId>(2), name: 'Ada' },
  api_key: null,
  owner: true,
  permissions: compileRole({
    ...systemRoles.admin,
    divisions: { '3': { permissions: [], environments: { '4': ['info:read'] } } },
  }),
  division_id: null,
  allowed_ips: ['10.0.0.0/8'],
  expires_at: '2026-03-01T00:00:00.000Z',
};

test('a grant comes out of its bucket as it went in', () => {
  expect(parseGrant(grantText(grant, 7))).toEqual(grant);
});

test('what says nothing is not sent, and comes out all the same', () => {
  const plain: Grant = {
    ...grant,
    owner: false,
    permissions: compileRole({ tenant: ['info:read'] }),
    allowed_ips: null,
  };
  expect(Object.keys(JSON.parse(grantText(plain, 1)) as object)).toEqual([
    'version',
    'tenant_id',
    'user',
    'expires_at',
    'permissions',
  ]);
  expect(parseGrant(grantText(plain, 1))).toEqual(plain);
});

test('a frozen grant says whose it is, and grants nothing', () => {
  const frozen = parseGrant(grantText(frozenGrant(grant), 8));
  expect(frozen).toEqual({
    ...grant,
    owner: false,
    permissions: noPermissions,
    allowed_ips: [],
    frozen: true,
  });
});

test.each([
  ['an expiry that is no time', { ...grant, expires_at: 'never' }],
  ['permissions that are no integers', { ...grant, permissions: { ...grant.permissions, t: 0.5 } }],
  ['no permissions', { ...grant, permissions: undefined }],
])('a grant with %s is refused', (_, malformed) => {
  expect(grantSchema.safeParse(malformed).success).toBe(false);
});

test('a token is known by its SHA-256 in hex', () => {
  expect(tokenHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

describe('the key of a grant in the bucket', () => {
  const hash = tokenHash('abc');

  test.each([
    ['of an API key', keyGrantKey(idOf<TenantId>(12), hash), hash],
    ['of a session in a tenant', sessionGrantKey(idOf<TenantId>(12), hash), `${hash}.12`],
    ['of a session itself', sessionGrantKey(idOf<TenantId>(0), hash), `${hash}.0`],
  ])('%s is led by the tenant and stands for the name that a request asks by', (_of, key, name) => {
    const found = grantNameOf(key);
    expect(found?.name).toBe(name);
    expect(found && grantKeyOf(found)).toBe(key);
  });

  test.each([
    '',
    hash,
    `x.${hash}`,
    `01.${hash}`,
    `1.${hash}.other`,
    `1.${hash.toUpperCase()}`,
    `1.${hash}.session.2`,
  ])('is nothing else: %s', (key) => expect(grantNameOf(key)).toBeUndefined());
});
