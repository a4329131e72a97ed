import type { TenantContext } from '@sluice/client';
import type { Ids } from '../entries.ts';
import type { Obstacle, Step } from './types.ts';

/** What an operation needs, in words such as `division:manage (tenant) or info:manage (division)`; undefined where it needs nothing. */
export type PermissionOf = (operation: string) => string | undefined;

/** The permissions that steps need and the caller does not have. Those in a place that is to be made are the defaults of its parent. */
export function missingPermissions(
  steps: readonly Step[],
  { owner, permissions }: Pick<TenantContext, 'owner' | 'permissions'>,
  ids: Ids,
  permissionOf: PermissionOf,
): Obstacle[] {
  if (owner) return [];
  const missing = new Map<string, string[]>();
  for (const { operation, place } of steps) {
    const needed = alternatives(permissionOf(operation) ?? '');
    if (needed.length === 0 || needed.some(({ name, scope }) => heldAt(scope, place).includes(name)))
      continue;
    const text = needed.map(({ name }) => name).join(' or ');
    missing.set(text, [...(missing.get(text) ?? []), place === '' ? 'the tenant' : place]);
  }
  return [...missing].map(([name, places]) => ({
    reason: 'not_allowed',
    message: `The permission ${name} lacks for ${[...new Set(places)].join(', ')}.`,
  }));

  function heldAt(scope: string, text: string): readonly string[] {
    const [division = '', environment = ''] = (text.split(': ', 1)[0] ?? '').split('/');
    const inDivision = permissions.divisions[String(ids.find(`division ${division}`))];
    const inEnvironment =
      inDivision?.environments[String(ids.find(`environment ${division}/${environment}`))];
    if (scope === 'tenant') return permissions.tenant;
    if (scope === 'division') return inDivision?.permissions ?? permissions.division;
    return inEnvironment?.permissions ?? inDivision?.environment ?? permissions.environment;
  }
}

/** `division:manage (tenant) or info:manage (division)` */
const alternatives = (text: string): { name: string; scope: string }[] =>
  [...text.matchAll(/(\S+) \((\w+)\)/g)].map(([, name = '', scope = '']) => ({ name, scope }));
