import { permissionCatalogue, systemRoles, type RolePermissionsInput, type Scope } from '@sluice/contracts';
import { client, type Stack } from '@sluice/testing';
import type { WalkedOperation } from './documents.ts';
import { refusalOf, withKey } from './harmless-requests.ts';
import { seedTenant } from './second-tenant.ts';
import { sixAtOnce, walkedStack, type Layer, type WalkedStack } from './walked-stack.ts';

/**
 * Every operation of the three documents, asked with keys of every kind, does what section 5 of the interface says. What
 * it says is read here in the plainest way, from a role's lists of names; the services use compiled bits. The requests are
 * made so that an authorized one finds nothing to do: an id that names nothing, or a body that is refused later.
 */

interface Place {
  division: number;
  environment: number;
}

let walked: WalkedStack;
let stack: Stack;
let layers: Layer[];
let place: Place;
let otherDivision: number;

beforeAll(async () => {
  walked = await walkedStack();
  ({ stack, layers } = walked);
  place = { division: stack.division_id, environment: walked.environmentId };
  otherDivision = (
    await stack.main.post<{ id: number }>(`/tenants/${stack.tenant_id}/divisions`, { name: 'other' })
  ).body.id;
}, 300_000);
afterAll(() => stack.remove());

/** Whether a role grants what an operation declares, by a plain reading of section 5. */
function grants(
  role: RolePermissionsInput,
  permission: WalkedOperation['permission'],
  at: Partial<Place>,
  path: string,
  boundTo?: number,
): boolean {
  if (permission === 'public' || permission === 'authenticated') return true;
  if (typeof permission === 'string' || permission.owner || permission.permission === undefined) return false;
  const { scope, or, division_keys, anywhere } = permission;
  if (holds(role, scope, permission.permission, at)) return true;
  if (or && placesOf(or.scope, role, at, path).some((one) => holds(role, or.scope, or.permission, one)))
    return true;
  if (anywhere && allPlaces(role).some((one) => holds(role, scope, permission.permission ?? '', one)))
    return true;
  return division_keys === true && boundTo !== undefined && (at.division ?? boundTo) === boundTo;
}

/** Everywhere, and each place of which the role says something of its own. */
const allPlaces = ({ divisions = {} }: RolePermissionsInput): Partial<Place>[] => [
  {},
  ...Object.entries(divisions).flatMap(([id, { environments = {} }]) => [
    { division: Number(id) },
    ...Object.keys(environments).map((key) => ({ division: Number(id), environment: Number(key) })),
  ]),
];

/** Permissions of the tenant that operations ask for besides that of their document. */
const alsoNeeded = new Map([['GET /tenants/{tenant_id}/members/{member_id}/permissions', ['role:read']]]);

/** Where an other permission is enough: in the place that the path names; without a tenant in any. */
function placesOf(
  scope: string,
  role: RolePermissionsInput,
  at: Partial<Place>,
  path: string,
): Partial<Place>[] {
  if (scope === 'tenant' || at.division !== undefined) return [at];
  if (path.includes('{tenant_id}')) return [];
  return [{}, ...Object.keys(role.divisions ?? {}).map((id) => ({ division: Number(id) }))];
}

function holds(role: RolePermissionsInput, scope: string, wanted: string, at: Partial<Place>): boolean {
  const held = heldAt(role, scope as Scope, at);
  return (
    held.includes(wanted) || (wanted.endsWith(':read') && held.includes(wanted.replace(/:read$/, ':manage')))
  );
}

function heldAt(
  role: RolePermissionsInput,
  scope: Scope,
  { division, environment }: Partial<Place>,
): readonly string[] {
  if (scope === 'tenant') return role.tenant ?? [];
  const override = division === undefined ? undefined : role.divisions?.[division];
  if (scope === 'division') return override?.permissions ?? role.division ?? [];
  const own = environment === undefined ? undefined : override?.environments?.[environment];
  return own ?? override?.environment ?? role.environment ?? [];
}

/** Whether the key got past authorization. */
const gotIn = async (url: string, operation: WalkedOperation, key: string): Promise<boolean> =>
  (await refusalOf(walked, url, operation, key)) === undefined;

/** Only tried with keys that must not get in: it would succeed. */
const wouldSucceed = ({ method, path, body }: WalkedOperation) =>
  method !== 'GET' && path.endsWith('{tenant_id}') && body === undefined;
const isOwners = ({ permission }: WalkedOperation) =>
  typeof permission === 'object' && permission.owner === true;
/** Sessions of people have tests of their own; a key is refused there. */
const forSessions = ({ permission }: WalkedOperation) => permission === 'session';

