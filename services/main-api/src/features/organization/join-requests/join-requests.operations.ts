import { listed, noContent, pageOf, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { JoinRequestWithUser } from '../../../stores/join-requests.store.ts';
import type { JoinRequestsService } from './join-requests.service.ts';

export function joinRequestsOperations(requests: JoinRequestsService) {
  return {
    async listJoinRequests({ params, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await requests.list(params, page);
      return listed(url, page, rows.map(requestView), total);
    },

    async approveJoinRequest({ caller, params }) {
      await requests.approve(caller, params);
      return noContent();
    },

    async rejectJoinRequest({ caller, params }) {
      await requests.reject(caller, params);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

function requestView(request: JoinRequestWithUser): components['schemas']['JoinRequest'] {
  return {
    id: request.id,
    user: { id: request.user_id, name: request.user_name },
    email: request.email,
    status: request.status,
    created_at: request.created_at.toISOString(),
    decided_at: request.decided_at?.toISOString() ?? null,
  };
}
