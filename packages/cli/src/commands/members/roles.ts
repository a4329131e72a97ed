import { deleteRole, getRole, listRoles, paginate, type Role, type RoleDetail } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import type { View } from '@sluice/terminal/output';
import { inTenant, verbsOf, type TenantCall } from '../entries/entries.ts';

export const detail: View<RoleDetail> = {
  name: ({ name }) => name,
  columns: [],
  fields: ({ id, name, kind, permissions: { divisions, ...scopes } }) => [
    ['Id', id],
    ['Name', name],
    ['Kind', kind],
    ...Object.entries(scopes).map(([scope, names]) => [`May, ${scope}`, names.join(', ')] as const),
    [
      'Overrides',
      Object.keys(divisions)
        .map((division) => `division ${division}`)
        .join(', '),
    ],
  ],
};

export const roles = verbsOf<TenantCall, Role, RoleDetail>({
  noun: 'roles',
  one: 'role',
  at: inTenant,
  read: (call) => paginate(listRoles, call),
  view: {
    name: ({ name }) => name,
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'NAME', value: ({ name }) => name },
      { header: 'KIND', value: ({ kind }) => kind },
    ],
  },
  id: ({ id }) => id,
  name: ({ name }) => name,
  get: ({ path, ...call }, role_id) => getRole({ ...call, path: { ...path, role_id } }),
  detail,
  remove: ({ path, ...call }, role_id) => deleteRole({ ...call, path: { ...path, role_id } }),
});

/** @param given names or ids @throws CliError not found */
export async function roleIds(cli: Cli, given: readonly string[]): Promise<number[]> {
  const found = [];
  for (const text of given) found.push((await roles.find(cli, text)).id);
  return found;
}
