import type { PermissionsDetail } from '@sluice/client';
import {
  differenceOf,
  exceptionsOf,
  grantsOf,
  levelOf,
  permissionsOf,
  resourcesOf,
  withGrant,
  withLevel,
  type Grant,
} from './permission-grid.ts';

const detail: PermissionsDetail = {
  tenant: ['info:read'],
  division: ['environment:read'],
  environment: ['deployment:read'],
  divisions: {
    '12': {
      name: 'payments',
      permissions: ['environment:read'],
      environment: ['deployment:manage', 'deployment:read'],
      environments: {
        '31': { name: 'production', permissions: [] },
        '32': { name: 'dev', permissions: ['deployment:read', 'deployment:manage'] },
      },
    },
    '13': { name: null, permissions: [], environment: ['deployment:read'], environments: {} },
  },
};

const placeOf = ({ scope, name }: Grant) => `${scope} ${name ?? 'default'}`;

test('overrides that grant what they would inherit are left out', () =>
  expect(grantsOf(detail).map(placeOf)).toEqual([
    'tenant default',
    'division default',
    'environment default',
    'environment payments',
    'environment payments/production',
    'division #13',
  ]));

test('what is left out is inherited, so that the API is sent the same', () =>
  expect(permissionsOf(grantsOf(detail))).toEqual({
    tenant: ['info:read'],
    division: ['environment:read'],
    environment: ['deployment:read'],
    divisions: {
      '12': { environment: ['deployment:manage', 'deployment:read'], environments: { '31': [] } },
      '13': { permissions: [] },
    },
  }));

test('a cell differs from the nearest place above it', () => {
  const grants = grantsOf(detail);
  const differences = grants.map((grant) => differenceOf(grants, grant, 'deployment'));
  expect(differences).toEqual(['same', 'same', 'same', 'more', 'less', 'same']);
});

test('a resource has the levels of its catalogue', () => {
  const [audit, member] = resourcesOf([
    { key: 'audit:read', name: 'Audit log: read', description: 'View audit logs' },
    { key: 'member:read', name: 'Members: read', description: 'View members' },
    { key: 'member:manage', name: 'Members: manage', description: 'Invite members' },
  ]);
  expect(audit).toEqual({
    key: 'audit',
    name: 'Audit log',
    levels: ['none', 'read'],
    descriptions: { read: 'View audit logs' },
  });
  expect(member?.levels).toEqual(['none', 'read', 'manage']);
});

test('who may manage may read', () => {
  const permissions = withLevel(['info:read'], 'member', 'manage');
  expect(permissions).toEqual(['info:read', 'member:read', 'member:manage']);
  expect(levelOf(permissions, 'member')).toBe('manage');
  expect(levelOf(withLevel(permissions, 'member', 'read'), 'member')).toBe('read');
  expect(withLevel(permissions, 'member', 'none')).toEqual(['info:read']);
});

test('exceptions are the places with another level than by default', () => {
  const { level, more, less } = exceptionsOf(grantsOf(detail), 'environment', 'deployment');
  expect(level).toBe('read');
  expect(more.map(placeOf)).toEqual(['environment payments']);
  expect(less.map(placeOf)).toEqual(['environment payments/production']);
});

test('a grant of a place takes the place of the one before', () => {
  const grants = grantsOf(detail);
  const [first] = grants;
  if (!first) throw new Error('there is no grant');
  expect(withGrant(grants, { ...first, permissions: [] })).toHaveLength(grants.length);
  const added: Grant = { scope: 'division', division: 14, environment: null, name: 'new', permissions: [] };
  expect(withGrant(grants, added).at(-1)).toBe(added);
});
