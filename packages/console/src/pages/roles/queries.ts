import { getRole, listRoleMembers } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { readPages } from '@sluice/console-core/api/pages.ts';
import { read } from '@sluice/console-core/api/query-client.ts';

export const roleQuery = (tenant_id: number, role_id: number) =>
  read(keyOf('main', tenant_id, 'role', 'detail', role_id), (signal) =>
    getRole({ client, path: { tenant_id, role_id }, signal }),
  );

/** Its key is of members: they are what changes when a role is given or taken. */
export const roleMemberPagesQuery = (tenant_id: number, role_id: number) =>
  readPages(keyOf('main', tenant_id, 'member', 'of_role', role_id), (page) =>
    listRoleMembers({ client, path: { tenant_id, role_id }, ...page }),
  );
