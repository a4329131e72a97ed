/** The permissions that there are (interface, sections 5.2 to 5.4): what roles are made of. */

export const scopes = ['tenant', 'division', 'environment'] as const;
export type Scope = (typeof scopes)[number];

/** what divisions shall have one day: roles and settings of their own */
const reserved = 'Reserved: opens nothing yet';

/** Sections 5.2 to 5.4: what can be granted at each scope. `manage: null` marks a resource that is read only. */
const resources = {
  tenant: {
    info: { name: 'Tenant', read: 'View tenant info', manage: 'Update tenant info' },
    audit: { name: 'Audit log', read: 'View audit logs', manage: null },
    settings: { name: 'Settings', read: 'View settings', manage: 'Update settings' },
    role: { name: 'Roles', read: 'View roles', manage: 'Create, update and delete roles' },
    member: { name: 'Members', read: 'View members', manage: 'Invite, update and remove members' },
    subscription: { name: 'Subscription', read: 'View the plan', manage: 'Change the plan' },
    billing: { name: 'Billing', read: 'View billing and payment', manage: 'Update billing and payment' },
    division: { name: 'Divisions', read: 'View divisions', manage: 'Create, update and delete divisions' },
    api_key: { name: 'API keys', read: 'View API keys', manage: 'Create and delete API keys' },
    notifications: {
      name: 'Notifications',
      read: 'View channels',
      manage: 'Create, update and delete channels',
    },
  },
  division: {
    info: { name: 'Division', read: 'View division info', manage: 'Update division info' },
    audit: { name: 'Audit log', read: "View the division's audit logs", manage: null },
    settings: { name: 'Settings', read: reserved, manage: reserved },
    role: { name: 'Roles', read: reserved, manage: reserved },
    member: { name: 'Members', read: reserved, manage: reserved },
    environment: {
      name: 'Environments',
      read: 'View environments',
      manage: 'Create, update and delete environments',
    },
    api_key: {
      name: 'API keys',
      read: 'View division-scoped keys',
      manage: 'Create and delete division-scoped keys',
    },
    notifications: {
      name: 'Notifications',
      read: 'View channels',
      manage: 'Create, update and delete channels',
    },
  },
  environment: {
    info: { name: 'Environment', read: 'View the environment', manage: 'Update the environment' },
    deployment: {
      name: 'Deployments',
      read: 'View deployments',
      manage: 'Create, update and delete deployments',
    },
    'deployment:config': {
      name: 'Configuration',
      read: 'View configuration',
      manage: 'Create and activate versions',
    },
    'deployment:access': {
      name: 'Access rules',
      read: 'View access rules',
      manage: 'Create and delete access rules',
    },
    'deployment:network': {
      name: 'Networking',
      read: 'View connectivity',
      manage: 'Create and manage connections',
    },
    'deployment:task': { name: 'Tasks', read: 'View tasks', manage: 'Execute tasks' },
    'deployment:telemetry': {
      name: 'Telemetry',
      read: 'View monitoring data',
      manage: 'Configure retention',
    },
    'deployment:credentials': { name: 'Credentials', read: 'View broker credentials', manage: null },
    'deployment:connector': {
      name: 'Connectors',
      read: 'View connectors',
      manage: 'Manage connector instances',
    },
  },
} as const satisfies Record<Scope, Record<string, { name: string; read: string; manage: string | null }>>;

type Resources = typeof resources;
type ReadOnly<S extends Scope> = {
  [R in keyof Resources[S]]: Resources[S][R] extends { manage: null } ? R : never;
}[keyof Resources[S]];

/** Every permission name of a scope, for example `deployment:config:manage` for `environment`. */
export type Permission<S extends Scope = Scope> = S extends Scope
  ? `${keyof Resources[S] & string}:read` | `${Exclude<keyof Resources[S], ReadOnly<S>> & string}:manage`
  : never;

export interface PermissionEntry {
  key: string;
  name: string;
  description: string;
}

function entriesOf(scope: Scope): PermissionEntry[] {
  return Object.entries<{ name: string; read: string; manage: string | null }>(resources[scope]).flatMap(
    ([resource, { name, read, manage }]) => [
      { key: `${resource}:read`, name: `${name}: read`, description: read },
      ...(manage === null
        ? []
        : [{ key: `${resource}:manage`, name: `${name}: manage`, description: manage }]),
    ],
  );
}

/** The permission catalogue by scope, in the order of sections 5.2 to 5.4. */
export const permissionCatalogue: Readonly<Record<Scope, readonly PermissionEntry[]>> = {
  tenant: entriesOf('tenant'),
  division: entriesOf('division'),
  environment: entriesOf('environment'),
};

/** The position of each permission in the catalogue of its scope: the bit that stands for it when it is compiled. */
export const permissionPositions: Record<Scope, ReadonlyMap<string, number>> = {
  tenant: positionsOf('tenant'),
  division: positionsOf('division'),
  environment: positionsOf('environment'),
};

function positionsOf(scope: Scope): ReadonlyMap<string, number> {
  return new Map(permissionCatalogue[scope].map(({ key }, position) => [key, position]));
}

/** Whether `permission` can be granted at `scope`. */
export function isPermission<S extends Scope>(scope: S, permission: string): permission is Permission<S> {
  return permissionPositions[scope].has(permission);
}
