import { idOf, type DivisionId } from './ids.ts';
import {
  compileRole,
  isPermission,
  permissionCatalogue,
  permissionsAt,
  scopes,
  systemRoles,
} from './index.ts';

/** Sections 5.2 to 5.4 of the interface, written out. */
const catalogue = {
  tenant: [
    ...[
      'info:read',
      'info:manage',
      'audit:read',
      'settings:read',
      'settings:manage',
      'role:read',
      'role:manage',
    ],
    ...['member:read', 'member:manage', 'subscription:read', 'subscription:manage', 'billing:read'],
    ...['billing:manage', 'division:read', 'division:manage', 'api_key:read', 'api_key:manage'],
    ...['notifications:read', 'notifications:manage'],
  ],
  division: [
    ...[
      'info:read',
      'info:manage',
      'audit:read',
      'settings:read',
      'settings:manage',
      'role:read',
      'role:manage',
    ],
    ...['member:read', 'member:manage', 'environment:read', 'environment:manage', 'api_key:read'],
    ...['api_key:manage', 'notifications:read', 'notifications:manage'],
  ],
  environment: [
    ...['info:read', 'info:manage', 'deployment:read', 'deployment:manage', 'deployment:config:read'],
    ...['deployment:config:manage', 'deployment:access:read', 'deployment:access:manage'],
    ...[
      'deployment:network:read',
      'deployment:network:manage',
      'deployment:task:read',
      'deployment:task:manage',
    ],
    ...['deployment:telemetry:read', 'deployment:telemetry:manage', 'deployment:credentials:read'],
    ...['deployment:connector:read', 'deployment:connector:manage'],
  ],
};

describe('the catalogue', () => {
  test.each(scopes)('has exactly the permissions of the %s scope', (scope) => {
    expect(permissionCatalogue[scope].map(({ key }) => key).sort()).toEqual([...catalogue[scope]].sort());
    for (const key of catalogue[scope]) expect(isPermission(scope, key)).toBe(true);
    expect(isPermission(scope, 'audit:manage')).toBe(false);
  });
});

/** Section 5.5, written out; what manage includes is listed too. */
const systemRoleTable = {
  admin: catalogue,
  developer: {
    tenant: ['info:read', 'member:read', 'role:read', 'division:read', 'api_key:read', 'notifications:read'],
    division: ['info:read', 'environment:read', 'api_key:read'],
    environment: [
      ...['deployment:read', 'deployment:manage', 'deployment:config:read', 'deployment:config:manage'],
      ...[
        'deployment:network:read',
        'deployment:network:manage',
        'deployment:task:read',
        'deployment:task:manage',
      ],
      ...['deployment:connector:read', 'deployment:connector:manage', 'deployment:credentials:read'],
      ...['deployment:telemetry:read'],
    ],
  },
  viewer: {
    tenant: ['info:read', 'role:read', 'member:read', 'division:read'],
    division: ['info:read', 'environment:read', 'role:read', 'member:read'],
    environment: ['info:read', 'deployment:read'],
  },
  billing: {
    tenant: ['info:read', 'subscription:read', 'subscription:manage', 'billing:read', 'billing:manage'],
    division: [],
    environment: [],
  },
};

describe('the system role', () => {
  test.each(Object.entries(systemRoleTable))('%s is the one of section 5.5', (name, expected) => {
    const role = compileRole(systemRoles[name as keyof typeof systemRoles]);
    for (const scope of scopes)
      expect(permissionsAt(role, scope, { division: idOf<DivisionId>(1) }).sort()).toEqual(
        [...expected[scope]].sort(),
      );
    expect(role.divisions).toEqual({});
  });

  test('list has four names', () => {
    expect(Object.keys(systemRoles)).toEqual(['admin', 'developer', 'viewer', 'billing']);
  });
});
