import { idOf, type UserId, type TenantId } from './ids.ts';
import { compileRole, grantKey, grantSchema, systemRoles, type Grant } from './index.ts';

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
  expect(grantSchema.parse(JSON.parse(JSON.stringify(grant)))).toEqual(grant);
});

test.each([
  ['an expiry that is no time', { ...grant, expires_at: 'never' }],
  ['permissions that are no integers', { ...grant, permissions: { ...grant.permissions, t: 0.5 } }],
  ['no owner flag', { ...grant, owner: undefined }],
])('a grant with %s is refused', (_, malformed) => {
  expect(grantSchema.safeParse(malformed).success).toBe(false);
});

test("a grant's key is the SHA-256 of its token in hex", () => {
  expect(grantKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
