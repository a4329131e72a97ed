import { permissionCatalogue } from './permission-catalogue.ts';
import type { RolePermissions } from './permissions.ts';

export const systemRoleNames = ['admin', 'developer', 'viewer', 'billing'] as const;
export type SystemRoleName = (typeof systemRoleNames)[number];

const all = (scope: 'tenant' | 'division' | 'environment') =>
  permissionCatalogue[scope].map(({ key }) => key);

/** Section 5.5: the four roles that every tenant has and that cannot be changed or deleted. */
export const systemRoles: Readonly<Record<SystemRoleName, RolePermissions>> = {
  admin: { tenant: all('tenant'), division: all('division'), environment: all('environment'), divisions: {} },
  developer: {
    tenant: ['info:read', 'member:read', 'role:read', 'division:read', 'api_key:read', 'notifications:read'],
    division: ['info:read', 'environment:read', 'api_key:read'],
    environment: [
      'deployment:manage',
      'deployment:config:manage',
      'deployment:network:manage',
      'deployment:task:manage',
      'deployment:connector:manage',
      'deployment:credentials:read',
      'deployment:telemetry:read',
    ],
    divisions: {},
  },
  viewer: {
    tenant: ['info:read', 'role:read', 'member:read', 'division:read'],
    division: ['info:read', 'environment:read', 'role:read', 'member:read'],
    environment: ['info:read', 'deployment:read'],
    divisions: {},
  },
  billing: {
    tenant: ['info:read', 'subscription:manage', 'billing:manage'],
    division: [],
    environment: [],
    divisions: {},
  },
};
