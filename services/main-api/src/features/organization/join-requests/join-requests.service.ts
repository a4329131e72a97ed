import { compileRole, systemRoles, type JoinRequestId, type TenantId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { Page, ParamsOf } from '@sluice/http';
import { problem } from '@sluice/service';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import type { operations } from '../../../generated/api.ts';
import {
  decideJoinRequest,
  getJoinRequest,
  listJoinRequests,
  type JoinRequestWithUser,
} from './join-requests.store.ts';
import { isMember } from '@sluice/main-store/members.store';
import { type TenantPath, lockTenant } from '@sluice/main-store/tenants.store';
import { requireHeld } from '../../access/roles/granting.ts';
import { hasAddressOfDomain, join, joinRole } from './join-policy.ts';

type JoinRequestPath = ParamsOf<operations['approveJoinRequest']>;
export type JoinRequestsService = ReturnType<typeof joinRequestsService>;

const rightsOfJoining = compileRole(systemRoles[joinRole]);

/** Those who have asked to join a tenant, by its join policy `request_to_join`. */
export function joinRequestsService(core: Pick<Core, 'database' | 'work' | 'catalogue' | 'now'>) {
  const { database, work, now } = core;
  return {
    list: ({ tenant_id }: TenantPath, page: Page) => listJoinRequests(database, tenant_id, page),

    approve: (caller: Caller, { tenant_id, join_request_id: id }: JoinRequestPath) =>
      work(caller, async (tx) => {
        const tenant = await lockTenant(tx, tenant_id);
        const request = await decide(tx, tenant_id, id, 'approved', now());
        requireHeld(caller, rightsOfJoining);
        // an invitation may have been faster
        if (!(await isMember(tx, tenant_id, request.user_id))) {
          if (!(await hasAddressOfDomain(tx, request.user_id, tenant_id)))
            throw problem('state_conflict', {
              detail: 'The person has no verified address of the domain of the tenant any more.',
            });
          await join(tx, core, tenant, request.user_id);
        }
        const data = { email: request.email, roles: [joinRole] };
        tx.emit('join_request_approved', { tenant_id, user: userOf(request) }, data);
      }),

    reject: (caller: Caller, { tenant_id, join_request_id: id }: JoinRequestPath) =>
      work(caller, async (tx) => {
        await lockTenant(tx, tenant_id);
        const request = await decide(tx, tenant_id, id, 'rejected', now());
        requireHeld(caller, rightsOfJoining);
        const about = { tenant_id, user: userOf(request) };
        tx.emit('join_request_rejected', about, { email: request.email });
      }),
  };
}

async function decide(
  tx: Transaction,
  tenantId: TenantId,
  id: JoinRequestId,
  status: 'approved' | 'rejected',
  now: Date,
): Promise<JoinRequestWithUser> {
  const request = await getJoinRequest(tx, tenantId, id);
  if (!(await decideJoinRequest(tx, id, status, now)))
    throw problem('state_conflict', { detail: `The join request is ${request.status}.` });
  return request;
}

const userOf = ({ user_id, user_name }: JoinRequestWithUser) => ({ id: user_id, name: user_name });
