import { listed, noContent, pageOf, type Handlers } from '@sluice/service-kit';
import type { components, operations } from '../../../generated/api.ts';
import type { JoinRequestWithUser } from '../../../stores/join-requests.store.ts';
import type { JoinRequestsService } from './join-requests.service.ts';

export function joinRequestOperations(requests: JoinRequestsService) {
  return {
    async listJoinRequests({ params, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await requests.list(params.tenant_id, page);
      return listed(url, page, rows.map(requestBody), total);
    },

    async approveJoinRequest(call) {
      await requests.approve(call.caller, call.params.tenant_id, call.params.join_request_id);
      return noContent();
    },

    async rejectJoinRequest(call) {
      await requests.reject(call.caller, call.params.tenant_id, call.params.join_request_id);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

function requestBody(request: JoinRequestWithUser): components['schemas']['JoinRequest'] {
  return {
    id: request.id,
    user: { id: request.user_id, name: request.user_name },
    email: request.email,
    status: request.status,
    created_at: request.created_at.toISOString(),
    decided_at: request.decided_at?.toISOString() ?? null,
  };
}