async function compare(
  role: RolePermissionsInput,
  key: string,
  {
    owner = false,
    boundTo,
    which = () => true,
  }: { owner?: boolean; boundTo?: number; which?: (operation: WalkedOperation) => boolean } = {},
): Promise<void> {
  const check = async (url: string, operation: WalkedOperation) => {
    const expected = isOwners(operation)
      ? owner
      : !forSessions(operation) &&
        grants(role, operation.permission, placeOf(operation), operation.path, boundTo) &&
        (alsoNeeded.get(operation.name) ?? []).every((more) => holds(role, 'tenant', more, {}));
    if (expected && wouldSucceed(operation)) return;
    expect([operation.name, await gotIn(url, operation, key)]).toEqual([operation.name, expected]);
  };
  const checks = layers.flatMap(({ url, operations }) =>
    operations
      .filter((one) => one.permission !== 'public' && which(one))
      .map((operation) => ({ url, operation })),
  );
  await sixAtOnce(checks, ({ url, operation }) => check(url, operation));
}

/** Whether the operation asks for the permission, or for one that the permission includes. */
function asksFor({ permission: declared }: WalkedOperation, scope: Scope, permission: string): boolean {
  if (typeof declared === 'string') return false;
  return [declared, declared.or].some(
    (one) =>
      one?.scope === scope &&
      [permission, permission.replace(/:manage$/, ':read')].includes(one.permission ?? ''),
  );
}

/** The place that an operation's path names; the supervisor's deployments stand for theirs. */
function placeOf({ path }: WalkedOperation): Partial<Place> {
  if (path.startsWith('/deployments/')) return place;
  return {
    ...(path.includes('{division_id}') && { division: place.division }),
    ...(path.includes('{environment_id}') && { environment: place.environment }),
  };
}

const systemRoleId = async (name: string) => {
  const { body } = await stack.main.get<{ items: { id: number; name: string; kind: string }[] }>(
    `/tenants/${stack.tenant_id}/roles?results=100`,
  );
  return body.items.find((role) => role.kind === 'system' && role.name === name)?.id;
};

test.each(Object.entries(systemRoles))('the system role %s', async (name, role) => {
  await withKey(stack, { role_id: await systemRoleId(name) }, (token) =>
    // a key of the owner with the role admin counts as the owner
    compare(role, token, { owner: name === 'admin' }),
  );
});

test('for each permission: a role with exactly it, and one with everything but it', async () => {
  let turn = 0;
  for (const scope of ['tenant', 'division', 'environment'] as const) {
    for (const { key: permission } of permissionCatalogue[scope]) {
      // those that ask for it, and of all the others a part, so that each meets several permissions that are not its own
      const part = turn++ % 6;
      let place = 0;
      const which = (operation: WalkedOperation) =>
        place++ % 6 === part || asksFor(operation, scope, permission);
      const only = { [scope]: [permission] };
      await withKey(stack, { permissions: only }, (token) => compare(only, token, { which }));
      // without it and without what includes it
      const without = (names: readonly { key: string }[]) =>
        names
          .map(({ key }) => key)
          .filter((key) => key !== permission && key !== permission.replace(/:read$/, ':manage'));
      const all = Object.fromEntries(
        Object.entries(permissionCatalogue).map(([at, names]) => [at, names.map(({ key }) => key)]),
      );
      const allBut = { ...all, [scope]: without(permissionCatalogue[scope]) };
      await withKey(stack, { permissions: allBut }, (token) => compare(allBut, token, { which }));
    }
  }
}, 180_000);

test('overrides replace the default at their own scope only', async () => {
  const role: RolePermissionsInput = {
    division: ['environment:read'],
    environment: ['deployment:read'],
    divisions: {
      [place.division]: {
        environment: ['deployment:manage'],
        environments: { [place.environment]: ['deployment:access:read'] },
      },
      [otherDivision]: { permissions: [], environment: [] },
    },
  };
  await withKey(stack, { permissions: role }, async (token) => {
    await compare(role, token);
    const environments = (division: number) =>
      client(stack.base_url, token).get(`/tenants/${stack.tenant_id}/divisions/${division}/environments`);
    expect((await environments(place.division)).status).toBe(200);
    expect((await environments(otherDivision)).status).toBe(403);
  });
});

test('a key of another division gets nowhere, one of the division everywhere below it', async () => {
  const role_id = await systemRoleId('admin');
  const admin = {
    permissions: systemRoles.admin.division,
    environment: systemRoles.admin.environment,
  };
  const nowhere: RolePermissionsInput = { divisions: { [otherDivision]: admin } };
  const below = (division: number) => `/divisions/${division}`;
  await withKey(
    stack,
    { role_id },
    (token) => compare(nowhere, token, { boundTo: otherDivision }),
    below(otherDivision),
  );
  const inside: RolePermissionsInput = { divisions: { [place.division]: admin } };
  await withKey(
    stack,
    { role_id },
    (token) => compare(inside, token, { boundTo: place.division }),
    below(place.division),
  );
});

test("another tenant's admin gets nowhere", async () => {
  const { api_key } = await seedTenant(stack, 'Somebody else');
  const asked = layers.flatMap(({ url, operations }) =>
    operations.filter(({ path }) => path.includes('_id}')).map((operation) => ({ url, operation })),
  );
  await sixAtOnce(asked, async ({ url, operation }) => {
    expect([operation.name, await gotIn(url, operation, api_key)]).toEqual([operation.name, false]);
  });
});
