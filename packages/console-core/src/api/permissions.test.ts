import type { PermissionsDetail } from '@sluice/client';
import { allows, type Needed } from './permissions.ts';

const manage: Needed = { scope: 'environment', permission: 'deployment:manage' };
const held = {
  tenant: ['info:read'],
  division: ['info:read'],
  environment: ['deployment:read'],
  divisions: {
    '7': {
      name: 'Payments',
      permissions: [],
      environment: ['deployment:read', 'deployment:manage'],
      environments: { '70': { name: 'production', permissions: ['deployment:read'] } },
    },
  },
} as PermissionsDetail;

test.each([
  ['an override of a division', { division: 7, environment: 71 }, true],
  ['an override of an environment', { division: 7, environment: 70 }, false],
  ['the default elsewhere', { division: 8, environment: 80 }, false],
  ['anywhere in a division', { division: 7 }, true],
  ['anywhere in another division', { division: 8 }, false],
  ['anywhere', {}, true],
])('%s', (_name, place, expected) => expect(allows(held, manage, place)).toBe(expected));

test('the other scopes', () => {
  const info = { permission: 'info:read' };
  expect(allows(held, { scope: 'tenant', ...info })).toBe(true);
  expect(allows(held, { scope: 'division', ...info }, { division: 7 })).toBe(false);
  expect(allows(held, { scope: 'division', ...info }, { division: 8 })).toBe(true);
  expect(allows(held, { scope: 'tenant', permission: 'audit:read' })).toBe(false);
});
