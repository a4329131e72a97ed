import {
  createInvitation,
  deleteInvitation,
  listInvitations,
  paginate,
  type Invitation,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import type { View } from '@sluice/terminal/output';
import { inTenant, verbsOf, type TenantCall } from '../entries/entries.ts';
import { roleIds } from './roles.ts';

const view: View<Invitation> = {
  name: ({ id }) => String(id),
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'EMAIL', value: ({ email }) => email },
    { header: 'STATUS', value: ({ status }) => status },
    { header: 'ROLES', value: ({ roles }) => roles.join(', ') },
    { header: 'BY', value: ({ invited_by: by }) => by.name },
    { header: 'UNTIL', value: ({ expires_at }) => expires_at },
    { header: 'MAIL FAILURE', value: ({ mail_failure }) => mail_failure, wide: true },
  ],
};

export const invitations = verbsOf<TenantCall, Invitation>({
  noun: 'invitations',
  one: 'invitation',
  at: inTenant,
  read: (call) => paginate(listInvitations, call),
  view,
  id: ({ id }) => id,
  name: ({ email }) => email,
  remove: ({ path, ...call }, invitation_id) =>
    deleteInvitation({ ...call, path: { ...path, invitation_id } }),
});

export async function create(cli: Cli, email: string, { roles = [] }: { roles?: string[] }): Promise<void> {
  const call = await inTenant(cli);
  const { data } = await createInvitation({ ...call, body: { email, roles: await roleIds(cli, roles) } });
  await cli.output.item(data, view);
}
