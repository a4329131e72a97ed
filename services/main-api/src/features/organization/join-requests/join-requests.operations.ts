import { done, paged, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { JoinRequestWithUser } from './join-requests.store.ts';
import type { JoinRequestsService } from './join-requests.service.ts';

export const joinRequestsOperations = (requests: JoinRequestsService) =>
  ({
    listJoinRequests: ({ params, query, url }) =>
      paged({ query, url }, (page) => requests.list(params, page), requestView),
    approveJoinRequest: ({ caller, params }) => done(requests.approve(caller, params)),
    rejectJoinRequest: ({ caller, params }) => done(requests.reject(caller, params)),
  }) satisfies Partial<Handlers<operations>>;

const requestView = (request: JoinRequestWithUser): components['schemas']['JoinRequest'] => ({
  id: request.id,
  user: { id: request.user_id, name: request.user_name },
  ...shown(request, 'email', 'status', 'created_at', 'decided_at'),
});
