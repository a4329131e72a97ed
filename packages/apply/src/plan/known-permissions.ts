import { listGrantablePermissions, SluiceError, type SluiceClient } from '@sluice/client';
import type { CanonicalPermissions } from '../document/canonical.ts';
import type { Wanted } from '../entries.ts';
import type { Obstacle, Step } from './types.ts';

type Scope = 'tenant' | 'division' | 'environment';
type Catalogue = Record<Scope, readonly { key: string }[]>;

interface Call {
  client: SluiceClient;
  signal: AbortSignal;
  path: { tenant_id: number };
}

/** Permissions of roles that there are not, or not in their scope: the server would refuse them once the rest is made. */
export async function unknownPermissions(
  steps: readonly Step[],
  wanted: ReadonlyMap<string, Wanted>,
  call: Call,
): Promise<Obstacle[]> {
  const roles = steps
    .filter(({ kind, action }) => kind === 'role' && action !== 'delete')
    .flatMap(({ key }) => wanted.get(key) ?? [])
    .filter(({ fields }) => fields['permissions'] !== undefined);
  if (roles.length === 0) return [];
  const catalogue = await readCatalogue(call);
  if (!catalogue) return [];
  const unknown = roles.flatMap(({ place, at, fields }) =>
    granted(fields['permissions'] as CanonicalPermissions)
      .filter(([scope, name]) => !catalogue[scope].some(({ key }) => key === name))
      .map(([scope, name]) => obstacle(`${at}: the role ${place}`, scope, name, catalogue)),
  );
  // an override repeats what it inherits
  return [...new Map(unknown.map((one) => [one.message, one])).values()];
}

/** @returns undefined where it may not be read: then the server decides */
async function readCatalogue(call: Call): Promise<Catalogue | undefined> {
  try {
    return (await listGrantablePermissions(call)).data;
  } catch (error) {
    if (error instanceof SluiceError && error.status === 403) return undefined;
    throw error;
  }
}

function granted({ tenant, division, environment, divisions }: CanonicalPermissions): [Scope, string][] {
  const of = (scope: Scope, names: readonly string[] = []) =>
    names.map((name): [Scope, string] => [scope, name]);
  return [
    ...of('tenant', tenant),
    ...of('division', division),
    ...of('environment', environment),
    ...Object.values(divisions).flatMap((own) => [
      ...of('division', own.permissions),
      ...of('environment', own.environment),
      ...Object.values(own.environments).flatMap((names) => of('environment', names)),
    ]),
  ];
}

function obstacle(where: string, scope: Scope, name: string, catalogue: Catalogue): Obstacle {
  const others = (['tenant', 'division', 'environment'] as const).filter((other) =>
    catalogue[other].some(({ key }) => key === name),
  );
  return {
    reason: 'invalid',
    message: `${where} grants ${name} in the scope ${scope}, which does not have it.`,
    next:
      others.length > 0
        ? `write it under ${others.join(' or ')}`
        : `the scope has ${catalogue[scope].map(({ key }) => key).join(', ')}`,
  };
}
