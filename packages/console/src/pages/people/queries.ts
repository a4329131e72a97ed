import {
  getMemberPermissions,
  listGrantablePermissions,
  listInvitations,
  listJoinRequests,
  listMembers,
  listRoles,
} from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { readPages } from '@sluice/console-core/api/pages.ts';
import { queryClient, read } from '@sluice/console-core/api/query-client.ts';

export const memberPagesQuery = (tenant_id: number) =>
  readPages(keyOf('main', tenant_id, 'member', 'pages'), (page) =>
    listMembers({ client, path: { tenant_id }, ...page }),
  );

export const invitationPagesQuery = (tenant_id: number) =>
  readPages(keyOf('main', tenant_id, 'invitation', 'pages'), (page) =>
    listInvitations({ client, path: { tenant_id }, ...page }),
  );

export const joinRequestPagesQuery = (tenant_id: number) =>
  readPages(keyOf('main', tenant_id, 'join_request', 'pages'), (page) =>
    listJoinRequests({ client, path: { tenant_id }, ...page }),
  );

/** The roles of the tenant: a hundred are more than plans allow. */
export const rolesQuery = (tenant_id: number) =>
  read(keyOf('main', tenant_id, 'role', 'list'), (signal) =>
    listRoles({ client, path: { tenant_id }, query: { results: 100 }, signal }),
  );

export const memberPermissionsQuery = (tenant_id: number, member_id: number) =>
  read(keyOf('main', tenant_id, 'member', 'permissions', member_id), (signal) =>
    getMemberPermissions({ client, path: { tenant_id, member_id }, signal }),
  );

/** Reads again what is shown of these kinds, after a write. */
export async function refreshKinds(tenantId: number, ...kinds: string[]): Promise<void> {
  await Promise.all(
    kinds.map((kind) => queryClient.invalidateQueries({ queryKey: ['main', tenantId, kind] })),
  );
}

/** All permissions that there are, with what they are about. */
export const catalogueQuery = (tenant_id: number) => ({
  ...read(keyOf('main', tenant_id, 'catalogue'), (signal) =>
    listGrantablePermissions({ client, path: { tenant_id }, signal }),
  ),
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: false as const,
});
