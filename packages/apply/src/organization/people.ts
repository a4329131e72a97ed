import {
  getContext,
  getRole,
  getTenantContext,
  listInvitations,
  listMembers,
  listRoles,
  paginate,
  type RoleDetail,
} from '@sluice/client';
import type { Fields } from '../entries.ts';
import { canonicalPermissions } from '../document/canonical.ts';
import type { Reader } from './reader.ts';

/** A role as documents have it: places by name. */
export function roleFields({ name, permissions }: RoleDetail, placeOf: Reader['placeOf']): Fields {
  const divisions = Object.entries(permissions.divisions).map(([id, override]) => {
    const environments = Object.entries(override.environments).map(
      ([environment, { permissions: names }]) => [
        (placeOf.get(`environment ${environment}`) ?? environment).split('/').at(-1) ?? '',
        names,
      ],
    );
    return [
      placeOf.get(`division ${id}`) ?? id,
      { ...override, environments: Object.fromEntries(environments) as Record<string, string[]> },
    ] as const;
  });
  return {
    name,
    permissions: canonicalPermissions({ ...permissions, divisions: Object.fromEntries(divisions) }),
  };
}

/** @param isWhole whether what they grant is read, too */
export async function readRoles(reader: Reader, isWhole: boolean): Promise<void> {
  const { client, signal, tenantId: tenant_id, turn } = reader;
  const reads: Promise<void>[] = [];
  for await (const { id, name, kind } of paginate(listRoles, { client, path: { tenant_id }, signal })) {
    reader.ids.set(`role ${name}`, id);
    if (kind === 'system' || !isWhole) continue;
    const read = async () => {
      const { data } = await turn(() => getRole({ client, path: { tenant_id, role_id: id }, signal }));
      const fields = roleFields(data, reader.placeOf);
      reader.add({ kind: 'role', name, parent: null, place: name, id, fields });
    };
    reads.push(read());
  }
  await Promise.all(reads);
}

export async function readMembers(reader: Reader): Promise<void> {
  const { client, signal, tenantId: tenant_id } = reader;
  const call = { client, path: { tenant_id }, signal };
  const [{ data: own }, { data: context }] = await Promise.all([
    getTenantContext(call),
    getContext({ client, signal }),
  ]);
  const owner = own.owner ? context.user?.id : undefined;
  for await (const { email, status, roles, id } of paginate(listInvitations, call)) {
    if (status !== 'pending') continue;
    const fields = { roles: [...roles].sort(), active: true };
    add(email, { id, fields, isInvitation: true });
  }
  // a member is one although there is an invitation
  for await (const { email, roles, active, id } of paginate(listMembers, call))
    add(email, { id, fields: { roles: [...roles].sort(), active }, isOwner: id === owner });

  function add(
    email: string,
    rest: { id: number; fields: Fields; isInvitation?: boolean; isOwner?: boolean },
  ): void {
    const name = email.toLowerCase();
    reader.add({ kind: 'member', name, parent: null, place: name, ...rest });
  }
}
