import type { GrantablePermission, PermissionsDetail, PermissionsInput } from '@sluice/client';

export type Scope = 'tenant' | 'division' | 'environment';
export type Level = 'none' | 'read' | 'manage';

/** What is granted at one place: the default of a scope, or an override of it in a division or an environment. */
export interface Grant {
  scope: Scope;
  /** of an override */
  division: number | null;
  environment: number | null;
  /** the name of its place; of a default undefined */
  name: string | undefined;
  permissions: readonly string[];
}

/** What permissions are about, such as `deployment:config`, and whether they can be to manage as well. */
export interface Resource {
  key: string;
  name: string;
  levels: readonly Level[];
  /** by level, what it lets people do */
  descriptions: Readonly<Partial<Record<Level, string>>>;
}

/** The resources of a scope, from its catalogue. */
export function resourcesOf(catalogue: readonly GrantablePermission[]): Resource[] {
  const keys = [...new Set(catalogue.map(({ key }) => key.replace(/:\w+$/, '')))];
  return keys.map((key) => {
    const own = catalogue.filter((entry) => entry.key.replace(/:\w+$/, '') === key);
    const levels = own.map((entry) => entry.key.split(':').at(-1) as Level);
    return {
      key,
      name: own[0]?.name.replace(/: \w+$/, '') ?? key,
      levels: ['none', ...levels],
      descriptions: Object.fromEntries(
        own.map((entry) => [entry.key.split(':').at(-1), entry.description]),
      ) as Resource['descriptions'],
    };
  });
}

export const levelOf = (permissions: readonly string[], resource: string): Level =>
  permissions.includes(`${resource}:manage`)
    ? 'manage'
    : permissions.includes(`${resource}:read`)
      ? 'read'
      : 'none';

/** The permissions with another level of a resource. Who may manage may read. */
export function withLevel(permissions: readonly string[], resource: string, level: Level): string[] {
  const others = permissions.filter((name) => name !== `${resource}:read` && name !== `${resource}:manage`);
  if (level === 'none') return others;
  return [...others, `${resource}:read`, ...(level === 'manage' ? [`${resource}:manage`] : [])];
}

const isSame = (some: readonly string[], others: readonly string[]) =>
  [...some].sort().join() === [...others].sort().join();

/** Whether two grants are of the same place. */
export const isAt = (one: Grant, other: Pick<Grant, 'scope' | 'division' | 'environment'>): boolean =>
  one.scope === other.scope && one.division === other.division && one.environment === other.environment;

/** What a grant stands in place of; undefined for a default, which stands in place of none. */
export function inheritedBy(
  grants: readonly Grant[],
  { scope, division, environment }: Grant,
): Grant | undefined {
  const at = (place: Pick<Grant, 'division' | 'environment'>) =>
    grants.find((one) => isAt(one, { scope, ...place }));
  const byDefault = at({ division: null, environment: null });
  if (environment !== null) return at({ division, environment: null }) ?? byDefault;
  return division === null ? undefined : byDefault;
}

/**
 * What a role or a person is granted, by place: the defaults, then the overrides. One that grants what it would inherit is left out, as
 * those that system roles show.
 */
export function grantsOf({ tenant, division, environment, divisions }: PermissionsDetail): Grant[] {
  const nowhere = { division: null, environment: null, name: undefined };
  const grants: Grant[] = [
    { scope: 'tenant', ...nowhere, permissions: tenant },
    { scope: 'division', ...nowhere, permissions: division },
    { scope: 'environment', ...nowhere, permissions: environment },
  ];
  const add = (grant: Grant) => {
    if (!isSame(grant.permissions, inheritedBy(grants, grant)?.permissions ?? [])) grants.push(grant);
  };
  for (const [key, one] of Object.entries(divisions)) {
    const id = Number(key);
    const name = one.name ?? `#${key}`;
    const at = { division: id, environment: null, name };
    add({ scope: 'division', ...at, permissions: one.permissions });
    add({ scope: 'environment', ...at, permissions: one.environment });
    for (const [inside, { name: own, permissions }] of Object.entries(one.environments))
      add({
        scope: 'environment',
        division: id,
        environment: Number(inside),
        name: `${name}/${own ?? `#${inside}`}`,
        permissions,
      });
  }
  return grants;
}

/** The same as the API takes it. Overrides that are not named inherit. */
export function permissionsOf(grants: readonly Grant[]): PermissionsInput {
  const defaultOf = (scope: Scope) => [...(grants.find((one) => one.scope === scope)?.permissions ?? [])];
  const divisions: NonNullable<PermissionsInput['divisions']> = {};
  for (const { scope, division, environment, permissions } of grants) {
    if (division === null) continue;
    const override = (divisions[String(division)] ??= {});
    if (environment !== null)
      override.environments = { ...override.environments, [String(environment)]: [...permissions] };
    else if (scope === 'division') override.permissions = [...permissions];
    else override.environment = [...permissions];
  }
  return {
    tenant: defaultOf('tenant'),
    division: defaultOf('division'),
    environment: defaultOf('environment'),
    divisions,
  };
}

const rank: Record<Level, number> = { none: 0, read: 1, manage: 2 };

/** How a cell differs from what its place would inherit. */
export function differenceOf(
  grants: readonly Grant[],
  grant: Grant,
  resource: string,
): 'more' | 'less' | 'same' {
  const inherited = inheritedBy(grants, grant);
  if (!inherited) return 'same';
  const more = rank[levelOf(grant.permissions, resource)] - rank[levelOf(inherited.permissions, resource)];
  return more === 0 ? 'same' : more > 0 ? 'more' : 'less';
}

/** The grants with another one of a place, or with one more. */
export const withGrant = (grants: readonly Grant[], changed: Grant): Grant[] =>
  grants.some((grant) => isAt(grant, changed))
    ? grants.map((grant) => (isAt(grant, changed) ? changed : grant))
    : [...grants, changed];

/** In which places a resource has another level than by default. */
export function exceptionsOf(grants: readonly Grant[], scope: Scope, resource: string) {
  const own = grants.filter((grant) => grant.scope === scope);
  const byDefault = levelOf(own.find(({ division }) => division === null)?.permissions ?? [], resource);
  const others = own.filter(({ division }) => division !== null);
  const difference = ({ permissions }: Grant) => rank[levelOf(permissions, resource)] - rank[byDefault];
  return {
    level: byDefault,
    more: others.filter((grant) => difference(grant) > 0),
    less: others.filter((grant) => difference(grant) < 0),
  };
}
