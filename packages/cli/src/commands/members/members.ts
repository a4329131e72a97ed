import { deleteMember, listMembers, paginate, updateMember, type Member } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import { capital, inTenant, verbsOf, type TenantCall } from '../entries/entries.ts';
import { roleIds } from './roles.ts';

export const members = verbsOf<TenantCall, Member>({
  noun: 'members',
  one: 'member',
  at: inTenant,
  read: (call) => paginate(listMembers, call),
  view: {
    name: ({ id }) => String(id),
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'EMAIL', value: ({ email }) => email },
      { header: 'NAME', value: ({ name }) => name },
      { header: 'ROLES', value: ({ roles }) => roles.join(', ') },
      { header: 'ACTIVE', value: ({ active }) => active },
      { header: 'SINCE', value: ({ created_at }) => created_at, wide: true },
    ],
  },
  id: ({ id }) => id,
  name: ({ email }) => email,
  remove: ({ path, ...call }, member_id) => deleteMember({ ...call, path: { ...path, member_id } }),
});

interface EditFlags {
  /** `false` for `--no-roles` */
  roles?: string[] | false;
  active?: boolean;
}

export async function edit(cli: Cli, text: string, { roles, active }: EditFlags): Promise<void> {
  if (roles === undefined && active === undefined)
    throw usageError('What shall change?', 'pass --roles, --active or --no-active');
  const { call, id, title } = await members.find(cli, text);
  const body = {
    ...(active !== undefined && { active }),
    ...(roles !== undefined && { roles: roles ? await roleIds(cli, roles) : [] }),
  };
  await updateMember({ ...call, path: { ...call.path, member_id: id }, body });
  cli.say(capital(`${title} is changed.`));
}
