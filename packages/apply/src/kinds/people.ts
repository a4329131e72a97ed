import {
  createInvitation,
  createRole,
  deleteInvitation,
  deleteMember,
  deleteRole,
  getRole,
  listInvitations,
  listMembers,
  paginate,
  updateMember,
  updateRole,
  type PermissionsInput,
} from '@sluice/client';
import { keyOf } from '../entries.ts';
import { roleFields } from '../organization/people.ts';
import type { CanonicalPermissions } from '../document/canonical.ts';
import { requireUnchanged, type Existing, type Kind, type Run, type Wanted } from './kind.ts';

/** Roles, and the members who have them. */

const tenantOf = ({ client, signal, ids }: Run) => ({ client, signal, path: { tenant_id: ids.tenantId } });
const roleCall = ({ id: role_id }: Existing, run: Run) => ({
  ...tenantOf(run),
  path: { tenant_id: run.ids.tenantId, role_id },
});

const permissionsOf = ({ fields }: Wanted) => fields['permissions'] as CanonicalPermissions | undefined;

/** The same with ids in place of names. */
function withIds(permissions: CanonicalPermissions, { ids }: Run): PermissionsInput {
  const divisions = Object.entries(permissions.divisions).map(([name, { environments, ...own }]) => [
    ids.get(`division ${name}`),
    {
      ...own,
      environments: Object.fromEntries(
        Object.entries(environments).map(([inside, names]) => [
          ids.get(`environment ${name}/${inside}`),
          names,
        ]),
      ),
    },
  ]);
  return {
    ...permissions,
    divisions: Object.fromEntries(divisions) as PermissionsInput['divisions'],
  };
}

export const role: Kind = {
  needs: (wanted) =>
    Object.entries(permissionsOf(wanted)?.divisions ?? {}).flatMap(([name, { environments }]) => [
      `division ${name}`,
      ...Object.keys(environments).map((inside) => `environment ${name}/${inside}`),
    ]),
  create: {
    operation: () => 'createRole',
    async send(wanted, run) {
      const granted = permissionsOf(wanted);
      const permissions = granted ? withIds(granted, run) : {};
      const { data } = await createRole({ ...tenantOf(run), body: { name: wanted.name, permissions } });
      run.ids.set(keyOf(wanted), data.id);
    },
  },
  updates: (wanted, existing, changed) => [
    {
      fields: [...changed],
      operation: 'updateRole',
      async send(run) {
        await requireUnchanged(role, existing, run);
        const granted = changed.has('permissions') ? permissionsOf(wanted) : undefined;
        const body = {
          ...(changed.has('name') && { name: wanted.name }),
          ...(granted && { permissions: withIds(granted, run) }),
        };
        await updateRole({ ...roleCall(existing, run), body });
      },
    },
  ],
  remove: {
    operation: () => 'deleteRole',
    async send(existing, run) {
      await requireUnchanged(role, existing, run);
      await deleteRole(roleCall(existing, run));
    },
  },
  async reread(existing, run) {
    const { data } = await getRole(roleCall(existing, run));
    return { fields: roleFields(data, run.placeOf) };
  },
};

const roleNames = ({ fields }: Wanted): string[] => (fields['roles'] as string[] | undefined) ?? [];
const roleIds = (wanted: Wanted, { ids }: Run) => roleNames(wanted).map((name) => ids.get(`role ${name}`));

const invite = (wanted: Wanted, run: Run) =>
  createInvitation({ ...tenantOf(run), body: { email: wanted.name, roles: roleIds(wanted, run) } });

export const member: Kind = {
  needs: (wanted) => roleNames(wanted).map((name) => `role ${name}`),
  create: { operation: () => 'createInvitation', send: invite },
  updates: (wanted, existing, changed) => [
    {
      fields: [...changed],
      operation: existing.isInvitation ? 'createInvitation' : 'updateMember',
      blocked: existing.isOwner
        ? 'The owner of the tenant cannot be changed.'
        : existing.isInvitation && changed.has('active')
          ? 'The invitation is not accepted yet: there is no member who could be inactive.'
          : undefined,
      async send(run) {
        await requireUnchanged(member, existing, run);
        if (existing.isInvitation) {
          await removeMember(existing, run);
          await invite(wanted, run);
          return;
        }
        const { active } = wanted.fields as { active?: boolean };
        const body = {
          ...(changed.has('active') && active !== undefined && { active }),
          ...(changed.has('roles') && { roles: roleIds(wanted, run) }),
        };
        await updateMember({
          ...tenantOf(run),
          path: { tenant_id: run.ids.tenantId, member_id: existing.id },
          body,
        });
      },
    },
  ],
  remove: {
    operation: ({ isInvitation }) => (isInvitation ? 'deleteInvitation' : 'deleteMember'),
    async send(existing, run) {
      await requireUnchanged(member, existing, run);
      await removeMember(existing, run);
    },
  },
  async reread(existing, run) {
    const list = existing.isInvitation
      ? paginate(listInvitations, tenantOf(run))
      : paginate(listMembers, tenantOf(run));
    for await (const one of list)
      if (one.id === existing.id) {
        const roles = [...one.roles].sort();
        return { fields: { roles, active: 'active' in one ? one.active : true } };
      }
    return undefined;
  },
};

async function removeMember({ id, isInvitation }: Existing, run: Run): Promise<void> {
  const tenant_id = run.ids.tenantId;
  if (isInvitation) await deleteInvitation({ ...tenantOf(run), path: { tenant_id, invitation_id: id } });
  else await deleteMember({ ...tenantOf(run), path: { tenant_id, member_id: id } });
}
